#pragma once

#include "abi/abi.hpp"
#include "command/inspect/mpi_names.hpp"

#include <filesystem>
#include <string>

// The files of this installation of anympi: fronts, placeholders and preloaded libraries.

namespace anympi::command {

/// Returns the folder of the fronts and of the programs that the command starts. It is found from the command's path.
std::filesystem::path folder_of_fronts();

/// Returns the folder of the front for one ABI, or an empty path if it is missing. The folder comes first on the
/// library path, so it has only the front and its companions.
std::string folder_of_front(abi interface);

/// Returns the path of the front for one ABI, which is the library for C.
std::string file_of_front(abi interface);

/// Returns the path of anympi's library for Fortran or C++, such as libmpi_cxx.so.40, in the front's folder. It is
/// empty if the library is missing.
std::string file_of_companion(abi interface, const std::string& name);

/// Returns the path of an interposer for programs of one ABI (api/interposers.api), empty if it is missing.
std::string file_of_interposer(abi interface, const std::string& name);

/// Returns the path of the library that converts for programs of an older release. It has the name of that release's
/// library. The path is empty if the library is missing.
std::string file_of_older(abi interface, difference older);

/// Returns the path of an empty library with the soname `soname`. Once it is loaded, the dynamic linker searches no
/// other library for this soname. The path is empty if there is no such library.
std::string file_of_placeholder(const std::string& soname);

/// Programs may know the library `soname` by other names. Returns a folder with one small library for each other name,
/// which loads the library `soname`. The path is empty if there are no other names.
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
