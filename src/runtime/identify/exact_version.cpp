#include "runtime/identify/exact_version.hpp"

#include "base/parts_of_text.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace anympi::runtime {
namespace {

constexpr std::size_t longest_version = sizeof(library::version) - 1;
constexpr std::string_view update_of_year = " Update "; // "2018 Update 3"

// Returns the number at the beginning of a text, or -1 if the text does not begin with a number.
int leading_number(std::string_view text) {
    int number = -1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// Removes digits, and returns true if there were any.
bool skip_digits(std::string_view& text) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
    const bool any = end != text.begin();
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    return any;
}

// Returns true for "5.0.2", "4.2" and "5.0.0rc1". An address (127.0.0.1) has four numbers.
bool has_form_of_version(std::string_view text) {
    int points = 0;
    if (!skip_digits(text))
        return false;
    while (text.starts_with('.')) {
        text.remove_prefix(1);
        points++;
        if (!skip_digits(text))
            return false;
    }
    for (const std::string_view stage : {"rc", "a", "b"})
        if (text.starts_with(stage)) {
            text.remove_prefix(stage.size());
            return (points == 1 || points == 2) && skip_digits(text) && text.empty();
        }
    return (points == 1 || points == 2) && text.empty();
}

// Returns true if a text in the file can be the version of an MPICH whose release is known from its functions.
bool may_be_of_release(std::string_view text, std::string_view release) {
    constexpr std::string_view open_end = " or newer";
    if (!has_form_of_version(text))
        return false;
    constexpr int highest = 99;
    if (release.ends_with(open_end))
        return leading_number(text) >= leading_number(release) && leading_number(text) <= highest;
    return text.starts_with(release) && (text.size() == release.size() || !is_digit(text[release.size()]));
}

// Returns true for a version that begins with a year: "2021.19.0" or "2018 Update 3".
bool may_be_of_year(std::string_view text) {
    constexpr int first = 2017;
    constexpr int last = 2099;
    const int year = leading_number(text);
    if (year < first || year > last)
        return false;
    const std::size_t end = text.find(update_of_year);
    return has_form_of_version(text) ||
           (end != text.npos && leading_number(text_from(text, end + update_of_year.size())) > 0);
}

version_text exact_text_of(const library& mpi) {
    const known_product* const known = product_of(mpi);
    return known != nullptr ? known->exact : version_text::none;
}

bool may_be_version(std::string_view text, const library& mpi) {
    return exact_text_of(mpi) == version_text::release ? may_be_of_release(text, mpi.version) : may_be_of_year(text);
}

bool is_incomplete(const library& mpi) {
    const std::string_view version = mpi.version;
    switch (exact_text_of(mpi)) {
    case version_text::release:
        return std::count(version.begin(), version.end(), '.') < 2;
    case version_text::year:
        return version.empty();
    case version_text::none:
        break;
    }
    return false;
}

// Converts "2018 Update 3" to "2018.3".
bounded_text<32> as_version(std::string_view text) {
    bounded_text<32> version;
    const std::size_t end = text.find(update_of_year);
    if (end == text.npos)
        version.append("%.*s", static_cast<int>(text.size()), text.data());
    else
        version.append("%d.%d", leading_number(text), leading_number(text_from(text, end + update_of_year.size())));
    return version;
}

// Calls `use` with each string of the file that begins with a digit and is between two NUL characters.
void visit_numbers(std::string_view bytes, function_ref<void(std::string_view)> use) {
    std::size_t begin = 0;
    while ((begin = bytes.find('\0', begin)) != bytes.npos) {
        begin++;
        if (begin == bytes.size() || !is_digit(bytes[begin]))
            continue;
        const char* const text = bytes.data() + begin;
        const std::size_t room = std::min(bytes.size() - begin, longest_version + 1);
        const std::size_t length = strnlen(text, room);
        if (length < room)
            use({text, length});
    }
}

} // namespace

bounded_text<32> exact_version(const library& mpi) {
    bounded_text<32> known;
    known.append("%s", mpi.version);
    if (!is_incomplete(mpi))
        return known;
    const mapped_file file(mpi.path);
    std::string_view found;
    bool is_clear = true;
    visit_numbers({file.bytes().characters(), file.bytes().size()}, [&](std::string_view text) {
        if (!may_be_version(text, mpi))
            return;
        is_clear = is_clear && (found.empty() || found == text);
        found = text;
    });
    return found.empty() || !is_clear ? known : as_version(found);
}

} // namespace anympi::runtime
