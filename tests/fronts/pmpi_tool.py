"""A preloaded PMPI tool: it sees every call of the program, and no call that the MPI library makes internally."""
from __future__ import annotations

import re
from functools import partial

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime
from fronts import plugins
from programs import programs

RANKS = 2
# The calls of tests/fronts/tools/pmpi_program.c between MPI_Pcontrol(1) and MPI_Pcontrol(0).
EXPECTED = {"MPI_Comm_dup": 1, "MPI_Comm_split": 1, "MPI_Comm_free": 2, "MPI_Irecv": 1, "MPI_Send": 1, "MPI_Wait": 1,
            "MPI_Bcast": 1, "MPI_Allreduce": 1, "MPI_Barrier": 1, "MPI_Type_contiguous": 1, "MPI_Type_commit": 1,
            "MPI_Type_free": 2, "MPI_File_open": 1, "MPI_File_set_view": 1, "MPI_File_write_all": 1,
            "MPI_File_sync": 1, "MPI_File_read_at_all": 1, "MPI_File_write_shared": 1, "MPI_File_close": 1,
            "MPI_Get_count": 1, "MPI_Win_create": 1, "MPI_Win_fence": 2, "MPI_Put": 1, "MPI_Accumulate": 1,
            "MPI_Win_free": 1}


def cases(context: Context):
    for runtime in context.available:
        if runtime.usual or context.full:
            yield Case(f"watching a program on {runtime.name}", partial(watch, context, runtime, {}))
            for plugin in plugins.of(runtime):
                yield Case(f"watching a program on {runtime.name} with {plugin}",
                           partial(watch, context, runtime, plugin.environment))


def watch(context: Context, runtime: Runtime, environment: dict[str, str]) -> Result:
    folder = context.root / "tests" / "fronts" / "tools"
    check = context.root / "tests" / "programs" / "check.h"
    flags = [f"-I{check.parent}", *context.program_flags()]
    try:
        tool = context.compile("pmpi_tool.so", [folder / "pmpi_tool.c"], ["-shared", "-fPIC", *flags])
        program = context.compile("pmpi_program", [folder / "pmpi_program.c", check], flags)
    except BuildError as error:
        return failed(str(error))
    done = context.run_mpi(runtime, RANKS, program, environment={**environment, "LD_PRELOAD": str(tool)})
    verdict = programs.judge(done, runtime)
    if verdict.kind != "passed":
        return verdict
    reports = re.findall(r"^tool: rank (\d+): (.*); (\d+) foreign communicators, (\d+) calls from inside$", done.output,
                         re.MULTILINE)
    if sorted(int(rank) for rank, *_ in reports) != list(range(RANKS)):
        return failed(f"{done.describe()}\nnot one report of the tool from each rank")
    for rank, counts, foreign, inside in reports:
        seen = {name: int(count) for name, count in (entry.split() for entry in counts.split(", "))}
        wrong = {name: (seen.get(name, 0), EXPECTED.get(name, 0)) for name in sorted(seen.keys() | EXPECTED.keys())
                 if seen.get(name, 0) != EXPECTED.get(name, 0)}
        if wrong or foreign != "0" or inside != "0":
            listed = [f"\n{name}: seen {have} times, called {want} times" for name, (have, want) in wrong.items()]
            return failed(f"{done.describe()}\nrank {rank}: the tool saw what the program did not do{''.join(listed)}")
    return passed()
