#pragma once

#include <string>
#include <vector>

namespace anympi::command {

// Writes a command as a shell reads it back, harmless to a terminal: NAME=VALUE …, then the words.
std::string quote_command(const std::vector<std::string>& assignments, const std::vector<std::string>& words);

} // namespace anympi::command
