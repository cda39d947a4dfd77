"""The large forms on libraries that lack them, with a front for which every count above 3 is too large for an int. So
every program also tests the code for counts that are really too large.

The build tree has that front in its folder narrow.
"""
from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime
from programs import programs

PATTERNS = ("boundary_*_c.c", "buffers.c", "coll_*_c.c", "large_count*.c", "large_types.c")


def cases(context: Context):
    yield Case("programs load the narrow front", partial(check_front, context))
    for runtime in context.available:
        if runtime.exports("MPI_Send_c"):
            continue
        for pattern in PATTERNS:
            for source in sorted((context.root / "tests" / "programs").glob(pattern)):
                head = programs.read_head(source)
                for ranks in chosen_ranks(context, head):
                    yield Case(f"{source.stem} on {runtime.name} with {ranks}", partial(run_program, context, source, head, runtime, ranks),
                               row=f"{source.stem} (narrow)", column=runtime.name)


def chosen_ranks(context: Context, head: dict[str, str]) -> list[int]:
    possible = programs.possible_ranks(head)
    return programs.wanted_ranks(context, possible, [min(possible, key=lambda ranks: abs(ranks - 3))])


def check_front(context: Context) -> Result:
    """Checks the front that a program loads: the dynamic linker prints it, and no program is started."""
    source = context.root / "tests" / "programs" / "large_types.c"
    program = programs.build_program(context, source, programs.read_head(source))
    done = process.run([program], 60, {"LD_TRACE_LOADED_OBJECTS": "1", "LD_LIBRARY_PATH": str(narrow_front(context))})
    return passed() if f"=> {narrow_front(context) / 'libmpi_abi.so.1'} " in done.output else failed(done.describe())


def narrow_front(context: Context) -> Path:
    return context.build / "narrow" / "lib"


def run_program(context: Context, source: Path, head: dict[str, str], runtime: Runtime, ranks: int) -> Result:
    """Runs the same program as with the usual front; the library path leads it to this front."""
    if not (narrow_front(context) / "libmpi_abi.so.1").exists():
        return failed(f"there is no front in {narrow_front(context)}: build the tree first")
    return programs.run_program(dataclasses.replace(context, front=narrow_front(context)), source, head, runtime, ranks)
