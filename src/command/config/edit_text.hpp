#pragma once

#include "runtime/find/configuration_text.hpp"

#include <string>
#include <vector>

// Functions that change the text of a configuration file. They keep the user's comments, order and empty lines.

namespace anympi::command {

/// Replaces the value of a key, or adds the key to its table, and returns the new text. `words` are the value as the
/// user types it: true or false, a string, or the strings of a list. Throws settings_error if the key is unknown or the
/// value is invalid.
std::string set_in_text(const std::string& text, runtime::whose owner, const std::string& key,
                        const std::vector<std::string>& words);

/// Removes the lines that set a key, and returns the new text. If no line sets the key, returns the same text.
std::string unset_in_text(const std::string& text, runtime::whose owner, const std::string& key);

} // namespace anympi::command
