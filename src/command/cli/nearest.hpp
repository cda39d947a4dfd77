#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// For words that somebody has misspelled.

namespace anympi::command {

// Counts the letters that must be added, dropped or replaced.
std::size_t distance(std::string_view left, std::string_view right);

// Returns true if so many changes still make the same word of this length, and not another one.
bool is_near(std::size_t changes, std::size_t length);

// Returns the known word that was meant, or an empty text if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace anympi::command
