#pragma once

#include "runtime/find/configuration_text.hpp"

#include <string>
#include <vector>

// Changes of the text of a configuration file. All that a user has written stays: comments, order, empty lines.

namespace anympi::command {

/// Returns the text with a key set to a value, instead of its old value, or added to its table. `words` are the value
/// as the user types it: true or false, a string, or the strings of a list. Throws settings_error if the key is unknown
/// or the value is not good.
std::string set_in_text(const std::string& text, runtime::whose owner, const std::string& key,
                        const std::vector<std::string>& words);

/// Returns the text without the lines that set a key. If no line sets it, the text is returned as it is.
std::string unset_in_text(const std::string& text, runtime::whose owner, const std::string& key);

} // namespace anympi::command
