"""The functions that a program can use on libraries that lack functions: all of MPI 5.0, or only the library's
functions with ANYMPI_EMULATE=off."""
from __future__ import annotations

from functools import partial

from lib.checks import with_programs
from lib.context import Context
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime

# The expected output for each value of ANYMPI_EMULATE. Without emulation the version is the library's.
EXPECTED = {"on": "version 5.0, flush works, MPI_INTEGER16", "off": "flush unsupported, no MPI_INTEGER16"}


def cases(context: Context):
    for runtime in context.available:
        if not runtime.exports("MPI_Buffer_flush") and (runtime.usual or context.full):
            for value, text in EXPECTED.items():
                yield Case(f"{value} on {runtime.name}", partial(with_programs, check, context, runtime, value, text))
            yield Case(f"a full buffer on {runtime.name}", partial(with_programs, waits_for_room, context, runtime))


def compile_tool(context: Context, name: str):
    source = context.root / "tests" / "fronts" / "tools" / f"{name}.c"
    return context.compile(name, [source, context.build / "include" / "mpi.h"], context.program_flags())


def waits_for_room(context: Context, runtime: Runtime) -> Result:
    program = compile_tool(context, "full_buffer")
    done = context.run_mpi(runtime, 2, program)
    return passed() if done.code == 0 and "room came, then none" in done.output else failed(done.describe())


def has_good_exchange(runtime: Runtime) -> bool:
    """Returns True if the library's own MPI_Isendrecv fills the status. In MPICH's family it does not."""
    return runtime.family == "openmpi" and runtime.exports("MPI_Isendrecv")


def check(context: Context, runtime: Runtime, value: str, expected: str) -> Result:
    program = compile_tool(context, "lacking")
    done = context.run_mpi(runtime, 1, program, environment={"ANYMPI_EMULATE": value})
    promises_all, exchanges_well = "version 5.0" in done.output, ", good exchange" in done.output
    good = done.code == 0 and expected in done.output and promises_all == (value == "on")
    good = good and exchanges_well == (value == "on" or has_good_exchange(runtime))
    return passed() if good else failed(f"{done.describe()}\nexpected: {expected}")
