#include "command/words.hpp"

#include "command/files.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

bool is_option(const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
}

// The options of hydra, of Open MPI's launchers and of srun that are followed by values, without their dashes. What
// takes none, or one only with some launchers (-s, -q), is not here.
constexpr std::string_view with_two_values[] = {"env", "genv", "mca", "gmca", "omca", "prtemca", "pmixmca"};
constexpr std::string_view with_one_value[] = {
    // all of them
    "n", "np", "c", "host", "hosts", "hostfile", "machinefile", "wdir", "wd", "path", "map-by", "bind-to", "timeout",
    // hydra
    "f", "envlist", "genvlist", "envexcl", "dir", "configfile", "membind", "ppn", "perhost", "iface", "launcher",
    "bootstrap", "launcher-exec", "bootstrap-exec", "rmk", "topolib", "usize", "outfile-pattern", "errfile-pattern",
    "soft", "arch", "file", "demux", "gpus-per-proc", "prepend-pattern",
    // Open MPI
    "x", "H", "am", "tune", "default-hostfile", "prefix", "app", "rank-by", "N", "npernode", "npersocket", "rankfile",
    "rf", "slot-list", "cpu-set", "cpu-list", "cpus-per-proc", "cpus-per-rank", "output", "output-filename", "stdin",
    "report-pid", "report-uri", "preload-files", "personality", "dvm", "display", "runtime-options", "ompi-server",
    // srun
    "nodes", "ntasks", "p", "partition", "w", "nodelist", "t", "time", "A", "account", "J", "job-name", "o", "e",
    "error", "i", "input", "D", "chdir", "mpi", "exclude", "C", "constraint", "qos", "G", "gpus", "cpus-per-task",
    "ntasks-per-node", "mem", "export", "cpu-bind", "distribution", "m"};

std::size_t values_of(const std::string& option) {
    const std::string_view name = std::string_view(option).substr(option.starts_with("--") ? 2 : 1);
    const auto is_in = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    return is_in(with_two_values) ? 2 : is_in(with_one_value) ? 1 : 0;
}

// The first word that is neither an option nor the value of one, and can be started; the end where there is none.
word_list::const_iterator find_program_word(const word_list& words) {
    auto word = words.begin();
    while (word != words.end()) {
        const auto left = static_cast<std::size_t>(words.end() - word);
        if (is_option(*word))
            word += static_cast<std::ptrdiff_t>(std::min(left, 1 + values_of(*word)));
        else if (find_program(*word).empty())
            ++word;
        else
            break;
    }
    return word;
}

// Drops the `--` that ends the launcher's options. One behind the program is the program's own.
void drop_separator(word_list& words) {
    const auto separator = std::find(words.cbegin(), words.cend(), "--");
    if (separator < find_program_word(words))
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
    const auto word = find_program_word(words);
    return word == words.end() ? "" : find_program(*word);
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
