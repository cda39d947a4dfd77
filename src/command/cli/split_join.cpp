#include "command/cli/split_join.hpp"

#include <algorithm>

namespace anympi::command {

std::vector<std::string> split_list(std::string_view list, std::string_view separators) {
    std::vector<std::string> entries;
    if (list.empty())
        return entries;
    for (;;) {
        const std::size_t end = std::min(list.find_first_of(separators), list.size());
        entries.emplace_back(list.substr(0, end));
        if (end == list.size())
            return entries;
        list.remove_prefix(end + 1);
    }
}

std::string join_list(const std::vector<std::string>& entries, std::string_view separator) {
    std::string text;
    for (const std::string& entry : entries)
        text.append(&entry == &entries.front() ? "" : separator).append(entry);
    return text;
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

} // namespace anympi::command
