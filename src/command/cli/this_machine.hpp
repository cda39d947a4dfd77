#pragma once

#include "runtime/find/machine_root.hpp"

namespace anympi::command {

/// Returns the machine that the command works on. The tests link another definition: a machine in a folder.
runtime::machine this_machine();

} // namespace anympi::command
