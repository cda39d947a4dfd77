"""Builds the suite's C programs with an MPI compiler, folder by folder, once for each ABI."""
from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from .source import CORRECTIONS

# The suite's defaults exclude threads and the tests that upstream expects to fail. Here these tests are compared, too.
# The suite does not need the GPU libraries that configure may find on the machine. With shared libraries, libtool would
# make a wrapper script instead of each program.
CONFIGURE_OPTIONS = ["MPIEXEC=false", "--disable-fortran", "--disable-cxx", "--disable-shared", "--enable-threads=multiple",
                     "--enable-xfail", "--without-cuda", "--without-ze", "--without-hip", "--disable-dependency-tracking"]
FLAGS = ["-O0", "-w"]
# Names that MPI 3 removed. The suite's library of data types (dtpools) and its `oldapi` tests still use them. The
# programs get names that every MPI has.
REMOVED = {"MPI_Address": "MPI_Get_address", "MPI_Errhandler_create": "MPI_Comm_create_errhandler",
           "MPI_Errhandler_get": "MPI_Comm_get_errhandler", "MPI_Errhandler_set": "MPI_Comm_set_errhandler",
           "MPI_Handler_function": "MPI_Comm_errhandler_function", "MPI_Type_hindexed": "MPI_Type_create_hindexed",
           "MPI_Type_hvector": "MPI_Type_create_hvector", "MPI_Type_struct": "MPI_Type_create_struct"}
# MPICH's extensions that the suite tests, with their names in MPI 4.1. MPICH has these names since 4.3.
ADOPTED = {f"MPIX_Delete_error_{what}": f"MPI_Remove_error_{what}" for what in ("class", "code", "string")}


def renamed(names: dict[str, str]) -> list[str]:
    return [f"-D{old}={new}" for old, new in names.items()]


# Open MPI 4.1's mpi.h has macros instead of the removed names, unless a macro disables them.
FLAGS_OF_ABI = {"standard": renamed(REMOVED), "openmpi": ["-DOMPI_OMIT_MPI1_COMPAT_DECLS=1", *renamed(REMOVED)], "mpich": []}
# These variables link programs without libtool, which takes longer than the compiler.
LINKING = ["LINK=$(CCLD) $(CFLAGS) -o $@", "F77LINK=$(F77) $(FFLAGS) -o $@", "FCLINK=$(FC) $(FCFLAGS) -o $@",
           "LIBS=-lm -lpthread"]
HELPERS = {"dtpools": "dtpools/src", "util": "util"}  # libraries with which all programs are linked, and their places
# make builds these programs only if they are named on its command line.
BY_NAME = {"f77/ext": ["allocmemf"], "f90/ext": ["allocmemf90"], "f08/ext": ["allocmemf90"]}


@dataclass
class Build:
    """The suite's C programs, built with one compiler."""
    OPTIONS: ClassVar[list[str]] = CONFIGURE_OPTIONS

    suite: Path                # source
    folder: Path               # build tree
    compiler: str
    abi: str                   # "standard", "mpich" or "openmpi"

    @property
    def label(self) -> str:
        """The compiler's name in messages."""
        return self.compiler

    @cached_property
    def header(self) -> str:
        """Returns the preprocessed mpi.h with the definitions of its macros, without comments."""
        done = subprocess.run([self.compiler, "-E", "-P", "-dD", "-x", "c", "-"], input="#include <mpi.h>\n",
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"anympi: {self.compiler} cannot compile an MPI program:\n{done.stderr.strip()}")
        return done.stdout

    @property
    def flags(self) -> str:
        adopted = {old: new for old, new in ADOPTED.items() if new in self.header}
        return " ".join(FLAGS + FLAGS_OF_ABI[self.abi] + renamed(adopted))

    @property
    def ingredients(self) -> list[str]:
        """Returns everything on which the built programs depend."""
        return [str(self.suite), str(CORRECTIONS), self.header, self.flags, *self.OPTIONS]

    @cached_property
    def fingerprint(self) -> str:
        """Returns a hash of the suite and of the ABI that programs see. The library that runs the programs does not change it."""
        return hashlib.sha256("\n".join(self.ingredients).encode()).hexdigest()[:16]

    @property
    def compilers(self) -> list[str]:
        """Returns the compilers for configure. MPICC is set in addition to CC, since configure otherwise uses the mpicc in
        PATH.
        """
        return [f"CC={self.compiler}", f"MPICC={self.compiler}", f"CFLAGS={self.flags}"]

    def make(self, folders: list[str], jobs: int) -> None:
        """Configures the suite and builds all missing programs. A program that cannot be built is left out; make.log
        contains the reason.
        """
        self.prepare(jobs)
        for name in folders:
            if not self.is_made(name):
                self.run_make(name, jobs, [*LINKING, "all", *BY_NAME.get(name, [])])
                self.mark_made(name)

    def make_programs(self, programs: dict[str, list[str]], jobs: int) -> None:
        """Builds some programs of each folder."""
        self.prepare(jobs)
        for folder, names in programs.items():
            wanted = [name for name in names if not (self.folder / folder / name).exists()]
            if wanted and not self.is_made(folder):
                self.run_make(folder, jobs, [*LINKING, *wanted])

    def prepare(self, jobs: int) -> None:
        self.configure()
        for name, place in HELPERS.items():
            if not self.is_made(name):
                self.make_helper(name, jobs)
                self.replace_libtool_libraries(self.folder / place)
                self.mark_made(name)

    def make_helper(self, name: str, jobs: int) -> None:
        self.run_make(name, jobs)

    def mark_made(self, name: str) -> None:
        (self.folder / name / "made").touch()

    def is_made(self, name: str) -> bool:
        return (self.folder / name / "made").exists() or not (self.folder / name / "Makefile").exists()

    def run_make(self, name: str, jobs: int, arguments: list[str] | None = None) -> None:
        print(f"building {name} with {self.label}", flush=True)
        with open(self.folder / name / "make.log", "w", encoding="utf-8") as log:
            subprocess.run(["nice", "make", "--keep-going", f"--jobs={jobs}", "--directory", self.folder / name,
                            f"CC={self.compiler}", f"CFLAGS={self.flags}", *(arguments or [])], stdout=log,
                           stderr=subprocess.STDOUT, check=False)

    @staticmethod
    def replace_libtool_libraries(folder: Path) -> None:
        """Replaces libtool's .la files with the archives that they describe, since the makefiles pass the names of the .la
        files to the linker.
        """
        for archive in (folder / ".libs").glob("*.a"):
            shutil.copyfile(archive, folder / f"{archive.stem}.la")

    def configure(self) -> None:
        stamp = self.folder / "configured"
        if stamp.exists() and stamp.read_text() == self.fingerprint:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        print(f"configuring the suite with {self.label}", flush=True)
        done = subprocess.run([self.suite / "configure", *self.compilers, *self.OPTIONS], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            lines = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
            raise SystemExit(f"anympi: the suite cannot be configured with {self.label}:\n{lines}\n"
                             f"anympi: details are in {self.folder / 'config.log'}")
        stamp.write_text(self.fingerprint)
