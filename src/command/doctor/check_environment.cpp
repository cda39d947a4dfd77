#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/split_join.hpp"
#include "command/doctor/checks.hpp"
#include "command/run/find_launcher.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/layouts.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/identify/identify.hpp"

#include <fmt/core.h>

#include <filesystem>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using runtime::identification;

std::vector<std::string> entries_of(const char* variable, const char* separators) {
    const char* value = runtime::read_variable(variable);
    std::vector<std::string> entries = split_list(value ? value : "", separators);
    std::erase(entries, "");
    return entries;
}

// Looks for a libmpi_abi.so.1 that programs load instead of anympi's if they are started without `anympi run`.
void check_other_front(const fs::path& folder, findings& seen) {
    const fs::path file = folder / runtime::soname_of(abi::standard);
    runtime::library mpi;
    const identification answer = runtime::identify(file.c_str(), mpi);
    const std::string remedy = "remove the folder from LD_LIBRARY_PATH, or start programs with `anympi run`";
    if (answer == identification::own_front) {
        const fs::path ours = fs::path(folder_of_front(abi::standard)) / file.filename();
        if (real_path(file) != real_path(ours))
            seen.push_back({level::warning, "library_path",
                            fmt::format("LD_LIBRARY_PATH leads to the front of another anympi: {}", file.string()),
                            remedy});
    } else if (answer == identification::mpi && runtime::is_draft(mpi)) {
        seen.push_back(
            {level::problem, "library_path",
             fmt::format("LD_LIBRARY_PATH leads to {}, of {}, which has the values of a draft of the standard "
                         "ABI: programs that load it compute rubbish without an error",
                         file.string(), runtime::describe(mpi).text),
             remedy});
    } else if (answer == identification::mpi) {
        seen.push_back({level::warning, "library_path",
                        fmt::format("LD_LIBRARY_PATH leads to {}, of {}: programs run on that one, whatever is chosen",
                                    file.string(), runtime::describe(mpi).text),
                        remedy});
    }
}

void check_library_path(findings& seen) {
    for (const std::string& folder : entries_of("LD_LIBRARY_PATH", ":;")) {
        if (!is_folder(folder))
            seen.push_back({level::warning, "library_path",
                            fmt::format("LD_LIBRARY_PATH names {}, which does not exist", folder),
                            "remove it: it is left over from something that is gone, and costs time at every start"});
        check_other_front(folder, seen);
    }
}

void check_preload(findings& seen) {
    for (const std::string& file : entries_of("LD_PRELOAD", ": ")) {
        runtime::library mpi;
        if (runtime::identify(file.c_str(), mpi) == identification::mpi)
            seen.push_back({level::problem, "preload",
                            fmt::format("LD_PRELOAD puts {} into every process: two MPIs would be in one process",
                                        runtime::describe(mpi).text),
                            "unset LD_PRELOAD"});
    }
}

// Finds installations that a module or a profile names and that no longer exist.
void check_prefixes(findings& seen) {
    const auto check = [&](const char* name) {
        const char* value = runtime::read_variable(name);
        if (value && !is_folder(value))
            seen.push_back({level::warning, "environment", fmt::format("{}={} does not exist", name, value),
                            fmt::format("unset {}, or load the module that sets it again", name)});
    };
    for (const char* name : runtime::general_variables)
        check(name);
    for (const char* name : runtime::product_variables)
        check(name);
}

void check_singletons(findings& seen) {
    if (runtime::is_on("ANYMPI_ALLOW_SINGLETON"))
        seen.push_back({level::warning, "environment",
                        "ANYMPI_ALLOW_SINGLETON is set: N processes under the wrong launcher run as N jobs of one, "
                        "without a message",
                        "unset ANYMPI_ALLOW_SINGLETON"});
}

// Checks that the launchers in PATH belong to the MPI that ANYMPI_MPI asks for. Without ANYMPI_MPI, the launcher
// decides which MPI is used.
void check_launcher_in_path(const survey& machine, findings& seen) {
    if (!runtime::read_variable("ANYMPI_MPI") || !machine.chosen)
        return;
    for (const char* name : {"mpiexec", "mpirun"}) {
        const std::string file = find_program(name);
        if (file.empty() || is_anympi(file) || is_launcher_of(file, machine.chosen->mpi))
            continue;
        seen.push_back({level::warning, "launcher",
                        fmt::format("{} does not belong to {}, which ANYMPI_MPI asks for: programs that it starts are "
                                    "stopped",
                                    file, runtime::describe(machine.chosen->mpi).text),
                        "start programs with `anympi run`, or unset ANYMPI_MPI: the launcher's own MPI is used then"});
    }
}

} // namespace

findings check_environment(const survey& machine) {
    findings seen;
    check_library_path(seen);
    check_preload(seen);
    check_prefixes(seen);
    check_singletons(seen);
    check_launcher_in_path(machine, seen);
    if (seen.empty())
        seen.push_back({level::good, "environment", "the environment holds nothing that is in the way"});
    return seen;
}

} // namespace anympi::command
