#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

// Letters of ASCII, whatever the locale is, and parts of a text: std::string_view::substr may throw, which a front
// cannot.

namespace anympi {

inline bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

inline char to_lower(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

inline bool is_letter(char character) {
    return to_lower(character) >= 'a' && to_lower(character) <= 'z';
}

inline std::string_view text_before(std::string_view text, std::size_t position) {
    return {text.data(), std::min(position, text.size())};
}

inline std::string_view text_from(std::string_view text, std::size_t position) {
    text.remove_prefix(std::min(position, text.size()));
    return text;
}

} // namespace anympi
