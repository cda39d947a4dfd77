#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

/// Returns the version of a library as exactly as its file shows it. identify() reads only what is quick to find: some
/// builds export no text of their version, so that it knows just the release that added a function ("4.3", "5.0 or
/// newer"), or nothing (Intel MPI). This function then reads the whole file for a constant string that can be the
/// version. If no string or several can be it, the function returns `mpi.version`.
bounded_text<32> exact_version(const library& mpi);

} // namespace anympi::runtime
