#pragma once

#include "runtime/find/choose.hpp"

#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

// Each file once, in the order of the search.
std::vector<runtime::library> find_libraries();

// The MPIs of this machine as a process started here and now would see them.
struct survey {
    std::vector<runtime::library> libraries;
    std::optional<runtime::choice> chosen;
    std::string message; // lines for standard error: why nothing could be chosen; with ANYMPI_VERBOSE what was

    bool is_chosen(const runtime::library& mpi) const;
};

survey survey_machine();

} // namespace anympi::command
