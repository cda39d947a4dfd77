#pragma once

#include "runtime/identify/library.hpp"

namespace anympi {

/// For a program whose own family of libraries was chosen: it needs no front, but has loaded ours in the place of its
/// library. Starts the program once more, in the same process, with the real one.
[[noreturn]] void step_aside(const runtime::library& mpi);

} // namespace anympi
