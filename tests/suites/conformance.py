"""Some of MPICH's own tests through the front: those of conformance/subset.txt, which pass natively. The whole of it, and the
comparison with the native library, is scripts/conformance."""
from __future__ import annotations

import os
import threading
from functools import partial
from pathlib import Path

from conformance import building, pairs, source, testlists
from conformance.running import run_test
from conformance.testlists import Test
from conformance.verdict import PASSED
from lib.context import Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime

RUNTIMES = ("mpich", "openmpi")
SECONDS = 120
preparing = threading.Lock()


def cases(context: Context):
    for number, line in enumerate(subset(context), 1):
        names, _, test = (part.strip() for part in line.partition("|"))
        if not test or set(names.split(",")) - set(RUNTIMES):
            raise ValueError(f"subset.txt, line {number}: `runtime,… | test`, not `{line}`")
        for runtime in context.runtimes:
            if runtime.name in names.split(","):
                yield Case(f"{test} on {runtime.name}", partial(run, context, runtime, test), row=test.split("/")[0],
                           column=runtime.name)


def subset(context: Context) -> list[str]:
    lines = (context.root / "tests" / "conformance" / "subset.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def run(context: Context, runtime: Runtime, name: str) -> Result:
    if runtime.missing:
        return skipped(runtime.missing)
    work = context.root / "build" / "conformance"
    try:
        with preparing:
            build = prepare(context, work)
    except SystemExit as error:  # the command's way to say what it lacks
        return skipped(str(error))
    test = find_test(build, name)
    if test is None:
        return failed(f"the suite has no test {name}")
    environment = {**pairs.PATIENT.get(runtime.family, {}), "ANYMPI_MPI": str(runtime.library),
                   "LD_LIBRARY_PATH": str(context.build / "lib")}
    if runtime.spins:
        environment["LD_PRELOAD"] = str(context.yield_shim())
    result = run_test(pairs.Side("", runtime, build.folder, "", environment), test, SECONDS)
    return passed() if result["verdict"] == PASSED else failed(f"{result['verdict']}, exit code {result['code']}\n{result['output']}")


def prepare(context: Context, work: Path) -> building.Build:
    """The programs of the subset, built with our mpicc: what is there already is not built again."""
    build = building.Build(source.fetch(work), work / "built" / "standard", str(context.build / "bin" / "mpicc"), "standard")
    programs: dict[str, list[str]] = {}
    for line in subset(context):
        folder, _, program = line.partition("|")[2].split()[0].rpartition("/")
        programs.setdefault(folder, []).append(program)
    build.make_programs(programs, os.cpu_count() or 1)
    return build


def find_test(build: building.Build, name: str) -> Test | None:
    folder = name.split()[0].rpartition("/")[0]
    tests = testlists.read_folder(build.suite, build.folder, folder, ["testlist"], most_ranks=4)
    return next((test for test in tests if test.name == name), None)
