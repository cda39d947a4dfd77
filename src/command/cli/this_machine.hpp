#pragma once

#include "runtime/find/machine_root.hpp"

#include <string>

namespace anympi::command {

/// Returns the machine that the command works on. The tests link another definition: a machine in a folder.
runtime::machine this_machine();

/// Returns where a file such as "/etc/ld.so.conf" is. In tests, the machine's root is a folder.
inline std::string on_this_machine(const std::string& path) {
    return this_machine().root + path;
}

} // namespace anympi::command
