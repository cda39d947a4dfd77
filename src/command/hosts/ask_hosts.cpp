#include "command/hosts/ask_hosts.hpp"

#include "command/cli/files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/shell_quoting.hpp"
#include "command/cli/split_join.hpp"
#include "command/run/child.hpp"
#include "command/run/interruption.hpp"
#include "runtime/environment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace anympi::command {
namespace {

using clock = std::chrono::steady_clock;
using word_list = std::vector<std::string>;

constexpr std::size_t most_at_once = 64;
constexpr std::size_t most_said = 32768;         // fits into a pipe that is read later
constexpr std::chrono::seconds grace_of_srun(1); // srun cancels its step when it is asked to end

constexpr int cannot_be_started = 126; // the exit codes of shells and of env
constexpr int is_missing = 127;

std::string own_path() {
    return real_path("/proc/self/exe").string();
}

// Returns the command for a host. It begins with `env`, which every shell can start and which reports if anympi is
// missing.
word_list command_for_host(const host_question& question) {
    word_list words = {"env", "ANYMPI_MPI=" + question.library,
                       std::string(shared_file_variable) + "=" + question.shared_file};
    if (const char* const folder = runtime::read_variable("XDG_CONFIG_HOME"))
        words.push_back(std::string("XDG_CONFIG_HOME=") + folder);
    append(words, {own_path(), "doctor", "--this-host", "--"});
    append(words, question.programs);
    return words;
}

word_list words_for(const std::string& host, const host_question& question, const way_to_hosts& way) {
    word_list command = command_for_host(question);
    if (!way.is_srun && is_this_host(host))
        return command;
    if (!way.is_srun)
        return {way.program,
                "-o",
                "BatchMode=yes",
                "-o",
                fmt::format("ConnectTimeout={}", question.limit.count()),
                host,
                quote_command({}, command)};
    word_list words = {way.program,    "--overlap", "--overcommit", "--mpi=none",
                       "--input=none", "--nodes=1", "--ntasks=2",   "--nodelist=" + host};
    append(words, command);
    return words;
}

// Removes the variables that set options of srun. The allocation may set numbers of processes or GPUs that contradict
// the options above.
void forget_steps_of_slurm() {
    for (const char* name :
         {"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE", "SLURM_NTASKS_PER_CORE", "SLURM_NTASKS_PER_SOCKET",
          "SLURM_NTASKS_PER_GPU", "SLURM_NTASKS_PER_TRES", "SLURM_DISTRIBUTION", "SLURM_HOSTFILE", "SLURM_EXCLUSIVE",
          "SLURM_CPUS_PER_TASK", "SLURM_CPUS_PER_GPU", "SLURM_MEM_PER_GPU", "SLURM_TRES_PER_TASK", "SLURM_GRES",
          "SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_GPUS_PER_SOCKET", "SLURM_GPUS_PER_TASK"})
        unsetenv(name);
}

int execute(const word_list& words, int answer) {
    dup2(answer, STDOUT_FILENO);
    dup2(answer, STDERR_FILENO);
    forget_steps_of_slurm();
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    return is_missing;
}

// Asks one host, in a process of its own: one process could not note the times of many hosts.
int ask_one(const word_list& words, std::chrono::seconds limit, int answer) {
    const long long asked = read_clock();
    child started(child::errors::hidden, [&](int pipe_end) { return execute(words, pipe_end); });
    const child_end end = started.wait(clock::now() + limit, grace_of_srun);
    // The answer comes last: the host's shell may print something when it starts.
    const std::size_t left_out = end.answer.size() - std::min(end.answer.size(), most_said);
    const std::string text = fmt::format("{} {} {} {}\n{}", static_cast<int>(end.how), end.code, asked, read_clock(),
                                         end.answer.substr(left_out));
    return write(answer, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1;
}

// Returns the last line that ssh, srun or a shell has printed.
std::string last_words(const std::string& text) {
    word_list lines = split_list(text, "\n");
    std::erase_if(lines, [](const std::string& line) { return line.find_first_not_of(" \t\r") == line.npos; });
    if (lines.empty())
        return "";
    lines.back().erase(lines.back().find_last_not_of(" \t\r") + 1);
    return lines.back();
}

// Returns the first message of anympi on the host: an older release may not know the options.
std::string complaint_of_anympi(const std::string& said) {
    constexpr std::string_view start = "anympi: ";
    for (const std::string& line : split_list(said, "\n"))
        if (line.starts_with(start))
            return line.substr(start.size());
    return "";
}

std::string explain_silence(const child_end& end, const std::string& said, const host_question& question,
                            const way_to_hosts& way) {
    std::string last = last_words(said);
    if (end.how == child_end::cause::finished && !last.empty())
        return last;
    const bool is_slow = end.how == child_end::cause::timed_out;
    return (is_slow ? "the host " : fmt::format("{} ", way.is_srun ? "srun" : "ssh")) + explain(end, question.limit);
}

host_answer read_answer(const std::string& name, const child_end& relayed, const host_question& question,
                        const way_to_hosts& way) {
    host_answer result;
    result.name = name;
    child_end end;
    int how = 0;
    std::istringstream text(relayed.answer);
    if (!relayed.is_good() || !(text >> how >> end.code >> result.asked >> result.answered)) {
        result.problem = "the host " + explain(relayed, question.limit);
        return result;
    }
    end.how = static_cast<child_end::cause>(how);
    const std::string said = relayed.answer.substr(relayed.answer.find('\n') + 1);
    result.facts = read_facts(said);
    if (result.facts)
        return result;
    result.lacks_anympi = end.how == child_end::cause::finished && said.find(own_path()) != said.npos &&
                          (end.code == is_missing || end.code == cannot_be_started);
    const std::string complaint = end.how == child_end::cause::finished ? complaint_of_anympi(said) : "";
    result.is_refused = !result.lacks_anympi && !complaint.empty();
    result.problem = result.is_refused ? complaint
                     : result.lacks_anympi
                         ? fmt::format("{} {}", own_path(), end.code == is_missing ? "is missing" : "cannot be started")
                         : explain_silence(end, said, question, way);
    return result;
}

} // namespace

std::vector<host_answer> ask_hosts(const word_list& names, const host_question& question, const way_to_hosts& way) {
    constexpr std::chrono::seconds reserve(5); // beyond the limit that the processes themselves keep
    std::vector<host_answer> answers;
    for (std::size_t first = 0; first < names.size() && !interruption::has_come(); first += most_at_once) {
        const std::size_t end = std::min(names.size(), first + most_at_once);
        std::vector<child> asked;
        for (std::size_t i = first; i < end; i++)
            asked.emplace_back(child::errors::hidden, [&](int answer) {
                return ask_one(words_for(names[i], question, way), question.limit, answer);
            });
        const clock::time_point deadline = clock::now() + question.limit + grace_of_srun + reserve;
        for (std::size_t i = first; i < end; i++)
            answers.push_back(read_answer(names[i], asked[i - first].wait(deadline), question, way));
    }
    return answers;
}

} // namespace anympi::command
