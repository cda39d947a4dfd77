#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// Returns the functions and data objects that a program needs and that its files lack, if anympi's front has them.
/// `files` are the MPI library of the program's own family and the libraries for Fortran and C++ that the program gets.
/// Weak references do not count. If `has_our_companion` is true, the program gets anympi's library for Fortran, whose
/// procedures call functions for C. These functions then count, too.
std::set<std::string> find_lacking_names(const examination& program, const std::vector<std::string>& files,
                                         bool has_our_companion);

/// Returns the files that are preloaded for these names: interposers, the files of the chosen library, then the front.
/// The list is empty if no name is lacking. With ANYMPI_EMULATE=all it always has all interposers.
std::vector<std::string> supplement_for(const examination& program, const std::vector<std::string>& library,
                                        const std::set<std::string>& lacking);

} // namespace anympi::command
