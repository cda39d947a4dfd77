#pragma once

#include <cstdint>

namespace anympi {

/// A procedure of the Fortran library that the front may replace by a fast-path procedure
/// (docs/decisions/0015-fast-path.md).
struct fortran_row {
    static constexpr int with_tools = 0;    // mpi_send_
    static constexpr int without_tools = 1; // pmpi_send_
    void* slots[2];                         // the targets of the exported names
    void* functions[2];                     // the C functions that the full-path procedures call
};

/// The structure that libmpifort_abi passes to libmpi_abi. The two libraries may come from different releases with
/// different structures, but `release` is the first member in all of them. libmpi_abi reads the other members only if
/// the release is its own.
struct fortran_side {
    const char* release;
    std::uintptr_t minus_bottom; // 0 - the address of MPI_BOTTOM; MPI_IN_PLACE is next to it
    const void* status_ignore;
    const void* statuses_ignore;
    const int* deferred_count;  // number of requests that need work when they complete
    fortran_row* by_address;    // procedures of mpif.h and of the module mpi
    fortran_row* by_descriptor; // procedures of mpi_f08 whose buffers have descriptors
};

} // namespace anympi

/// The private link between libmpifort_abi and libmpi_abi: libmpifort_abi calls this function when it is loaded. The
/// number in its name is the version of the rule above, which lets each library read the release of the other.
extern "C" void anympi_meet_fortran_1(const anympi::fortran_side* side);
