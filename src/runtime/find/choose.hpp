#pragma once

#include "runtime/find/machine_root.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi::runtime {

struct choice {
    library mpi;
    bounded_text<512> reason; // "ANYMPI_MPI=mpich", "/usr/bin/mpiexec belongs to it" …
};

// The MPI that was asked for: a name, a prefix or a file, and a text for messages that says where this was asked.
struct request {
    const char* value;
    const char* quoted; // "ANYMPI_MPI=mpich"
};

// Chooses the MPI that this process is to run on, by the first of these that names one: ANYMPI_MPI; the launcher that
// started the process; the configuration; the machine. If there is none, stops with a message that says what was
// tried.
choice choose(const machine& machine = {});

// Does the same into memory of the caller: a choice is too large for a small stack.
void choose(choice& result, const machine& machine = {});

// Chooses the MPI that was asked for in another way than by ANYMPI_MPI.
choice choose_requested(const request& asked, const machine& machine = {});

} // namespace anympi::runtime
