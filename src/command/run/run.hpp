#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// The options of `anympi run`.
struct run_options {
    std::string mpi; // a name, a prefix or a library file; empty: the MPI that a program started here would choose
    int ranks = 0;   // 0 if the launcher decides
    bool dry_run = false;
    bool verbose = false;                        // as ANYMPI_VERBOSE=1
    bool explains = false;                       // prints which MPI was chosen, and why
    bool checks_hosts = false;                   // checks the hosts of the job first
    std::vector<std::string> launcher_arguments; // options of the launcher, the program, its arguments
};

/// Runs `anympi run`. The launcher replaces this process, so that signals, exit code and streams are the launcher's
/// own: the function returns only if nothing was started.
int run(const run_options& options);

} // namespace anympi::command
