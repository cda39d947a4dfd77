#pragma once

#include "abi/all.hpp"
#include "bridge/straight.hpp"
#include "convert/pair.hpp"
#include "front/directory.hpp"

namespace anympi {

/// The straight procedures of a pair (generated).
template <class P>
const straight::procedure* straight_procedures();
template <>
const straight::procedure* straight_procedures<pair<standard, mpich>>();
template <>
const straight::procedure* straight_procedures<pair<standard, openmpi>>();

/// From now on Fortran programs call these where nothing is in the way. `targets` are the functions that the pair has
/// bound, which stay.
void use_straight(const straight::procedure* of_pair, void* const* targets);

} // namespace anympi
