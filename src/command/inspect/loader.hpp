#pragma once

#include "command/inspect/binary.hpp"

#include <string>
#include <vector>

namespace anympi::command {

struct loaded_file {
    binary file;
    std::string name; // the name in the file that needs it, usually its soname
};

/// The files that the dynamic linker would load for a program: the program, then each dependency once. Dependencies of
/// an MPI library are left out.
struct loaded_files {
    std::vector<loaded_file> files;
    std::vector<std::string> not_found; // sonames
    /// Folders that do not exist and that are in the RPATH or RUNPATH of a file that needs one of `not_found`.
    std::vector<std::string> missing_folders;
};

loaded_files follow_dependencies(const binary& first, const std::string& library_path);

/// Returns true for a library of an MPI, false for a library that uses MPI.
bool is_part_of_mpi(const loaded_file& part);

/// Returns LD_LIBRARY_PATH of this process.
std::string present_library_path();

/// Returns the file that the dynamic linker would find for a soname without any RPATH or RUNPATH, or an empty text.
std::string find_library(const std::string& soname, const std::string& library_path);

/// Returns the folders of a library's RUNPATH in which the dynamic linker finds libraries that it needs. A folder is
/// left out if the system searches it anyway, or if another folder comes first for one of these libraries. If a script
/// adds folders to the library path, the library could get other files of the same names.
std::vector<std::string> folders_of_own_libraries(const binary& library, const std::string& library_path);

} // namespace anympi::command
