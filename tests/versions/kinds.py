"""The kinds of programs: how each is built for a version, and how it is started."""
from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from lib import process
from lib.context import BuildError, Context

from .installations import Known, Version

HERE = Path(__file__).resolve().parent
FLAGS = ["-O1", "-w"]


@dataclass(frozen=True)
class Kind:
    name: str        # in the table
    language: str    # "c", "cxx", "fortran"
    source: str
    flags: Callable[[Version], list[str]]
    finish: Callable[[Context, Path], Path] = lambda _, built: built  # the program to start, from what was built
    is_by_launcher: bool = False                                      # and not with `anympi run`


def with_flags(*flags: str) -> Callable[[Version], list[str]]:
    return lambda _: list(flags)


def for_fortran(method: str) -> Callable[[Version], list[str]]:
    """Returns the options for Fortran. Open MPI 4.1 declares MPI_Status_f082f and does not have it."""
    return lambda version: [f"-DWITH_{method}", "-fallow-argument-mismatch",
                            *(["-DWITHOUT_STATUS_CONVERSIONS"] if version.name.startswith("openmpi-4") else [])]


def runpath_to_own_library(version: Version) -> list[str]:
    """Returns the option that the wrappers of most installations set: it would lead to the library for which the
    program was built.
    """
    return [f"-Wl,--enable-new-dtags,-rpath,{version.runtime.library.parent}"]


def write_script(built: Path, suffix: str, text: str) -> Path:
    script = built.with_name(f"{built.name}.{suffix}")
    if not script.exists():
        script.write_text(text)
        script.chmod(0o755)
    return script


def in_shell(_context: Context, built: Path) -> Path:
    return write_script(built, "sh", f"#!/bin/sh\n{shlex.quote(str(built))}\n")


def in_python(_context: Context, built: Path) -> Path:
    return write_script(built, "py", f"#!/usr/bin/python3\nimport ctypes\nctypes.CDLL({str(built)!r}).main()\n")


def adopted(context: Context, built: Path) -> Path:
    copy = built.with_name(f"{built.name}-adopted")
    if not copy.exists():
        done = process.run([context.build / "bin" / "anympi", "adopt", built, "-o", copy], 60)
        if done.code != 0:
            raise BuildError(done.output)
    return copy


KINDS = [
    Kind("C", "c", "calls_in_c.c", with_flags()),
    Kind("MPI-1", "c", "names_of_mpi1.c", with_flags("-DOMPI_OMIT_MPI1_COMPAT_DECLS=0")),  # otherwise mpi.h of Open MPI
                                                                                           # lacks these names
    Kind("C++", "cxx", "bindings_of_mpi.cpp", with_flags()),
    Kind("mpif.h", "fortran", "calls_in_fortran.F90", for_fortran("MPIF")),
    Kind("mpi", "fortran", "calls_in_fortran.F90", for_fortran("MPI")),
    Kind("mpi_f08", "fortran", "calls_in_fortran.F90", for_fortran("F08")),
    Kind("newer", "c", "newer_calls.c", with_flags()),
    Kind("newer -z now", "c", "newer_calls.c", with_flags("-Wl,-z,now")),
    Kind("newer adopted", "c", "newer_calls.c", with_flags(), adopted, is_by_launcher=True),
    Kind("script", "c", "calls_in_c.c", runpath_to_own_library, in_shell),
    Kind("newer by script", "c", "newer_calls.c", with_flags(), in_shell),
    Kind("Python", "c", "calls_in_c.c", with_flags("-shared", "-fPIC"), in_python),
]


def why_not_built(kind: Kind, version: Version | Known) -> str:
    """Returns the reason why a version has no such programs; empty if it has them."""
    return version.lacks.get(kind.language) or version.lacks.get(kind.name, "")


def folder_of_modules(context: Context, kind: Kind, name: str) -> list[str]:
    """Returns the folder into which gfortran writes the modules of a program. Other programs with modules of the same
    names are compiled at the same time.
    """
    if kind.language != "fortran":
        return []
    folder = context.work / "modules_of_cells" / name
    folder.mkdir(parents=True, exist_ok=True)
    return [f"-J{folder}"]


def build(context: Context, kind: Kind, version: Version) -> Path:
    """Returns the program to start."""
    teller = context.compile("tell_cell.o", [HERE / "tell_cell.c", HERE / "tell_cell.h"], ["-c", "-O1", "-fPIC"])
    name = f"{kind.name}-for-{version.name}"
    built = context.compile(name, [HERE / kind.source, HERE / "tell_cell.h", teller],
                            [*FLAGS, *kind.flags(version), *folder_of_modules(context, kind, name)], version.compilers[kind.language])
    with context.lock_of(built):
        return kind.finish(context, built)
