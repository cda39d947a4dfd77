#pragma once

#include "command/run/launcher_style.hpp"

#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

/// Returns true if Open MPI's launcher needs the option that allows root: the configuration says so, or root runs the
/// job in a container, where users are usually root, and no variable of Open MPI allows root already.
bool allows_root(const settings& configured);

/// Returns why Open MPI's launcher would not start the job, with what to do, in one line: it runs as root, or there are
/// fewer slots than processes. The text is empty if no such reason is known.
std::string objection_of_openmpi(const launch& of, const std::vector<std::string>& words);

/// Returns how many processes the launcher starts by default: the slots of the hosts in its options, of the batch
/// system's allocation, or the cores of this host. Returns nothing if options or files of Open MPI decide this.
std::optional<int> find_slots(const launch& of, const std::vector<std::string>& words);

} // namespace anympi::command
