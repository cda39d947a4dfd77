#pragma once

#include "command/hosts/host_facts.hpp"
#include "command/hosts/host_names.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

inline constexpr std::chrono::seconds usual_limit(20); // for each host

/// The answer of one host.
struct host_answer {
    std::string name; // by which it was asked
    std::optional<host_facts> facts;
    std::string problem;       // why there are no facts
    bool lacks_anympi = false; // this is why
    long long asked = 0;       // the times here, in milliseconds
    long long answered = 0;
    bool is_refused = false; // by anympi there, whose words the problem has
};

struct host_question {
    std::string library;     // the file chosen here
    std::string shared_file; // empty if the file could not be made
    std::vector<std::string> programs = {};
    std::chrono::seconds limit = usual_limit;
};

/// Starts `anympi doctor --this-host` on the hosts, 64 at the same time, by the path that this command has here. A host
/// that does not answer costs the limit. After an interruption, the answers of some hosts are missing.
std::vector<host_answer> ask_hosts(const std::vector<std::string>& names, const host_question& question,
                                   const way_to_hosts& way);

} // namespace anympi::command
