"""Messages and collectives of more than 2 GiB (tests/large), with --full, one at a time, where there is the memory."""
from __future__ import annotations

import re
import threading
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, skipped
from lib.runtimes import Runtime
from suites import programs

NEEDED_GIB = 14
SECONDS = 600
alone = threading.Lock()


def cases(context: Context):
    if not context.full:
        return
    source = context.root / "tests" / "large" / "transfers.c"
    for runtime in context.available:
        yield Case(f"on {runtime.name}", partial(run, context, source, runtime), row="large transfers", column=runtime.name)


def available_gib() -> float:
    return int(re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)[1]) / 2**20


def run(context: Context, source: Path, runtime: Runtime) -> Result:
    with alone:
        if available_gib() < NEEDED_GIB:
            return skipped(f"needs {NEEDED_GIB} GiB of memory")
        folder = context.root / "tests" / "programs"
        try:
            program = context.compile(source.stem, [source, folder / "check.h"],
                                      ["-O2", f"-I{folder}", *context.program_flags()])
        except BuildError as error:
            return failed(str(error))
        return programs.judge(context.run_mpi(runtime, 2, program, seconds=SECONDS), runtime)
