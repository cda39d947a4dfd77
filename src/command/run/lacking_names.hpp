#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// Returns the names (functions and data objects) that a program needs from the MPI library of its own family, that
/// anympi's front has, and that no file of `files` has. `files` are the MPI library and its libraries for Fortran and
/// C++ that the program gets. Weak references do not count. `has_our_companion` says that the program gets anympi's
/// library for Fortran, which calls functions for C: the functions that the program's procedures call count, too.
std::set<std::string> find_lacking_names(const examination& program, const std::vector<std::string>& files,
                                         bool has_our_companion);

/// Returns the files that are preloaded for these names: interposers, the files of the chosen library, then the front.
/// The list is empty if no name is lacking. With ANYMPI_EMULATE=all it has all interposers in any case.
std::vector<std::string> supplement_for(const examination& program, const std::vector<std::string>& library,
                                        const std::set<std::string>& lacking);

} // namespace anympi::command
