#pragma once

#include <string>
#include <string_view>

namespace anympi::command {

/// Returns true if the kernel would start this file with an interpreter that is registered on this machine
/// (binfmt_misc), such as qemu for programs of other processors.
bool has_registered_interpreter(const std::string& file, std::string_view content);

} // namespace anympi::command
