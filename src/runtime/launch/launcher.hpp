#pragma once

#include "runtime/find/machine_root.hpp"
#include "runtime/identify/library.hpp"

namespace anympi::runtime {

enum class launcher_kind : unsigned char {
    none,
    hydra,      // MPICH's mpiexec
    intel,      // Intel's variant of hydra
    mvapich,    // mpirun_rsh
    openmpi,    // orterun of Open MPI up to 4
    prrte,      // prterun, of Open MPI 5 or newer, or installed separately
    slurm_pmix, // srun that offers PMIx
    slurm_pmi,
    slurm,
    flux,
    pals,      // HPE's mpiexec and aprun
    jsrun,     // in IBM's LSF
    other_pmi, // gforker and others that set PMI_SIZE
    other_pmix
};

/// Returns true for Slurm's srun, whether it offers PMI or PMIx.
bool is_srun(launcher_kind kind);

/// Returns true for batch systems, which can start the processes of any MPI.
bool is_batch_system(launcher_kind kind);

/// Returns true for launchers that do not end the job when a process ends before MPI_Init, unless a signal ended it.
bool waits_for_ended_processes(launcher_kind kind);

/// The interface by which the processes of a launcher find each other, if it is known to be only this one.
enum class wire_up : unsigned char { unknown, pmi, pmix };

/// How this process was started.
struct launch {
    launcher_kind kind = launcher_kind::none;
    family serves = family::unknown; // the libraries that form one job under it; unknown: any or not known
    wire_up offers = wire_up::unknown;
    const char* product = ""; // the product that the launcher belongs to, as a name for ANYMPI_MPI; "" if unknown
    const char* called = "";  // "MPICH's mpiexec", for messages
    const char* advice = "";  // how it can start other libraries, as the end of a sentence
    int rank = -1;            // -1 if unknown
    int size = -1;
    int local_rank = -1;            // the rank among the processes on this machine
    bool spans_hosts = false;       // true if the job is known to have processes on other machines
    char executable[PATH_MAX] = ""; // set by locate_launcher
};

/// Finds out from the environment how this process was started. If launchers of both families have set variables (one
/// was started inside the other), the nearest one among the parent processes counts.
launch detect_launcher(const machine& machine = {});

/// Returns true inside an allocation of Slurm, whichever launcher started this process.
bool is_in_slurm_allocation();

/// Finds the executable of the nearest launcher among this process's parents. Returns false if no launcher is visible,
/// as in a container, or if it is a daemon of another user.
bool locate_launcher(const machine& machine, launch& start);

/// An executable that is known as a launcher by its name.
struct launcher_program {
    const char* name;
    family serves;
};
const launcher_program* find_launcher_program(const char* path); // returns nullptr if no launcher has this name

/// Sets the variables that a launcher of the family `programs` sets (rank, size, rank on this machine), if the launcher
/// is of another family. Some programs read their rank from the environment before MPI_Init.
void set_launcher_variables(family programs, const launch& start);

/// Stops the job if launcher and library are known to be incompatible: each process would run as a single process, or
/// fail in MPI_Init. ANYMPI_ALLOW_SINGLETON=1 lets the job continue.
void check_before_init(const library& mpi, const launch& start);

/// Does the same check more strictly, for a process that continues without the front: nothing will check the size of
/// its world later.
void check_before_stepping_aside(const library& mpi, const launch& start);

/// Does the same check after MPI_Init by the size of the world. This also detects properties that the library's file
/// does not show (the PMI it was built for). A process with a parent was spawned, so its world may have one process.
void check_after_init(const library& mpi, const launch& start, int world_size, bool has_parent);

} // namespace anympi::runtime
