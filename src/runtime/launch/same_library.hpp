#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

// Stops this process if the library has another version than `expected`, the fingerprint of the library elsewhere in
// the job. Tells people if it is another build of the same version, which may be meant: some sites have one for each
// kind of processor. `elsewhere` is "on the host of `anympi run`", for messages.
void expect_same_library(const library& mpi, const char* expected, const char* elsewhere);

} // namespace anympi::runtime
