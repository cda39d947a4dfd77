"""Uses of MPI in programs of the vendors besides direct calls: in libraries, opened at run time, under a tool, and on
the library of their own family while the front replaces it."""
from __future__ import annotations

from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime
from lib.vendor_table import Vendor

from fronts.vendor_programs import front_folder, of_vendors


def cases(context: Context):
    yield from of_vendors(context, cases_on)


def cases_on(context: Context, vendor: Vendor, runtime: Runtime):
    if runtime.name == vendor.abi:
        yield case(context, vendor, runtime, on_its_own_family)
        yield case(context, vendor, runtime, on_a_path_with_a_space)
    if runtime.family in vendor.runs_on and runtime.usual:
        for test in (in_two_libraries, opened_at_run_time, under_a_tool, fault_tolerance, launch_names, removed_bounds, small_buffer):
            yield case(context, vendor, runtime, test)
        if vendor.abi == "mpich":
            yield case(context, vendor, runtime, stale_handles)


def case(context: Context, vendor: Vendor, runtime: Runtime, test) -> Case:
    return Case(f"{test.__name__.replace('_', ' ')}: {vendor.abi} on {runtime.name}",
                partial(checked, test, context, vendor, runtime))


def checked(test, context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    try:
        return test(context, vendor, runtime)
    except BuildError as error:
        return failed(str(error))


def compiled(context: Context, vendor: Vendor, name: str, *flags: str) -> Path:
    return context.compile(f"{name}-{vendor.abi}", [context.root / "tests" / "fronts" / "vendor" / f"{name}.c"], ["-O1", "-g", *flags],
                           compiler=vendor.wrapper)


def library(context: Context, vendor: Vendor, name: str) -> Path:
    return compiled(context, vendor, name, "-shared", "-fPIC")


def run(context: Context, vendor: Vendor, runtime: Runtime, ranks: int, program: Path, *arguments: str, **variables: str):
    return context.run_mpi(runtime, ranks, program, list(arguments),
                           {"LD_LIBRARY_PATH": str(front_folder(context, vendor)), **variables})


def judge(done, wanted: str = "passed") -> Result:
    return passed() if done.code == 0 and wanted in done.output and "FAILED" not in done.output else failed(done.describe())


def in_two_libraries(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    libraries = [library(context, vendor, name) for name in ("ring_library", "sum_library")]
    program = compiled(context, vendor, "two_libraries", *map(str, libraries))
    return judge(run(context, vendor, runtime, 2, program))


def opened_at_run_time(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    module = library(context, vendor, "sum_library")
    program = context.compile("opens_mpi", [context.root / "tests" / "fronts" / "vendor" / "opens_mpi.c"], ["-ldl"])
    return judge(run(context, vendor, runtime, 2, program, str(module)))


def under_a_tool(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    tool = library(context, vendor, "tool")
    libraries = [library(context, vendor, name) for name in ("ring_library", "sum_library")]
    program = compiled(context, vendor, "two_libraries", *map(str, libraries))
    return judge(run(context, vendor, runtime, 2, program, LD_PRELOAD=str(tool)), "the tool saw 1")


def fault_tolerance(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    """MPICH's family exports the functions, but aborts in them."""
    program = compiled(context, vendor, "fault_tolerance", "-ldl")
    works = runtime.family == "openmpi" and runtime.exports("MPIX_Comm_shrink")
    wanted = "passed: 5 forwarded" if works else "passed: 0 forwarded"
    return judge(run(context, vendor, runtime, 2, program), wanted)


def launch_names(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    return judge(run(context, vendor, runtime, 2, compiled(context, vendor, "launch_names")))


def removed_bounds(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    # Without the flag, Open MPI's mpi.h does not have the names of MPI-1.
    return judge(run(context, vendor, runtime, 2, compiled(context, vendor, "removed_bounds", "-w", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0")))


def small_buffer(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    return judge(run(context, vendor, runtime, 2, compiled(context, vendor, "small_buffer")))


def stale_handles(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    return judge(run(context, vendor, runtime, 1, compiled(context, vendor, "stale_handles")))


def on_its_own_family(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    """The front steps aside: the program is started again with its own library and its companion libraries. Programs
    that it starts get the original library path."""
    front = front_folder(context, vendor)
    given = f"/first:{front}:{front}2:{front}/"
    return judge(run_through_front(context, vendor, runtime, given, f"/first:{front}2", given))


def on_a_path_with_a_space(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    """LD_PRELOAD cannot hold the library's name, so the front cannot step aside. It suggests a link, which works."""
    def run_on_link(folder: str):
        link = context.work / folder / runtime.library.name
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(runtime.library)
        return run_through_front(context, vendor, runtime, str(front_folder(context, vendor)), ANYMPI_MPI=str(link))

    refused = run_on_link(f"{vendor.abi} with a space")
    if refused.code == 0 or "LD_PRELOAD cannot hold the space" not in refused.output or "ld.so" in refused.output:
        return failed(refused.describe())
    return judge(run_on_link(f"{vendor.abi}-without-a-space"))


def run_through_front(context: Context, vendor: Vendor, runtime: Runtime, path: str, *arguments: str, **variables: str):
    """Starts a program with a library path that the launcher itself does not see."""
    libraries = [library(context, vendor, name) for name in ("ring_library", "sum_library")]
    program = compiled(context, vendor, "two_libraries", *map(str, libraries))
    return context.run_mpi(runtime, 2, Path("/usr/bin/env"), [f"LD_LIBRARY_PATH={path}", str(program), *arguments], variables)
