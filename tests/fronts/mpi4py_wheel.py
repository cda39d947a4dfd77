"""mpi4py's wheel from PyPI, with a module for MPICH's ABI and one for Open MPI's, started with `anympi run` as users
do.

Each module exchanges data on every library. Without a variable, mpi4py uses the module for the library's own family.
With --full the tests of the source package run in this way on every library, and with MPICH's module on Open MPI.
(The tests with Open MPI's module expect on MPICH the gaps of Open MPI 4.1.) data/mpi4py/excluded.txt lists what is
left out and why.
"""
from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import threading
from functools import lru_cache, partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime

from fronts import mpi4py

MODULES = ("mpich", "openmpi")  # the ABIs for which the wheel has a module
CROSSWISE = ("mpich", "openmpi")  # module and runtime
RANKS = 2
# Tests that fail with the wheel in the same way without anympi. Only the second one differs: MPIX_C_FLOAT16 is in the
# library's own ABI, and not in the standard ABI.
LEFT_OUT = {"test_mpiabi.TestMPIABI.testGetFortranInfo": ("mpich-5.0.2", "mpich-5.0.2-vendor", "impi"),  # of LOGICAL1 and its like
            "test_util_dtlib.TestUtilDTLib.testMissingNumPy": ("mpich-5.0.2",),
            "test_util_dtlib.TestUtilDTLib.testVector": ("mpich-3.4.3",),  # the extents of MPI_COMPLEX8 and MPI_COMPLEX16
            # With shared memory only, Intel MPI has no ports: a test fails, and the next one never ends. All four pass
            # with I_MPI_FABRICS=shm:ofi, also on anympi, but then Intel MPI fails in the tests of dynamic windows.
            "test_dynproc.*": ("impi",)}
making = threading.Lock()


def cases(context: Context):
    for runtime in context.runtimes:
        if not (runtime.usual or context.full):
            continue
        for module in ("", *MODULES):
            yield Case(f"{module or 'any'} module on {runtime.name}", partial(exchange, context, runtime, module), ranks=RANKS)
            if context.full and (not module or (module, runtime.name) == CROSSWISE):
                yield Case(f"own tests of {module or 'any'} module on {runtime.name}", partial(run_tests, context, runtime, module),
                           row=f"mpi4py's {module or 'own'} module", column=runtime.name, ranks=RANKS, seconds=20)


def exchange(context: Context, runtime: Runtime, module: str) -> Result:
    expected = module or ("openmpi" if runtime.family == "openmpi" else "mpich")

    def judge(done: process.Completed) -> Result:
        exchanged = re.search(rf"^exchanged by {RANKS} with MPI\.(\w+)\.\S+ on (.*)$", done.output, re.MULTILINE)
        good = done.code == 0 and exchanged and exchanged[1] == expected
        return passed() if good and str(runtime.library.resolve()) in exchanged[2].split() else failed(done.describe())

    return run(context, runtime, module, [mpi4py.data(context) / "exchange.py"], 60, judge)


def run_tests(context: Context, runtime: Runtime, module: str) -> Result:
    def judge(done: process.Completed) -> Result:
        outcomes = [json.loads(text) for text in re.findall(r"^OUTCOME (\{.*\})$", done.output, re.MULTILINE)]
        good = all(outcome["ran"] >= mpi4py.FEWEST_TESTS and not outcome["failed"] for outcome in outcomes)
        return passed() if done.code == 0 and len(outcomes) == RANKS and good else failed(done.describe())

    try:
        with making:
            source = mpi4py.prepare(context.build.parent / "mpi4py")[1]
    except mpi4py.Broken as error:
        return failed(str(error))
    words = [mpi4py.data(context) / "run_mpi4py.py", source / "test", mpi4py.SECONDS, *mpi4py.left_out(context, runtime),
             *(pattern for pattern, names in LEFT_OUT.items() if runtime.name in names)]
    return run(context, runtime, module, words, mpi4py.SECONDS, judge)


def run(context: Context, runtime: Runtime, module: str, words: list, seconds: int, judge) -> Result:
    """Starts Python with `words`. If `module` is empty, mpi4py chooses the module."""
    if runtime.missing:
        return runtime.absent()
    try:
        package = made(context)
    except mpi4py.Broken as error:
        return failed(str(error))
    variables = {**runtime.environment, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1",
                 **({"MPI4PY_MPIABI": module} if module else {}),
                 **({"LD_PRELOAD": str(context.yield_shim())} if runtime.spins else {})}
    folder = Path(tempfile.mkdtemp(prefix="anympi-test-"))
    try:
        return judge(process.run([context.build / "bin" / "anympi", "run", "--mpi", runtime.library, "-n", str(RANKS),
                                  *runtime.launcher[1:], sys.executable, *words], seconds + 10, variables, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def made(context: Context) -> Path:
    """Returns the wheel's content: a folder for PYTHONPATH."""
    with making:
        return install(context.build.parent / "mpi4py-wheel")


@lru_cache(maxsize=None)
def install(folder: Path) -> Path:
    package = folder / f"mpi4py-{mpi4py.VERSION}-{sys.implementation.cache_tag}"
    if not package.exists():
        shutil.rmtree(folder, ignore_errors=True)
        unfinished = folder / "partial"
        mpi4py.need([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", "mpi4py", "--target", unfinished,
                     f"mpi4py=={mpi4py.VERSION}"])
        unfinished.rename(package)
    return package
