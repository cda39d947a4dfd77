#pragma once

#include <cstdint>

namespace anympi {

/// A procedure of the Fortran library that the front may replace by a fast-path one (docs/decisions/0015-fast-path.md).
struct fortran_row {
    static constexpr int with_tools = 0;    ///< mpi_send_
    static constexpr int without_tools = 1; ///< pmpi_send_
    void* slots[2];                         ///< what the exported names jump to
    void* functions[2];                     ///< the C functions that the full-path procedures call
};

/// libmpifort_abi hands this structure to libmpi_abi. The two libraries may come from different releases, whose
/// structures differ. The release is the first member in all of them. libmpi_abi reads the other members only if the
/// release is its own.
struct fortran_side {
    const char* release;
    std::uintptr_t minus_bottom; ///< 0 - the address of MPI_BOTTOM; MPI_IN_PLACE comes next
    const void* status_ignore;
    const void* statuses_ignore;
    const int* deferred_count;  ///< requests whose completion has work to do
    fortran_row* by_address;    ///< procedures of mpif.h and mpi
    fortran_row* by_descriptor; ///< those of mpi_f08 whose buffers have descriptors
};

} // namespace anympi

/// The private link between our two libraries: libmpifort_abi calls it when it is loaded. The number is that of the
/// rule above, by which each of them can read the release of the other.
extern "C" void anympi_meet_fortran_1(const anympi::fortran_side* side);
