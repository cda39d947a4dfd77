#pragma once

#include <string>
#include <string_view>
#include <vector>

// For words that somebody has misspelled.

namespace anympi::command {

/// Returns the known word that was probably meant, or an empty text if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace anympi::command
