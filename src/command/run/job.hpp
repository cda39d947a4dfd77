#pragma once

#include "command/config/settings.hpp"
#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// What the user wants to be started.
struct job_request {
    runtime::library mpi;
    int ranks = 0;                               // 0: as many as the launcher likes
    std::vector<std::string> launcher_arguments; // options of the launcher, the program, its arguments
};

// A command for the launcher that belongs to the MPI.
struct job {
    std::vector<std::string> command;
    std::vector<std::string> environment; // NAME=VALUE, beside what there is
    std::string mpi;                      // the library file
    std::vector<std::string> programs;    // those that words with a slash name
    std::string warning;
    std::string problem; // why nothing can be started, and what to do; empty where it can
};

job prepare(const job_request& request, const settings& configured);

// Puts the job in the place of this process, so that signals, exit code and streams are the launcher's own. Returns the
// reason where that fails.
std::string start(const job& ready);

} // namespace anympi::command
