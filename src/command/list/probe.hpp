#pragma once

#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// What a library says of itself when it is opened and asked, in a process of its own.
struct probe_result {
    std::string version;      // more exact than what the file shows; "" where it does not say
    std::string thread_level; // "multiple" …, as it was built; "" where it does not say
    std::string problem;      // "crashes (…)", …; empty where it answers
};

// All of them at the same time; a library that hangs costs its time limit once.
std::vector<probe_result> probe(const std::vector<runtime::library>& libraries);

} // namespace anympi::command
