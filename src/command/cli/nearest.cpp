#include "command/cli/nearest.hpp"

#include "base/edit_distance.hpp"

#include <algorithm>

namespace anympi::command {

namespace {

std::string_view without_dashes(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    return word;
}

std::size_t distance_between(std::string_view left, std::string_view right) {
    return edit_distance(without_dashes(left), without_dashes(right));
}

} // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    const auto best = std::min_element(known.begin(), known.end(), [&](const auto& left, const auto& right) {
        return distance_between(word, left) < distance_between(word, right);
    });
    const bool is_near =
        best != known.end() && is_misspelling(distance_between(word, *best), without_dashes(word).size());
    return is_near ? *best : "";
}

} // namespace anympi::command
