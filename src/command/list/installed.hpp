#pragma once

#include "runtime/find/choose.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

/// Returns the MPI libraries that a search of the machine finds, each once, in the order of the search.
std::vector<runtime::library> find_libraries();

/// The MPIs of this machine as a process started here and now would see them.
struct survey {
    std::vector<runtime::library> libraries;
    std::size_t found_by_search = 0;       // this many of `libraries`; the chosen one may follow
    std::optional<runtime::choice> chosen; // nothing if no MPI can be chosen
    std::string message;                   // lines for standard error: why no MPI can be chosen, or what was chosen if
                                           // ANYMPI_VERBOSE asks for it

    bool is_chosen(const runtime::library& mpi) const;
};

/// Searches the machine, and chooses the MPI that a program started here would choose.
survey survey_machine();

} // namespace anympi::command
