#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

/// The variable in which `anympi run` passes the fingerprint of the chosen library to the processes of a job.
inline constexpr char fingerprint_variable[] = "ANYMPI_JOB_LIBRARY";

/// Returns a text that distinguishes a library from other builds of the same name: "MPICH 4.3.2;5f03…" with the
/// linker's build number, or with the size of the file if there is no build number.
bounded_text<160> fingerprint(const library& mpi);

} // namespace anympi::runtime
