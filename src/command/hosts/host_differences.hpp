#pragma once

#include "command/doctor/finding.hpp"
#include "command/hosts/ask_hosts.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// One thing that a host lacks, or that differs from the host that asks.
struct host_finding {
    std::string host;
    finding what;
};

// Compares what the hosts have with what this host has.
std::vector<host_finding> compare_hosts(const host_facts& here, const std::vector<host_answer>& answers,
                                        const way_to_hosts& way);

// The part of these findings for which a job cannot start, as messages: what is missing on which host, and the remedy.
// Empty if there is none.
std::string explain_obstacles(const std::vector<host_finding>& findings);

} // namespace anympi::command
