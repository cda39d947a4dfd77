#pragma once

#include "emulate/engine/error.hpp"
#include "emulate/engine/override.hpp"

namespace anympi::emulate {

// Since MPI 4.1, MPI_Win_shared_query also accepts windows that were not created as shared windows. Memory that a
// process cannot reach has size 0. Here, a process reaches all of its own memory and none of the others'.

template <class Run, class Value>
Value* attribute_of_window(word win, int keyval) {
    Value* value = nullptr;
    int is_set = 0;
    return library<Run>.Win_get_attr(win, keyval, &value, &is_set) == 0 && is_set != 0 ? value : nullptr;
}

template <class Run>
bool is_own_rank(word win, int rank) {
    handle_of<Run, object::group> group{};
    int own = -1;
    if (library<Run>.Win_get_group(win, &group) != 0)
        return false;
    library<Run>.Group_rank(group, &own);
    library<Run>.Group_free(&group);
    return own == rank;
}

template <class Run>
bool has_own_memory(word win) {
    const int* const flavor = attribute_of_window<Run, int>(win, Run::mpi_WIN_CREATE_FLAVOR);
    return flavor != nullptr && (*flavor == Run::mpi_WIN_FLAVOR_CREATE || *flavor == Run::mpi_WIN_FLAVOR_ALLOCATE);
}

/// Queries a window. Unit is int, or MPI_Aint in the large form.
template <class Run, class Unit>
int query_shared(original_function<int (*)(word, int, std::intptr_t*, Unit*, void*)>& native, word win, int rank,
                 std::intptr_t* size, Unit* unit, void* base) {
    const bool is_asked =
        size != nullptr && unit != nullptr && base != nullptr && !is_library_null<Run, object::win>(win);
    if (!is_asked || !has_own_memory<Run>(win))
        return native(win, rank, size, unit, base);
    const bool is_own = is_own_rank<Run>(win, rank);
    *size = is_own ? *attribute_of_window<Run, std::intptr_t>(win, Run::mpi_WIN_SIZE) : 0;
    *unit = is_own ? *attribute_of_window<Run, int>(win, Run::mpi_WIN_DISP_UNIT) : 1;
    *static_cast<void**>(base) = is_own ? attribute_of_window<Run, void>(win, Run::mpi_WIN_BASE) : nullptr;
    return 0;
}

namespace any_window {

template <class Run>
int Win_shared_query(word win, int rank, std::intptr_t* size, int* unit, void* base) {
    return query_shared<Run>(original<Win_shared_query<Run>>, win, rank, size, unit, base);
}
template <class Run>
int Win_shared_query_c(word win, int rank, std::intptr_t* size, std::intptr_t* unit, void* base) {
    return query_shared<Run>(original<Win_shared_query_c<Run>>, win, rank, size, unit, base);
}

} // namespace any_window

} // namespace anympi::emulate
