#include "command/run/scripts.hpp"

#include "command/cli/split_join.hpp"
#include "command/run/launcher_arguments.hpp"
#include "runtime/launch/launcher.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

constexpr std::string_view spaces = " \t";

template <std::size_t count>
bool is_among(std::string_view name, const std::string_view (&names)[count]) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string base_name(std::string_view path) {
    return std::filesystem::path(path).filename();
}

// Launchers that do not belong to an MPI, and names that lead to the launcher of an MPI.
constexpr std::string_view further_launchers[] = {"mpirun",        "mpiexec",      "mpirun.openmpi", "mpiexec.openmpi",
                                                  "mpiexec.mpich", "mpirun.mpich", "mpirun_rsh",     "srun",
                                                  "aprun",         "jsrun"};

bool is_launcher(const std::string& name) {
    return is_among(name, further_launchers) || runtime::find_launcher_program(name.c_str()) != nullptr;
}

// Words after which a command begins.
constexpr std::string_view before_commands[] = {"then", "do",   "else", "elif",  "if",      "while", "until", "!",
                                                "{",    "exec", "time", "nohup", "command", "env",   "nice"};

bool is_assignment(const std::string& word) {
    const std::size_t equals = word.find('=');
    const auto is_of_name = [](unsigned char character) { return std::isalnum(character) || character == '_'; };
    return equals != word.npos && equals > 0 &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), is_of_name);
}

// Splits a line into commands, and these into words. Quotes hold a word together and are dropped. On entry, `quote` is
// the quote that is open at the beginning of the line, or NUL. On return, it is the quote that is open at the end.
std::vector<word_list> commands_of_line(std::string_view line, char& quote) {
    std::vector<word_list> commands(1);
    bool has_word = quote != '\0';
    bool is_escaped = false;
    std::string word = has_word ? "\n" : "";
    const auto end_word = [&] {
        if (has_word)
            commands.back().push_back(word);
        word.clear();
        has_word = false;
    };
    for (const char character : line) {
        const bool ends_command = std::string_view(";|&()`").find(character) != std::string_view::npos;
        if (is_escaped) {
            word += character;
            is_escaped = false;
        } else if (character == '\\' && quote != '\'') {
            is_escaped = has_word = true;
        } else if (quote != '\0' ? character == quote : character == '"' || character == '\'') {
            quote = quote != '\0' ? '\0' : character;
            has_word = true;
        } else if (quote == '\0' && character == '#' && !has_word) {
            break;
        } else if (quote == '\0' && spaces.find(character) != spaces.npos) {
            end_word();
        } else if (quote == '\0' && ends_command) {
            end_word();
            commands.emplace_back();
        } else {
            word += character;
            has_word = true;
        }
    }
    end_word();
    return commands;
}

// Returns the word that ends a here-document (END for `cat <<END`), or an empty text if the commands start none.
std::string end_of_text_after(const std::vector<word_list>& commands) {
    for (const word_list& words : commands)
        for (auto word = words.begin(); word != words.end(); ++word) {
            if (!word->starts_with("<<") || word->starts_with("<<<"))
                continue;
            const std::size_t begin = word->starts_with("<<-") ? 3 : 2;
            if (word->size() > begin)
                return word->substr(begin, word->find_first_of("<>", begin) - begin);
            return word + 1 != words.end() ? word[1] : "";
        }
    return "";
}

// Returns true if a launcher has no arguments, or is only asked for its version or its options. It then starts no job.
bool is_only_asked(const word_list& words) {
    constexpr std::string_view questions[] = {"--version", "-version", "-V", "--help", "-help", "-h", "-info"};
    return words.size() < 2 || is_among(words[1], questions);
}

} // namespace

word_list interpreter_of(std::string_view text) {
    if (!text.starts_with("#!"))
        return {};
    const std::string_view line = text.substr(2, text.find('\n') - 2);
    word_list words = split_list(line, spaces);
    std::erase(words, "");
    return words;
}

bool is_shell(std::string_view program) {
    constexpr std::string_view shells[] = {"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "csh", "tcsh"};
    return is_among(base_name(program), shells);
}

started_launcher read_command(word_list words) {
    const auto is_before = [](const std::string& word) {
        return is_among(word, before_commands) || is_assignment(word);
    };
    words.erase(words.begin(), std::find_if_not(words.begin(), words.end(), is_before));
    if (words.empty() || is_only_asked(words))
        return {};
    std::string name = base_name(words[0]);
    const bool is_anympi = name == "anympi" && words[1] == "run";
    if (!is_anympi && !is_launcher(name))
        return {};
    words.erase(words.begin(), words.begin() + (is_anympi ? 2 : 1));
    const std::vector<job_part> parts = find_programs_among(words);
    return {is_anympi ? "anympi run" : name, 0, parts.front().program};
}

started_launcher find_started_launcher(std::string_view script) {
    constexpr std::size_t longest = 1 << 20; // an installer may be a script with gigabytes of data after its lines
    script = script.substr(0, longest);
    int number = 0;
    char quote = '\0';
    std::string end_of_text;
    std::string line;
    while (!script.empty()) {
        const std::size_t end = std::min(script.find('\n'), script.size());
        line += script.substr(0, end);
        script.remove_prefix(std::min(end + 1, script.size()));
        number++;
        if (!end_of_text.empty()) {
            if (line.substr(std::min(line.find_first_not_of('\t'), line.size())) == end_of_text)
                end_of_text.clear();
            line.clear();
            continue;
        }
        if (line.ends_with('\\')) {
            line.back() = ' ';
            continue;
        }
        const std::vector<word_list> commands = commands_of_line(line, quote);
        end_of_text = end_of_text_after(commands);
        for (const word_list& words : commands)
            if (started_launcher found = read_command(words); !found.name.empty()) {
                found.line = number;
                return found;
            }
        line.clear();
    }
    return {};
}

} // namespace anympi::command
