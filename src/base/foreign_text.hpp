#pragma once

#include <cstddef>
#include <string_view>

// Paths, environment variables, strings in files and the output of other programs may contain any bytes. A terminal
// would execute control characters in them, and a line end would let foreign text look like a message of anympi.

namespace anympi {

/// Returns the length in bytes of the first character of a text, or 0 if the character must not be shown: control
/// characters (including line ends and U+0080 to U+009F), characters that change the direction of writing, and invalid
/// UTF-8.
std::size_t length_if_harmless(std::string_view text);

/// Replaces each byte that must not be shown.
inline constexpr char in_place_of_harmful = '?';

/// Calls `add` with each piece of a text in a form that can be shown. Line ends are kept if `has_own_lines` is true.
template <class Add>
void for_each_shown(std::string_view text, bool has_own_lines, Add add) {
    while (!text.empty()) {
        const std::size_t length = length_if_harmless(text);
        if (length != 0 || (has_own_lines && text.front() == '\n'))
            add(text.substr(0, length != 0 ? length : 1));
        else
            add(std::string_view(&in_place_of_harmful, 1));
        text.remove_prefix(length != 0 ? length : 1);
    }
}

/// Appends foreign text to one of the text types of base/text.hpp.
template <class Text>
void append_foreign(Text& to, std::string_view text) {
    for_each_shown(text, false,
                   [&](std::string_view piece) { to.append("%.*s", static_cast<int>(piece.size()), piece.data()); });
}

} // namespace anympi
