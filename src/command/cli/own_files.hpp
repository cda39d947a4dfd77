#pragma once

#include "abi/abi.hpp"
#include "command/inspect/mpi_names.hpp"

#include <filesystem>
#include <string>

// The files of this installation of anympi: fronts, placeholders, what is preloaded.

namespace anympi::command {

/// Returns the folder of the fronts and of the programs that the command starts. It is found from the command's path.
std::filesystem::path folder_of_fronts();

/// Returns the folder of the front for one ABI, or an empty path if it is missing. The folder has only the front and
/// its companions, since it comes first on the library path.
std::string folder_of_front(abi interface);

/// Returns the library for C in this folder.
std::string file_of_front(abi interface);

/// Returns the path of anympi's library for Fortran or C++, such as libmpi_cxx.so.40, in the front's folder. It is
/// empty if the library is missing.
std::string file_of_companion(abi interface, const std::string& name);

/// Returns the path of an interposer for programs of one ABI (api/interposers.api), empty if it is missing.
std::string file_of_interposer(abi interface, const std::string& name);

/// Returns the path of the library that converts for programs of an older release. It has the name of that release's
/// library. The path is empty if the library is missing.
std::string file_of_older(abi interface, difference older);

/// Returns the path of an empty library with the soname `soname`. If it is loaded, the dynamic linker takes this name
/// as found. The path is empty if there is no such library.
std::string file_of_placeholder(const std::string& soname);

/// Returns a folder of libraries that load the library `soname` under its other names. Programs of its ABI may use
/// these names. The path is empty if the library has no other name.
std::string folder_of_aliases(const std::string& soname);

/// Returns the path of keep_path.so, which keeps anympi's folders first on the library path. It is empty if the file is
/// missing or cannot be preloaded.
std::string file_of_path_keeper();

/// Returns the path of the program that launchers start in place of the job's program; empty if it is missing.
std::string file_of_starter();

/// Returns the path of check_library.so, which stops a process that loads another MPI library than the chosen one. It
/// is empty if the file is missing or cannot be preloaded.
std::string file_of_library_check();

} // namespace anympi::command
