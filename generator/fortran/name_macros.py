"""The macros of mpi.h that tell tools which linker names the Fortran procedures have: section 17.1.5 of MPI 3.0 with its errata.

The schemes are as follows. A1 and A2 are names that a Fortran compiler makes, without and with descriptors. B1 calls the C
function. B2 and B3 call C functions whose names end in _cdesc, and in _f08cb or _fcb. C1 and C2 are C names, without and
with descriptors.
"""

from __future__ import annotations

from .procedures import CALLBACK_GROUPS, DESCRIPTOR_GROUPS, GROUPS

METHODS = ("mpi_f08", "mpi", "mpifh")
ABSENT, AVAILABLE, USED = 0, 1, 2
_NOT_IN_C = ("MPI_COMM_DUP_FN", "MPI_F_SYNC_REG")  # there is no C function of that name


def schemes(group: str) -> list[str]:
    """Returns the schemes that can be used for a group of routines."""
    names = ["A1"]
    names += ["A2"] if group in DESCRIPTOR_GROUPS else []
    names += ["B3"] if group in CALLBACK_GROUPS else ["B1"]
    names += ["B2"] if group in DESCRIPTOR_GROUPS else []
    names += ["C1"] if group != "MPI_COMM_DUP_FN" else []
    return names + (["C2"] if group in DESCRIPTOR_GROUPS else [])


def own_scheme(group: str, method: str) -> str:
    """Returns the scheme that the procedures of a support method use."""
    if method != "mpi_f08":
        return "A1"
    if group in DESCRIPTOR_GROUPS:
        return "C2"
    return "C1" if group == "MPI_FREE_MEM" else "A1"


def value(group: str, method: str, scheme: str) -> int:
    if scheme == own_scheme(group, method):
        return USED
    if scheme == "B1" and group in _NOT_IN_C:
        return ABSENT
    return {"B1": USED, "B2": AVAILABLE, "B3": USED}.get(scheme, ABSENT)


def macros() -> list[str]:
    return [f"#define {group}_{method}_{scheme} {value(group, method, scheme)}" for method in METHODS for group in GROUPS for scheme in schemes(group)]
