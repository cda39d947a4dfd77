#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// Returns a command that a shell can read: NAME=VALUE …, then the words. It has no control characters but line ends.
std::string quote_command(const std::vector<std::string>& assignments, const std::vector<std::string>& words);

} // namespace anympi::command
