"""The front, its unit tests and a selection of programs under AddressSanitizer with UndefinedBehaviorSanitizer, and
under ThreadSanitizer.

The suite builds what it needs of the presets asan and tsan, beside the tree under test.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.presets import built
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime
from programs import programs
from unit import unit

RUNTIMES = ("mpich", "openmpi")
USES_THREADS = re.compile(r"std::(j?thread|async)\b|pthread_create")


def has_threads(unit_test: str) -> bool:
    folder = Path(__file__).parent.parent / "unit" / unit_test.removeprefix("unit_")
    return any(USES_THREADS.search(source.read_text()) for source in folder.glob("*.cpp"))


# Building it takes 45 seconds, and the fuzz targets run the command's parsers with the same sanitizers.
LEFT_OUT = {"unit_command"}
UNIT_TESTS = tuple(name for name in unit.expected(programs.ROOT) if name not in LEFT_OUT)
WITH_THREADS = tuple(filter(has_threads, UNIT_TESTS))


@dataclass(frozen=True)
class Preset:
    name: str
    sanitizer: str             # the argument of -fsanitize=
    unit_tests: tuple[str, ...]
    programs: tuple[str, ...]
    mistake: str               # a mistake in tests/fronts/tools/mistakes.c
    report: str                # the sanitizer's report of it

    @property
    def targets(self) -> tuple[str, ...]:
        return "mpi_abi", *self.unit_tests


# Together they use every way of converting: in and out, arrays on the stack and on the heap, callbacks, strings, and
# data that lives longer than a call.
ASAN = Preset("asan", "address,undefined", UNIT_TESTS,
              ("alltoallw", "attributes", "bad_arguments", "coll_persistent", "errhandlers", "error_codes", "grequest",
               "handlers_inside", "info", "io_collective", "leaving", "long_arrays", "partitioned", "requests_arrays",
               "requests_mixed", "rma_active", "sessions", "statuses", "tools", "type_contents", "user_ops"), "overrun", "AddressSanitizer: heap-buffer-overflow")
TSAN = Preset("tsan", "thread", WITH_THREADS, ("requests_threads", "thread_levels", "threads"), "race", "ThreadSanitizer: data race")

# MPI libraries are not instrumented, so ThreadSanitizer sees only half of their synchronisation; reports about them are
# ignored. (Their locks count: a race of the front is reported if no lock was taken in between.) MPI libraries keep
# memory until the process ends, so leaks are reported and then attributed (see `complaint`). UCX in MPICH hooks
# madvise(), which a thread calls after it has left ThreadSanitizer, and crashes, even without the front. hwloc's OpenCL
# plug-in loads Mesa, with which AddressSanitizer crashes. Nothing may be preloaded (as the shim of run_mpi is), because
# the sanitizer's library must come first.
ENVIRONMENT = {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1", "LSAN_OPTIONS": "exitcode=0",
               "UBSAN_OPTIONS": "print_stacktrace=1 halt_on_error=1", "UCX_MEM_EVENTS": "no", "HWLOC_COMPONENTS": "-opencl",
               "LD_PRELOAD": ""}


def cases(context: Context):
    for preset in (ASAN, TSAN):
        build = Case(f"{preset.name}: build", partial(built, context, preset.name, preset.targets, lambda _: passed()), is_serial=True, seconds=300)
        yield build
        for name in preset.unit_tests:
            yield Case(f"{preset.name}: {name}", partial(built, context, preset.name, preset.targets, run_unit_test, name), is_serial=True,
                       after=[build])
        for runtime in context.available:
            if runtime.name in RUNTIMES:
                yield Case(f"{preset.name}: a mistake on {runtime.name} is seen",
                           partial(built, context, preset.name, preset.targets, run_mistake, preset, runtime), after=[build])
                for name in preset.programs:
                    yield Case(f"{preset.name}: {name} on {runtime.name}",
                               partial(built, context, preset.name, preset.targets, run_program, preset, runtime, name),
                               row=f"{name} ({preset.name})", column=runtime.name, after=[build])


def compile_with(context: Context, preset: Preset, source: Path, flags: str) -> Path:
    headers = [*source.parent.glob("*.h"), context.build / "include" / "mpi.h"]
    return context.compile(f"{source.stem}.{preset.name}", [source, *headers],
                           [f"-fsanitize={preset.sanitizer}", *flags.split(), *context.program_flags()])


def run_unit_test(context: Context, name: str) -> Result:
    done = unit.start(context, name, ENVIRONMENT)
    return failed(done.describe()) if complaint(done) else unit.judge(done, ("the dlopen of this program (a sanitizer's) ",))


def run_program(context: Context, preset: Preset, runtime: Runtime, name: str) -> Result:
    source = context.root / "tests" / "programs" / f"{name}.c"
    head = programs.read_head(source)
    ranks = programs.usual_number(programs.possible_ranks(head))
    program = compile_with(context, preset, source, head.get("flags", ""))
    done = context.run_mpi(runtime, ranks, program, environment=ENVIRONMENT, seconds=180)
    return failed(done.describe()) if complaint(done) else programs.judge(done, runtime)


def run_mistake(context: Context, preset: Preset, runtime: Runtime) -> Result:
    """Checks that a mistake is reported. It would not be if the program used another front, or one without the
    sanitizer."""
    program = compile_with(context, preset, context.root / "tests" / "fronts" / "tools" / "mistakes.c", "-pthread")
    done = context.run_mpi(runtime, 1, program, [preset.mistake], ENVIRONMENT)
    in_front = re.search(r"^ *#0 .*\banympi::", done.output, re.MULTILINE)
    return passed() if complaint(done) and preset.report in done.output and in_front else failed(done.describe())


def complaint(done: process.Completed) -> bool:
    """Returns True if a sanitizer reports a mistake, or memory that the front has lost: then the front called malloc,
    which is frame 1."""
    return bool(re.search(r"ERROR: AddressSanitizer|WARNING: ThreadSanitizer|runtime error: |encountered a fatal error"
                          r"|^ *#1 .*\banympi(::|_)", done.output, re.MULTILINE))
