#pragma once

#include "command/settings.hpp"
#include "runtime/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// What came of looking for a launcher; the lists are for the message if there is none.
struct launcher_search {
    std::string executable; // empty: none was found
    std::vector<std::string> names;
    std::vector<std::string> folders;
    std::vector<std::string> left_out; // have such a name, belong to another MPI
};

// The launcher that belongs to a library: what the configuration names, else one in the library's own installation,
// then in PATH. One of another MPI is never taken, even where it has the right name: it would start N separate jobs.
launcher_search find_launcher(const runtime::library& mpi, const settings& configured);

// Slurm's srun, where this process runs in an allocation and not yet in one of its steps; empty otherwise.
std::string find_srun(const settings& configured);

} // namespace anympi::command
