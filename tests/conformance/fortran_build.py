"""Builds the suite's Fortran folders in a separate build tree, so that C needs no Fortran compiler."""
from __future__ import annotations

import hashlib
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from .building import CONFIGURE_OPTIONS, Build
from .source import FORTRAN_CORRECTIONS

FLAGS = ["-O0", "-w"]
# The suite calls the same procedure with arguments of different types. gfortran refuses such calls since version 10,
# unless it gets this option. Some wrappers add the option already, and some compilers do not know it.
OPTIONAL_FLAGS = ["-fallow-argument-mismatch"]
# configure enables the library of the mpi_f08 programs only inside MPICH's own build. Elsewhere the library's list of
# objects is empty, so make gets this list as an argument.
F08_LIBRARY = ["libmtest_f08_la_OBJECTS=mtest_f08.lo", "all", "libmtest_f08.la"]


@lru_cache(maxsize=None)
def compiles(compiler: str, program: str, *flags: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "program.f90"
        source.write_text(program)
        return subprocess.run([compiler, *flags, "-c", source.name], cwd=folder, capture_output=True, check=False).returncode == 0


@lru_cache(maxsize=None)
def why_not(compiler: str) -> str:
    """Returns the reason why a Fortran compiler cannot build the suite; empty if it can."""
    if not shutil.which(compiler):
        return f"there is no {compiler}"
    if not compiles(compiler, "use mpi\nend\n"):
        return f"{compiler} cannot compile a program that uses the module mpi"
    return ""


@dataclass
class FortranBuild(Build):
    """The suite's Fortran programs, with their parts in C."""
    OPTIONS: ClassVar[list[str]] = ["--enable-fortran=all" if option == "--disable-fortran" else option
                                    for option in CONFIGURE_OPTIONS]

    fortran: str               # compiler

    @property
    def label(self) -> str:
        return self.fortran

    @cached_property
    def fortran_flags(self) -> str:
        return " ".join(FLAGS + [flag for flag in OPTIONAL_FLAGS if compiles(self.fortran, "end\n", flag)])

    @cached_property
    def interfaces(self) -> str:
        """Returns a hash of the files that programs read by `include` and `use`."""
        shown = subprocess.run([self.fortran, "-show", "-c", "program.f90"], capture_output=True, text=True, check=True).stdout
        folders = [Path(word[2:]) for word in shlex.split(shown) if word.startswith("-I")]
        files = {file.resolve() for folder in folders for pattern in ("mpi*.h", "*.mod") for file in folder.glob(pattern)}
        return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()

    @property
    def ingredients(self) -> list[str]:
        return [*super().ingredients, str(FORTRAN_CORRECTIONS), self.interfaces, self.fortran_flags]

    @property
    def compilers(self) -> list[str]:
        """Returns the compilers and their flags for configure. configure adds flags for Cray pointers. make gets no flags,
        since they would replace configure's.
        """
        names = [f"{name}={self.fortran}" for name in ("F77", "MPIF77", "FC", "MPIFC")]
        return [*super().compilers, *names, f"FFLAGS={self.fortran_flags}", f"FCFLAGS={self.fortran_flags}"]

    def make_helper(self, name: str, jobs: int) -> None:
        self.run_make(name, jobs, F08_LIBRARY if name == "util" else None)
