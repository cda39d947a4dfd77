"""Programs from Debian packages on the other vendor's library, started with `anympi run` as users do."""
from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed

# Objects by pickle, and a reduction; the library's own name shows which library runs.
MPI4PY = """
from mpi4py import MPI
comm = MPI.COMM_WORLD
data = comm.allgather({"rank": comm.rank})
assert [each["rank"] for each in data] == list(range(comm.size))
assert comm.allreduce(comm.rank, op=MPI.SUM) == comm.size * (comm.size - 1) // 2
print("ranks", comm.size, MPI.Get_library_version().split()[0], flush=True)
"""

# R's start script puts the folder of the system's libraries first on the library path, where the system's Open MPI
# would be found.
RMPI = """
library(Rmpi)
stopifnot(mpi.allreduce(1L, type = 1, op = "sum", comm = 0) == mpi.comm.size(0))
cat("ranks", mpi.comm.size(0), "\\n")
invisible(mpi.finalize())
"""

# Parallel HDF5: MPI-IO with datatypes, info objects and attributes of its own.
H5PY = """
from mpi4py import MPI
import h5py
comm = MPI.COMM_WORLD
with h5py.File("parallel.h5", "w", driver="mpio", comm=comm) as file:
    rows = file.create_dataset("rows", (comm.size, 6), dtype="f8")
    with rows.collective:
        rows[comm.rank] = comm.rank + 1
with h5py.File("parallel.h5", "r", driver="mpio", comm=comm) as file:
    print("sum", file["rows"][:].sum(), flush=True)
"""


@dataclass(frozen=True)
class Program:
    package: str
    command: tuple[str, ...]
    file: str      # if this file exists, the program is installed
    runs_on: str
    output: str
    usual: bool = True  # if False, only with --full


PROGRAMS = [
    Program("netpipe-openmpi", ("NPopenmpi", "-n", "100", "-u", "64", "-o", "np.out"), "/usr/bin/NPopenmpi", "mpich", "64 bytes"),
    Program("netpipe-mpich2", ("NPmpich2", "-n", "100", "-u", "64", "-o", "np.out"), "/usr/bin/NPmpich2", "openmpi", "64 bytes"),
    Program("python3-mpi4py", ("/usr/bin/python3", "-c", MPI4PY), "/usr/lib/python3/dist-packages/mpi4py", "mpich",
            "ranks 2 MPICH"),
    Program("r-cran-rmpi", ("Rscript", "-e", RMPI), "/usr/lib/R/site-library/Rmpi", "mpich", "ranks 2"),
    Program("r-cran-rmpi", ("Rscript", "-e", RMPI), "/usr/lib/R/site-library/Rmpi", "mpich-5.0.2", "ranks 2", False),
    Program("python3-h5py-mpi", ("/usr/bin/python3", "-c", H5PY), "/usr/lib/python3/dist-packages/h5py/_debian_h5py_mpi", "mpich",
            "sum 18.0", False),
]


def cases(context: Context):
    for program in PROGRAMS:
        is_chosen = any(runtime.name == program.runs_on for runtime in context.runtimes)
        if is_chosen and (program.usual or context.full):
            yield Case(f"{program.package} on {program.runs_on}", partial(run, context, program))


def run(context: Context, program: Program) -> Result:
    runtime = next((r for r in context.available if r.name == program.runs_on), None)
    if runtime is None or not Path(program.file).exists():
        return not_installed(f"{program.package} or {program.runs_on}")
    folder = Path(tempfile.mkdtemp(prefix="anympi-test-"))
    try:
        options = ["--oversubscribe"] if runtime.family == "openmpi" else []
        done = process.run([context.build / "bin" / "anympi", "run", "--mpi", runtime.library, "-n", "2", *options,
                            *program.command], 120, runtime.environment, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return passed() if done.code == 0 and program.output in done.output else failed(done.describe())
