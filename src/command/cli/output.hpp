#pragma once

#include "command/cli/json.hpp"
#include "command/cli/printable.hpp"

#include <string>
#include <string_view>
#include <vector>

// Everything that the command shows on standard output goes through here and through table.hpp: text, colours, JSON.
// Messages about what is wrong go to standard error, by runtime/message.hpp.

namespace anympi::command {

enum class style : unsigned char { plain, heading, good, doubtful, bad, quiet };

// Colours are for eyes: only on a terminal, and not where NO_COLOR is set (no-color.org).
bool has_colours();

// The text in the colour of a style, or without one where there are no colours.
painted_text painted(std::string_view text, style look);

/// Joins two texts.
painted_text operator+(painted_text text, const painted_text& more);

// Writes to standard output. Line ends of the format stay; arguments that are texts are taken for foreign ones.
template <class... Arguments>
void show(fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
          const Arguments&... arguments) {
    fmt::print(format, as_shown(arguments)...);
}

/// Writes a text in lines that are no wider than the screen, broken at words. The first line begins with `first`, the
/// others with `rest`.
void show_lines(const painted_text& first, std::string_view rest, const painted_text& text);

/// Formats like show(), and writes by show_lines(). The format has no line ends.
template <class First, class... Arguments>
void show_wrapped(const First& first, std::string_view rest,
                  fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
                  const Arguments&... arguments) {
    show_lines({as_shown(first)}, rest, {fmt::format(format, as_shown(arguments)...)});
}

// Writes what a child of ours has said to standard error. Its lines have their prefix already.
void pass_on_messages(std::string_view lines);

// Prints a command as shell_quoting.hpp writes it: the line ends in it belong to its words.
void print_shell_command(std::string_view command);

/// Writes words with commas between them, in lines that begin with the indent and are no wider than the screen.
void print_words(const std::vector<std::string>& words, std::string_view indent);

void print_json(const json& document);

} // namespace anympi::command
