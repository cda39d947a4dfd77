#include "command/doctor/checks.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/shell_quoting.hpp"
#include "command/doctor/quotation.hpp"
#include "command/run/child.hpp"
#include "command/run/job.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace anympi::command {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds launch_limit(15);
constexpr std::chrono::seconds grace(3); // a launcher that gets SIGTERM needs time to end its processes

// The text that launchers and libraries print when they fail, its meaning, and the remedy.
struct complaint {
    const char* text;
    const char* what;
    const char* remedy;
};
constexpr complaint known_complaints[] = {
    {"separate jobs would run", "the launcher belongs to another MPI",
     "correct launcher.NAME in the configuration (`anympi config` shows where it is set)"},
    {"as root", "the launcher refuses to run as root",
     "use another account, or allow it: `anympi config set run.allow_root true`"},
    {"not enough slots", "the launcher sees fewer than 2 cores",
     "allow more processes than cores: `anympi config set run.oversubscribe true`"},
    {"host address", "the machine's own name cannot be resolved", "add the name that `hostname` prints to /etc/hosts"},
    {"No space left on device", "there is no space left in /tmp or /dev/shm",
     "remove what earlier jobs have left there"},
    {"Bus error", "it ends by a bus error", "make /dev/shm larger"},
    {"error while loading shared libraries", "a library is missing",
     "install it; `ldd` with the MPI library shows which"},
};

std::string program_to_start() {
    return (folder_of_fronts() / "check_ranks").string();
}

// Sends standard output and error of the launcher through the pipe, in their order.
int start_job(const job& ready, int pipe_end) {
    dup2(pipe_end, STDOUT_FILENO);
    dup2(pipe_end, STDERR_FILENO);
    unsetenv("ANYMPI_ALLOW_SINGLETON"); // would hide that a process runs alone
    unsetenv("ANYMPI_VERBOSE");
    const std::string failure = start(ready);
    return write(pipe_end, failure.data(), failure.size()) > 0 ? 127 : 126;
}

std::string advise_trial(const runtime::library& mpi) {
    return fmt::format("try it by hand: `{}`",
                       quote_command({}, {"anympi", "run", "--mpi", mpi.path, "-n", "2", program_to_start()}));
}

finding explain_failure(const runtime::library& mpi, const std::string& called, const child_end& end) {
    finding result{level::problem, "start", ""};
    const auto* known =
        std::find_if(std::begin(known_complaints), std::end(known_complaints),
                     [&](const complaint& one) { return end.answer.find(one.text) != std::string::npos; });
    const bool is_known = known != std::end(known_complaints) && end.how == child_end::cause::finished;
    result.what = fmt::format("{} does not start two processes: {}", called,
                              is_known ? known->what : "the launcher " + explain(end, launch_limit));
    result.remedy = is_known ? known->remedy : advise_trial(mpi);
    result.details = quote_output(end.answer, is_known ? known->text : "");
    return result;
}

// In a message of one line, the remedy follows a colon.
finding explain_obstacle(level how, const std::string& problem) {
    finding result = finding_from_message(how, "launcher", problem);
    const std::size_t colon = problem.find(": ");
    if (result.remedy.empty() && colon != problem.npos) {
        result.what = problem.substr(0, colon);
        result.remedy = problem.substr(colon + 2);
    }
    return result;
}

finding start_two(const runtime::library& mpi, const std::string& called, bool is_chosen, const settings& configured,
                  clock::time_point deadline) {
    const std::string program = program_to_start();
    if (!is_executable(program))
        return {level::problem, "start", fmt::format("{} is missing, which is a part of anympi", program),
                "install anympi again"};
    job ready;
    try {
        ready = prepare({mpi, 2, {program}}, configured);
    } catch (const settings_error& error) { // the configuration names a wrong launcher
        return {level::problem, "launcher", error.what(), "correct the configuration"};
    }
    // A library without a launcher may be installed for another purpose. It is a problem only if it is chosen.
    if (!ready.problem.empty())
        return explain_obstacle(is_chosen ? level::problem : level::warning, ready.problem);
    const clock::time_point begin = clock::now();
    child started(child::errors::hidden, [&](int pipe_end) { return start_job(ready, pipe_end); });
    const child_end end = started.wait(std::min(deadline, begin + launch_limit), grace);
    if (!end.is_good() || end.answer.find("check_ranks: 2 processes\n") == std::string::npos)
        return explain_failure(mpi, called, end);
    const auto taken = std::chrono::duration<double>(clock::now() - begin).count();
    return {
        level::good, "start",
        fmt::format("{} starts two processes that find each other, by {} ({:.1f} s)", called, ready.command[0], taken)};
}

} // namespace

finding check_mpi(const runtime::library& mpi, const probe_result& probed, bool is_chosen, const settings& configured,
                  clock::time_point deadline) {
    const std::string called = fmt::format("{}, {}", runtime::describe(mpi).text, mpi.path);
    if (!probed.problem.empty())
        return {level::problem, "library", fmt::format("{}: the library {}", called, probed.problem),
                "install this MPI again, or what it needs; `ldd` with the file shows what is missing"};
    if (runtime::is_draft(mpi))
        return {level::note, "library",
                fmt::format("{} has the values of a draft of the standard ABI; anympi uses another library of the same "
                            "MPI instead",
                            called)};
    if (clock::now() >= deadline)
        return {level::warning, "start", fmt::format("{} was not tried: the others took too long", called),
                advise_trial(mpi)};
    return start_two(mpi, called, is_chosen, configured, deadline);
}

} // namespace anympi::command
