#pragma once

#include "command/run/job.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// The faults of a job's programs, found before a launcher starts.
struct program_faults {
    std::string problem; // why a program cannot be started, and what to do; empty if all can be
    std::string warning;
};

/// Looks at the programs of a job. `words` are the launcher's options, the programs and their arguments. A program that
/// may exist only on other hosts is not reported: the launcher looks for it there. `searches_here` says that the
/// launcher also finds a program by its bare name in the current folder.
program_faults find_program_faults(const std::vector<std::string>& words, int ranks, bool searches_here,
                                   const std::string& library_path);

} // namespace anympi::command
