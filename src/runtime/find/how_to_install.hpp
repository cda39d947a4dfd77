#pragma once

#include "base/text.hpp"
#include "runtime/find/machine_root.hpp"

namespace anympi::runtime {

/// Returns the command that installs an MPI on this machine, for the distribution that /etc/os-release names: "sudo apt
/// install mpich". For an unknown distribution it is `pip install mpich`.
bounded_text<64> command_to_install(const machine& machine);

/// Return the two lines of the message for a machine without any MPI.
bounded_text<320> explain_lack_of_mpi();
bounded_text<256> advise_to_install(const machine& machine);

} // namespace anympi::runtime
