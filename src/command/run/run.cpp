#include "command/run/run.hpp"

#include "command/cli/output.hpp"
#include "command/cli/shell_quoting.hpp"
#include "command/cli/this_machine.hpp"
#include "command/hosts/host_differences.hpp"
#include "command/list/installed.hpp"
#include "command/run/job.hpp"
#include "command/run/launcher_arguments.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/choose.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/identify/exact_version.hpp"
#include "runtime/message.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <cstring>

namespace anympi::command {
namespace {

runtime::choice choose_for(const run_options& options) {
    if (options.mpi.empty())
        return runtime::choose(this_machine());
    const std::string quoted = "--mpi " + options.mpi;
    return runtime::choose_requested({options.mpi.c_str(), quoted.c_str()}, this_machine());
}

void say_if_any(const std::string& message) {
    if (!message.empty())
        runtime::say_lines(message.c_str());
}

// Returns what is missing on the hosts that the launcher's words name; empty if the job can start.
std::string look_at_hosts(const job& ready, const settings& configured) {
    const way_to_hosts way = find_way_to_hosts(configured);
    const std::vector<std::string> names = hosts_of_job({ready.command.begin() + 1, ready.command.end()}, way);
    if (names.empty()) {
        runtime::say("--check-hosts: the launcher's words name no hosts, so only this host is known");
        return "";
    }
    if (way.program.empty())
        return "--check-hosts: ssh is missing here, by which the hosts are asked";
    const std::vector<std::string> programs = absolute_paths(ready.programs);
    const std::vector<host_answer> answers = ask_hosts(names, {ready.mpi, "", programs}, way);
    return explain_obstacles(compare_hosts(look_at_this_host(ready.mpi, "", programs), answers, way));
}

// Returns the value of `--mpi` among the arguments of a program if it names an MPI, else an empty text.
std::string find_late_mpi(const job_part& part) {
    const std::string option = "--mpi";
    for (auto word = part.arguments.begin(); word != part.arguments.end(); ++word) {
        const bool is_option = *word == option && word + 1 != part.arguments.end();
        std::string value = is_option                         ? word[1]
                            : word->starts_with(option + "=") ? word->substr(option.size() + 1)
                                                              : "";
        if (value.starts_with('/') || runtime::is_known_name(value))
            return value;
    }
    return "";
}

// Options after the program belong to the program. Somebody who writes --mpi there usually means anympi's option.
std::string explain_late_mpi(const std::vector<std::string>& words) {
    for (const job_part& part : find_programs_among(words))
        if (const std::string mpi = find_late_mpi(part); !part.program.empty() && !mpi.empty())
            return sentence_of(
                "`--mpi {}` comes after the program: it is an argument of {} and does not choose the MPI\n"
                "to choose the MPI, write it before the program: `anympi run --mpi {} … {}`",
                mpi, part.program, mpi, part.program);
    return "";
}

// Writes ~ for the user's folder in a path that begins after a space or a quote.
std::string with_tilde(std::string text) {
    const char* const home = std::getenv("HOME");
    if (home == nullptr || *home != '/')
        return text;
    for (const char before : {' ', '=', '"'}) {
        const std::size_t found = text.find(fmt::format("{}{}/", before, home));
        if (found != text.npos)
            text.replace(found + 1, std::strlen(home), "~");
    }
    return text;
}

// Returns why an MPI was chosen, in words that can follow "because".
std::string reason_of(const runtime::choice& chosen) {
    std::string reason = chosen.reason.text;
    switch (chosen.by) {
    case runtime::chosen_by::request:
        return "of " + with_tilde(reason);
    case runtime::chosen_by::launcher:
        return reason;
    case runtime::chosen_by::search:
        break;
    }
    return find_libraries().size() == 1 ? "it is the only MPI installed" : reason;
}

std::string explain_choice(const runtime::choice& chosen) {
    runtime::library mpi = chosen.mpi;
    std::strncpy(mpi.version, runtime::exact_version(mpi).text, sizeof mpi.version - 1);
    return sentence_of("the job runs on {} at {}, because {}", runtime::describe(mpi).text, mpi.path,
                       reason_of(chosen));
}

} // namespace

int run(const run_options& options) {
    const settings configured = read_settings();
    const bool is_verbose = options.verbose || configured.flag("run.verbose");
    const bool adds_verbose = is_verbose && !runtime::is_on("ANYMPI_VERBOSE");
    if (adds_verbose)
        setenv("ANYMPI_VERBOSE", "1", 1);
    const runtime::choice chosen = choose_for(options);
    const job ready = prepare({chosen.mpi, options.ranks, options.launcher_arguments, adds_verbose}, configured);
    if (options.explains)
        say_if_any(explain_choice(chosen));
    if (options.mpi.empty())
        say_if_any(explain_late_mpi(options.launcher_arguments));
    say_if_any(ready.warning);
    say_if_any(ready.problem);
    if (!ready.problem.empty())
        return 1;
    if (options.dry_run) {
        print_shell_command(quote_command(ready.environment, ready.command));
        return 0;
    }
    if (options.checks_hosts) {
        const std::string obstacles = look_at_hosts(ready, configured);
        say_if_any(obstacles);
        if (!obstacles.empty())
            return 1;
    }
    say_if_any(start(ready));
    return 1;
}

} // namespace anympi::command
