"""Pairs (the ABI of the programs × the runtime) and the two ways of running the suite that a pair compares."""
from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from lib.runtimes import Runtime

FRONTS = {"standard": "libmpi_abi.so.1"}  # the library that programs of an ABI ask for
# Tests run beside each other: ranks that wait give their core away, natively too.
PATIENT = {"openmpi": {"OMPI_MCA_mpi_yield_when_idle": "1"}}
COMPILERS = {"mpich": "mpicc.mpich", "openmpi": "mpicc.openmpi"}


@dataclass(frozen=True)
class Variant:
    """Plug-ins of a runtime that are not its default but call MPI from inside, and the folders that they matter for."""
    name: str
    launcher_options: tuple[str, ...]
    folders: tuple[str, ...]


VARIANTS = {"openmpi": [Variant("osc-pt2pt", ("--mca", "osc", "sm,pt2pt"), ("rma", "errors/rma", "threads/rma")),
                        Variant("io-romio", ("--mca", "io", "romio321"), ("io", "errors/io"))]}
DEFAULT_VARIANT = Variant("", (), ())


@dataclass
class Side:
    """One way of running the suite: programs of a build, on a runtime, with a front between or without."""
    name: str                  # of the folder of results: native-mpich, standard-mpich
    runtime: Runtime
    programs: Path             # build tree of the suite
    fingerprint: str           # results of another one do not count
    environment: dict[str, str] = field(default_factory=dict)
    launcher_options: tuple[str, ...] = ()


@dataclass
class Pair:
    app: str
    runtime: Runtime
    variant: Variant = DEFAULT_VARIANT

    @property
    def name(self) -> str:
        return f"{self.app}:{self.runtime.name}" + (f"+{self.variant.name}" if self.variant.name else "")

    def covers(self, folder: str) -> bool:
        return not self.variant.folders or folder in self.variant.folders


def native_compiler(runtime: Runtime) -> str:
    """The runtime's own compiler: Debian's has the library's name at its end, elsewhere it lies in the same prefix."""
    beside = runtime.library.parent.parent / "bin" / ("mpicc_abi" if runtime.family == "standard" else "mpicc")
    compiler = COMPILERS.get(runtime.name, str(beside))
    if not shutil.which(compiler):
        raise SystemExit(f"anympi: {runtime.name} has no compiler to build the suite natively with ({compiler})")
    return compiler


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def keep_copy(library: Path, work: Path) -> Path:
    """A copy of the front, so that a build during the run does not change what is tested."""
    copy = work / "fronts" / hash_of(library) / library.name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(library, copy.with_suffix(".new"))
        copy.with_suffix(".new").rename(copy)
    return copy


def use_in_place(library: Path, work: Path) -> Path:
    """Another's library stays where it is, since it may look for its parts beside itself; programs ask for it by soname."""
    beside = library.with_name(FRONTS["standard"])
    if beside.exists() and beside.samefile(library):
        return beside
    link = work / "fronts" / f"link-{hash_of(library)}" / FRONTS["standard"]
    if not link.is_symlink():
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(library)
    return link
