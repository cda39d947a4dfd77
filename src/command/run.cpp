#include "command/run.hpp"

#include "command/launchers.hpp"
#include "command/words.hpp"
#include "runtime/choose.hpp"
#include "runtime/message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace anympi::command {
namespace {

// What the front reads in the processes of the job.
constexpr const char* forwarded_variables[] = {"ANYMPI_MPI", "ANYMPI_VERBOSE", "ANYMPI_ALLOW_SINGLETON"};

// Hydra hands the whole environment to processes on other machines, Open MPI's launchers only what they are told to.
void add_forwarding(std::vector<std::string>& command) {
    for (const char* name : forwarded_variables)
        if (runtime::setting(name))
            command.insert(command.end(), {"-x", name});
}

std::vector<std::string> command_line(const run_options& options, const std::string& launcher,
                                      runtime::family lineage) {
    std::vector<std::string> command = {launcher};
    if (options.ranks > 0)
        command.insert(command.end(), {"-n", std::to_string(options.ranks)});
    if (lineage == runtime::family::openmpi)
        add_forwarding(command);
    command.insert(command.end(), options.launcher_words.begin(), options.launcher_words.end());
    return command;
}

void explain_missing_launcher(const runtime::library& mpi, const launcher_search& search) {
    std::string left_out;
    if (!search.left_out.empty())
        left_out = fmt::format("\nleft out: {} (of another MPI)", fmt::join(search.left_out, ", "));
    const std::string message = fmt::format(
        "no launcher of {} was found that belongs to {}\nlooked for: {}\nlooked in: {}{}\n"
        "install the package that holds it (Debian: mpich, openmpi-bin), or start the program by another launcher that "
        "fits, with ANYMPI_MPI={}",
        runtime::describe(mpi).text, mpi.path, fmt::join(search.names, ", "), fmt::join(search.folders, ", "), left_out,
        mpi.path);
    runtime::say("%s", message.c_str());
}

int replace_process(const std::vector<std::string>& command) {
    std::vector<char*> arguments(command.size() + 1, nullptr);
    std::transform(command.begin(), command.end(), arguments.begin(),
                   [](const std::string& word) { return const_cast<char*>(word.c_str()); });
    execv(arguments[0], arguments.data());
    runtime::say("%s cannot be started: %s", arguments[0], std::strerror(errno));
    return 1;
}

} // namespace

int run(const run_options& options) {
    if (!options.mpi.empty())
        setenv("ANYMPI_MPI", options.mpi.c_str(), 1);
    const runtime::choice chosen = runtime::choose();
    const launcher_search search = find_launcher(chosen.mpi);
    if (search.executable.empty()) {
        explain_missing_launcher(chosen.mpi, search);
        return 1;
    }
    // The file itself, so that the processes of the job need not search, and find the same on every machine.
    setenv("ANYMPI_MPI", chosen.mpi.path, 1);
    const std::vector<std::string> command = command_line(options, search.executable, chosen.mpi.lineage);
    if (options.dry_run) {
        fmt::print("ANYMPI_MPI={} {}\n", quoted({chosen.mpi.path}), quoted(command));
        return 0;
    }
    return replace_process(command);
}

} // namespace anympi::command
