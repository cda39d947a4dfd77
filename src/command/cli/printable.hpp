#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>

// Everything that comes from outside (words of the command line, paths, variables, strings in files, the output of
// other programs) is foreign text. It reaches people only by these functions; base/foreign_text.hpp says why.

namespace anympi::command {

/// The text with question marks in place of control characters.
std::string printable(std::string_view text);

/// The same for a text of several lines, whose line ends are ours.
std::string printable_lines(std::string_view text);

/// Text with colours, whose foreign parts are harmless already. Only output.cpp makes it.
struct painted_text {
    std::string text;
};

/// An argument as it may be shown.
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

/// fmt::format for people: arguments that are texts are taken for foreign ones. Line ends of the format stay.
template <class... Arguments>
std::string sentence_of(fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
                        const Arguments&... arguments) {
    return fmt::format(format, as_shown(arguments)...);
}

} // namespace anympi::command
