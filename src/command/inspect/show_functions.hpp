#pragma once

#include "abi/abi.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// `anympi inspect --functions`: prints what answers calls of MPI functions in programs of one ABI, on each MPI of this
/// machine. No names mean all functions.
int show_functions(const std::vector<std::string>& names, abi of_program, bool as_json);

} // namespace anympi::command
