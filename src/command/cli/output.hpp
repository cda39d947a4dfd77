#pragma once

#include "command/cli/json.hpp"
#include "command/cli/printable.hpp"

#include <string>
#include <string_view>
#include <vector>

// The command writes to standard output only with these functions and with table.hpp. Error messages go to standard
// error (runtime/message.hpp).

namespace anympi::command {

enum class style : unsigned char { plain, heading, good, doubtful, bad, quiet };

/// Returns true if the output has colours: on a terminal, unless NO_COLOR is set (no-color.org).
bool has_colours();

/// Returns the text in the colour of a style, or as it is if the output has no colours.
painted_text painted(std::string_view text, style look);

/// Joins two texts.
painted_text operator+(painted_text text, const painted_text& more);

/// Writes to standard output. Control characters in arguments are replaced; line ends of the format stay.
template <class... Arguments>
void show(fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
          const Arguments&... arguments) {
    fmt::print(format, as_shown(arguments)...);
}

/// Writes a text in lines that are no wider than the screen, broken at words. The first line begins with `first`, the
/// others with `rest`.
void show_lines(const painted_text& first, std::string_view rest, const painted_text& text);

/// Formats a text like show(), and writes it like show_lines(). The format has no line ends.
template <class First, class... Arguments>
void show_wrapped(const First& first, std::string_view rest,
                  fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
                  const Arguments&... arguments) {
    show_lines({as_shown(first)}, rest, {fmt::format(format, as_shown(arguments)...)});
}

/// Writes the messages of a child process to standard error. The child has already put "anympi: " before each line.
void pass_on_messages(std::string_view lines);

/// Prints a command as quote_command() writes it. Line ends are part of the command's words, and are kept.
void print_shell_command(std::string_view command);

/// Writes words with commas between them, in lines that begin with the indent and are no wider than the screen.
void print_words(const std::vector<std::string>& words, std::string_view indent);

void print_json(const json& document);

} // namespace anympi::command
