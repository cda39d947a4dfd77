#pragma once

#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// The answers of a library that was opened in a process of its own.
struct probe_result {
    std::string version;      // more exact than the file shows; "" if the library does not tell
    std::string thread_level; // "multiple" …, as it was built; "" if the library does not tell
    std::string problem;      // "crashes (…)", …; empty if the library answers
};

/// Opens all libraries at the same time, so that several libraries that hang delay the command by only one time limit.
std::vector<probe_result> probe(const std::vector<runtime::library>& libraries);

} // namespace anympi::command
