#pragma once

#include "runtime/identify/library.hpp"

namespace anympi {

/// Returns the family of the MPI that is linked statically into the program of this process, found by the symbols of
/// the program. Returns family::unknown if the program contains no MPI or was stripped.
runtime::family find_linked_mpi();

} // namespace anympi
