#pragma once

#include "runtime/open/open.hpp"

// Sets variables of the environment that single products need to work in their location. Variables that a user or a
// script has set remain unchanged.

namespace anympi::runtime {

void prepare_to_open(const library& mpi);
void prepare_to_start(const library& mpi, const opened& runtime);

} // namespace anympi::runtime
