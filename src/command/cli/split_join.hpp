#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// Returns the entries of a list such as PATH. Empty entries are kept, since their meaning depends on the list. An
/// empty text has no entries.
std::vector<std::string> split_list(std::string_view list, std::string_view separators = ":");

/// Returns "a, b, c".
std::string join_list(const std::vector<std::string>& entries, std::string_view separator = ", ");

/// Adds the entries of another list at the end.
void append(std::vector<std::string>& list, const std::vector<std::string>& more);

} // namespace anympi::command
