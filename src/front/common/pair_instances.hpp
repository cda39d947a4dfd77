#pragma once

#include "abi/all.hpp"
#include "convert/pair.hpp"
#include "runtime/open/open.hpp"

namespace anympi {

/// Binds the pair and stores in `targets` what each slot is to lead to. Returns false if the library is not what it
/// seemed to be.
/// Each pair is a file of its own (pair_*.cpp), which instantiates this function, since it holds all bridges of the
/// pair.
template <class P>
bool bind_pair(const runtime::opened& from, void** targets);

/// Binds a library by its interface. Each front has its own, with the pairs that it serves.
bool bind_interface(abi interface, const runtime::opened& from, void** targets);

/// Returns true if the process has this library, of the program's own family, before the front: the front has what the
/// library lacks (front/vendors/supplement.hpp).
bool is_behind(const runtime::library& mpi);

/// For a program whose own family of libraries was chosen: it needs no front, but has loaded ours in the place of its
/// library. Starts the program once more, in the same process, with the real one. Each front of a vendor has it.
[[noreturn]] void step_aside(const runtime::library& mpi);

} // namespace anympi
