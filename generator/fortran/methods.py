"""The files of the Fortran support methods: mpif.h as programs include it, and the modules as mpifort compiles them."""

from __future__ import annotations

from . import modules, mpifh
from .procedures import Procedure
from ..core.model import Api

SOURCES = "share/anympi/fortran"


def files(api: Api, procedures: list[Procedure]) -> dict[str, str]:
    """Returns the path in the build tree and the text of each file."""
    return {
        "include/mpif.h": mpifh.write(api, procedures),
        f"{SOURCES}/anympi_types.F90": modules.types(api),
        f"{SOURCES}/mpi.F90": modules.mpi(api, procedures),
        f"{SOURCES}/mpi_f08.F90": modules.mpi_f08(api, procedures),
    }
