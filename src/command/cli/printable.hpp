#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>

// Everything that comes from outside (words of the command line, paths, variables, strings in files, the output of
// other programs) is foreign text. The command shows foreign text only through these functions; base/foreign_text.hpp
// says why.

namespace anympi::command {

/// Returns the text with question marks in place of control characters.
std::string printable(std::string_view text);

/// Does the same for a text of several lines, but keeps the line ends.
std::string printable_lines(std::string_view text);

/// A text with colours, whose foreign parts have passed through printable(). Only output.cpp makes such texts.
struct painted_text {
    std::string text;
};

/// Returns an argument in the form in which it may be shown.
template <class T>
auto as_shown(const T& value) {
    if constexpr (std::is_same_v<T, painted_text>) {
        return value.text;
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return printable(value);
    } else {
        static_assert(std::is_arithmetic_v<T>, "make it a text first");
        return value;
    }
}

/// Formats a sentence like fmt::format, but treats text arguments as foreign text. Line ends of the format stay.
template <class... Arguments>
std::string sentence_of(fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
                        const Arguments&... arguments) {
    return fmt::format(format, as_shown(arguments)...);
}

} // namespace anympi::command
