#pragma once

#include "command/run/launcher_style.hpp"

#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

/// Returns true if the options of Open MPI's launcher must allow that it runs as root: the configuration allows it, or
/// this is a container, where users are usually root, and no variable of Open MPI allows it.
bool allows_root(const settings& configured);

/// Returns why Open MPI's launcher would not start the job, with what to do, in one line: it runs as root, or there
/// are fewer slots than processes. The text is empty if nothing is known that stands against the job.
std::string objection_of_openmpi(const launch& of, const std::vector<std::string>& words);

/// Returns how many processes the launcher starts by default: the slots of the hosts in its options, of the batch
/// system's allocation, or the cores of this host. Returns nothing if options or files of Open MPI decide this.
std::optional<int> find_slots(const launch& of, const std::vector<std::string>& words);

} // namespace anympi::command
