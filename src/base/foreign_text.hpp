#pragma once

#include <cstddef>
#include <string_view>

// Paths, variables, strings in files and what other programs say may hold anything. Control characters among them would
// reach the user's terminal, which obeys them; a line end would let foreign text pass for a message of anympi.

namespace anympi {

/// Returns the length in bytes of the first character of a text if it may be shown as it is. Returns 0 if it is a
/// control character (line ends and U+0080 to U+009F included), if it changes the direction of writing, or if it is not
/// UTF-8.
std::size_t length_if_harmless(std::string_view text);

/// What stands for each byte that may not be shown.
inline constexpr char in_place_of_harmful = '?';

/// Calls `add` with each piece of what may be shown of a text. Line ends are shown where `has_own_lines`.
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

/// Appends foreign text to one of the kinds of base/text.hpp.
template <class Text>
void append_foreign(Text& to, std::string_view text) {
    for_each_shown(text, false,
                   [&](std::string_view piece) { to.append("%.*s", static_cast<int>(piece.size()), piece.data()); });
}

} // namespace anympi
