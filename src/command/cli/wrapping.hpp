#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The layout of text on a screen: the width of the screen, the width of a text, and the line breaks. No line of the
// command's output is wider than the screen, except commands that a user copies (`anympi run --dry-run`) and JSON.

namespace anympi::command {

/// Returns the number of columns of the terminal on standard output. If standard output is not a terminal, returns the
/// environment variable COLUMNS, or 80.
std::size_t output_width();

/// Returns the number of columns that a text needs on a screen. A wide character needs two columns; escape sequences
/// for colours need none.
std::size_t display_width(std::string_view text);

/// Shortens a text to `width` columns, with an ellipsis in the middle. The end of a path tells more than its beginning,
/// so more of the end is kept.
std::string shorten_middle(std::string_view text, std::size_t width);

/// Arranges words in lines of at most `width` columns. A word that is wider than a line is shortened in the middle if
/// it is a path, and broken otherwise.
std::vector<std::string> fill_lines(const std::vector<std::string>& words, std::size_t width);

/// Breaks a text at its blanks into lines of at most `width` columns. A command in backquotes stays on one line if it
/// fits.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Lays out a help text. Lines without indentation are paragraphs, which are filled. An indented line may have two
/// columns with at least two blanks between them: the text of the right column is wrapped and stays in its column.
/// Indented lines with one column are commands, which stay whole.
std::string lay_out_help(std::string_view text, std::size_t width);

} // namespace anympi::command
