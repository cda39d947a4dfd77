#pragma once

#include "runtime/find/machine_root.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi::runtime {

/// The reason why an MPI was chosen: a person asked for it (ANYMPI_MPI, --mpi, the configuration), the launcher that
/// started this process decided, or a search of the machine found it.
enum class chosen_by : unsigned char { request, launcher, search };

struct choice {
    library mpi;
    chosen_by by = chosen_by::search;
    bounded_text<512> reason; // "ANYMPI_MPI=mpich", "/usr/bin/mpiexec belongs to it" …
};

/// An MPI that a person asks for.
struct request {
    const char* value;  // a name, a folder or a library file
    const char* quoted; // the setting that asks for it, for messages: "ANYMPI_MPI=mpich"
};

/// Chooses the MPI for this process, by the first of these that names one: ANYMPI_MPI; the launcher that started the
/// process; the configuration; a search of the machine. The rules of the site (`forbid`, `require`) then apply. If no
/// MPI can be chosen, the process stops with a message.
choice choose(const machine& machine = {});

/// Does the same, but writes the choice to the caller's memory: a choice is too large for a small stack.
void choose(choice& result, const machine& machine = {});

/// Chooses the MPI that a person asks for with a setting other than ANYMPI_MPI.
choice choose_requested(const request& asked, const machine& machine = {});

} // namespace anympi::runtime
