#include "command/words.hpp"

#include "command/files.hpp"

#include <algorithm>
#include <iterator>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

bool is_option(const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
}

bool names_a_program(const std::string& word) {
    return !find_program(word).empty();
}

// Drops the `--` that ends the launcher's options. One behind a word that can be started is the program's own.
void drop_separator(word_list& words) {
    const auto separator = std::find(words.begin(), words.end(), "--");
    if (separator != words.end() && std::none_of(words.begin(), separator, names_a_program))
        words.erase(separator);
}

} // namespace

word_list take_launcher_words(const CLI::App& ours, word_list& words) {
    word_list own;
    word_list launchers;
    auto word = words.begin();
    while (word != words.end() && is_option(*word) && *word != "--") {
        // Launchers also write -np, which to CLI11 would be the option -n with the value p.
        const std::string spelled = *word == "-np" ? "--np" : *word;
        const CLI::Option* option = ours.get_option_no_throw(spelled.substr(0, spelled.find('=')));
        (option ? own : launchers).push_back(spelled);
        ++word;
        const bool has_value = option && option->get_items_expected_max() > 0 && spelled.find('=') == spelled.npos;
        if (has_value && word != words.end())
            own.push_back(*word++);
    }
    word_list rest(word, words.end());
    if (!launchers.empty() || (!rest.empty() && rest.front() == "--"))
        drop_separator(rest);
    std::move(rest.begin(), rest.end(), std::back_inserter(launchers));
    words = own;
    return launchers;
}

std::string find_program_among(const word_list& words) {
    for (const std::string& word : words)
        if (!is_option(word))
            if (std::string program = find_program(word); !program.empty())
                return program;
    return "";
}

std::string quoted_assignments(const word_list& assignments) {
    std::string line;
    for (const std::string& assignment : assignments) {
        const std::size_t value = assignment.find('=') + 1;
        line += (line.empty() ? "" : " ") + assignment.substr(0, value) + quoted({assignment.substr(value)});
    }
    return line;
}

std::string quoted(const word_list& words) {
    constexpr char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%";
    std::string line;
    for (const std::string& word : words) {
        line += line.empty() ? "" : " ";
        if (!word.empty() && word.find_first_not_of(plain) == word.npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char character : word)
            line += character == '\'' ? std::string("'\\''") : std::string(1, character);
        line += '\'';
    }
    return line;
}

} // namespace anympi::command
