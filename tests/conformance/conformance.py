"""Runs some of MPICH's own tests through the front: the tests in tests/conformance/subset.txt, which pass natively.
scripts/conformance runs the whole suite, and compares each result with the result of the native library.
"""
from __future__ import annotations

import os
import threading
from functools import partial
from pathlib import Path
from typing import Callable

from conformance import differences, fortran_build, pairs, source, testlists
from conformance.building import Build
from conformance.fortran_build import FortranBuild
from conformance.running import run_test
from conformance.testlists import Test
from conformance.verdict import PASSED
from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime

RUNTIMES = ("mpich", "openmpi")
SECONDS = 120
CORES = max(1, (os.cpu_count() or 1) // 2)  # for building; the other cores are for other cases
preparing = threading.Lock()


def cases(context: Context):
    in_c = Case("programs in C are built", partial(check_build, prepare, context), is_serial=True, seconds=100)
    in_fortran = Case("programs in Fortran are built", partial(check_build, prepare_fortran, context), is_serial=True, seconds=100,
                      after=[in_c])
    yield from (in_c, in_fortran)
    for number, line in enumerate(subset(context), 1):
        names, _, test = (part.strip() for part in line.partition("|"))
        if not test or set(names.split(",")) - set(RUNTIMES):
            raise ValueError(f"subset.txt, line {number}: `runtime,… | test`, not `{line}`")
        for runtime in context.runtimes:
            if runtime.name in names.split(","):
                yield Case(f"{test} on {runtime.name}", partial(run, context, runtime, test), row=test.split("/")[0],
                           column=runtime.name, after=[in_fortran if is_in_fortran(test) else in_c])
    yield Case("scripts/conformance starts", partial(check_script, context), is_serial=True)
    yield Case("listed differences are tests of the suite", partial(check_lists, context), is_serial=True, after=[in_c])


def check_build(prepare_some: Callable[[Context], Build], context: Context) -> Result:
    try:
        prepare_some(context)
    except SystemExit as error:  # its text names what is missing
        return failed(str(error))
    return passed()


def subset(context: Context) -> list[str]:
    lines = (context.root / "tests" / "conformance" / "subset.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def check_script(context: Context) -> Result:
    done = process.run([context.root / "scripts" / "conformance", "--help"], SECONDS)
    return passed() if done.code == 0 and "--pair" in done.output else failed(done.describe())


def check_lists(context: Context) -> Result:
    """The lists may name only tests that exist. Otherwise nobody would notice a mistyped name, which has no effect."""
    try:
        build = prepare(context)
    except SystemExit as error:  # its text names what is missing
        return failed(str(error))
    lists = context.root / "tests" / "conformance"
    names = [line[-2] for file, columns in (("expected.txt", 4), ("flaky.txt", 3))
             for line in differences.read_list(lists / file, columns)]
    unknown = [name for name in names if find_test(build, name) is None]
    return failed("the suite has no test " + ", ".join(unknown)) if unknown else passed()


def run(context: Context, runtime: Runtime, name: str) -> Result:
    if runtime.missing:
        return runtime.absent()
    try:
        build = prepare_fortran(context) if is_in_fortran(name) else prepare(context)
    except SystemExit as error:
        return failed(str(error))
    test = find_test(build, name)
    if test is None:
        return failed(f"the suite has no test {name}")
    environment = {**pairs.SETTINGS.get(runtime.family, {}), "ANYMPI_MPI": str(runtime.library),
                   "LD_LIBRARY_PATH": str(context.build / "lib")}
    if runtime.spins:
        environment["LD_PRELOAD"] = str(context.yield_shim())
    result = run_test(pairs.Side("", runtime, build.folder, "", environment), test, SECONDS)
    return passed() if result["verdict"] == PASSED else failed(f"{result['verdict']}, exit code {result['code']}\n{result['output']}")


def folder_of(name: str) -> str:
    return name.split()[0].rpartition("/")[0]


def is_in_fortran(name: str) -> bool:
    return folder_of(name) in testlists.FORTRAN_FOLDERS


def programs(context: Context, wanted: Callable[[str], bool]) -> dict[str, list[str]]:
    """Returns the programs of the subset, by folder."""
    found: dict[str, list[str]] = {}
    for line in subset(context):
        name = line.partition("|")[2].strip()
        if wanted(name):
            found.setdefault(folder_of(name), []).append(name.split()[0].rpartition("/")[2])
    return found


def prepare(context: Context) -> Build:
    """Builds the C programs of the subset with anympi's mpicc, unless they exist."""
    with preparing:
        build = tree_of(context, fortran_build.why_not(mpifort(context)))
        build.make_programs(programs(context, lambda name: not is_in_fortran(name)), CORES)
    return build


def prepare_fortran(context: Context) -> Build:
    """Builds the Fortran programs of the subset with anympi's mpifort."""
    with preparing:
        lacking = fortran_build.why_not(mpifort(context))
        if lacking:
            raise SystemExit(lacking)
        build = tree_of(context, lacking)
        build.make_programs(programs(context, is_in_fortran), CORES)
    return build


def mpifort(context: Context) -> str:
    return str(context.build / "bin" / "mpifort")


def tree_of(context: Context, why_without_fortran: str) -> Build:
    """Returns the build tree of the subset. C and Fortran share one tree, since running configure takes longer than
    building most of the programs. Without Fortran, the tree is only for C.
    """
    work, mpicc = context.root / "build" / "conformance", str(context.build / "bin" / "mpicc")
    if why_without_fortran:
        return Build(source.fetch(work), work / "built" / "standard", mpicc, "standard")
    return FortranBuild(source.fetch(work), work / "built" / "standard-fortran", mpicc, "standard", mpifort(context))


def find_test(build: Build, name: str) -> Test | None:
    tests = testlists.read_folder(build.suite, build.folder, folder_of(name), ["testlist"], most_ranks=4)
    return next((test for test in tests if test.name == name), None)
