#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <set>
#include <string>
#include <vector>

namespace anympi::command {

// The names that a program takes from the MPI library of its own family, that none of `files` has (that library, and
// those of its libraries for Fortran and C++ that the program gets), and that anympi's front has: functions, and data
// objects. Weak references do not count. With our library for Fortran, which calls functions of C, those behind the
// program's procedures count as well.
std::set<std::string> find_lacking_names(const examination& program, const std::vector<std::string>& files,
                                         bool has_our_companion);

// What is preloaded for these names: interposers, the files of the library chosen, the front behind them. Nothing if
// there are none.
// If everything is to be as MPI says (ANYMPI_EMULATE=all), all interposers are preloaded in any case.
std::vector<std::string> supplement_for(const examination& program, const std::vector<std::string>& library,
                                        const std::set<std::string>& lacking);

} // namespace anympi::command
