#pragma once

#include "emulate/large_counts/pieces.hpp"

namespace anympi::emulate {

// Queries that MPI 3 has under other names, or with other types. Functions that a user's reduction may call use the
// functions of MPI 2: in MPICH 3.4 the functions whose names end with _x take a lock, which MPICH holds while it calls
// the reduction.

template <class Run>
int Type_size_c(word type, std::int64_t* size) {
    if (size == nullptr)
        return library<Run>.Type_size_x(type, size); // the library reports the error
    int small = 0;
    const int code = library<Run>.Type_size(type, &small);
    if (code == 0 && small == Run::mpi_UNDEFINED)
        return library<Run>.Type_size_x(type, size);
    *size = small;
    return code;
}
/// MPI_Aint has the same size as MPI_Count.
template <class Run>
int Type_get_extent_c(word type, std::int64_t* lower, std::int64_t* extent) {
    return library<Run>.Type_get_extent(type, lower, extent);
}
template <class Run>
int Type_get_true_extent_c(word type, std::int64_t* lower, std::int64_t* extent) {
    return library<Run>.Type_get_true_extent(type, lower, extent);
}
template <class Run>
int Get_elements_c(const typename Run::status* status, word type, std::int64_t* count) {
    return library<Run>.Get_elements_x(status, type, count);
}
template <class Run>
int Status_set_elements_c(typename Run::status* status, word type, std::int64_t count) {
    return library<Run>.Status_set_elements_x(status, type, count);
}

/// Computes the count from the number of bytes, which a status holds.
template <class Run>
int Get_count_c(const typename Run::status* status, word type, std::int64_t* count) {
    std::int64_t bytes = 0;
    std::int64_t size = 0;
    if (count == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    int code = library<Run>.Type_size_x(type, &size);
    if (code == 0)
        code = library<Run>.Get_elements_x(status, predefined<Run>(standard::mpi_BYTE), &bytes);
    if (code != 0)
        return code;
    if (size == 0)
        *count = bytes == 0 ? 0 : Run::mpi_UNDEFINED;
    else
        *count = bytes % size == 0 ? bytes / size : Run::mpi_UNDEFINED;
    return 0;
}

template <class Run>
int File_get_type_extent_c(word file, word type, std::int64_t* extent) {
    return library<Run>.File_get_type_extent(file, type, extent);
}

// ---- windows: only the displacement unit is larger ----

/// Reports an error if the displacement unit does not fit into an int. A larger unit does not matter if the window is
/// not larger than the unit, because then the only displacement is 0.
template <class Run>
int check_unit(word comm, std::intptr_t size, std::intptr_t unit) {
    return unit <= INT_MAX || size <= unit ? 0 : raise<Run>(comm, Run::mpi_ERR_DISP);
}

template <class Run>
int Win_create_c(void* base, std::intptr_t size, std::intptr_t unit, word info, word comm,
                 handle_of<Run, object::win>* win) {
    const int code = check_unit<Run>(comm, size, unit);
    return code != 0 ? code : library<Run>.Win_create(base, size, clamped(unit), info, comm, win);
}
template <class Run>
int Win_allocate_c(std::intptr_t size, std::intptr_t unit, word info, word comm, void* base,
                   handle_of<Run, object::win>* win) {
    const int code = check_unit<Run>(comm, size, unit);
    return code != 0 ? code : library<Run>.Win_allocate(size, clamped(unit), info, comm, base, win);
}
template <class Run>
int Win_allocate_shared_c(std::intptr_t size, std::intptr_t unit, word info, word comm, void* base,
                          handle_of<Run, object::win>* win) {
    const int code = check_unit<Run>(comm, size, unit);
    return code != 0 ? code : library<Run>.Win_allocate_shared(size, clamped(unit), info, comm, base, win);
}
template <class Run>
int Win_shared_query_c(word win, int rank, std::intptr_t* size, std::intptr_t* unit, void* base) {
    int small = 0;
    const int code = library<Run>.Win_shared_query(win, rank, size, unit != nullptr ? &small : nullptr, base);
    if (code == 0 && unit != nullptr)
        *unit = small;
    return code;
}

} // namespace anympi::emulate
