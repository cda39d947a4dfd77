"""The vendors of MPI libraries with their own ABI: Debian's names of the compilers, and the front for the vendor's programs."""
from __future__ import annotations

from dataclasses import dataclass

STANDARD = "standard"


@dataclass(frozen=True)
class Vendor:
    abi: str
    title: str
    soname: str         # of the front for programs of this ABI
    system_soname: str  # Debian's compiler writes it into programs
    newest: str         # the wheel with the newest mpi.h

    @property
    def wrapper(self) -> str:
        return f"mpicc.{self.abi}"

    @property
    def fortran_wrapper(self) -> str:
        return f"mpifort.{self.abi}"

    @property
    def front(self) -> str:
        """The front, in a build tree's folder of libraries."""
        return f"anympi/{self.abi}/{self.soname}"

    @property
    def runs_on(self) -> frozenset[str]:
        """The ABIs of the libraries to which the front leads."""
        return frozenset(TITLE_OF_ABI) - {self.abi}


VENDORS = [
    Vendor("openmpi", "Open MPI", "libmpi.so.40", "libmpi.so.40", "openmpi-5.0.11"),
    Vendor("mpich", "MPICH", "libmpi.so.12", "libmpich.so.12", "mpich-5.0.2"),
]
VENDOR_OF = {vendor.abi: vendor for vendor in VENDORS}

# The words of messages to users.
TITLE_OF_ABI = {STANDARD: "the standard ABI", **{vendor.abi: f"{vendor.title}'s ABI" for vendor in VENDORS}}
