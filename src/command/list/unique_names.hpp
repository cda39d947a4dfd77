#pragma once

#include "command/list/installed.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// Returns for each library of the machine the shortest text with which `--mpi` and ANYMPI_MPI choose this library and
/// no other: "mpich", "mpich-4.0.2", "mpich:vendor", "mpich-5.0.2:vendor". If other libraries have the same product,
/// version and ABI, or if no search finds the library, the text is the folder of its installation or its path. The text
/// is empty if the library cannot be chosen (a draft of the standard ABI).
std::vector<std::string> find_unique_names(const survey& machine);

} // namespace anympi::command
