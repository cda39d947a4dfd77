#pragma once

#include <string>
#include <vector>

namespace anympi::command {

// `anympi inspect --functions`: who answers functions of MPI, on each MPI of this machine. Without names: all of them.
int show_functions(const std::vector<std::string>& names, bool as_json);

} // namespace anympi::command
