#pragma once

#include "runtime/identify/library.hpp"

namespace anympi {

/// Returns the family of the MPI that is linked into the program of this process, told by the symbols from which the
/// program was linked. family::unknown if there is none, or if the program was stripped.
runtime::family find_linked_mpi();

} // namespace anympi
