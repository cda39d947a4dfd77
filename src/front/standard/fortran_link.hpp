#pragma once

#include "abi/all.hpp"
#include "bridge/fast_path.hpp"
#include "convert/pair.hpp"
#include "front/common/directory.hpp"

namespace anympi {

/// Returns the fast-path procedures of a pair (generated).
template <class P>
const fast_path::procedure* fast_path_procedures();

/// Makes Fortran programs call these procedures. `targets`, the functions that the pair has bound, must stay in memory.
void use_fast_paths(const fast_path::procedure* of_pair, void* const* targets);

/// Warns if libmpifort_abi comes from another release: at once if it is loaded, otherwise when it is loaded.
void check_fortran_release();

} // namespace anympi
