#pragma once

#include "command/doctor/finding.hpp"
#include "command/hosts/ask_hosts.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// One thing that a host lacks, or that differs from the host that asks.
struct host_finding {
    std::string host;
    finding what;
};

/// Compares the facts of the hosts with the facts of this host.
std::vector<host_finding> compare_hosts(const host_facts& here, const std::vector<host_answer>& answers,
                                        const way_to_hosts& way);

/// Returns the findings that keep a job from starting, as messages: what is missing on which host, and the
/// remedy. The text is empty if the job can start.
std::string explain_obstacles(const std::vector<host_finding>& findings);

} // namespace anympi::command
