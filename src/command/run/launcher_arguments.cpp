#include "command/run/launcher_arguments.hpp"

#include "command/cli/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

bool is_option(const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
}

// The options of hydra, of Open MPI's launchers and of srun that have values, without their dashes. An option is not in
// these lists if it has a value only with some launchers (-s, -q).
constexpr std::string_view with_two_values[] = {"env", "genv", "mca", "gmca", "omca", "prtemca", "pmixmca"};
constexpr std::string_view with_one_value[] = {
    // all of them
    "n", "np", "c", "host", "hosts", "hostfile", "machinefile", "wdir", "wd", "path", "map-by", "bind-to", "timeout",
    // hydra
    "f", "envlist", "genvlist", "envexcl", "dir", "configfile", "membind", "ppn", "perhost", "iface", "launcher",
    "bootstrap", "launcher-exec", "bootstrap-exec", "rmk", "topolib", "usize", "outfile-pattern", "errfile-pattern",
    "soft", "arch", "file", "demux", "gpus-per-proc", "prepend-pattern", "nameserver", "localhost",
    // Open MPI
    "x", "H", "am", "tune", "default-hostfile", "prefix", "app", "rank-by", "N", "npernode", "npersocket", "rankfile",
    "rf", "slot-list", "cpu-set", "cpu-list", "cpus-per-proc", "cpus-per-rank", "output", "output-filename", "stdin",
    "report-pid", "report-uri", "preload-files", "personality", "dvm", "display", "runtime-options", "ompi-server",
    "launch-agent", "hnp",
    // srun
    "nodes", "ntasks", "p", "partition", "w", "nodelist", "t", "time", "A", "account", "J", "job-name", "o", "e",
    "error", "i", "input", "D", "chdir", "mpi", "exclude", "C", "constraint", "qos", "G", "gpus", "cpus-per-task",
    "ntasks-per-node", "mem", "export", "cpu-bind", "distribution", "m", "task-prolog", "task-epilog", "prolog",
    "epilog"};

// Options without a value that often come right before the program.
constexpr std::string_view without_value[] = {
    // hydra
    "genvall", "genvnone", "envall", "envnone", "prepend-rank", "l", "print-rank-map", "print-all-exitcodes", "verbose",
    "v", "localonly", "nolocal", "enable-x", "disable-x", "disable-auto-cleanup", "mps", "help",
    // Open MPI
    "oversubscribe", "nooversubscribe", "allow-run-as-root", "bynode", "byslot", "bycore", "bysocket", "bind-to-core",
    "bind-to-none", "bind-to-socket", "report-bindings", "tag-output", "timestamp-output", "merge-stderr-to-stdout",
    "display-map", "display-allocation", "do-not-launch", "quiet", "q", "use-hwthread-cpus", "noprefix", "pernode",
    // srun
    "exclusive", "overlap", "K", "kill-on-bad-exit", "label", "unbuffered", "u", "O", "overcommit", "s"};

// With these options the launcher looks for the program itself, copies it, or reads the programs from a file.
constexpr std::string_view about_the_program[] = {"path", "bcast",      "preload-binary", "s",
                                                  "app",  "configfile", "multi-prog"};

// Programs to which a launcher adds arguments. Open MPI's launchers tell java the folders of classes and libraries.
constexpr std::string_view known_to_launchers[] = {"java"};

constexpr std::string_view with_a_folder[] = {"wdir", "wd", "dir", "chdir", "D"};

std::string_view name_of_option(std::string_view option) {
    return option.substr(option.starts_with("--") ? 2 : 1);
}

template <std::size_t count>
bool is_one_of(std::string_view name, const std::string_view (&names)[count]) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::size_t values_of(const std::string& option) {
    const std::string_view name = name_of_option(option);
    return is_one_of(name, with_two_values) ? 2 : is_one_of(name, with_one_value) ? 1 : 0;
}

// Returns true for -n4.
bool is_short_count(const std::string& word) {
    return word.size() > 2 && word.starts_with("-n") && word.find_first_not_of("0123456789", 2) == word.npos;
}

// Returns true if only the launcher knows whether the option has a value.
bool is_unknown(const std::string& option) {
    const std::string_view name = name_of_option(option);
    return option != "--" && option.find('=') == option.npos && values_of(option) == 0 &&
           !is_one_of(name, without_value) && !is_short_count(option);
}

// The words of one program of a job: options with their values, the program, its arguments.
struct section {
    word_list::const_iterator begin;
    word_list::const_iterator options_end; // the program, or the first word that may be the program if none was found
    word_list::const_iterator program;     // `end` if no program was found
    word_list::const_iterator end;
    std::string file; // the file of the program
    word_list::const_iterator
        unknown_word;         // the first word before the program that is neither an option nor a known value
    std::string unknown_file; // the file of that word
    bool has_unknown_word() const { return unknown_word != end; }
};

// Returns the word. A relative path gets `folder` in front, the folder to which the launcher changes before it starts
// the program.
std::string path_in(const std::string& folder, const std::string& word) {
    const bool is_relative = word.find('/') != word.npos && !word.starts_with('/');
    return is_relative && !folder.empty() ? folder + "/" + word : word;
}

// Returns true if the word may be the value of an option that only the launcher knows.
bool may_be_a_value(word_list::const_iterator begin, word_list::const_iterator word) {
    return word != begin && is_option(*std::prev(word)) && is_unknown(*std::prev(word));
}

// Reads the words up to the next colon.
section read_section(word_list::const_iterator begin, word_list::const_iterator end) {
    section one{begin, begin, begin, std::find(begin, end, ":"), "", begin, ""};
    one.options_end = one.end;
    one.unknown_word = one.end;
    std::string folder;
    while (one.program != one.end) {
        const auto left = one.end - one.program;
        if (is_option(*one.program)) {
            const auto next = one.program + std::min<std::ptrdiff_t>(left, 1 + std::ptrdiff_t(values_of(*one.program)));
            const std::size_t equals = one.program->find('=');
            const std::string_view name = name_of_option(std::string_view(*one.program).substr(0, equals));
            if (is_one_of(name, with_a_folder))
                folder = equals == one.program->npos ? *std::prev(next) : one.program->substr(equals + 1);
            one.program = next;
        } else if (one.file = find_program(path_in(folder, *one.program)); one.file.empty()) {
            one.options_end = std::min(one.options_end, one.program);
            if (!one.has_unknown_word() && !may_be_a_value(one.begin, one.program)) {
                one.unknown_word = one.program;
                one.unknown_file = path_in(folder, *one.program);
            }
            ++one.program;
        } else {
            one.options_end = one.program;
            break;
        }
    }
    return one;
}

std::vector<section> read_sections(const word_list& words) {
    std::vector<section> sections;
    for (auto begin = words.begin();;) {
        sections.push_back(read_section(begin, words.end()));
        if (sections.back().end == words.end())
            return sections;
        begin = sections.back().end + 1;
    }
}

// Returns the value to which an option sets a variable; nothing if it is another option or another variable.
std::optional<std::string> read_assignment(const word_list& words, const std::string& name) {
    const std::string_view option = name_of_option(words[0]);
    if ((option == "env" || option == "genv") && words.size() == 3 && words[1] == name)
        return words[2];
    if (option != "x" || words.size() != 2)
        return std::nullopt;
    if (words[1].starts_with(name + "="))
        return words[1].substr(name.size() + 1);
    const char* present = words[1] == name ? std::getenv(name.c_str()) : nullptr;
    return present ? std::optional<std::string>(present) : std::nullopt;
}

// Returns true for options with which srun starts the program in a container: --container, --container-image …
bool is_about_container(std::string_view name) {
    return name.starts_with("container");
}

// Returns true if an option of the launcher says where the program is.
bool has_option_about_program(const section& one) {
    return std::any_of(one.begin, std::min(one.options_end, one.unknown_word), [](const std::string& word) {
        const std::string_view name = name_of_option(std::string_view(word).substr(0, word.find('=')));
        return is_option(word) && (is_one_of(name, about_the_program) || is_about_container(name));
    });
}

bool is_to_be_left_alone(const section& one) {
    if (one.program == one.end || one.has_unknown_word())
        return true;
    const std::size_t slash = one.program->rfind('/');
    const bool is_bare = slash == one.program->npos;
    return (is_bare && may_be_a_value(one.begin, one.program)) ||
           is_one_of(std::string_view(*one.program).substr(is_bare ? 0 : slash + 1), known_to_launchers) ||
           has_option_about_program(one);
}

// Returns true if all options before a word are known and none says where the program is. The program must then come
// after these options and their values.
bool has_known_options_before(const section& one, word_list::const_iterator word) {
    const auto is_known = [](const std::string& before) { return !is_option(before) || !is_unknown(before); };
    return !has_option_about_program(one) && std::all_of(one.begin, word, is_known);
}

bool lacks_program(const section& one) {
    return one.program == one.end && one.options_end == one.end && has_known_options_before(one, one.end);
}

std::string find_missing_program(const section& one) {
    return one.has_unknown_word() && has_known_options_before(one, one.unknown_word) ? one.unknown_file : "";
}

// Removes the `--` that ends the launcher's options. A `--` after the program belongs to the program.
void drop_separator(word_list& words) {
    const auto separator = std::find(words.cbegin(), words.cend(), "--");
    if (separator < read_section(words.cbegin(), words.cend()).program)
        words.erase(separator);
}

// Returns true for `-mpi`: one dash of `--mpi` is missing, and no launcher has an option of this name with one dash.
bool is_short_form_of(const std::vector<own_option>& ours, const std::string& name) {
    const auto is_same = [&](const own_option& one) { return one.name == "-" + name; };
    return !is_one_of(name_of_option(name), without_value) && std::any_of(ours.begin(), ours.end(), is_same);
}

} // namespace

sorted_words sort_words(const std::vector<own_option>& ours, word_list words, launchers_option is_launchers) {
    sorted_words sorted;
    auto word = words.begin();
    bool may_be_value = false; // the word may be the value of the option before it
    const auto take = [&](word_list& to, std::size_t count) {
        const auto end = word + std::min(words.end() - word, std::ptrdiff_t(count));
        std::move(word, end, std::back_inserter(to));
        word = end;
    };
    while (word != words.end() && *word != "--") {
        if (!is_option(*word)) {
            if (!may_be_value || word->find('/') != word->npos || !find_program(*word).empty())
                break;
            take(sorted.launchers, 1);
            may_be_value = false;
            continue;
        }
        // Launchers have -np and -n4. CLI11 would read -np as the option -n with the value p.
        const std::string spelled = *word == "-np" ? "--np" : is_short_count(*word) ? "--np=" + word->substr(2) : *word;
        const std::size_t equals = spelled.find('=');
        const std::string name = spelled.substr(0, equals);
        const auto option =
            std::find_if(ours.begin(), ours.end(), [&](const own_option& one) { return one.name == name; });
        may_be_value = option == ours.end() && is_unknown(*word);
        if (option == ours.end()) {
            if (is_unknown(name) || is_short_form_of(ours, name))
                sorted.unknown.push_back(name);
            take(sorted.launchers, 1 + values_of(*word));
            continue;
        }
        const bool has_value = option->takes_value && equals == spelled.npos && word + 1 != words.end();
        const std::string value = equals != spelled.npos ? spelled.substr(equals + 1) : has_value ? word[1] : "";
        const bool is_ours = !option->takes_value || !is_launchers(name_of_option(option->name), value);
        if (is_ours)
            *word = spelled;
        take(is_ours ? sorted.own : sorted.launchers, has_value ? 2 : 1);
    }
    word_list rest(word, words.end());
    if (!sorted.launchers.empty() || (!rest.empty() && rest.front() == "--"))
        drop_separator(rest);
    std::move(rest.begin(), rest.end(), std::back_inserter(sorted.launchers));
    return sorted;
}

word_list values_of_options(const word_list& words, const std::vector<std::string_view>& names) {
    word_list values;
    for (const section& one : read_sections(words))
        for (auto word = one.begin; word != one.options_end; ++word) {
            const std::size_t equals = word->find('=');
            const std::string_view name = name_of_option(std::string_view(*word).substr(0, equals));
            if (!is_option(*word))
                continue;
            const bool is_wanted = std::find(names.begin(), names.end(), name) != names.end();
            const auto left = one.options_end - word - 1;
            const auto count = equals == word->npos ? std::min(left, std::ptrdiff_t(values_of(*word))) : 0;
            if (is_wanted && equals != word->npos)
                values.push_back(word->substr(equals + 1));
            else if (is_wanted && count > 0)
                values.push_back(*(word + 1));
            word += count;
        }
    return values;
}

std::vector<job_part> find_programs_among(const word_list& words) {
    std::vector<job_part> parts;
    for (const section& one : read_sections(words)) {
        const auto behind = one.program == one.end ? one.end : one.program + 1;
        const bool is_path = one.program != one.end && one.program->find('/') != one.program->npos;
        parts.push_back({one.file, {behind, one.end}, is_path, find_missing_program(one), lacks_program(one)});
    }
    return parts;
}

void start_by(word_list& words, const std::string& starter) {
    word_list result;
    for (const section& one : read_sections(words)) {
        result.insert(result.end(), one.begin, one.program);
        if (!is_to_be_left_alone(one))
            result.push_back(starter);
        result.insert(result.end(), one.program, one.end);
        if (one.end != words.end())
            result.push_back(*one.end);
    }
    words = std::move(result);
}

void name_hidden_programs(word_list& words, const std::string& folder) {
    for (const section& one : read_sections(words)) {
        if (one.program == one.end || one.program->find('/') != one.program->npos)
            continue;
        const std::string other = folder + "/" + *one.program;
        if (is_executable(other) && real_path(other) != real_path(one.file))
            words[one.program - words.cbegin()] = one.file;
    }
}

word_list take_variable(word_list& words, const std::string& name) {
    word_list values;
    word_list others;
    for (const section& one : read_sections(words)) {
        auto word = one.begin;
        while (word != one.options_end) {
            const auto length = is_option(*word) ? 1 + std::ptrdiff_t(values_of(*word)) : 1;
            const word_list option(word, word + std::min(length, one.options_end - word));
            if (const auto value = read_assignment(option, name); !value)
                others.insert(others.end(), option.begin(), option.end());
            else if (std::find(values.begin(), values.end(), *value) == values.end())
                values.push_back(*value);
            word += std::ssize(option);
        }
        others.insert(others.end(), one.options_end, one.end == words.end() ? one.end : one.end + 1);
    }
    words = others;
    return values;
}

std::optional<std::string> find_option(const word_list& words, std::string_view name) {
    const section first = read_section(words.begin(), words.end());
    for (auto word = first.begin; word != first.options_end; ++word) {
        const std::size_t equals = word->find('=');
        if (!is_option(*word) || name_of_option(std::string_view(*word).substr(0, equals)) != name)
            continue;
        if (equals != word->npos)
            return word->substr(equals + 1);
        return word + 1 == first.options_end ? "" : *(word + 1);
    }
    return std::nullopt;
}

} // namespace anympi::command
