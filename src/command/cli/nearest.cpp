#include "command/cli/nearest.hpp"

#include "base/edit_distance.hpp"

#include <algorithm>

namespace anympi::command {

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    const auto best = std::min_element(known.begin(), known.end(), [&](const auto& left, const auto& right) {
        return edit_distance(word, left) < edit_distance(word, right);
    });
    return best != known.end() && is_misspelling(edit_distance(word, *best), word.size()) ? *best : "";
}

} // namespace anympi::command
