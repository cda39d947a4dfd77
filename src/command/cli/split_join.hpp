#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

// The entries of a list such as PATH's, empty ones too: what these mean differs. None of an empty text.
std::vector<std::string> split_list(std::string_view list, std::string_view separators = ":");

// Returns "a, b, c".
std::string join_list(const std::vector<std::string>& entries, std::string_view separator = ", ");

// Adds the entries of another list at the end.
void append(std::vector<std::string>& list, const std::vector<std::string>& more);

} // namespace anympi::command
