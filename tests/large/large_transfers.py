"""Messages and collectives of more than 2 GiB (tests/large). They run with --full, one at a time, if there is enough memory."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, skipped
from lib.runtimes import Runtime
from programs import programs
from typed import typed

NEEDED_GIB = 14
SECONDS = 600


def cases(context: Context):
    if not context.full:
        return
    for runtime in context.available:
        yield Case(f"on {runtime.name}", partial(run, context, build, runtime), row="large transfers", column=runtime.name,
                   is_alone=True)
        yield Case(f"typed on {runtime.name}", partial(run, context, build_typed, runtime), row="large transfers, typed API",
                   column=runtime.name, is_alone=True)


def available_gib() -> float:
    return int(re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)[1]) / 2**20


def build(context: Context) -> Path:
    source, folder = context.root / "tests" / "large" / "transfers.c", context.root / "tests" / "programs"
    return context.compile(source.stem, [source, folder / "check.h"], ["-O2", f"-I{folder}", *context.program_flags()])


def build_typed(context: Context) -> Path:
    source = context.root / "tests" / "large" / "typed_transfers.cpp"
    return typed.compiled(context, source.stem, source, ["-O2"], typed.link_flags(context))


def run(context: Context, program_of, runtime: Runtime) -> Result:
    if available_gib() < NEEDED_GIB:
        return skipped(f"needs {NEEDED_GIB} GiB of memory")
    try:
        program = program_of(context)
    except BuildError as error:
        return failed(str(error))
    return programs.judge(context.run_mpi(runtime, 2, program, seconds=SECONDS), runtime)
