#include "command/config/edit_text.hpp"

#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/config/settings.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace anympi::command {
namespace {

using runtime::configuration_line;
using runtime::value_kind;
using runtime::whose;

// A line in the form that read_configuration_text() reports, with its own copies of the texts.
struct known_line {
    std::string key;
    bool is_table;
    bool is_good;
    std::string problem;
    std::size_t begin, end, value_begin, value_end;
};

std::vector<known_line> lines_of(const std::string& text, whose owner) {
    std::vector<known_line> lines;
    runtime::read_configuration_text(text, owner, [&](const configuration_line& line) {
        lines.push_back({std::string(line.key), line.is_table, line.problem == nullptr,
                         line.problem != nullptr ? explain(line) : "", line.begin, line.end, line.value_begin,
                         line.value_end});
    });
    return lines;
}

// Returns a text in quotes. The reader accepts no escapes in single quotes, and two escapes in double quotes.
std::string quoted(const std::string& text) {
    const bool needs_escapes = text.find_first_of("\"\\") != text.npos;
    if (needs_escapes && text.find('\'') == text.npos)
        return "'" + text + "'";
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\')
            result += '\\';
        result += character;
    }
    return result + "\"";
}

std::string list_of(const std::vector<std::string>& words) {
    std::vector<std::string> strings;
    std::transform(words.begin(), words.end(), std::back_inserter(strings), quoted);
    return "[" + join_list(strings) + "]";
}

std::string value_of(const std::string& key, value_kind kind, const std::vector<std::string>& words) {
    const bool is_list = kind == value_kind::mpis || kind == value_kind::folders || kind == value_kind::strings;
    if (is_list)
        return list_of(words);
    if (words.size() != 1)
        throw settings_error(sentence_of("{} has one value, not {}", key, words.size()));
    const bool is_flag = kind == value_kind::flag && (words[0] == "true" || words[0] == "false");
    return is_flag ? words[0] : quoted(words[0]); // the reader refuses any other value of a flag
}

// Returns the place of a new line of this table: after the last setting of the table, or after its [line].
std::optional<std::size_t> place_in_table(const std::vector<known_line>& lines, const std::string& table) {
    std::optional<std::size_t> place;
    std::string present;
    bool is_known = true; // the lines of a broken [table] are ignored
    for (const known_line& line : lines) {
        if (line.is_table) {
            present = line.key;
            is_known = line.is_good;
        }
        const bool is_place = line.is_table ? !table.empty() : line.is_good;
        if (is_known && present == table && is_place)
            place = line.end;
    }
    return place;
}

// Returns the place of the first line outside of all tables: before the first [table] and the comment above it. A
// comment at the beginning of the file belongs to the file.
std::size_t place_before_tables(const std::string& text, const std::vector<known_line>& lines) {
    const auto table = std::find_if(lines.begin(), lines.end(), [](const known_line& line) { return line.is_table; });
    if (table == lines.end())
        return text.size();
    std::size_t place = table->begin;
    while (place > 0) {
        const std::size_t above = place < 2 ? 0 : text.rfind('\n', place - 2) + 1;
        if (text[above] != '#')
            return place;
        place = above;
    }
    return table->begin;
}

// Gives an addition the line ends of the text. If the first line of the text ends with CR LF, all added lines do.
std::string with_line_ends_of(const std::string& text, const std::string& addition) {
    const std::size_t end = text.find('\n');
    const bool is_of_windows = end != text.npos && end > 0 && text[end - 1] == '\r';
    std::string result;
    for (const char character : addition) {
        if (character == '\n' && is_of_windows && !result.ends_with('\r'))
            result += '\r';
        result += character;
    }
    return result;
}

std::string with_line(std::string text, std::size_t place, const std::string& line) {
    if (place == text.size() && !text.empty() && !text.ends_with('\n')) {
        text += with_line_ends_of(text, "\n");
        place = text.size();
    }
    return text.insert(place, with_line_ends_of(text, line + "\n"));
}

std::string with_new_line(const std::string& text, const std::vector<known_line>& lines, const std::string& key,
                          const std::string& value) {
    const std::size_t point = key.find('.');
    const std::string table = point == key.npos ? "" : key.substr(0, point);
    const std::string line = key.substr(point == key.npos ? 0 : point + 1) + " = " + value;
    if (const auto place = place_in_table(lines, table))
        return with_line(text, *place, line);
    if (table.empty()) {
        const std::size_t first = place_before_tables(text, lines);
        return with_line(text, first, line + (first < text.size() ? "\n" : "")); // adds an empty line before [table]
    }
    return with_line(text, text.size(), (text.empty() ? "[" : "\n[") + table + "]\n" + line);
}

// Returns the comments inside an old value, each in a line. Quotes may contain a #.
std::string comments_in(const std::string& value) {
    std::string comments;
    char quote = '\0';
    for (std::size_t i = 0; i < value.size(); i++) {
        if (quote == '\0' && value[i] == '#') {
            const std::size_t end = std::min(value.find('\n', i), value.size());
            comments += value.substr(i, end - i) + "\n";
            i = end;
        } else if (quote == '\0' && (value[i] == '"' || value[i] == '\'')) {
            quote = value[i];
        } else if (quote == '"' && value[i] == '\\') {
            i++;
        } else if (value[i] == quote) {
            quote = '\0';
        }
    }
    return comments;
}

// Replaces the value. The line keeps its key and the comment after its value. If the value was not understood, its end
// is unknown, and the rest of the line is replaced.
std::string with_replaced_value(std::string text, const known_line& line, const std::string& value) {
    const std::size_t end = line.is_good ? line.value_end : text.find_last_not_of("\r\n", line.end - 1) + 1;
    const std::string comments =
        with_line_ends_of(text, comments_in(text.substr(line.value_begin, end - line.value_begin)));
    text.replace(line.value_begin, end - line.value_begin, value);
    return text.insert(line.begin, comments);
}

bool sets(const known_line& line, const std::string& key) {
    return !line.is_table && line.key == key;
}

const known_line* find_line(const std::vector<known_line>& lines, const std::string& key) {
    const known_line* first = nullptr;
    for (const known_line& line : lines)
        if (sets(line, key) && (first == nullptr || (line.is_good && !first->is_good)))
            first = &line;
    return first;
}

} // namespace

std::string set_in_text(const std::string& text, whose owner, const std::string& key,
                        const std::vector<std::string>& words) {
    const runtime::configuration_key* const known = runtime::find_configuration_key(key);
    if (known == nullptr)
        throw settings_error(explain_unknown_key(key));
    const std::string value = value_of(key, known->kind, words);
    const std::vector<known_line> lines = lines_of(text, owner);
    const known_line* const old = find_line(lines, key);
    std::string changed = old ? with_replaced_value(text, *old, value) : with_new_line(text, lines, key, value);
    const std::vector<known_line> result = lines_of(changed, owner);
    const known_line* const line = find_line(result, key);
    if (line == nullptr)
        throw settings_error(
            sentence_of("the file would be too long: at most {} bytes are read", runtime::longest_configuration - 1));
    if (!line->is_good)
        throw settings_error(line->problem);
    return changed;
}

std::string unset_in_text(const std::string& text, whose owner, const std::string& key) {
    if (runtime::find_configuration_key(key) == nullptr)
        throw settings_error(explain_unknown_key(key));
    std::string changed = text;
    const std::vector<known_line> lines = lines_of(text, owner);
    std::for_each(lines.rbegin(), lines.rend(), [&](const known_line& line) {
        if (sets(line, key))
            changed.erase(line.begin, line.end - line.begin);
    });
    return changed;
}

} // namespace anympi::command
