#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

/// Stops this process if the library has another version than `expected`, the fingerprint of the library elsewhere in
/// the job. Prints a message if it is another build of the same version, which may be intended: some sites have one
/// build for each kind of processor. `elsewhere` is used in messages, for example "on the host of `anympi run`".
void expect_same_library(const library& mpi, const char* expected, const char* elsewhere);

} // namespace anympi::runtime
