#pragma once

#include "emulate/engine/error.hpp"
#include "emulate/engine/override.hpp"

#include <cstring>

namespace anympi::emulate {

// The split types of MPI 4.0 and 4.1 for a runtime that is too old for them. Shared memory is the only resource that is
// known; a process that asks for another resource gets MPI_COMM_NULL. All processes call the same function of the
// runtime, so that some of them may pass MPI_UNDEFINED.

template <class Run>
int split_type(word comm, int type, int key, word info, handle_of<Run, object::comm>* part);

template <class Run>
bool asks_for_shared_memory(word info) {
    char value[32] = "";
    int is_there = 0;
    if (!is_library_null<Run, object::info>(info))
        library<Run>.Info_get(info, "mpi_hw_resource_type", static_cast<int>(sizeof value) - 1, value, &is_there);
    return is_there != 0 && std::strcmp(value, "mpi_shared_memory") == 0;
}

/// Frees a part that has all processes, because the parts of MPI_COMM_TYPE_HW_UNGUIDED must be smaller than the
/// communicator.
template <class Run>
int drop_if_whole(word comm, handle_of<Run, object::comm>* part) {
    int size = 0;
    int part_size = 0;
    int code = library<Run>.Comm_size(comm, &size);
    if (code == 0)
        code = library<Run>.Comm_size(*part, &part_size);
    return code == 0 && part_size == size ? library<Run>.Comm_free(part) : code;
}

template <class Run>
int split_by_hardware(word comm, int type, int key, word info, handle_of<Run, object::comm>* part) {
    const bool is_guided = type != Run::mpi_COMM_TYPE_HW_UNGUIDED;
    const bool is_known = !is_guided || asks_for_shared_memory<Run>(info);
    const int code =
        original<split_type<Run>>(comm, is_known ? Run::mpi_COMM_TYPE_SHARED : Run::mpi_UNDEFINED, key, info, part);
    return code == 0 && !is_guided ? drop_if_whole<Run>(comm, part) : code;
}

template <class Run>
int split_type(word comm, int type, int key, word info, handle_of<Run, object::comm>* part) {
    return is_split_type_known<Run, Run>(type) || part == nullptr
               ? original<split_type<Run>>(comm, type, key, info, part)
               : split_by_hardware<Run>(comm, type, key, info, part);
}

} // namespace anympi::emulate
