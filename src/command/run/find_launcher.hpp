#pragma once

#include "command/config/settings.hpp"
#include "runtime/identify/library.hpp"

#include <filesystem>
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

// Returns true if a file is this command, as anympi's mpiexec is.
bool is_anympi(const std::filesystem::path& executable);

// Returns true if an executable is the launcher of the library's own installation.
bool is_launcher_of(const std::filesystem::path& executable, const runtime::library& mpi);

// Slurm's srun, where this process runs in an allocation and not yet in one of its steps; empty otherwise.
std::string find_srun(const settings& configured);

// What srun offers processes where nobody says otherwise (MpiDefault of the site): "pmix", "pmi2", "none" …; empty
// where Slurm does not answer.
std::string ask_slurm_for_default();

} // namespace anympi::command
