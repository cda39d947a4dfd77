#pragma once

#include "runtime/find/machine_root.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi::runtime {

/// What an MPI was chosen by: a person (ANYMPI_MPI, --mpi, the configuration), the launcher that started this process,
/// or a search of the machine.
enum class chosen_by : unsigned char { request, launcher, search };

struct choice {
    library mpi;
    chosen_by by = chosen_by::search;
    bounded_text<512> reason; // "ANYMPI_MPI=mpich", "/usr/bin/mpiexec belongs to it" …
};

/// The MPI that a person asks for: a name, a prefix or a file, and a text for messages that says where this was asked.
struct request {
    const char* value;
    const char* quoted; // "ANYMPI_MPI=mpich"
};

/// Chooses the MPI that this process runs on, by the first of these that names an MPI: ANYMPI_MPI; the launcher that
/// started the process; the configuration; a search of the machine. If no MPI is found, this function ends the process
/// with a message that says what was tried.
choice choose(const machine& machine = {});

/// Does the same into memory of the caller: a choice is too large for a small stack.
void choose(choice& result, const machine& machine = {});

/// Chooses the MPI that a person asks for in another way than by ANYMPI_MPI.
choice choose_requested(const request& asked, const machine& machine = {});

} // namespace anympi::runtime
