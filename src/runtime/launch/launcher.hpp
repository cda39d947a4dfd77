#pragma once

#include "runtime/find/machine_root.hpp"
#include "runtime/identify/library.hpp"

namespace anympi::runtime {

enum class launcher_kind : unsigned char {
    none,
    hydra,      // MPICH's mpiexec
    intel,      // Intel's variant of it
    mvapich,    // mpirun_rsh
    openmpi,    // orterun of Open MPI up to 4
    prrte,      // prterun, of Open MPI from 5 on or of its own
    slurm_pmix, // srun, by what it offers its processes
    slurm_pmi,
    slurm,
    flux,
    pals,      // HPE's mpiexec and aprun
    jsrun,     // of IBM's LSF
    other_pmi, // gforker and others that set PMI_SIZE
    other_pmix
};

// Returns true for Slurm's srun, whatever it offers its processes.
bool is_srun(launcher_kind kind);

// Returns true for batch systems, which start the processes of any MPI and belong to none.
bool is_batch_system(launcher_kind kind);

// Returns true for launchers that do not end the job when a process ends before MPI_Init, unless a signal has ended it.
bool waits_for_ended_processes(launcher_kind kind);

// By what a launcher lets its processes find each other, where it is known to be just this.
enum class wire_up : unsigned char { unknown, pmi, pmix };

// How this process was started.
struct launch {
    launcher_kind kind = launcher_kind::none;
    family serves = family::unknown; // the libraries that it can start as one job; unknown: more than one, or not known
    wire_up offers = wire_up::unknown;
    const char* product = ""; // whose launcher it is, as ANYMPI_MPI names it; "": nobody's
    const char* called = "";  // "MPICH's mpiexec", for messages
    const char* advice = "";  // how it can be made to start other libraries, as the end of a sentence
    int rank = -1;            // -1: not told
    int size = -1;
    int local_rank = -1;            // among the processes on this machine
    bool spans_hosts = false;       // known to have processes on other machines
    char executable[PATH_MAX] = ""; // filled by locate_launcher
};

// Finds out how this process was started, from the environment alone. Only if launchers of both families have left
// their marks (one was started inside the other), the nearest one among the parent processes decides.
launch detect_launcher(const machine& machine = {});

// Returns true inside an allocation of Slurm's, whoever started this process there.
bool is_in_slurm_allocation();

// Finds the executable of the nearest launcher among this process's parents. Returns false if none can be seen, as in a
// container or for a daemon of another user.
bool locate_launcher(const machine& machine, launch& start);

// An executable that is known as a launcher by its name.
struct launcher_program {
    const char* name;
    family serves;
};
const launcher_program* find_launcher_program(const char* path); // nullptr if the name is no launcher's

// Sets the variables that the launcher of the family `programs` would have set, if the launcher is of another family:
// rank, size, rank on this machine. Some programs look up their rank in the environment before MPI_Init.
void set_launcher_variables(family programs, const launch& start);

// Stops the job if launcher and library are known not to fit: each process would run alone, or fail in MPI_Init.
// ANYMPI_ALLOW_SINGLETON=1 lets it go on.
void check_before_init(const library& mpi, const launch& start);

// Checks the same more strictly, for a process that goes on without us: nobody will look at the size of its world.
void check_before_stepping_aside(const library& mpi, const launch& start);

// Checks the same after MPI_Init, by the size of the world: this also finds what the library's file cannot tell (the
// PMI it was built for). A process with a parent was spawned, so its world may have one process.
void check_after_init(const library& mpi, const launch& start, int world_size, bool has_parent);

} // namespace anympi::runtime
