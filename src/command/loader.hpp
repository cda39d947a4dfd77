#pragma once

#include "command/binary.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// The files that the dynamic linker would load for a program: itself, then its dependencies, each once. What an MPI
// library needs for itself is left out.
struct loaded_files {
    std::vector<binary> files;
    std::vector<std::string> not_found; // sonames
};

loaded_files follow_dependencies(binary first);

// Where the dynamic linker would find a library that this program needs, with that library path; empty: nowhere.
std::string find_needed(const binary& program, const std::string& soname, const std::string& library_path);

} // namespace anympi::command
