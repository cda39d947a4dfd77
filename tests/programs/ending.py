"""Jobs that end by MPI_Abort, by a fatal error or without MPI_Finalize: all ranks end, and the launcher returns the
code."""
from __future__ import annotations

from functools import partial

from lib.checks import with_programs
from lib.context import Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime

# Ways to end, and the launcher's exit code if MPI promises one (the program's own code).
WAYS = {"abort": 7, "abort-self": 9, "default-handler": None, "fatal-handler": None,
        "infos-only": 0, "sessions-only": 0, "sessions-forked": 0, "sessions-failed": 5, "closed-in-finalize": 0, "session-fatal": None}
# Errors of libraries that also occur without anympi.
BROKEN = {("sessions-forked", "mpich-5.0.2"): "a child of MPICH 5.0.2 that exits takes its parent's connection to the launcher with it",
          ("closed-in-finalize", "impi"): "Intel's own MPI_Session_finalize crashes inside of MPI_Finalize"}
SECONDS = 90


def cases(context: Context):
    for runtime in context.available:
        if runtime.usual or context.full:
            for way, code in WAYS.items():
                broken = BROKEN.get((way, runtime.name))
                yield Case(f"{way} on {runtime.name}", partial(skipped, broken) if broken else partial(with_programs, check, context, runtime, way, code))


def check(context: Context, runtime: Runtime, way: str, code: int | None) -> Result:
    program = context.compile("ending", [context.root / "tests" / "programs" / "ending.c",
                                         context.build / "include" / "mpi.h"], context.program_flags())
    done = context.run_mpi(runtime, 2, program, [way], seconds=SECONDS)
    wrong_code = done.code != code if code is not None else done.code == 0
    if done.timed_out or wrong_code or "the job went on" in done.output:
        return failed(f"{done.describe()}\nexpected: exit code {code if code is not None else 'other than 0'}")
    return passed()
