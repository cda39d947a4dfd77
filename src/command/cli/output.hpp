#pragma once

#include "command/cli/json.hpp"
#include "command/cli/printable.hpp"

#include <string>
#include <string_view>
#include <vector>

// Everything that the command shows on standard output goes through here: tables, colours, JSON. Messages about what is
// wrong go to standard error, by runtime/message.hpp.

namespace anympi::command {

enum class style : unsigned char { plain, heading, good, doubtful, bad, quiet };

// Colours are for eyes: only on a terminal, and not where NO_COLOR is set (no-color.org).
bool has_colours();

// The text in the colour of a style, or without one where there are no colours.
painted_text painted(std::string_view text, style look);

// Writes to standard output. Line ends of the format stay; arguments that are texts are taken for foreign ones.
template <class... Arguments>
void show(fmt::format_string<decltype(as_shown(std::declval<const Arguments&>()))...> format,
          const Arguments&... arguments) {
    fmt::print(format, as_shown(arguments)...);
}

struct cell {
    std::string text;
    style look = style::plain;
};

// Rows of the same number of cells, in columns as wide as their widest cell. The last column is as long as it likes.
class table {
public:
    explicit table(std::vector<std::string> headings);

    void add(std::vector<cell> row);
    void print(std::string_view indent = "") const;

private:
    std::vector<std::vector<cell>> rows_;
};

// Writes what a child of ours has said to standard error. Its lines have their prefix already.
void pass_on_messages(std::string_view lines);

// Prints a command as shell_quoting.hpp writes it: the line ends in it belong to its words.
void print_shell_command(std::string_view command);

// Words with commas between them, in lines of at most 100 characters that begin with the indent.
void print_words(const std::vector<std::string>& words, std::string_view indent);

void print_json(const json& document);

} // namespace anympi::command
