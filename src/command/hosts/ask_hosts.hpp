#pragma once

#include "command/hosts/host_facts.hpp"
#include "command/hosts/host_names.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

inline constexpr std::chrono::seconds usual_limit(20); // the default time limit for each host

/// The answer of one host.
struct host_answer {
    std::string name; // the name by which this host asked it
    std::optional<host_facts> facts;
    std::string problem;       // why there are no facts
    bool lacks_anympi = false; // the problem is that anympi is missing on the host
    long long asked = 0;       // when this host asked, in milliseconds
    long long answered = 0;    // when the answer came
    bool is_refused = false;   // anympi on the host reported an error, which `problem` quotes
};

struct host_question {
    std::string library;     // the library file that was chosen on this host
    std::string shared_file; // empty if the file could not be made
    std::vector<std::string> programs = {};
    std::chrono::seconds limit = usual_limit;
};

/// Starts `anympi doctor --this-host` on 64 hosts at a time. The command must have the same path on all hosts. For a
/// host that does not answer, the function waits until the time limit. After an interruption, the answers of some hosts
/// are missing.
std::vector<host_answer> ask_hosts(const std::vector<std::string>& names, const host_question& question,
                                   const way_to_hosts& way);

} // namespace anympi::command
