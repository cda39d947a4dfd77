#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

/// Returns the most exact version that the library's file contains. identify() reads only data that is found quickly.
/// Some builds export no text with their version, so identify() knows only the release that added a function ("4.3",
/// "5.0 or newer"), or nothing (Intel MPI). For these builds this function reads the whole file and looks for a
/// constant string that can be the version. Returns `mpi.version` if there is no such string, or more than one.
bounded_text<32> exact_version(const library& mpi);

} // namespace anympi::runtime
