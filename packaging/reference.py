"""The exit codes, files and variables of the manual pages. tests/packaging/documents.py compares the variables with the
documents and with the variables that the sources read."""
from __future__ import annotations

# Variables of anympi, which programs and the command read. The user's guide describes them in other words.
VARIABLES = [
    ("ANYMPI_MPI", "The MPI library to use: a name that `anympi list` prints, the folder of an installation or a library file."),
    ("ANYMPI_VERBOSE=1", "Print on standard error which library was chosen, and why."),
    ("ANYMPI_EMULATE=off", "Use only functions that the library has. A call of a missing function reports "
                           "MPI_ERR_UNSUPPORTED_OPERATION."),
    ("ANYMPI_EMULATE=all", "For `anympi run`: replace functions that the library does wrong also if the program runs on a library "
                           "of its own family."),
    ("ANYMPI_ALLOW_SINGLETON=1", "Do not stop a program whose launcher belongs to another MPI than the one chosen. Each process is "
                                 "then a separate job."),
    ("ANYMPI_CHECK_JOB=1", "Compare the library of each process with the library of rank 0 when MPI starts. "
                           "`anympi run` always compares."),
    ("ANYMPI_SHOW_FUNCTIONS=1", "For developers: print which functions of the library anympi has built, replaced or extended."),
]

# Other variables that change what the command does.
FURTHER_VARIABLES = [
    ("PATH", "The installation of each mpiexec in it is searched for an MPI."),
    ("MPI_HOME, MPI_ROOT", "Prefixes of installations, which are searched first. The variables of products (I_MPI_ROOT, OPENMPI_ROOT, "
                           "CRAY_MPICH_DIR and others), of EasyBuild, conda and virtual environments, and SPACK_ROOT count too."),
    ("LD_LIBRARY_PATH", "Its folders are searched for an MPI."),
    ("XDG_CONFIG_HOME", "The folder of the user's configuration, instead of ~/.config."),
    ("SLURM_JOB_ID", "Inside an allocation of Slurm `anympi run` starts programs by srun."),
    ("NO_COLOR", "If it is set, the output has no colours."),
    ("COLUMNS", "The number of columns of the output if it is not a terminal (default: 80)."),
]

WRAPPER_VARIABLES = {
    "mpicc": [("ANYMPI_CC", "The C compiler (default: cc).")],
    "mpicxx": [("ANYMPI_CXX", "The C++ compiler (default: c++).")],
    "mpifort": [("ANYMPI_FC", "The Fortran compiler (default: gfortran)."),
                ("ANYMPI_MODULES", "The folder of the compiled modules, instead of lib/anympi/modules of the installation and "
                                   "~/.cache/anympi/modules."),
                ("XDG_CACHE_HOME", "The user's cache, instead of ~/.cache.")],
}

FILES = [
    ("~/.config/anympi/config.toml", "The user's configuration. `anympi config --help` shows an example."),
    ("/etc/anympi/config.toml", "The site's configuration."),
    ("PREFIX/lib/libmpi_abi.so.1", "The library that programs built with mpicc load, where PREFIX is the folder of the installation."),
    ("PREFIX/lib/anympi", "The libraries and helpers that `anympi run` uses."),
    ("PREFIX/share/doc/anympi", "The documents and examples."),
]

WRAPPER_FILES = {
    "mpifort": [("PREFIX/lib/anympi/modules", "The compiled modules. If this folder cannot be written: ~/.cache/anympi/modules."),
                ("PREFIX/share/anympi/fortran", "The sources of the modules.")],
}

_GOOD = ("0", "Success.")
_USAGE = ("2", "The command line is wrong.")
# Commands that are not listed have the exit codes of the first entry.
EXIT_STATUS = {
    "": [_GOOD, ("1", "Something is wrong. The message on standard error says what is wrong and what to do."), _USAGE],
    "run": [("the launcher's", "The launcher takes the place of the command."),
            ("1", "The program was not started. The message on standard error says why."), _USAGE],
    "list": [_GOOD, ("1", "No MPI can be chosen, or the output could not be written."), _USAGE],
    "inspect": [_GOOD, ("1", "A file cannot be read or is not a program, or a name is not a function of MPI."), _USAGE],
    "doctor": [("0", "No problem was found. There may be warnings."), ("1", "There is a problem."), _USAGE],
}
WRAPPER_EXIT_STATUS = [("the compiler's", "The compiler takes the place of the wrapper."),
                       ("1", "The compiler was not found, or an option cannot work with MPI.")]
