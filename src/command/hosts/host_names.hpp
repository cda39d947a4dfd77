#pragma once

#include "command/config/settings.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// The program that starts commands on other hosts: srun inside an allocation of Slurm, else ssh.
struct way_to_hosts {
    std::string program; // empty if it is not installed
    bool is_srun = false;
};
way_to_hosts find_way_to_hosts(const settings& configured);

/// Returns true for a name of the host on which this process runs. Commands on this host need no ssh, and ssh to this
/// host may not work.
bool is_this_host(const std::string& name);

/// Returns the host names in a list such as "na,nb:2". Throws an error for a name that a shell or ssh would misread.
std::vector<std::string> read_host_list(const std::string& list);

/// Returns the hosts of the allocation, or the hosts of a list in Slurm's notation, "n[01-16]".
std::vector<std::string> hosts_of_allocation(const std::string& list = "");

/// Returns the hosts that a launcher's words name, in lists or in files, or that the batch system names. The list is
/// empty if the job runs on this host.
std::vector<std::string> hosts_of_job(const std::vector<std::string>& launcher_words, const way_to_hosts& way);

/// Returns the absolute paths of programs. Other hosts cannot resolve relative paths.
std::vector<std::string> absolute_paths(const std::vector<std::string>& programs);

} // namespace anympi::command
