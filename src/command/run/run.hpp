#pragma once

#include <string>
#include <vector>

namespace anympi::command {

struct run_options {
    std::string mpi; // a name, a prefix or a library file; empty: chosen as programs choose
    int ranks = 0;   // 0: as many as the launcher likes
    bool dry_run = false;
    bool verbose = false;                        // as ANYMPI_VERBOSE=1
    bool explains = false;                       // say which MPI was chosen, and why
    bool checks_hosts = false;                   // look at the hosts of the job before its start
    std::vector<std::string> launcher_arguments; // options of the launcher, the program, its arguments
};

// `anympi run`. Returns only where nothing was started: the launcher takes this process's place, so that signals, exit
// code and streams are its own.
int run(const run_options& options);

} // namespace anympi::command
