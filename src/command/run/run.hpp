#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// The options of `anympi run`.
struct run_options {
    std::string mpi; // a name, a prefix or a library file; empty if anympi chooses as programs choose
    int ranks = 0;   // 0 if the launcher decides
    bool dry_run = false;
    bool verbose = false;                        // as ANYMPI_VERBOSE=1
    bool explains = false;                       // say which MPI was chosen, and why
    bool checks_hosts = false;                   // look at the hosts of the job first
    std::vector<std::string> launcher_arguments; // options of the launcher, the program, its arguments
};

/// Does `anympi run`. The launcher replaces this process, so that signals, exit code and streams are the launcher's
/// own: the function returns only if nothing was started.
int run(const run_options& options);

} // namespace anympi::command
