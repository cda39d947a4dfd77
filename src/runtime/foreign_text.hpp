#pragma once

#include <cstddef>
#include <string_view>

// Paths, variables, strings in files and what other programs say may hold anything. Control characters among them would
// reach the user's terminal, which obeys them; a line end would let foreign text pass for a message of anympi.

namespace anympi::runtime {

// Returns the length in bytes of the first character of a text if it may be shown as it is. Returns 0 if it is a
// control character (line ends and U+0080 to U+009F included), if it changes the direction of writing, or if it is not
// UTF-8.
std::size_t length_if_harmless(std::string_view text);

// What stands for each byte that may not be shown.
constexpr char in_place_of_harmful = '?';

// Appends foreign text to one of the kinds of runtime/text.hpp.
template <class Text>
void append_foreign(Text& to, std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = length_if_harmless(text);
        if (length != 0)
            to.append("%.*s", static_cast<int>(length), text.data());
        else
            to.append("%c", in_place_of_harmful);
        text.remove_prefix(length != 0 ? length : 1);
    }
}

} // namespace anympi::runtime
