#include "command/cli/shell_quoting.hpp"

#include "base/foreign_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace anympi::command {
namespace {

// Returns the number of bytes at the beginning of a text that must not reach a terminal.
std::size_t length_of_harmful(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && length_if_harmless(text.substr(length)) == 0)
        length++;
    return length;
}

// Removes from the beginning of a word the part that printf must print, and returns it. A shell drops line ends at the
// end of printf's output: the part includes the character after them. Line ends at the end of a word stay, in quotes.
std::string_view take_for_printf(std::string_view& word) {
    std::size_t length = length_of_harmful(word);
    if (length < word.size() && word[length - 1] == '\n')
        length += length_if_harmless(word.substr(length));
    while (length > 0 && word[length - 1] == '\n')
        length--;
    const std::string_view taken = word.substr(0, length);
    word.remove_prefix(length);
    return taken;
}

// Quotes a word for the shell. Control characters are written as a call of printf, so that they do not reach the
// terminal that shows the command.
std::string quote_word(std::string_view word) {
    std::string quoted = "'";
    while (!word.empty()) {
        std::string octal;
        if (length_of_harmful(word) != 0)
            for (const char byte : take_for_printf(word))
                octal += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
        if (!octal.empty())
            quoted += fmt::format("'\"$(printf '{}')\"'", octal);
        const std::size_t length = std::max<std::size_t>(length_if_harmless(word), 1);
        quoted += word.starts_with('\'') ? "'\\''" : word.substr(0, length);
        word.remove_prefix(std::min(length, word.size()));
    }
    return quoted + "'";
}

std::string quote_words(const std::vector<std::string>& words) {
    constexpr char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%";
    std::string line;
    for (const std::string& word : words) {
        line += line.empty() ? "" : " ";
        if (!word.empty() && word.find_first_not_of(plain) == word.npos) {
            line += word;
            continue;
        }
        line += quote_word(word);
    }
    return line;
}

// Quotes only the value of NAME=VALUE: quotes in the name would make it a command.
std::string quote_assignments(const std::vector<std::string>& assignments) {
    std::string line;
    for (const std::string& assignment : assignments) {
        const std::size_t value = assignment.find('=') + 1;
        line += (line.empty() ? "" : " ") + assignment.substr(0, value) + quote_words({assignment.substr(value)});
    }
    return line;
}

} // namespace

std::string quote_command(const std::vector<std::string>& assignments, const std::vector<std::string>& words) {
    const std::string set = quote_assignments(assignments);
    return set + (set.empty() ? "" : " ") + quote_words(words);
}

} // namespace anympi::command
