#pragma once

#include <cstdint>

namespace anympi {

/// A procedure of the Fortran library that the front may replace by a fast-path one (docs/decisions/0015).
struct fortran_row {
    static constexpr int with_tools = 0;    ///< mpi_send_ and its like
    static constexpr int without_tools = 1; ///< pmpi_send_
    void* slots[2];                         ///< what the exported names jump to
    void* functions[2];                     ///< the C functions that the full-path procedures call
};

/// What the Fortran library tells the front of itself and of the program.
struct fortran_side {
    std::uint32_t stamp; ///< of the list of procedures: both libraries come from one build, or nothing is replaced
    std::uintptr_t minus_bottom; ///< 0 - the address of MPI_BOTTOM, beside which MPI_IN_PLACE is
    const void* status_ignore;
    const void* statuses_ignore;
    const int* pending_count; ///< requests that wait for a copy of a section
    fortran_row* plain;       ///< procedures of mpif.h and mpi
    fortran_row* described;   ///< those of mpi_f08 whose buffers have descriptors
};

} // namespace anympi
