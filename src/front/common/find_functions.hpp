#pragma once

#include "runtime/open/open.hpp"

namespace anympi {

/// Finds the functions of the runtime, in the order of the slots, each by its profiling name: a tool that was made for
/// the runtime's ABI must not see the calls of a program of another one.
void find_functions(const runtime::opened& from, void** found);

} // namespace anympi
