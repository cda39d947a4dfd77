#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

// Everything that the command shows on standard output goes through here: tables, colours, JSON. Messages about what is
// wrong go to standard error, by runtime/message.hpp.

namespace anympi::command {

enum class style : unsigned char { plain, heading, good, doubtful, bad, quiet };

// Colours are for eyes: only on a terminal, and not where NO_COLOR is set (no-color.org).
bool has_colours();

// The text in the colour of a style, or as it is where there are no colours.
std::string painted(std::string_view text, style look);

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

// Words with commas between them, in lines of at most 100 characters that begin with the indent.
void print_words(const std::vector<std::string>& words, std::string_view indent);

void print_json(const nlohmann::ordered_json& document);

} // namespace anympi::command
