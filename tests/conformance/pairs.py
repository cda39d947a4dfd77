"""Pairs. A pair is an ABI of programs and a runtime. It compares two ways of running the suite: natively on the runtime,
and through the front for the ABI.
"""
from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from lib.runtimes import OPEN_MPI_ENVIRONMENT, OPEN_MPI_OPTIONS, Runtime
from lib.vendor_table import STANDARD, VENDORS

from .testlists import FOLDERS

# The front for programs of each ABI, in lib/ of the build tree. OTHER_NAMES has further names for the same file.
FRONTS = {STANDARD: "libmpi_abi.so.1", **{vendor.abi: vendor.front for vendor in VENDORS}}
OTHER_NAMES = {"mpich": ["libmpich.so.12"]}
# Further libraries that Fortran programs need; they are in the folder of the front.
FORTRAN_FRONTS = {"standard": ["libmpifort_abi.so.1"], "mpich": ["libmpichfort.so.12", "libmpifort.so.12"],
                  "openmpi": ["libmpi_mpifh.so.40", "libmpi_usempi_ignore_tkr.so.40", "libmpi_usempif08.so.40"]}
# Settings of the runtimes, for both sides. Several tests run at the same time, so waiting ranks must yield the core. A
# test fails if it prints unexpected text, so warnings of UCX and Open MPI 5.0's messages about UCX are off.
SETTINGS = {"openmpi": {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_osc_ucx_verbose": "-1"},
            "mpich": {"UCX_LOG_LEVEL": "error"}}
COMPILERS = {vendor.abi: vendor.wrapper for vendor in VENDORS}
FORTRAN_COMPILERS = {vendor.abi: vendor.fortran_wrapper for vendor in VENDORS}


@dataclass(frozen=True)
class Variant:
    """Plug-ins of a runtime that call MPI internally and are not its default, and the folders of tests that use them."""
    name: str
    launcher_options: tuple[str, ...]
    folders: tuple[str, ...]


def folders_called(name: str) -> tuple[str, ...]:
    return tuple(folder for folder in FOLDERS if folder.split("/")[-1] == name)


VARIANTS = {"openmpi": [Variant("osc-pt2pt", ("--mca", "osc", "sm,pt2pt"), folders_called("rma")),
                        Variant("io-romio", ("--mca", "io", "romio321"), folders_called("io"))]}
DEFAULT_VARIANT = Variant("", (), ())


@dataclass
class Side:
    """One way of running the suite: programs of a build, on a runtime, with or without a front."""
    name: str                  # of the folder of results: native-mpich, standard-mpich, standard-mpich-other (--library)
    runtime: Runtime
    programs: Path             # build tree of the suite
    fingerprint: str           # results with another fingerprint do not count
    environment: dict[str, str] = field(default_factory=dict)
    launcher_options: tuple[str, ...] = ()


@dataclass
class Pair:
    app: str
    runtime: Runtime
    variant: Variant = DEFAULT_VARIANT

    @property
    def label(self) -> str:
        """The runtime, with its plug-ins."""
        return self.runtime.name + (f"+{self.variant.name}" if self.variant.name else "")

    @property
    def name(self) -> str:
        return f"{self.app}:{self.label}"

    @property
    def lists(self) -> str:
        """Returns the name of this side in the lists of differences."""
        return self.label if self.app == "standard" else self.name

    def covers(self, folder: str) -> bool:
        return not self.variant.folders or folder in self.variant.folders


def installed(prefix: Path) -> Runtime:
    """Returns an MPI that tests/run.py does not know, from its installation folder."""
    # The names have a version number, since libmpi.so without a number may be a linker script.
    libraries = [path for name in ("libmpi", "libmpich") for path in sorted(prefix.glob(f"lib*/{name}.so.[0-9]*"))]
    launcher = prefix / "bin" / "mpiexec"
    if not libraries or not launcher.exists():
        raise SystemExit(f"anympi: {prefix} holds no MPI: it has no bin/mpiexec or no lib/libmpi.so.VERSION")
    if (prefix / "bin" / "ompi_info").exists():
        return Runtime(prefix.name, "openmpi", libraries[0], [str(launcher), *OPEN_MPI_OPTIONS], OPEN_MPI_ENVIRONMENT)
    return Runtime(prefix.name, "mpich", libraries[0], [str(launcher)])


def native_compiler(runtime: Runtime) -> str:
    """Returns the runtime's own compiler wrapper. On Debian, its name ends with the library's name. Other installations
    have it in bin/ next to the library's folder.
    """
    beside = runtime.library.parent.parent / "bin" / ("mpicc_abi" if runtime.family == "standard" else "mpicc")
    compiler = COMPILERS.get(runtime.name, str(beside))
    if not shutil.which(compiler):
        raise SystemExit(f"anympi: {runtime.name} has no compiler to build the suite natively with ({compiler})")
    return compiler


def native_fortran_compiler(runtime: Runtime) -> str:
    return FORTRAN_COMPILERS.get(runtime.name, str(runtime.library.parent.parent / "bin" / "mpifort"))


def hash_of(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def keep_copies(app: str, libraries: list[Path], work: Path) -> list[Path]:
    """Copies the front and its libraries, so that a build during the run does not change the tested files."""
    folder = work / "fronts" / hash_of(*libraries)
    if not folder.exists():
        partial = folder.with_suffix(".new")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        for library in libraries:
            shutil.copy2(library, partial)
        for name in OTHER_NAMES.get(app, []):
            (partial / name).symlink_to(libraries[0].name)
        partial.rename(folder)
    return [folder / library.name for library in libraries]


def use_in_place(library: Path, work: Path) -> Path:
    """Makes another project's library available by its soname. The library is not copied, since it may look for further
    files in its own folder.
    """
    beside = library.with_name(FRONTS["standard"])
    if beside.exists() and beside.samefile(library):
        return beside
    link = work / "fronts" / f"link-{hash_of(library)}" / FRONTS["standard"]
    if not link.is_symlink():
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(library)
    return link
