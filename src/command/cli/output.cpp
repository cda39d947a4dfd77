#include "command/cli/output.hpp"

#include "command/cli/wrapping.hpp"
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

painted_text operator+(painted_text text, const painted_text& more) {
    text.text += more.text;
    return text;
}

void show_lines(const painted_text& first, std::string_view rest, const painted_text& text) {
    const std::size_t used = std::max(display_width(first.text), display_width(rest));
    std::string_view begin = first.text;
    for (const std::string& line : wrap(text.text, output_width() - std::min(used, output_width() / 2))) {
        fmt::print("{}{}\n", begin, line);
        begin = rest;
    }
}

void print_words(const std::vector<std::string>& words, std::string_view indent) {
    std::vector<std::string> listed;
    listed.reserve(words.size());
    for (const std::string& word : words)
        listed.push_back(printable(word) + (&word == &words.back() ? "" : ","));
    for (const std::string& line : fill_lines(listed, output_width() - indent.size()))
        fmt::print("{}{}\n", indent, line);
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
