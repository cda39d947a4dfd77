#pragma once

#include "emulate/datatypes/integer16.hpp"
#include "emulate/datatypes/integer16_operations.hpp"
#include "emulate/large_counts/large_pack.hpp"
#include "emulate/large_counts/large_types.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace anympi::emulate {

// ---- operations ----

template <class Run>
int find_integer16_operation(word type, word operation, word* ours) {
    integer16_state<Run>& here = integer16<Run>;
    const bool is_ours = type == standard::mpi_INTEGER16 ? here.is_made : here.is_logical;
    for (std::size_t i = 0; is_ours && i < std::size(operations_16); ++i) {
        if (operations_16[i].id != operation || operations_16[i].type != type)
            continue;
        auto& made = here.operations[i];
        void* const function = reinterpret_cast<void*>(operations_16[i].function);
        const int code = with_handlers_last([&] {
            const locked hold(here.guard);
            return made == 0 ? library<Run>.Op_create(function, 1, &made) : 0;
        });
        if (code != 0)
            return code;
        *ours = made;
    }
    return 0; // the library rejects operations that MPI does not define
}

template <class Run>
int check_accumulation(word type, word operation, word win) {
    if (operation == standard::mpi_REPLACE || operation == standard::mpi_NO_OP || !contains_integer16<Run>(type))
        return 0;
    return raise<Run>({object::win, win}, Run::mpi_ERR_OP);
}

// ---- external32 ----

inline void reverse_bytes(const void* from, void* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        char element[integer16_size];
        std::memcpy(element, static_cast<const char*>(from) + i * integer16_size, integer16_size);
        std::reverse(std::begin(element), std::end(element));
        std::memcpy(static_cast<char*>(to) + i * integer16_size, element, integer16_size);
    }
}

/// Makes a datatype of bytes, which the library packs without changing them.
template <class Run>
int make_bytes(temporary_type<Run>& element) {
    const int code = library<Run>.Type_contiguous(integer16_size, predefined<Run>(standard::mpi_BYTE), element.out());
    return code != 0 ? code : library<Run>.Type_commit(element.out());
}

/// Calls the library for other datatypes. Rejects a derived datatype that contains the 16-byte integer, because its
/// bytes would not be reversed.
template <class Run, class Call>
int call_for_others(word type, Call call) {
    return !is_integer16<Run>(type) && contains_integer16<Run>(type) ? raise<Run>(Run::mpi_ERR_TYPE) : call();
}

/// Both forms of MPI_Pack_external; they differ in the types of their counts.
template <class Run, class Count, class Place, class Pack>
int pack_external(const char* format, const void* from, Count count, word type, void* to, Place room, Place* position,
                  Pack pack) {
    if (!is_integer16<Run>(type) || count <= 0)
        return call_for_others<Run>(type, [&] { return pack(format, from, count, type, to, room, position); });
    temporary_type<Run> element;
    if (const int code = make_bytes<Run>(element); code != 0)
        return code;
    void* const turned = std::malloc(static_cast<std::size_t>(count) * integer16_size);
    if (turned == nullptr)
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    reverse_bytes(from, turned, count);
    const int code = pack(format, turned, count, element, to, room, position);
    std::free(turned);
    return code;
}

template <class Run, class Count, class Place, class Unpack>
int unpack_external(const char* format, const void* from, Place size, Place* position, void* to, Count count, word type,
                    Unpack unpack) {
    if (!is_integer16<Run>(type) || count <= 0)
        return call_for_others<Run>(type, [&] { return unpack(format, from, size, position, to, count, type); });
    temporary_type<Run> element;
    int code = make_bytes<Run>(element);
    if (code == 0)
        code = unpack(format, from, size, position, to, count, element);
    if (code == 0)
        reverse_bytes(to, to, count);
    return code;
}

namespace with_integer16 {

template <class Run>
int Pack_external(const char* format, const void* from, int count, word type, void* to, std::intptr_t room,
                  std::intptr_t* position) {
    return pack_external<Run>(format, from, count, type, to, room, position, original<Pack_external<Run>>);
}
template <class Run>
int Pack_external_c(const char* format, const void* from, std::int64_t count, word type, void* to, std::int64_t room,
                    std::int64_t* position) {
    return pack_external<Run>(format, from, count, type, to, room, position, original<Pack_external_c<Run>>);
}
template <class Run>
int Unpack_external(const char* format, const void* from, std::intptr_t size, std::intptr_t* position, void* to,
                    int count, word type) {
    return unpack_external<Run>(format, from, size, position, to, count, type, original<Unpack_external<Run>>);
}
template <class Run>
int Unpack_external_c(const char* format, const void* from, std::int64_t size, std::int64_t* position, void* to,
                      std::int64_t count, word type) {
    return unpack_external<Run>(format, from, size, position, to, count, type, original<Unpack_external_c<Run>>);
}

} // namespace with_integer16

} // namespace anympi::emulate
