#include "command/cli/output.hpp"

#include "runtime/environment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace anympi::command {
namespace {

const char* escape_for(style look) {
    switch (look) {
    case style::plain:
        return "";
    case style::heading:
        return "\033[1m";
    case style::good:
        return "\033[32m";
    case style::doubtful:
        return "\033[33m";
    case style::bad:
        return "\033[31m";
    case style::quiet:
        return "\033[2m";
    }
    return "";
}

// Counts the characters on the screen: bytes that do not continue a character of UTF-8.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

} // namespace

bool has_colours() {
    const char* terminal = runtime::read_variable("TERM");
    return isatty(STDOUT_FILENO) == 1 && !runtime::read_variable("NO_COLOR") && terminal &&
           std::strcmp(terminal, "dumb") != 0;
}

painted_text painted(std::string_view text, style look) {
    static const bool colours = has_colours();
    if (!colours || look == style::plain)
        return {printable(text)};
    return {fmt::format("{}{}\033[0m", escape_for(look), printable(text))};
}

table::table(std::vector<std::string> headings) {
    std::vector<cell>& row = rows_.emplace_back(headings.size());
    for (std::size_t column = 0; column < headings.size(); column++)
        row[column] = {std::move(headings[column]), style::heading};
}

void table::add(std::vector<cell> row) {
    for (cell& one : row)
        one.text = printable(one.text);
    row.resize(rows_.front().size());
    rows_.push_back(std::move(row));
}

void table::print(std::string_view indent) const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
        for (std::size_t column = 0; column < row.size(); column++)
            widths[column] = std::max(widths[column], width_of(row[column].text));
    for (const auto& row : rows_) {
        std::string line(indent);
        std::size_t gap = 0;
        for (std::size_t column = 0; column < row.size(); column++) {
            if (row[column].text.empty()) {
                gap += widths[column] + 2;
                continue;
            }
            line += std::string(gap, ' ') + painted(row[column].text, row[column].look).text;
            gap = widths[column] - width_of(row[column].text) + 2;
        }
        fmt::print("{}\n", line);
    }
}

void print_words(const std::vector<std::string>& words, std::string_view indent) {
    constexpr std::size_t widest = 100;
    std::string line(indent);
    for (std::size_t i = 0; i < words.size(); i++) {
        const std::string word = printable(words[i]) + (i + 1 < words.size() ? ", " : "");
        if (line.size() > indent.size() && line.size() + word.size() > widest) {
            line.pop_back(); // the space behind the comma
            fmt::print("{}\n", line);
            line = indent;
        }
        line += word;
    }
    fmt::print("{}\n", line);
}

void pass_on_messages(std::string_view lines) {
    fmt::print(stderr, "{}", printable_lines(lines));
}

void print_shell_command(std::string_view command) {
    fmt::print("{}\n", printable_lines(command));
}

void print_json(const json& document) {
    fmt::print("{}\n", document.in_lines());
}

} // namespace anympi::command
