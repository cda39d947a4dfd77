#pragma once

#include <string>
#include <string_view>

namespace anympi::command {

// Text out of files, for people: control characters would reach the terminal.
std::string printable(std::string_view text);

} // namespace anympi::command
