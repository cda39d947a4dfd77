#pragma once

#include "abi/abi.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// `anympi inspect --functions`: who answers functions of MPI in programs of one ABI, on each MPI of this machine.
// Without names: all of them.
int show_functions(const std::vector<std::string>& names, abi of_program, bool as_json);

} // namespace anympi::command
