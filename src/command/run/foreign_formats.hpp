#pragma once

#include <string>
#include <string_view>

namespace anympi::command {

/// Returns true if the kernel would start this file by an interpreter that is registered on this machine, as qemu for
/// programs of other processors (binfmt_misc).
bool has_registered_interpreter(const std::string& file, std::string_view content);

} // namespace anympi::command
