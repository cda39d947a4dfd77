#pragma once

#include "abi/standard.hpp"
#include "convert/pair.hpp"

#include <cstring>

namespace anympi::emulate {

// The predefined operations on integers and logicals of 16 bytes, as user functions. MPI defines which operation
// accepts which of the two. Sums and products wrap around, as for smaller integers.

__extension__ using integer_16 = __int128;
__extension__ using unsigned_16 = unsigned __int128;

/// Sets `inout` to `in` op `inout` for each element. The elements need no alignment.
template <class Operation>
void reduce_16(void* in, void* inout, int* length, void*) {
    for (int i = 0; i < *length; ++i) {
        unsigned_16 left;
        unsigned_16 right;
        std::memcpy(&left, static_cast<const char*>(in) + i * sizeof left, sizeof left);
        std::memcpy(&right, static_cast<const char*>(inout) + i * sizeof right, sizeof right);
        right = Operation::apply(left, right);
        std::memcpy(static_cast<char*>(inout) + i * sizeof right, &right, sizeof right);
    }
}

inline bool is_less(unsigned_16 left, unsigned_16 right) {
    return static_cast<integer_16>(left) < static_cast<integer_16>(right);
}

struct maximum_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return is_less(left, right) ? right : left; }
};
struct minimum_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return is_less(left, right) ? left : right; }
};
struct sum_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left + right; }
};
struct product_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left * right; }
};
struct bits_and_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left & right; }
};
struct bits_or_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left | right; }
};
struct bits_xor_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left ^ right; }
};
struct both_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left != 0 && right != 0 ? 1 : 0; }
};
struct either_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return left != 0 || right != 0 ? 1 : 0; }
};
struct not_both_16 {
    static unsigned_16 apply(unsigned_16 left, unsigned_16 right) { return (left != 0) != (right != 0) ? 1 : 0; }
};

struct operation_16 {
    word id;   // the id of the predefined operation
    word type; // the id of the datatype for which it is defined
    void (*function)(void* in, void* inout, int* length, void* type);
};
inline constexpr operation_16 operations_16[] = {
    {standard::mpi_MAX, standard::mpi_INTEGER16, reduce_16<maximum_16>},
    {standard::mpi_MIN, standard::mpi_INTEGER16, reduce_16<minimum_16>},
    {standard::mpi_SUM, standard::mpi_INTEGER16, reduce_16<sum_16>},
    {standard::mpi_PROD, standard::mpi_INTEGER16, reduce_16<product_16>},
    {standard::mpi_BAND, standard::mpi_INTEGER16, reduce_16<bits_and_16>},
    {standard::mpi_BOR, standard::mpi_INTEGER16, reduce_16<bits_or_16>},
    {standard::mpi_BXOR, standard::mpi_INTEGER16, reduce_16<bits_xor_16>},
    {standard::mpi_LAND, standard::mpi_LOGICAL16, reduce_16<both_16>},
    {standard::mpi_LOR, standard::mpi_LOGICAL16, reduce_16<either_16>},
    {standard::mpi_LXOR, standard::mpi_LOGICAL16, reduce_16<not_both_16>},
};

} // namespace anympi::emulate
