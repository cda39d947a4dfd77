#pragma once

// The text that `--help` prints after the options of each command.

namespace anympi::command {

inline constexpr char main_help[] = R"(Examples:
  mpicc hello.c -o hello               compile once (anympi's mpicc)
  anympi list                          the MPI libraries of this machine
  anympi run -n 4 ./hello              run on the one that would be chosen here
  anympi run --mpi openmpi -n 4 ./hello
  anympi inspect ./hello               what a program was built for and what it uses
  anympi doctor ./hello                what is wrong, and what to do
  anympi adopt ./theirs -o ./ours      a copy of a program that runs on any MPI without `anympi run`)";

inline constexpr char run_help[] =
    R"(anympi starts the launcher that belongs to the MPI (mpiexec.hydra, mpirun …; srun inside an allocation of Slurm).
Options that anympi does not know go to the launcher unchanged. anympi's own options come before the program.
Programs that were built for MPICH or Open MPI run on every MPI, as programs built with anympi's mpicc do.

The name of an MPI is family[-version][:standard|:vendor], in any case: openmpi, mpich-4.0, "Open MPI 5.0.11",
mpich-5:vendor. `anympi list` prints the names of the MPIs of this machine.

Examples:
  anympi run -n 4 ./hello
  anympi run --mpi mpich -n 2 ./solver --steps 100
  anympi run --mpi /opt/openmpi-5 --oversubscribe -n 8 ./solver
  anympi run --mpi ~/mpich/lib/libmpi.so.12 -n 2 -host node1,node2 -- ./solver
  anympi run -n 2 python3 -m mpi4py script.py
  anympi run --dry-run -n 4 ./hello
  anympi run --explain -n 4 ./hello
  anympi run --check-hosts -n 4 -hosts node1,node2 ./hello)";

inline constexpr char list_help[] =
    R"(Each library is opened in a process of its own and asked for its version. A library that crashes or does not answer
is listed with the reason. * marks the MPI on which a program started here would run. `--mpi NAME` chooses the MPI with
this NAME and no other.

Examples:
  anympi list
  anympi list --json
  anympi list --names
  ANYMPI_MPI=/opt/openmpi-5 anympi list)";

inline constexpr char inspect_help[] =
    R"(Shows for which MPI ABI a program or library was built, and which functions of MPI it uses. For each MPI of this
machine it shows how many of these functions are native, extended or emulated by anympi, or missing. It reads the
libraries and symbols that the program and its libraries need. Nothing is run.

With --functions it shows for each function of MPI, or for the named functions, what a program that was compiled with
anympi calls on each MPI of this machine: the library's function, or a function of anympi, and why. --abi mpich and
--abi openmpi show the same for programs that were built for MPICH or Open MPI.

Examples:
  anympi inspect ./solver
  anympi inspect --functions MPI_Bsend MPI_Isendrecv
  anympi inspect --functions --abi openmpi MPI_Psend_init
  anympi inspect /usr/lib/x86_64-linux-gnu/libhdf5_openmpi.so.103
  anympi inspect --json ./solver | jq '.files[0].abi')";

inline constexpr char doctor_help[] =
    R"(Checks the configuration, the environment, shared memory and every MPI: whether its library opens, which launcher
belongs to it, and whether two processes start and find each other. For programs it checks the libraries that they would
load, RPATHs that lead past anympi, and two MPIs in one process. Each finding has a remedy. The exit code is 1 if there
is a problem, and 0 if there are only warnings.

With --hosts it asks several hosts at the same time (by ssh, or by srun inside an allocation of Slurm) and prints how they
differ from this host: anympi, the MPI library and its launcher, shared memory, clocks and file times.

Examples:
  anympi doctor
  anympi doctor ./solver
  anympi doctor --hosts node1,node2
  anympi doctor --json ./solver | jq '.findings[] | select(.level == "problem")')";

inline constexpr char adopt_help[] =
    R"(Writes a copy of a program that cannot be started with `anympi run`, or whose RPATH leads past anympi. The copy names
anympi's library by its path, instead of the MPI library for which it was built. It runs on the MPI whose launcher starts
it. The original stays as it is. This command needs patchelf (Debian: apt install patchelf).

Examples:
  anympi adopt ./solver -o ./solver.any
  mpiexec -n 4 ./solver.any)";

inline constexpr char config_help[] =
    R"(The files are /etc/anympi/config.toml (the site's) and ~/.config/anympi/config.toml (yours, which counts first):

  mpi = "openmpi"                  # a name, a folder or a library file
  search = ["/apps/openmpi-5"]     # further installations
  [run]
  oversubscribe = true             # also: allow_root, slurm, verbose
  [launcher]
  openmpi = "/apps/openmpi-5/bin/mpirun"
  [options]
  openmpi = ["--mca", "btl", "self,vader"]

Examples:
  anympi config
  anympi config set run.oversubscribe true
  anympi config set search /apps/openmpi-5 /apps/mpich-5
  anympi config set options.openmpi -- --mca btl self,vader
  anympi config get mpi
  anympi config unset mpi
  anympi config edit
  anympi config --site
  anympi config set --site forbid openmpi
  anympi config --json)";

} // namespace anympi::command
