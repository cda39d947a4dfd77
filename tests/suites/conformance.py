"""Some of MPICH's own tests through the front: those of conformance/subset.txt, which pass natively. The whole of it, and the
comparison with the native library, is scripts/conformance."""
from __future__ import annotations

import os
import threading
from functools import partial

from conformance import building, differences, pairs, source, testlists
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
    yield Case("listed differences are tests of the suite", partial(check_lists, context))


def subset(context: Context) -> list[str]:
    lines = (context.root / "tests" / "conformance" / "subset.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def check_lists(context: Context) -> Result:
    """A name with a typing error would hide nothing, but would never be missed either."""
    try:
        build = prepare(context)
    except SystemExit as error:  # the command's way to say what it lacks
        return skipped(str(error))
    lists = context.root / "tests" / "conformance"
    names = [line[-2] for file, columns in (("expected.txt", 4), ("flaky.txt", 3))
             for line in differences.read_list(lists / file, columns)]
    unknown = [name for name in names if find_test(build, name) is None]
    return failed("the suite has no test " + ", ".join(unknown)) if unknown else passed()


def run(context: Context, runtime: Runtime, name: str) -> Result:
    if runtime.missing:
        return skipped(runtime.missing)
    try:
        build = prepare(context)
    except SystemExit as error:
        return skipped(str(error))
    test = find_test(build, name)
    if test is None:
        return failed(f"the suite has no test {name}")
    environment = {**pairs.SETTINGS.get(runtime.family, {}), "ANYMPI_MPI": str(runtime.library),
                   "LD_LIBRARY_PATH": str(context.build / "lib")}
    if runtime.spins:
        environment["LD_PRELOAD"] = str(context.yield_shim())
    result = run_test(pairs.Side("", runtime, build.folder, "", environment), test, SECONDS)
    return passed() if result["verdict"] == PASSED else failed(f"{result['verdict']}, exit code {result['code']}\n{result['output']}")


def prepare(context: Context) -> building.Build:
    """The programs of the subset, built with our mpicc: what is there already is not built again."""
    work = context.root / "build" / "conformance"
    programs: dict[str, list[str]] = {}
    for line in subset(context):
        folder, _, program = line.partition("|")[2].split()[0].rpartition("/")
        programs.setdefault(folder, []).append(program)
    with preparing:
        compiler = str(context.build / "bin" / "mpicc")
        build = building.Build(source.fetch(work), work / "built" / "standard", compiler, "standard")
        build.make_programs(programs, os.cpu_count() or 1)
    return build


def find_test(build: building.Build, name: str) -> Test | None:
    folder = name.split()[0].rpartition("/")[0]
    tests = testlists.read_folder(build.suite, build.folder, folder, ["testlist"], most_ranks=4)
    return next((test for test in tests if test.name == name), None)
