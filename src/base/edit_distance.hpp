#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace anympi {

/// Returns how many letters must be added, dropped, replaced or swapped with their neighbours to make one word of the
/// other. A word longer than 63 letters is near no other word: its own length is returned.
inline std::size_t edit_distance(std::string_view left, std::string_view right) {
    constexpr std::size_t longest = 63;
    if (std::max(left.size(), right.size()) > longest)
        return std::max(left.size(), right.size());
    std::size_t rows[3][longest + 1]; // row i holds the distances of the first i letters of `left`
    for (std::size_t j = 0; j <= right.size(); j++)
        rows[0][j] = j;
    for (std::size_t i = 1; i <= left.size(); i++) {
        std::size_t* const row = rows[i % 3];
        const std::size_t* const before = rows[(i + 2) % 3];
        const std::size_t* const second_before = rows[(i + 1) % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= right.size(); j++) {
            const bool is_equal = left[i - 1] == right[j - 1];
            row[j] = std::min({before[j - 1] + (is_equal ? 0 : 1), before[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = std::min(row[j], second_before[j - 2] + 1);
        }
    }
    return rows[left.size() % 3][right.size()];
}

/// Returns true if a word of this length with so many changes is probably the same word, misspelled.
inline bool is_misspelling(std::size_t changes, std::size_t length) {
    constexpr std::size_t short_word = 4;
    return changes <= (length <= short_word ? 1 : std::max<std::size_t>(2, length / 3));
}

} // namespace anympi
