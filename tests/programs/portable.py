"""The code of src/arch/portable, which replaces assembly, tested on this processor: unit tests, and programs that use
all of it.

The suite builds a front of the preset portable beside the tree under test.
"""
from __future__ import annotations

from functools import partial

from lib.context import Context
from lib.presets import built
from lib.results import Case, passed
from programs import programs
from unit import unit

UNIT_TESTS = ("unit_handles", "unit_rebind", "unit_stubs")
TARGETS = ("mpi_abi", *UNIT_TESTS)
LEFT_OUT_OF_FRONT = ("fast_path", "emulation_for_standard")  # left out by ANYMPI_PLAIN_FRONT; --full compiles them
RUNTIMES = ("mpich", "openmpi")

# Stubs: reductions, error handlers and codes that they change. Arrays of requests: completion of few, many and mixed
# ones. Arguments on the stack: collective operations and persistent requests.
PROGRAMS = ("attributes", "coll_nonblocking", "errhandlers", "grequest", "long_arrays", "persistent", "reductions", "requests_arrays",
            "requests_mixed", "user_ops")


def cases(context: Context):
    targets = TARGETS + LEFT_OUT_OF_FRONT if context.full else TARGETS
    build = Case("build", partial(built, context, "portable", targets, lambda _: passed()), is_serial=True, seconds=60)
    yield build
    for name in UNIT_TESTS:
        yield Case(name, partial(built, context, "portable", targets, unit.run_unit_test, name), is_serial=True, after=[build])
    for runtime in context.available:
        if runtime.name not in RUNTIMES:
            continue
        for name in PROGRAMS:
            source = context.root / "tests" / "programs" / f"{name}.c"
            head = programs.read_head(source)
            for ranks in chosen_ranks(context, head):
                yield Case(f"{name} on {runtime.name} with {ranks}",
                           partial(built, context, "portable", targets, programs.run_program, source, head, runtime, ranks),
                           row=f"{name} (portable)", column=runtime.name, ranks=ranks, after=[build])


def chosen_ranks(context: Context, head: dict[str, str]) -> list[int]:
    possible = programs.possible_ranks(head)
    return programs.wanted_ranks(context, possible, [programs.usual_number(possible)])
