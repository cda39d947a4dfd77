"""mpi4py, built from its source package with anympi's mpicc, runs its own tests.

It calls every function that mpi.h declares, and the large form of every function that has one: over Open MPI 4.1
anympi emulates most of these calls. Not optimised, because building takes most of the time. data/mpi4py/excluded.txt
lists what is left out and why. The package stays in build/mpi4py until mpi.h changes.
"""
from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tarfile
import threading
from functools import lru_cache, partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.register import Register
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime

VERSION = "4.1.2"
RUNTIMES = ("mpich", "mpich-5.0.2", "openmpi")
FEWEST_TESTS = 1500  # with fewer tests, some were not found
# on MPICH 5.0 the tests took 341 seconds beside other jobs, 82 of them computing: each message waits for a core
SECONDS = 900
building = threading.Lock()


class Broken(Exception):
    """mpi4py is not available, or does not build."""


def cases(context: Context):
    built = Case("builds", partial(check_build, context), is_serial=True, seconds=100)
    yield built
    for runtime in context.runtimes:
        if runtime.name in RUNTIMES:
            for ranks in (1, 2):
                yield Case(f"own tests on {runtime.name} with {ranks}", partial(run_tests, context, runtime, ranks),
                           row="mpi4py", column=runtime.name, ranks=ranks, after=[built], seconds=20)


def check_build(context: Context) -> Result:
    try:
        made(context)
    except Broken as error:
        return failed(str(error))
    return passed()


def made(context: Context) -> tuple[Path, Path, Path]:
    """Returns a Python for mpi4py, mpi4py's sources, and the folder for PYTHONPATH."""
    with building:
        python, source = prepare(context.build.parent / "mpi4py")
        return python, source, build(context, python, source)


def run_tests(context: Context, runtime: Runtime, ranks: int) -> Result:
    if runtime.missing:
        return runtime.absent()
    try:
        python, source, package = made(context)
    except Broken as error:
        return failed(str(error))
    arguments = [data(context) / "run_mpi4py.py", source / "test", SECONDS, *left_out(context, runtime)]
    done = context.run_mpi(runtime, ranks, python, [str(argument) for argument in arguments],
                           {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}, SECONDS)
    return judge(context, done, runtime, ranks)


def judge(context: Context, done: process.Completed, runtime: Runtime, ranks: int) -> Result:
    """Every rank must have run its tests through anympi's front without a failure, and functions that were reported as
    missing must really be missing."""
    outcomes = [json.loads(text) for text in re.findall(r"^OUTCOME (\{.*\})$", done.output, re.MULTILINE)]
    front = str((context.build / "lib" / "libmpi_abi.so.1").resolve())
    good = all(outcome["ran"] >= FEWEST_TESTS and not outcome["failed"] and front in outcome["libraries"]
               for outcome in outcomes)
    if done.code != 0 or len(outcomes) != ranks or not good:
        return failed(done.describe())
    lacking = sorted({name for outcome in outcomes for name in outcome["lacking"]})
    refused = list(filter(Register(context.root, runtime).promises, lacking))
    return failed(f"anympi promises {', '.join(refused)}, but they were refused") if refused else passed(lacking)


def data(context: Context) -> Path:
    return context.root / "tests" / "data" / "mpi4py"


def left_out(context: Context, runtime: Runtime) -> list[str]:
    lines = (data(context) / "excluded.txt").read_text().splitlines()
    entries = [line.split(None, 2) for line in lines if not line.startswith("#")]
    return [pattern for pattern, runtimes, _ in entries if runtimes == "*" or runtime.name in runtimes.split(",")]


@lru_cache(maxsize=None)
def prepare(folder: Path) -> tuple[Path, Path]:
    """Returns a Python with the packages that build mpi4py, and mpi4py's sources, with the package beside them."""
    python, source = folder / "python" / "bin" / "python", folder / f"mpi4py-{VERSION}"
    if not source.exists():
        shutil.rmtree(folder, ignore_errors=True)
        need([sys.executable, "-m", "venv", folder / "python"])
        need([python, "-m", "pip", "install", "--quiet", "setuptools", "wheel", "cython"])
        need([python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation", "--no-binary", "mpi4py",
              "--dest", folder, f"mpi4py=={VERSION}"])
        # The folder of the sources is renamed last, so that an interrupted preparation is not mistaken for a complete
        # one.
        with tarfile.open(archive_of(source)) as archive:
            archive.extractall(folder / "partial")
        (folder / "partial" / source.name).rename(source)
    return python, source


def archive_of(source: Path) -> Path:
    return source.with_name(f"{source.name}.tar.gz")


def need(command: list) -> None:
    done = process.run(command, 600, {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    if done.code != 0:
        lines = [line for line in done.output.splitlines() if line.strip()]
        raise Broken(f"mpi4py {VERSION} and its tools are not available: {lines[-1] if lines else 'no message'}")


def build(context: Context, python: Path, source: Path) -> Path:
    """Builds mpi4py with anympi's mpicc and returns a folder for PYTHONPATH."""
    # Without optimisation clang takes half of gcc's time.
    settings = {"CFLAGS": "-O0 -g0", "MPI4PY_BUILD_MPIABI": "1", **({"ANYMPI_CC": "clang"} if shutil.which("clang") else {})}
    digest = hashlib.sha256((context.build / "include" / "mpi.h").read_bytes() + str(settings).encode())
    package = source.with_name(f"built-{digest.hexdigest()[:12]}")
    if not package.exists():
        for old in source.parent.glob("built-*"):
            shutil.rmtree(old)
        unfinished = package.with_name(f"{package.name}.partial")
        done = process.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
                            "--no-cache-dir", "--target", unfinished, archive_of(source)], 900,
                           {"MPI4PY_BUILD_MPICC": str(context.build / "bin" / "mpicc"), **settings})
        if done.code != 0:
            raise Broken(done.describe())
        unfinished.rename(package)
    return package
