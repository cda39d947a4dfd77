#pragma once

#include "command/inspect/binary.hpp"

#include <string>
#include <vector>

namespace anympi::command {

struct loaded_file {
    binary file;
    std::string name; // by which it is needed: its soname, as a rule
};

// The files that the dynamic linker would load for a program: itself, then its dependencies, each once. What an MPI
// library needs for itself is left out.
struct loaded_files {
    std::vector<loaded_file> files;
    std::vector<std::string> not_found; // sonames
    // Folders of RPATHs and RUNPATHs that do not exist, of the files that need what was not found.
    std::vector<std::string> missing_folders;
};

loaded_files follow_dependencies(const binary& first, const std::string& library_path);

// A library that is an MPI's, and no user of one.
bool is_part_of_mpi(const loaded_file& part);

// LD_LIBRARY_PATH of this process.
std::string present_library_path();

// Where the dynamic linker would find a library that names no folders of its own; empty: nowhere.
std::string find_library(const std::string& soname, const std::string& library_path);

// Folders of its RUNPATH from which a library takes others that it needs, where neither the library path nor the system
// is asked for them: a script that changes the library path would bring it others of the same names.
std::vector<std::string> folders_of_own_libraries(const binary& library, const std::string& library_path);

} // namespace anympi::command
