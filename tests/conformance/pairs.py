"""Pairs (the ABI of the programs × the runtime) and the two ways of running the suite that a pair compares."""
from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from lib.runtimes import OPEN_MPI_AS_ROOT, OPEN_MPI_OPTIONS, Runtime

# The library that programs of an ABI ask for, in a build tree, and other names of the same file.
FRONTS = {"standard": "libmpi_abi.so.1", "openmpi": "anympi/openmpi/libmpi.so.40", "mpich": "anympi/mpich/libmpi.so.12"}
OTHER_NAMES = {"mpich": ["libmpich.so.12"]}
# Settings of the runtimes, for both sides. Tests run beside each other, so ranks that wait give their core away; and a test
# that prints anything has failed, so UCX, and what Open MPI 5.0 says of it, keep their warnings to themselves.
SETTINGS = {"openmpi": {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_osc_ucx_verbose": "-1"},
            "mpich": {"UCX_LOG_LEVEL": "error"}}
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
    name: str                  # of the folder of results: native-mpich, standard-mpich, standard-mpich-other (--library)
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
    def label(self) -> str:
        """The runtime with its plug-ins."""
        return self.runtime.name + (f"+{self.variant.name}" if self.variant.name else "")

    @property
    def name(self) -> str:
        return f"{self.app}:{self.label}"

    @property
    def lists(self) -> str:
        """Under which name its differences are listed."""
        return self.label if self.app == "standard" else self.name

    def covers(self, folder: str) -> bool:
        return not self.variant.folders or folder in self.variant.folders


def installed(prefix: Path) -> Runtime:
    """An MPI that tests/run.py does not know, by the folder that it is installed in."""
    # With its version: libmpi.so alone may be a text for the linker.
    libraries = [path for name in ("libmpi", "libmpich") for path in sorted(prefix.glob(f"lib*/{name}.so.[0-9]*"))]
    launcher = prefix / "bin" / "mpiexec"
    if not libraries or not launcher.exists():
        raise SystemExit(f"anympi: {prefix} holds no MPI: it has no bin/mpiexec or no lib/libmpi.so.VERSION")
    if (prefix / "bin" / "ompi_info").exists():
        return Runtime(prefix.name, "openmpi", libraries[0], [str(launcher), *OPEN_MPI_OPTIONS], OPEN_MPI_AS_ROOT)
    return Runtime(prefix.name, "mpich", libraries[0], [str(launcher)])


def native_compiler(runtime: Runtime) -> str:
    """The runtime's own compiler: Debian's has the library's name at its end, elsewhere it lies in the same prefix."""
    beside = runtime.library.parent.parent / "bin" / ("mpicc_abi" if runtime.family == "standard" else "mpicc")
    compiler = COMPILERS.get(runtime.name, str(beside))
    if not shutil.which(compiler):
        raise SystemExit(f"anympi: {runtime.name} has no compiler to build the suite natively with ({compiler})")
    return compiler


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def keep_copy(app: str, library: Path, work: Path) -> Path:
    """A copy of the front, so that a build during the run does not change what is tested."""
    copy = work / "fronts" / hash_of(library) / library.name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        for name in OTHER_NAMES.get(app, []):
            (copy.parent / name).symlink_to(copy.name)
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
