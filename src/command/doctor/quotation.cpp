#include "command/doctor/quotation.hpp"

#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"

#include <algorithm>
#include <vector>

namespace anympi::command {
namespace {

using line_list = std::vector<std::string>;

constexpr std::size_t most_lines = 8;

bool is_end_mark(char character) {
    return std::string_view(".!?").find(character) != std::string_view::npos;
}

bool ends_sentence(const std::string& line) {
    return line.empty() || is_end_mark(line.back()) || line.back() == ':';
}

// Returns the lines as they can be shown. Lines of ornaments become empty.
line_list lines_of(const std::string& output) {
    line_list lines = split_list(output, "\n");
    for (std::string& line : lines) {
        line = printable(line);
        const std::size_t last = line.find_last_not_of(" \t");
        line.erase(last == line.npos ? 0 : last + 1);
        if (line.find_first_not_of(" -*=") == line.npos)
            line.clear();
    }
    return lines;
}

// Removes the last sentence if it is incomplete.
void end_with_sentence(line_list& lines) {
    for (std::size_t i = lines.size(); i-- > 0;) {
        const std::string& line = lines[i];
        std::size_t end = line.size();
        while (end > 0 && !(is_end_mark(line[end - 1]) && (end == line.size() || line[end] == ' ')))
            end--;
        if (end == 0)
            continue;
        lines.resize(i + 1);
        lines.back().resize(end);
        return;
    }
    if (!lines.empty())
        lines.back() += " …";
}

// Returns the first lines of the output.
line_list first_lines(const line_list& all) {
    line_list lines;
    std::copy_if(all.begin(), all.end(), std::back_inserter(lines), [](const auto& line) { return !line.empty(); });
    if (lines.size() > most_lines) {
        lines.resize(most_lines);
        end_with_sentence(lines);
    }
    return lines;
}

// Returns the sentence with a text. It may begin before the line of the text, and end after that line.
line_list lines_with(const line_list& all, std::string_view text) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& line) { return line.find(text) != line.npos; });
    auto first = found;
    while (first != all.begin() && found - first < 3 && !ends_sentence(*std::prev(first)))
        --first;
    line_list lines(first, found);
    for (auto line = found; line != all.end() && !line->empty(); ++line) {
        lines.push_back(*line);
        if (ends_sentence(*line))
            return lines;
        if (lines.size() == most_lines) {
            end_with_sentence(lines);
            return lines;
        }
    }
    return lines;
}

} // namespace

std::string quote_output(const std::string& output, std::string_view text) {
    const line_list all = lines_of(output);
    return join_list(text.empty() ? first_lines(all) : lines_with(all, text), "\n");
}

} // namespace anympi::command
