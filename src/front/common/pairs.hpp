#pragma once

#include "abi/all.hpp"
#include "convert/pair.hpp"
#include "runtime/open/open.hpp"

namespace anympi {

/// Binds the pair and stores in `targets` what each slot is to lead to. Returns false if the library is not what it
/// seemed to be.
/// Each pair is a file of its own, since it holds all its bridges.
template <class P>
bool bind_pair(const runtime::opened& from, void** targets);

extern template bool bind_pair<pair<standard, mpich>>(const runtime::opened& from, void** targets);
extern template bool bind_pair<pair<standard, openmpi>>(const runtime::opened& from, void** targets);
extern template bool bind_pair<pair<openmpi, mpich>>(const runtime::opened& from, void** targets);
extern template bool bind_pair<pair<openmpi, standard>>(const runtime::opened& from, void** targets);
extern template bool bind_pair<pair<mpich, openmpi>>(const runtime::opened& from, void** targets);
extern template bool bind_pair<pair<mpich, standard>>(const runtime::opened& from, void** targets);

/// Binds a library by its interface. Each front has its own, with the pairs that it serves.
bool bind_interface(abi interface, const runtime::opened& from, void** targets);

} // namespace anympi
