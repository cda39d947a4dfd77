#include "runtime/find/requested_name.hpp"

#include "base/edit_distance.hpp"
#include "base/parts_of_text.hpp"
#include "runtime/identify/exact_version.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace anympi::runtime {
namespace {

constexpr std::string_view other_name_of_the_standard = "abi";

bool is_separator(char character) {
    return character == ' ' || character == '-' || character == '_';
}

std::string_view without_separators_at_ends(std::string_view text) {
    while (!text.empty() && is_separator(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_separator(text.back()))
        text.remove_suffix(1);
    return text;
}

// Returns how many bytes at the beginning of the text spell the word, or 0 if the text begins with another word. Case
// and separators are ignored.
std::size_t length_of_word(std::string_view text, std::string_view word) {
    std::size_t at = 0;
    for (const char letter : word) {
        if (is_separator(letter))
            continue;
        while (at < text.size() && is_separator(text[at]))
            at++;
        if (at == text.size() || to_lower(text[at]) != to_lower(letter))
            return 0;
        at++;
    }
    return at;
}

// Reads the text after the family, which is empty or a version ("-5.0.7", " v5.0.7"). Returns false for any other text.
bool read_version(std::string_view rest, std::string_view& version) {
    rest = without_separators_at_ends(rest);
    if (rest.size() > 1 && to_lower(rest[0]) == 'v' && is_digit(rest[1]))
        rest.remove_prefix(1);
    version = rest;
    const bool has_form = std::all_of(rest.begin(), rest.end(), [](char character) {
        return is_digit(character) || is_letter(character) || character == '.';
    });
    return rest.empty() || (is_digit(rest.front()) && has_form);
}

// Reads the word after the colon.
bool read_abi(std::string_view word, wanted_abi& interface) {
    word = without_separators_at_ends(word);
    for (const auto& [name, meaning] :
         {std::pair{"standard", wanted_abi::standard}, std::pair{"vendor", wanted_abi::vendor}})
        if (length_of_word(word, name) == word.size() && !word.empty()) {
            interface = meaning;
            return true;
        }
    return false;
}

bool read_standard(std::string_view text, requested_name& name) {
    for (const std::string_view word : {std::string_view(name_of_the_standard), other_name_of_the_standard})
        if (length_of_word(text, word) == text.size() && !text.empty() && name.interface != wanted_abi::vendor) {
            name = {nullptr, {}, wanted_abi::standard};
            return true;
        }
    return false;
}

// Reads a family with its version. The longest word counts: mvapich2-2.3.7 is version 2.3.7 of mvapich2.
bool read_product(std::string_view text, requested_name& name) {
    std::size_t longest = 0;
    for (const known_product& known : products)
        for (const char* word : {known.name, known.alias, known.product}) {
            const std::size_t length = length_of_word(text, word);
            std::string_view version;
            if (length > longest && read_version(text_from(text, length), version)) {
                longest = length;
                name.product = &known;
                name.version = version;
            }
        }
    return longest > 0;
}

// Returns the first two numbers of a version, combined into one number for comparisons.
long long release_number(std::string_view version) {
    constexpr long long most_minors = 1000;
    int major = 0;
    int minor = 0;
    const char* const end = version.data() + version.size();
    const auto first = std::from_chars(version.data(), end, major);
    if (first.ptr != end && *first.ptr == '.')
        std::from_chars(first.ptr + 1, end, minor);
    return major * most_minors + minor;
}

} // namespace

bool read_name(std::string_view text, requested_name& name) {
    name = {};
    const std::size_t colon = text.find(':');
    if (colon != text.npos && !read_abi(text_from(text, colon + 1), name.interface))
        return false;
    text = without_separators_at_ends(text_before(text, colon));
    return read_standard(text, name) || read_product(text, name);
}

bool is_known_name(std::string_view text) {
    requested_name name;
    return read_name(text, name);
}

bool has_version(std::string_view known, std::string_view wanted) {
    const std::size_t length = wanted.size();
    const bool begins_so =
        known.size() >= length && std::equal(wanted.begin(), wanted.end(), known.begin(),
                                             [](char left, char right) { return to_lower(left) == to_lower(right); });
    if (begins_so && (known.size() == length || !(is_digit(known[length]) || is_letter(known[length]))))
        return true;
    return known.ends_with(" or newer") && release_number(wanted) > release_number(known);
}

bool goes_by_name(const library& mpi, const requested_name& name) {
    if (name.product && std::strcmp(mpi.product, name.product->product) != 0)
        return false;
    if (name.interface != wanted_abi::any &&
        (name.interface == wanted_abi::standard) != (mpi.interface == abi::standard))
        return false;
    return name.version.empty() || has_version(exact_version(mpi).text, name.version);
}

bounded_text<64> nearest_name(std::string_view text) {
    text = without_separators_at_ends(text_before(text, text.find(':')));
    const auto* const end_of_word = std::find_if(text.begin(), text.end(), is_digit);
    std::string_view word = text_before(text, static_cast<std::size_t>(end_of_word - text.begin()));
    const std::string_view version = text_from(text, word.size());
    word = without_separators_at_ends(word);
    bounded_text<64> letters;
    for (const char letter : word)
        if (!is_separator(letter))
            letters.append("%c", to_lower(letter));

    const char* best = "";
    std::size_t least = letters.length;
    for (const char* name : names_of_mpis)
        if (const std::size_t changes = edit_distance(letters.text, name); changes < least) {
            least = changes;
            best = name;
        }
    bounded_text<64> result;
    requested_name checked;
    if (!letters.cut && least < letters.length && is_misspelling(least, letters.length)) {
        result.append("%s%s%.*s", best, version.empty() ? "" : "-", static_cast<int>(version.size()), version.data());
        if (result.cut || !read_name(result.text, checked)) {
            result = {};
            result.append("%s", best);
        }
    }
    return result;
}

bounded_text<256> advise_on_name(std::string_view text) {
    const bounded_text<64> meant = nearest_name(text);
    bounded_text<256> advice;
    if (meant.length == 0)
        advice.append("%s (a path has a slash in it)", how_to_ask().text);
    else
        advice.append("did you mean `%s`?", meant.text);
    return advice;
}

bounded_text<256> how_to_ask() {
    bounded_text<256> sentence;
    sentence.append("give a name (");
    for (const char* name : names_of_mpis)
        sentence.append("%s%s", name == names_of_mpis.front() ? "" : ", ", name);
    sentence.append("), a name with a version (openmpi-5), the folder of an installation or a library file");
    return sentence;
}

} // namespace anympi::runtime
