#pragma once

#include <cstddef>
#include <cstdint>

namespace anympi::fortran {

/// What a compiler says of an actual argument whose dummy is TYPE(*), DIMENSION(..): the CFI_cdesc_t of
/// ISO_Fortran_binding.h. Only the members with a name here mean the same to all compilers.
struct descriptor {
    static constexpr int max_rank = 15;

    struct dimension {
        std::intptr_t lower_bound;
        std::intptr_t extent; ///< -1: the last one of an assumed-size array
        std::intptr_t stride; ///< bytes from one element to the next
    };

    void* address;
    std::size_t element;
    std::int32_t version_;
    std::int8_t rank;
    std::int8_t attribute_;
    std::int16_t type_;
    dimension dimensions[max_rank];
};
static_assert(offsetof(descriptor, rank) == 20 && offsetof(descriptor, dimensions) == 24);

/// Recognises without a loop most buffers whose elements lie in memory one after the other: scalars, which sentinels
/// are, vectors and matrices.
[[gnu::always_inline]] inline bool is_plain(const descriptor& buffer) {
    if (buffer.rank == 0)
        return true;
    const descriptor::dimension& first = buffer.dimensions[0];
    if (static_cast<std::size_t>(first.stride) != buffer.element)
        return false;
    return buffer.rank == 1 || (buffer.rank == 2 && buffer.dimensions[1].stride == first.stride * first.extent);
}

/// Buffers that are scalars, as sentinels are, in a program that does not ask for errors: one test for all of it.
template <class... Descriptor>
[[gnu::always_inline]] inline bool are_scalars_without(const int* ierror, const Descriptor&... buffers) {
    const auto ranks = static_cast<unsigned char>((buffers.rank | ...)); // of bytes: read and joined by one instruction
    return (ranks | reinterpret_cast<std::uintptr_t>(ierror)) == 0;
}

} // namespace anympi::fortran
