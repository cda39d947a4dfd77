#pragma once

#include "runtime/launcher.hpp"
#include "runtime/library.hpp"
#include "runtime/machine.hpp"

namespace anympi::runtime {

struct choice {
    library mpi;
    bounded_text<512> reason; // "ANYMPI_MPI=mpich", "/usr/bin/mpiexec belongs to it" …
};

// The MPI that this process is to run on. The first that answers: ANYMPI_MPI; the launcher that started the process;
// the configuration; the machine. Stops with a message that says what was tried where nothing can be had.
choice choose(const machine& machine = {});

} // namespace anympi::runtime
