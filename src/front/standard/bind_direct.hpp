#pragma once

#include "runtime/open/open.hpp"

namespace anympi {

/// Binds a runtime of the program's own ABI. Every slot leads to the runtime's function, unless that function violates
/// the MPI standard.
void bind_direct(const runtime::opened& from, void** targets);

} // namespace anympi
