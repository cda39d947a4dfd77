#pragma once

#include "runtime/find/choose.hpp"

namespace anympi {

/// Chooses, opens and binds a runtime, once; every slot leads to it afterwards. Stops the process where that is
/// impossible.
void bind_runtime();

/// The runtime that was bound.
const runtime::choice& bound_runtime();

/// What the runtime has under that name, or nullptr. Binds it first.
void* runtime_symbol(const char* name);

} // namespace anympi
