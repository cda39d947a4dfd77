#include "command/run/run.hpp"

#include "command/cli/output.hpp"
#include "command/cli/shell_quoting.hpp"
#include "command/cli/this_machine.hpp"
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
    say_if_any(start(ready));
    return 1;
}

} // namespace anympi::command
