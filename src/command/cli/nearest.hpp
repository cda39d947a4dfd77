#pragma once

#include <string>
#include <string_view>
#include <vector>

// For words that somebody has misspelled.

namespace anympi::command {

/// Returns the known word that was probably meant, or an empty text if none is near. Dashes at the beginning of options
/// do not count.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace anympi::command
