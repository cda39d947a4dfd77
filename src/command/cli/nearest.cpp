#include "command/cli/nearest.hpp"

#include "base/edit_distance.hpp"

#include <algorithm>
#include <cctype>

namespace anympi::command {

namespace {

std::string_view without_dashes(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    return word;
}

// Returns a word in the form in which words are compared. Case is ignored, so that --MPI is near --mpi.
std::string comparable(std::string_view word) {
    std::string letters(without_dashes(word));
    std::transform(letters.begin(), letters.end(), letters.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return letters;
}

std::size_t distance_between(std::string_view left, std::string_view right) {
    return edit_distance(comparable(left), comparable(right));
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
