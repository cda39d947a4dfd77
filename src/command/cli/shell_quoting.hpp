#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// Returns a command that a shell can read: NAME=VALUE …, then the words. The only control characters in it are line
/// ends.
std::string quote_command(const std::vector<std::string>& assignments, const std::vector<std::string>& words);

} // namespace anympi::command
