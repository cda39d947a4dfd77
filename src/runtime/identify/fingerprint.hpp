#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

// The variable by which `anympi run` tells the processes of a job which library it has chosen.
inline constexpr char fingerprint_variable[] = "ANYMPI_JOB_LIBRARY";

// Returns what tells a library from others of its name: "MPICH 4.3.2;5f03…", with the number that the linker gave to
// this build; the size of the file if there is no such number.
bounded_text<160> fingerprint(const library& mpi);

} // namespace anympi::runtime
