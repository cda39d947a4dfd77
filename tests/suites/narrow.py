"""The large forms on libraries that lack them, with a front for which every count above 3 is too large for an int: so what is
done for counts that really are is done for each of the programs.

The suite builds that front, of the preset narrow, beside the tree under test.
"""
from __future__ import annotations

from functools import partial

from lib.context import Context
from lib.presets import built
from lib.results import Case, passed
from suites import programs

TARGETS = ("mpi_abi",)
PATTERNS = ("boundary_*_c.c", "buffers.c", "coll_*_c.c", "large_count*.c", "large_types.c")


def cases(context: Context):
    build = Case("build", partial(built, context, "narrow", TARGETS, lambda _: passed()), is_serial=True, seconds=100)
    yield build
    for runtime in context.available:
        if runtime.exports("MPI_Send_c"):
            continue
        for pattern in PATTERNS:
            for source in sorted((context.root / "tests" / "programs").glob(pattern)):
                head = programs.read_head(source)
                for ranks in chosen_ranks(context, head):
                    yield Case(f"{source.stem} on {runtime.name} with {ranks}",
                               partial(built, context, "narrow", TARGETS, programs.run_program, source, head, runtime, ranks),
                               row=f"{source.stem} (narrow)", column=runtime.name, after=[build])


def chosen_ranks(context: Context, head: dict[str, str]) -> list[int]:
    possible = [int(number) for number in head["ranks"].split()]
    if context.ranks:
        return [ranks for ranks in possible if ranks in context.ranks]
    return possible if context.full else [min(possible, key=lambda ranks: abs(ranks - 3))]
