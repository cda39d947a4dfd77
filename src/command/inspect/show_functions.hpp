#pragma once

#include "abi/abi.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// `anympi inspect --functions`: prints which functions answer the MPI calls of programs of one ABI, on each MPI of
/// this machine. Without names, it prints all functions of MPI.
int show_functions(const std::vector<std::string>& names, abi of_program, bool as_json);

} // namespace anympi::command
