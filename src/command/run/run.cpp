#include "command/run/run.hpp"

#include "command/cli/output.hpp"
#include "command/cli/shell_quoting.hpp"
#include "command/cli/this_machine.hpp"
#include "command/hosts/host_differences.hpp"
#include "command/run/job.hpp"
#include "runtime/find/choose.hpp"
#include "runtime/message.hpp"

#include <cstdlib>

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

} // namespace

int run(const run_options& options) {
    const settings configured = read_settings();
    if (configured.flag("run.verbose"))
        setenv("ANYMPI_VERBOSE", "1", 0);
    const job ready = prepare({choose_for(options).mpi, options.ranks, options.launcher_arguments}, configured);
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
