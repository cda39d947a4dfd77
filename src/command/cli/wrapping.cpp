#include "command/cli/wrapping.hpp"

#include "base/foreign_text.hpp"
#include "command/cli/split_join.hpp"
#include "runtime/environment.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace anympi::command {
namespace {

constexpr std::size_t usual_width = 80;
constexpr std::size_t least_width = 40; // narrower columns are harder to read than lines that a terminal breaks
constexpr std::string_view ellipsis = "…";

struct range {
    std::uint32_t first, last;
};

// Combining marks and characters without a width.
constexpr range narrow_ranges[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
                                   {0x64b, 0x65f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
                                   {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
// Characters that need two columns: East Asian ones and pictures.
constexpr range wide_ranges[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},
                                 {0xa960, 0xa97f},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                 {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
                                 {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

template <std::size_t count>
bool is_in(const range (&ranges)[count], std::uint32_t code) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [&](const range& one) { return one.first <= code && code <= one.last; });
}

bool is_colour(std::string_view text) {
    return text.starts_with("\033[");
}

// Returns the length in bytes of the first character of a text, or of the escape sequence of a colour.
std::size_t length_of_first(std::string_view text) {
    if (is_colour(text))
        return std::min(text.find('m'), text.size() - 1) + 1;
    return std::max<std::size_t>(length_if_harmless(text), 1);
}

// Returns the code point of one character in UTF-8.
std::uint32_t code_of(std::string_view character) {
    constexpr unsigned char payload[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    std::uint32_t code = static_cast<unsigned char>(character[0]) & payload[std::min<std::size_t>(character.size(), 4)];
    for (const char byte : character.substr(1))
        code = code << 6 | (static_cast<unsigned char>(byte) & 0x3f);
    return code;
}

std::size_t width_of_first(std::string_view character) {
    if (is_colour(character))
        return 0;
    const std::uint32_t code = code_of(character);
    return is_in(narrow_ranges, code) ? 0 : is_in(wide_ranges, code) ? 2 : 1;
}

std::vector<std::string_view> characters_of(std::string_view text) {
    std::vector<std::string_view> characters;
    while (!text.empty()) {
        characters.push_back(text.substr(0, length_of_first(text)));
        text.remove_prefix(characters.back().size());
    }
    return characters;
}

// Cuts a word into pieces of at most `width` columns.
std::vector<std::string> break_word(std::string_view word, std::size_t width) {
    std::vector<std::string> pieces(1);
    std::size_t used = 0;
    for (const std::string_view character : characters_of(word)) {
        if (used + width_of_first(character) > width) {
            pieces.emplace_back();
            used = 0;
        }
        used += width_of_first(character);
        pieces.back() += character;
    }
    return pieces;
}

// Splits a text into words. A text in backquotes is one word.
std::vector<std::string> units_of(std::string_view text) {
    std::vector<std::string> units;
    bool is_in_command = false;
    for (const std::string& word : split_list(text, " ")) {
        if (is_in_command)
            units.back() += " " + word;
        else if (!word.empty())
            units.push_back(word);
        if (std::count(word.begin(), word.end(), '`') % 2 == 1)
            is_in_command = !is_in_command;
    }
    return units;
}

// Splits a command into the words of a shell: blanks in quotes belong to the word.
std::vector<std::string> shell_words_of(std::string_view command) {
    std::vector<std::string> words(1);
    char quote = '\0';
    for (const char character : command) {
        if (character == ' ' && quote == '\0') {
            words.emplace_back();
            continue;
        }
        if (quote == '\0' && (character == '\'' || character == '"'))
            quote = character;
        else if (character == quote)
            quote = '\0';
        words.back() += character;
    }
    return words;
}

// A shell joins the lines of a command that end with a backslash. A word that is wider than a line stays whole, so that
// the command can still be copied.
std::vector<std::string> break_command(std::string_view command, std::size_t width) {
    constexpr std::string_view joint = " \\";
    std::vector<std::string> lines(1);
    for (const std::string& word : shell_words_of(command)) {
        std::string& line = lines.back();
        const bool is_full = display_width(line) + 1 + display_width(word) > width - joint.size();
        if (!line.empty() && is_full) {
            line += joint;
            lines.push_back(word);
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
    }
    return lines;
}

// Returns the pieces of a word that is wider than a line.
std::vector<std::string> fit_word(const std::string& word, std::size_t width) {
    if (word.find(' ') != word.npos)
        return break_command(word, width);
    return word.find('/') != word.npos ? std::vector{shorten_middle(word, width)} : break_word(word, width);
}

std::string indent_of(std::string_view line) {
    return std::string(line.substr(0, std::min(line.find_first_not_of(' '), line.size())));
}

// Returns where the right column of an indented line begins, or 0 if the line has one column.
std::size_t right_column_of(std::string_view line) {
    const std::size_t gap = line.rfind("  ");
    return gap == line.npos || gap < indent_of(line).size() ? 0 : gap + 2;
}

std::string lay_out_paragraph(const std::string& paragraph, std::size_t width) {
    std::string text;
    for (const std::string& line : wrap(paragraph, width))
        text += line + "\n";
    return text;
}

// Puts the right column below the left one, which is too wide. A comment in an example stays on its line.
std::string lay_out_below(const std::string& line, std::size_t column, std::size_t width) {
    constexpr std::size_t indent = 6;
    if (line[column] == '#')
        return line + "\n";
    std::string text = line.substr(0, line.find_last_not_of(' ', column - 1) + 1) + "\n";
    for (const std::string& part : wrap(line.substr(column), width - indent))
        text += std::string(indent, ' ') + part + "\n";
    return text;
}

std::string lay_out_columns(const std::string& line, std::size_t width) {
    const std::size_t right = right_column_of(line);
    // A line with a deep indent continues the right column: it is the text below a wide name.
    const std::size_t only_text = indent_of(line).size() >= width / 4 ? indent_of(line).size() : 0;
    const std::size_t column = right != 0 ? right : only_text;
    if (!line.starts_with(' '))
        return lay_out_paragraph(line, width);
    if (display_width(line) <= width || column == 0)
        return line + "\n";
    if (column > width / 2)
        return lay_out_below(line, column, width);
    std::string text;
    std::string before = line.substr(0, column);
    for (const std::string& part : wrap(line.substr(column), width - column)) {
        text += before + part + "\n";
        before.assign(column, ' ');
    }
    return text;
}

bool ends_paragraph(std::string_view line) {
    return line.empty() || line.starts_with(' ') || line.ends_with(':') || line.starts_with("Usage: ");
}

// The further lines of the usage begin below the word after "Usage: ".
std::string lay_out_usage(const std::string& line, std::size_t width) {
    constexpr std::string_view title = "Usage: ";
    const std::vector<std::string> lines = wrap(line.substr(title.size()), width - title.size());
    return std::string(title) + join_list(lines, "\n" + std::string(title.size(), ' ')) + "\n";
}

} // namespace

std::size_t output_width() {
    winsize terminal{};
    std::size_t width = usual_width;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col != 0)
        width = terminal.ws_col;
    else if (const char* const columns = runtime::read_variable("COLUMNS"))
        std::from_chars(columns, columns + std::strlen(columns), width);
    return std::max(width == 0 ? usual_width : width, least_width);
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (const std::string_view character : characters_of(text))
        width += width_of_first(character);
    return width;
}

std::string shorten_middle(std::string_view text, std::size_t width) {
    if (display_width(text) <= width)
        return std::string(text);
    const std::size_t room = width - std::min(width, display_width(ellipsis));
    const std::vector<std::string_view> characters = characters_of(text);
    std::string begin, end;
    std::size_t used = 0;
    std::size_t first = 0;
    while (used + width_of_first(characters[first]) <= room / 3) {
        used += width_of_first(characters[first]);
        begin += characters[first++];
    }
    std::size_t last = characters.size();
    while (last > first && used + width_of_first(characters[last - 1]) <= room) {
        used += width_of_first(characters[--last]);
        end.insert(0, characters[last]);
    }
    return begin + std::string(ellipsis) + end;
}

std::vector<std::string> fill_lines(const std::vector<std::string>& words, std::size_t width) {
    std::vector<std::string> lines(1);
    for (const std::string& word : words) {
        const std::size_t used = display_width(lines.back());
        if (used != 0 && used + 1 + display_width(word) > width)
            lines.emplace_back();
        if (display_width(word) > width) {
            const std::vector<std::string> pieces = fit_word(word, width);
            lines.back() = pieces.front();
            lines.insert(lines.end(), pieces.begin() + 1, pieces.end());
        } else {
            lines.back() += (lines.back().empty() ? "" : " ") + word;
        }
    }
    return lines;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    return fill_lines(units_of(text), width);
}

std::string lay_out_help(std::string_view help, std::size_t width) {
    std::string text, paragraph;
    help.remove_suffix(help.ends_with('\n') ? 1 : 0); // splitting would find an empty line after it
    for (const std::string& line : split_list(help, "\n")) {
        if (!ends_paragraph(line)) {
            paragraph.append(paragraph.empty() ? "" : " ").append(line);
            continue;
        }
        if (line.ends_with(':') && !paragraph.empty()) { // the paragraph's own last line
            text += lay_out_paragraph(paragraph.append(" ").append(line), width);
            paragraph.clear();
            continue;
        }
        if (!paragraph.empty())
            text += lay_out_paragraph(paragraph, width);
        paragraph.clear();
        text += line.starts_with("Usage: ") ? lay_out_usage(line, width) : lay_out_columns(line, width);
    }
    return text + (paragraph.empty() ? "" : lay_out_paragraph(paragraph, width));
}

} // namespace anympi::command
