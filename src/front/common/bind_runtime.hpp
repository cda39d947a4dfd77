#pragma once

#include "runtime/find/choose.hpp"

namespace anympi {

/// Chooses, opens and binds a runtime, once. Afterwards every slot leads to it. Stops the process if that is
/// impossible.
void bind_runtime();

/// Returns the runtime that was bound.
const runtime::choice& bound_runtime();

/// Binds the runtime, and returns the address of its symbol `name`, or nullptr.
void* runtime_symbol(const char* name);

} // namespace anympi
