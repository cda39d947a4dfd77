#pragma once

#include "runtime/open.hpp"

namespace anympi {

/// Binds a runtime whose ABI is the program's own: every slot leads to the runtime's function itself.
void bind_direct(const runtime::opened& from, void** targets);

} // namespace anympi
