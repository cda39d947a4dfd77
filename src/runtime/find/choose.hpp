#pragma once

#include "runtime/find/machine_root.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi::runtime {

struct choice {
    library mpi;
    bounded_text<512> reason; // "ANYMPI_MPI=mpich", "/usr/bin/mpiexec belongs to it" …
};

// What somebody asked for: a name, a prefix or a file, and how to quote the one who asked.
struct request {
    const char* value;
    const char* quoted; // "ANYMPI_MPI=mpich"
};

// The MPI that this process is to run on. The first that answers: ANYMPI_MPI; the launcher that started the process;
// the configuration; the machine. Stops with a message that says what was tried where nothing can be had.
choice choose(const machine& machine = {});

// The same into memory of the caller: a choice is too large for a small stack.
void choose(choice& result, const machine& machine = {});

// The MPI that was asked for by another way than ANYMPI_MPI.
choice choose_requested(const request& asked, const machine& machine = {});

} // namespace anympi::runtime
