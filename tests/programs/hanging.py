"""tests/programs/hang.h distinguishes a front that hangs from a library that hangs."""
from __future__ import annotations

import platform
from functools import partial

from lib import process
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed, skipped

from programs import programs

HANGS = {"spin_in_front": "the front hangs", "ask_for_ever": "the front hangs", "spin_in_library": "the library hangs",
         "sleep_in_library": "the library hangs"}


def cases(context: Context):
    for function, words in HANGS.items():
        yield Case(function, partial(check, context, function, words))
    yield Case("who is blamed", check_blame)


def check_blame() -> Result:
    """Checks that only a hang of the library or of its launcher is tried again."""
    alarm, library, end = "FAILED: killed by a signal, signal 14\n", "the library hangs\n", "ok 12 checks\n"
    outputs = {library + alarm: True, library + alarm + alarm: False, "the front hangs\n" + alarm: False, alarm: False, end: True, "": False}
    wrong = [output for output, is_retried in outputs.items() if programs.library_hung(process.Completed(["none"], 1, output, True)) != is_retried]
    wrong += [end] * programs.library_hung(process.Completed(["none"], 0, end, False))
    return failed("\n".join(["wrongly blamed for:", *wrong])) if wrong else passed()


def build(context: Context):
    tests = context.root / "tests"
    source = tests / "fronts" / "tools" / "hanging.c"
    shared = ["-shared", "-fPIC", "-O1", "-g"]
    library = context.compile("hanging_library.so", [source], [*shared, "-DLIBRARY"])
    front = context.compile("hanging_front.so", [source], [*shared, "-DFRONT", str(library)])
    headers = [tests / "programs" / "check.h", tests / "programs" / "hang.h", context.build / "include" / "mpi.h"]
    return context.compile("hanging", [source, *headers], ["-O1", "-g", f"-I{context.build / 'include'}", "-Wl,--no-as-needed", str(front), "-ldl"])


def check(context: Context, function: str, words: str) -> Result:
    if function == "ask_for_ever" and platform.machine() != "x86_64":
        return skipped("hang.h goes step by step on x86-64 only")
    try:
        program = build(context)
    except BuildError as error:
        return failed(str(error))
    done = process.run([program, function], 30, {"ANYMPI_TEST_SECONDS": "1"})
    told = [line for line in done.output.splitlines() if line.endswith(" hangs")]
    return passed() if told == [words] and ", signal 14" in done.output else failed(done.describe())
