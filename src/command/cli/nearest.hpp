#pragma once

#include <string>
#include <string_view>
#include <vector>

// Corrections for misspelled words.

namespace anympi::command {

/// Returns the known word that was probably meant, or an empty text if no known word is near. Dashes at the beginning
/// of options are ignored.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace anympi::command
