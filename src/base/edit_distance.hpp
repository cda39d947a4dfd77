#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace anympi {

/// Returns how many letters must be added, dropped or replaced to make one word of the other. A word longer than 63
/// letters is near no other word: its own length is returned.
inline std::size_t edit_distance(std::string_view left, std::string_view right) {
    constexpr std::size_t longest = 63;
    if (std::max(left.size(), right.size()) > longest)
        return std::max(left.size(), right.size());
    std::size_t row[longest + 1];
    for (std::size_t j = 0; j <= right.size(); j++)
        row[j] = j;
    for (std::size_t i = 0; i < left.size(); i++) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < right.size(); j++) {
            const std::size_t replaced = diagonal + (left[i] != right[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min(std::min(replaced, row[j] + 1), diagonal + 1);
        }
    }
    return row[right.size()];
}

/// Returns true if a word of this length with so many changes is probably the same word, misspelled.
inline bool is_misspelling(std::size_t changes, std::size_t length) {
    return changes <= std::max<std::size_t>(2, length / 3);
}

} // namespace anympi
