"""Ways in which programs of the vendors use MPI besides calling it: in libraries, opened at run time, under a tool, on the
library of their own family with our front in its place."""
from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime

from .vendor_programs import VENDORS, Vendor, front_folder


def cases(context: Context):
    for vendor in VENDORS:
        if not shutil.which(vendor.wrapper):
            yield Case(f"{vendor.abi} programs", partial(skipped, f"{vendor.wrapper} is not installed"))
            continue
        for runtime in context.available:
            if runtime.family in vendor.runs_on and runtime.usual:
                for test in (in_two_libraries, opened_at_run_time, under_a_tool):
                    yield case(context, vendor, runtime, test)
                if vendor.abi == "mpich":
                    yield case(context, vendor, runtime, stale_handles)
            if runtime.name == vendor.abi:
                yield case(context, vendor, runtime, on_its_own_family)


def case(context: Context, vendor: Vendor, runtime: Runtime, test) -> Case:
    return Case(f"{test.__name__.replace('_', ' ')}: {vendor.abi} on {runtime.name}",
                partial(checked, test, context, vendor, runtime))


def checked(test, context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    try:
        return test(context, vendor, runtime)
    except BuildError as error:
        return failed(str(error))


def compiled(context: Context, vendor: Vendor, name: str, *flags: str) -> Path:
    return context.compile(f"{name}-{vendor.abi}", [context.root / "tests" / "vendor" / f"{name}.c"], ["-O1", "-g", *flags],
                           compiler=vendor.wrapper)


def library(context: Context, vendor: Vendor, name: str) -> Path:
    return compiled(context, vendor, name, "-shared", "-fPIC")


def run(context: Context, vendor: Vendor, runtime: Runtime, ranks: int, program: Path, *arguments: str, **variables: str):
    return context.run_mpi(runtime, ranks, program, list(arguments), through_front(context, vendor, runtime, variables))


def through_front(context: Context, vendor: Vendor, runtime: Runtime, variables: dict[str, str]) -> dict[str, str]:
    return {"LD_LIBRARY_PATH": str(front_folder(context, vendor)), **variables}


def judge(done, wanted: str = "passed") -> Result:
    return passed() if done.code == 0 and wanted in done.output and "FAILED" not in done.output else failed(done.describe())


def in_two_libraries(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    libraries = [library(context, vendor, name) for name in ("ring_library", "sum_library")]
    program = compiled(context, vendor, "two_libraries", *map(str, libraries))
    return judge(run(context, vendor, runtime, 2, program))


def opened_at_run_time(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    module = library(context, vendor, "sum_library")
    program = context.compile("opens_mpi", [context.root / "tests" / "vendor" / "opens_mpi.c"], ["-ldl"])
    return judge(run(context, vendor, runtime, 2, program, str(module)))


def under_a_tool(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    tool = library(context, vendor, "tool")
    libraries = [library(context, vendor, name) for name in ("ring_library", "sum_library")]
    program = compiled(context, vendor, "two_libraries", *map(str, libraries))
    return judge(run(context, vendor, runtime, 2, program, LD_PRELOAD=str(tool)), "the tool saw 1")


def stale_handles(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    return judge(run(context, vendor, runtime, 1, compiled(context, vendor, "stale_handles")))


def on_its_own_family(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    """The front steps aside: the program is started once more with its own library."""
    libraries = [library(context, vendor, name) for name in ("ring_library", "sum_library")]
    program = compiled(context, vendor, "two_libraries", *map(str, libraries))
    script = context.work / f"through-{vendor.abi}-front"  # the launcher itself must not see the folder
    script.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={front_folder(context, vendor)} exec "$@"\n')
    script.chmod(0o755)
    return judge(context.run_mpi(runtime, 2, script, [str(program)]))
