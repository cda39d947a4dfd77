#include "command/cli/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace anympi::command {

std::size_t distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < left.size(); i++) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < right.size(); j++) {
            const std::size_t replaced = diagonal + (left[i] != right[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

bool is_near(std::size_t changes, std::size_t length) {
    return changes <= std::max<std::size_t>(2, length / 3);
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    const auto best = std::min_element(known.begin(), known.end(), [&](const auto& left, const auto& right) {
        return distance(word, left) < distance(word, right);
    });
    return best != known.end() && is_near(distance(word, *best), word.size()) ? *best : "";
}

} // namespace anympi::command
