#pragma once

#include "runtime/open/open.hpp"

// What single products must be told by the environment before they work where they lie. What a person or a script has
// set stays.

namespace anympi::runtime {

void prepare_to_open(const library& mpi);
void prepare_to_start(const library& mpi, const opened& runtime);

} // namespace anympi::runtime
