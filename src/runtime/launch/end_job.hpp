#pragma once

#include "runtime/launch/launcher.hpp"

namespace anympi::runtime {

/// Ends this process with code 1 and without exit handlers. If other processes of its job run, it ends in a way that
/// makes the launcher end them as well, because they would wait in MPI_Init for this process.
[[noreturn]] void end_job(const launch& start);

} // namespace anympi::runtime
