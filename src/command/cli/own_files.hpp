#pragma once

#include "abi/abi.hpp"
#include "command/inspect/mpi_names.hpp"

#include <filesystem>
#include <string>

// The files of this installation of anympi: fronts, placeholders, what is preloaded.

namespace anympi::command {

// The folder of the fronts and of the programs that the command starts, found from the command itself.
std::filesystem::path folder_of_fronts();

// The folder of the front for one ABI; empty if it is missing. It holds nothing but the front and its companions: it
// comes first on the library path, and must not bring anything else along.
std::string folder_of_front(abi interface);

// The library in it that has the functions of C.
std::string file_of_front(abi interface);

// Returns the path of our library for Fortran or C++ beside the front, such as libmpi_cxx.so.40. It is empty if there
// is no such library.
std::string file_of_companion(abi interface, const std::string& name);

// An interposer for programs of one ABI (api/interposers.api). Empty if it is missing.
std::string file_of_interposer(abi interface, const std::string& name);

// The library that converts what is different in an older release, and has the name of that release's library. Empty if
// there is none.
std::string file_of_older(abi interface, difference older);

// An empty library with the name `soname`: if it is loaded, the dynamic linker takes that name for found. Empty if
// there is none for this name.
std::string file_of_placeholder(const std::string& soname);

// A folder of libraries with the other names under which programs of its own ABI know the library `soname`; each leads
// to that library. Empty if it has no other name.
std::string folder_of_aliases(const std::string& soname);

// keep_path.so, which keeps what we put first on the library path there. Empty if it is missing, or cannot be
// preloaded.
std::string file_of_path_keeper();

// The program that the launcher starts, which starts the program of the job; empty if it is missing.
std::string file_of_starter();

// check_library.so, which stops a process with another MPI library than the one chosen. Empty in the same cases.
std::string file_of_library_check();

} // namespace anympi::command
