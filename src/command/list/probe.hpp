#pragma once

#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// What a library says of itself when a process of its own opens and asks it.
struct probe_result {
    std::string version;      // more exact than what the file shows; "" where it does not say
    std::string thread_level; // "multiple" …, as it was built; "" where it does not say
    std::string problem;      // "crashes (…)", …; empty where it answers
};

// Asks all libraries at the same time, so that libraries that hang cost one time limit together.
std::vector<probe_result> probe(const std::vector<runtime::library>& libraries);

} // namespace anympi::command
