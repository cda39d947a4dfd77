#pragma once

#include "runtime/open/open.hpp"

namespace anympi {

/// Binds a runtime whose ABI is the program's own: every slot leads to the runtime's function itself,
/// unless that does not do what MPI says.
void bind_direct(const runtime::opened& from, void** targets);

} // namespace anympi
