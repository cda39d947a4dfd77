#pragma once

#include "runtime/open/open.hpp"

namespace anympi {

/// Finds the runtime's functions in the order of the slots. Each function is found by its profiling name, because a
/// tool that was built for the runtime's ABI must not see the calls of a program of another ABI.
void find_functions(const runtime::opened& from, void** found);

} // namespace anympi
