#pragma once

// What `--help` says below the options of each command.

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
    R"(The launcher is the one that belongs to the MPI (mpiexec.hydra, mpirun …; srun inside an allocation of Slurm).
Options that anympi does not know go to it unchanged; anympi's own come before the first word that is no option.
Programs built for MPICH or Open MPI run on every MPI as those built with anympi's mpicc do.

Examples:
  anympi run -n 4 ./hello
  anympi run --mpi mpich -n 2 ./solver --steps 100
  anympi run --mpi /opt/openmpi-5 --oversubscribe -n 8 ./solver
  anympi run --mpi ~/mpich/lib/libmpi.so.12 -n 2 -host node1,node2 -- ./solver
  anympi run -n 2 python3 -m mpi4py script.py
  anympi run --dry-run -n 4 ./hello
  anympi run --check-hosts -n 4 -hosts node1,node2 ./hello)";

inline constexpr char list_help[] =
    R"(Each library is opened in a process of its own and asked for its version; one that crashes or does not answer
is listed with the reason. The mark * stands before the one on which a program started here would run.

Examples:
  anympi list
  anympi list --json
  anympi list --names
  ANYMPI_MPI=/opt/openmpi-5 anympi list)";

inline constexpr char inspect_help[] =
    R"(Tells for which MPI ABI a program or library was built (by the libraries that it needs and the symbols that it
asks for, those of its own libraries too), which functions of MPI it uses, and for each MPI of this machine how many
of these are native, extended or emulated by anympi, or missing. Nothing is run.

With --functions it tells of each function of MPI, or of those that are named, who answers a program that was compiled
with anympi, on each MPI of this machine: the library, or which function of anympi and why. With --abi it answers for
programs that were built for MPICH (--abi mpich) or Open MPI (--abi openmpi).

Examples:
  anympi inspect ./solver
  anympi inspect --functions MPI_Bsend MPI_Isendrecv
  anympi inspect --functions --abi openmpi MPI_Psend_init
  anympi inspect /usr/lib/x86_64-linux-gnu/libhdf5_openmpi.so.103
  anympi inspect --json ./solver | jq '.files[0].abi')";

inline constexpr char doctor_help[] =
    R"(Looks at the configuration, the environment, shared memory and every MPI: whether its library opens, which launcher
belongs to it, and whether two processes start and find each other. Of programs: the libraries that they would load,
RPATHs that lead past anympi, two MPIs in one process. Each finding comes with its remedy; the exit code is 1 where
there is a problem, 0 where there are warnings at most.

With --hosts it asks several hosts at the same time, by ssh or inside an allocation of Slurm by srun, and prints what they
lack or have otherwise than this host: anympi, the MPI library and its launcher, shared memory, clocks and file times.

Examples:
  anympi doctor
  anympi doctor ./solver
  anympi doctor --hosts node1,node2
  anympi doctor --json ./solver | jq '.findings[] | select(.level == "problem")')";

inline constexpr char adopt_help[] =
    R"(For programs that cannot be started by `anympi run`, or whose RPATH leads past it. The copy names anympi's library by its
path, instead of the one of the MPI for which it was built: it runs on the MPI whose launcher starts it. The original is
left as it is. Needs patchelf (Debian: apt install patchelf).

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
