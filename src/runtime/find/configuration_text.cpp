#include "runtime/find/configuration_text.hpp"

#include "base/parts_of_text.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/identify/library.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <iterator>

namespace anympi::runtime {
namespace {

bool is_space(char character) {
    return character == ' ' || character == '\t';
}

bool is_key_character(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '-' || character == '.';
}

void skip_spaces(std::string_view& rest) {
    while (!rest.empty() && is_space(rest.front()))
        rest.remove_prefix(1);
}

std::string_view take_key(std::string_view& rest) {
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_key_character);
    const std::string_view taken{rest.data(), static_cast<std::size_t>(end - rest.begin())};
    rest.remove_prefix(taken.size());
    return taken;
}

bool take_mark(std::string_view& rest, char mark) {
    if (rest.empty() || rest.front() != mark)
        return false;
    rest.remove_prefix(1);
    return true;
}

bool is_end(std::string_view rest) {
    skip_spaces(rest);
    return rest.empty() || rest.front() == '#';
}

// Reads the lines of a text. A list may extend over several lines.
struct line_reader {
    std::string_view text;
    std::size_t next_begin = 0;
    std::string_view line; // the unread rest of the present line
    int number = 0;

    bool next() {
        if (next_begin == text.size())
            return false;
        const std::size_t end = std::min(text.find('\n', next_begin), text.size());
        line = {text.data() + next_begin, end - next_begin};
        next_begin = std::min(end + 1, text.size());
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        number++;
        return true;
    }

    std::size_t position() const { return static_cast<std::size_t>(line.data() - text.data()); }
};

void add(value_list& values, char character) {
    values.text[values.length++] = character; // `values` has room for the whole file
}

// --- what a value may be ---

constexpr std::size_t longest_name = 255; // the longest name of an MPI, with its version

const char* check_path(std::string_view path) {
    if (path.empty() || path.front() != '/')
        return "a path must begin with /";
    constexpr std::size_t longest = PATH_MAX - 2; // a path_text also holds a line end and a NUL
    return path.size() > longest ? "the path is too long" : nullptr;
}

const char* check_mpi(std::string_view value) {
    if (value.empty())
        return "the value is empty";
    if (value.find('/') != value.npos)
        return check_path(value);
    if (value.size() > longest_name)
        return "the name is too long";
    return is_known_name(value) ? nullptr : unknown_mpi;
}

const char* check_folder(std::string_view value) {
    if (value.find(':') != value.npos)
        return "a folder may not have a colon in its name";
    return check_path(value);
}

const char* check_string(std::string_view value, value_kind kind) {
    switch (kind) {
    case value_kind::mpi:
    case value_kind::mpis:
        return check_mpi(value);
    case value_kind::file:
        return check_path(value);
    case value_kind::folders:
        return check_folder(value);
    case value_kind::flag:
    case value_kind::strings:
        break;
    }
    return nullptr;
}

// --- values ---

// Returns the three quotes at the beginning of a text, or an empty text.
std::string_view three_quotes_of(std::string_view text) {
    return text.starts_with("\"\"\"") || text.starts_with("'''") ? std::string_view{text.data(), 3}
                                                                 : std::string_view();
}

// Returns the place after the closing quotes of a string in three quotes, or npos.
std::size_t end_of_long_string(std::string_view text, std::size_t begin, std::string_view quotes) {
    for (std::size_t i = begin + quotes.size(); i < text.size(); i++) {
        if (text[i] == '\\' && quotes.front() == '"')
            i++;
        else if (text_from(text, i).starts_with(quotes))
            return i + quotes.size();
    }
    return text.npos;
}

// Takes a quoted string off the front. Returns what is wrong with it, or nullptr.
const char* take_string(std::string_view& rest, value_kind kind, value_list& values) {
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\''))
        return "the value must be a string in quotes";
    if (!three_quotes_of(rest).empty())
        return long_string;
    const char quote = rest.front();
    const std::size_t begin = values.length;
    for (rest.remove_prefix(1); !rest.empty(); rest.remove_prefix(1)) {
        char character = rest.front();
        if (character == quote) {
            rest.remove_prefix(1);
            const std::string_view value{values.text + begin, values.length - begin};
            add(values, '\n');
            return check_string(value, kind);
        }
        if (static_cast<unsigned char>(character) < ' ')
            return "a string may not contain control characters";
        if (character == '\\' && quote == '"') {
            rest.remove_prefix(1);
            if (rest.empty() || (rest.front() != '\\' && rest.front() != '"'))
                return "the only escapes are \\\\ and \\\"; a string in 'single quotes' has no escapes";
            character = rest.front();
        }
        add(values, character);
    }
    return "the string has no closing quote";
}

// Skips spaces, comments and line ends in a list. Returns false at the end of the text.
bool skip_to_next(line_reader& lines) {
    for (;;) {
        skip_spaces(lines.line);
        if (!lines.line.empty() && lines.line.front() != '#')
            return true;
        if (!lines.next())
            return false;
    }
}

const char* take_list(line_reader& lines, value_kind kind, value_list& values) {
    if (!take_mark(lines.line, '['))
        return "the value must be a list of strings: [\"one\", \"two\"]";
    for (bool may_follow = true;;) {
        if (!skip_to_next(lines))
            return "the list has no closing bracket";
        if (take_mark(lines.line, ']'))
            return kind != value_kind::strings && values.length >= PATH_MAX ? "the list is too long" : nullptr;
        if (!may_follow)
            return "there is no comma between two strings";
        if (const char* reason = take_string(lines.line, kind, values))
            return reason;
        if (!skip_to_next(lines))
            return "the list has no closing bracket";
        may_follow = take_mark(lines.line, ',');
    }
}

const char* take_flag(std::string_view& rest, value_list& values) {
    const std::string_view word = take_key(rest);
    if (word != "true" && word != "false")
        return "the value must be true or false";
    for (const char character : word)
        add(values, character);
    add(values, '\n');
    return nullptr;
}

const char* take_value(line_reader& lines, value_kind kind, value_list& values) {
    switch (kind) {
    case value_kind::flag:
        return take_flag(lines.line, values);
    case value_kind::mpi:
    case value_kind::file:
        return take_string(lines.line, kind, values);
    case value_kind::mpis:
        return lines.line.starts_with('[') ? take_list(lines, kind, values) : take_string(lines.line, kind, values);
    case value_kind::folders:
    case value_kind::strings:
        return take_list(lines, kind, values);
    }
    return nullptr;
}

// --- whole lines ---

constexpr std::string_view tables[] = {"run", "launcher", "options"};

bool is_table(std::string_view name) {
    return std::find(std::begin(tables), std::end(tables), name) != std::end(tables);
}

int index_of_product(std::string_view name) {
    for (std::size_t i = 0; i < std::size(products); i++)
        if (name == products[i].name)
            return static_cast<int>(i);
    return -1;
}

// Editors on Windows write these bytes before the first line.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class text_reader {
public:
    text_reader(std::string_view text, whose owner, function_ref<void(const configuration_line&)> visit)
        : lines_{text, text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0, {}, 0}, owner_(owner),
          visit_(visit) {}

    void run() {
        if (lines_.text.size() >= longest_configuration || !values_.reserve())
            return;
        while (lines_.next())
            read_line();
    }

private:
    void read_line() {
        begin_ = lines_.position();
        number_ = lines_.number;
        skip_spaces(lines_.line);
        if (is_end(lines_.line))
            return;
        if (lines_.line.front() == '[')
            read_table();
        else
            read_setting();
    }

    void read_table() {
        configuration_line line;
        line.is_table = true;
        take_mark(lines_.line, '[');
        skip_spaces(lines_.line);
        const std::string_view name = take_key(lines_.line);
        skip_spaces(lines_.line);
        const bool is_whole = take_mark(lines_.line, ']') && is_end(lines_.line);
        table_ = name;
        is_known_table_ = is_whole && is_table(name);
        if (!is_known_table_)
            line.problem = is_whole ? unknown_table : "expected [table]";
        line.key = name;
        report(line, number_);
    }

    void read_setting() {
        configuration_line line;
        std::string_view& rest = lines_.line;
        const std::string_view key = take_key(rest);
        skip_spaces(rest);
        const bool has_key = !key.empty() && take_mark(rest, '=');
        skip_spaces(rest);
        const bool is_list = rest.starts_with('[');
        if (!is_known_table_ && has_key) { // the [table] line was reported
            if (is_list)
                skip_list(lines_);
            else
                skip_long_string();
            return;
        }
        if (!has_key) {
            line.problem = "expected key = value";
            report(line, lines_.number);
            return;
        }
        name_ = {};
        name_.append("%.*s%s%.*s", static_cast<int>(table_.size()), table_.data(), table_.empty() ? "" : ".",
                     static_cast<int>(key.size()), key.data());
        line.key = {name_.text, name_.length};
        line.value_begin = lines_.position();
        const std::string_view value = rest;
        const line_reader first = lines_;
        line.problem = read_value(line);
        line.value_end = lines_.position();
        if (line.problem == nullptr && !is_end(rest))
            line.problem = "there is something after the value";
        int number = line.problem != nullptr ? lines_.number : number_;
        if (line.problem == unknown_key && table_.empty() && is_table(key) && value.starts_with('{'))
            line.problem = inline_table;
        if (line.problem != nullptr)
            skip_long_string();
        if (line.problem != nullptr && is_list && !skip_list(line.problem == long_string ? lines_ : first)) {
            line.problem = "the list has no closing bracket";
            number = number_;
        }
        line.values = values_.text;
        report(line, number);
    }

    const char* read_value(configuration_line& line) {
        values_.text[values_.length = 0] = '\0';
        line.known = find_configuration_key(line.key);
        if (line.known == nullptr)
            return unknown_key;
        if (line.known->is_for_sites && owner_ != whose::sites)
            return "this key counts in the site's file only";
        if (is_end(lines_.line))
            return "there is no value";
        const char* reason = take_value(lines_, line.known->kind, values_);
        values_.text[values_.length] = '\0';
        if (reason == nullptr && !is_first(line))
            reason = "it is set twice; the first line counts";
        return reason;
    }

    // Returns false if an earlier line has set the key.
    bool is_first(const configuration_line& line) {
        auto place = static_cast<unsigned>(line.known - configuration_keys);
        const int product = index_of_product(line.key.substr(std::min(line.known->name.size(), line.key.size())));
        if (product >= 0)
            place = static_cast<unsigned>(std::size(configuration_keys) + 2 * static_cast<std::size_t>(product) +
                                          (line.known->kind == value_kind::strings ? 1 : 0));
        const unsigned long long bit = 1ULL << place;
        const bool is_first = (seen_ & bit) == 0;
        seen_ |= bit;
        return is_first;
    }

    // Skips a list that was not understood, up to the next line that begins with a key or a table. Returns false if the
    // list was read beyond that line.
    bool skip_list(const line_reader& first) {
        const int number = lines_.number;
        lines_ = first;
        line_reader ahead = first;
        while (ahead.next()) {
            std::string_view rest = ahead.line;
            skip_spaces(rest);
            const bool is_table = take_mark(rest, '[');
            const bool has_key = !take_key(rest).empty();
            skip_spaces(rest);
            if (has_key && rest.starts_with(is_table ? ']' : '='))
                break;
            lines_ = ahead;
        }
        return number <= lines_.number;
    }

    // Skips a string in three quotes that begins here, so that its lines do not count as settings. Without closing
    // quotes, only this line is broken.
    void skip_long_string() {
        const std::string_view quotes = three_quotes_of(lines_.line);
        const std::size_t end =
            quotes.empty() ? quotes.npos : end_of_long_string(lines_.text, lines_.position(), quotes);
        if (end == quotes.npos)
            return;
        while (lines_.next_begin < end)
            lines_.next();
        lines_.line.remove_prefix(end - lines_.position());
    }

    void report(configuration_line& line, int number) {
        line.number = number;
        line.begin = begin_;
        line.end = lines_.next_begin;
        visit_(line);
    }

    line_reader lines_;
    whose owner_;
    function_ref<void(const configuration_line&)> visit_;
    std::string_view table_;
    bool is_known_table_ = true;
    bounded_text<96> name_;
    value_list values_;
    std::size_t begin_ = 0;
    int number_ = 0;
    unsigned long long seen_ = 0;
};

void append_last_value(bounded_text<512>& text, std::string_view values) {
    values.remove_suffix(1); // the line end
    values.remove_prefix(values.rfind('\n') + 1);
    text.append(": `%.*s`", static_cast<int>(values.size()), values.data());
}

} // namespace

const configuration_key* find_configuration_key(std::string_view name) {
    for (const configuration_key& key : configuration_keys) {
        const bool needs_product = key.name.ends_with('.');
        if (needs_product ? name.starts_with(key.name) && index_of_product(text_from(name, key.name.size())) >= 0
                          : name == key.name)
            return &key;
    }
    return nullptr;
}

void read_configuration_text(std::string_view text, whose owner, function_ref<void(const configuration_line&)> visit) {
    text_reader(text, owner, visit).run();
}

bounded_text<512> explain_problem(const configuration_line& line) {
    bounded_text<512> text;
    if (line.is_table)
        text.append("[%.*s]: ", static_cast<int>(line.key.size()), line.key.data());
    else if (!line.key.empty())
        text.append("%.*s: ", static_cast<int>(line.key.size()), line.key.data());
    text.append("%s", line.problem);
    if (line.problem == inline_table)
        text.append("; write [%.*s], and below it one line for each key", static_cast<int>(line.key.size()),
                    line.key.data());
    if (line.problem == unknown_mpi)
        append_last_value(text, line.values);
    return text;
}

} // namespace anympi::runtime
