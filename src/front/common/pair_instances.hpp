#pragma once

#include "abi/all.hpp"
#include "convert/pair.hpp"
#include "runtime/open/open.hpp"

namespace anympi {

/// Binds the pair and stores in `targets` the address for each slot. Returns false if the library is not of the
/// expected kind. This function holds all bridges of the pair, so each pair instantiates it in a separate file
/// (pair_*.cpp).
template <class P>
bool bind_pair(const runtime::opened& from, void** targets);

/// Binds a library by its ABI. Each front defines this function for the pairs that it serves.
bool bind_interface(abi interface, const runtime::opened& from, void** targets);

/// Returns true if the process has this library, of the program's own family, before the front. Then the front supplies
/// the functions that the library lacks (front/vendors/supplement.hpp).
bool is_behind(const runtime::library& mpi);

/// Starts the program again in the same process with the real library. For programs that need no front, because the
/// chosen library is of their own family, but that have loaded the front instead of their library. Each front of a
/// vendor defines this function.
[[noreturn]] void step_aside(const runtime::library& mpi);

} // namespace anympi
