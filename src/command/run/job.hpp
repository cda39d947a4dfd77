#pragma once

#include "command/config/settings.hpp"
#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// The job that the user wants to start.
struct job_request {
    runtime::library mpi;
    int ranks = 0;                               // 0: the launcher decides
    std::vector<std::string> launcher_arguments; // options of the launcher, the program, its arguments
    bool adds_verbose = false;                   // sets ANYMPI_VERBOSE=1 for the processes of the job
};

/// A command for the launcher that belongs to the MPI.
struct job {
    std::vector<std::string> command;
    std::vector<std::string> environment; // NAME=VALUE, in addition to the environment of this process
    std::string mpi;                      // the library file
    std::vector<std::string> programs;    // programs that were named by a path
    std::string warning;
    std::string problem; // why the job cannot be started, and what to do; empty if it can
};

/// Makes the command for a job.
job prepare(const job_request& request, const settings& configured);

/// Replaces this process by the launcher, so that signals, exit code and streams are the launcher's own. Returns the
/// reason if that fails.
std::string start(const job& ready);

} // namespace anympi::command
