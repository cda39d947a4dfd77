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

} // namespace anympi
