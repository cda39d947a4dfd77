#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

// Functions that need no MPI library. Open MPI implements the first two as macros only.

template <class P>
std::intptr_t Aint_add(std::intptr_t base, std::intptr_t displacement) {
    return static_cast<std::intptr_t>(static_cast<word>(base) + static_cast<word>(displacement));
}

template <class P>
std::intptr_t Aint_diff(std::intptr_t first, std::intptr_t second) {
    return static_cast<std::intptr_t>(static_cast<word>(first) - static_cast<word>(second));
}

/// Returns the version of the program's ABI, not of the runtime's. Some programs of a vendor's ABI use the answer to
/// choose the ABI that they load (mpi4py's wheel).
template <class P>
int Abi_get_version(int* major, int* minor) {
    if (major == nullptr || minor == nullptr)
        return P::app::mpi_ERR_ARG;
    *major = P::app::abi_major;
    *minor = P::app::abi_minor;
    return 0;
}

} // namespace anympi::bridge
