#pragma once

#include "command/config/settings.hpp"
#include "runtime/identify/library.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace anympi::command {

/// The result of the search for a launcher. The lists are for the message if no launcher was found.
struct launcher_search {
    std::string executable; // empty if no launcher was found
    std::vector<std::string> names;
    std::vector<std::string> folders;
    std::vector<std::string> left_out; // executables of these names that belong to another MPI
};

/// Finds the launcher that belongs to a library: the one that the configuration names, else one in the library's own
/// installation, else one in PATH. A launcher of another MPI is never taken, since it would start N separate jobs.
launcher_search find_launcher(const runtime::library& mpi, const settings& configured);

/// Returns true if a file is this command, also under its name mpiexec.
bool is_anympi(const std::filesystem::path& executable);

/// Returns true if an executable is the launcher of the library's own installation.
bool is_launcher_of(const std::filesystem::path& executable, const runtime::library& mpi);

/// Returns the path of Slurm's srun if this process runs in an allocation but not in one of its steps, else an empty
/// text.
std::string find_srun(const settings& configured);

/// Returns the protocol that srun offers to processes by default (the site's MpiDefault): "pmix", "pmi2", "none" … The
/// text is empty if Slurm does not answer.
std::string ask_slurm_for_default();

/// Returns true inside an allocation in which `srun --mpi=list` names this protocol.
bool offers_with_srun(const std::string& type);

} // namespace anympi::command
