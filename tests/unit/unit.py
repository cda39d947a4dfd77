"""The unit tests: executables bin/unit_* of the build tree (GoogleTest). Each executable is one case."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed

IS_SERIAL = True

# The beginnings of reasons for which a test may be skipped, because no installation makes the test run. Any other skip
# is a failure.
INCURABLE = ("only root can ", "this kernel cannot ", "strace is not permitted ", "no MPI but Debian's is tested")


def cases(context: Context):
    for name in expected(context.root):
        yield Case(name, partial(run_unit_test, context, name))
    yield Case("all that is built runs", partial(check_built, context))
    yield Case("skips are judged", check_judge)


def expected(root: Path) -> list[str]:
    """Returns all unit tests that the makefiles of tests/ name: one that was not built is a failure."""
    makefiles = (root / "tests").rglob("CMakeLists.txt")
    names = [name for file in makefiles for name in re.findall(r"^ *add_executable\((unit_\w+)", file.read_text(), re.MULTILINE)]
    if not names:
        raise ValueError("no CMakeLists.txt of tests/ adds an executable unit_*")
    return sorted(names)


def run_unit_test(context: Context, name: str) -> Result:
    executable = context.build / "bin" / name
    return judge(start(context, name)) if executable.exists() else failed(f"{executable} does not exist: build the tree first")


def check_built(context: Context) -> Result:
    """Checks the pattern by which the makefiles are searched, because a program could be built in another way."""
    named, built = set(expected(context.root)), {path.name for path in (context.build / "bin").glob("unit_*")}
    wrong = [f"{name} is not built" for name in sorted(named - built)]
    wrong += [f"{context.build / 'bin' / name} is not run: no CMakeLists.txt of tests/ has a line add_executable({name} … for it"
              for name in sorted(built - named)]
    return failed("\n".join(wrong)) if wrong else passed()


def start(context: Context, name: str, environment: dict[str, str] | None = None) -> process.Completed:
    """Runs one executable, with the places of the MPI libraries that pip has installed."""
    prefixes = {str(runtime.library.parents[1]) for runtime in context.available if runtime.name not in ("mpich", "openmpi")}
    return process.run([context.build / "bin" / name, "--gtest_brief=1"], 300,
                       {"ANYMPI_TEST_RUNTIMES": ":".join(sorted(prefixes)), **(environment or {})})


def judge(done: process.Completed, more_reasons: tuple[str, ...] = ()) -> Result:
    """Passes if some tests ran, and those that were skipped have a reason that no installation cures."""
    count = re.search(r"^\[  PASSED  \] (\d+) tests?\.$", done.output, re.MULTILINE)
    if done.code != 0 or not count or count.group(1) == "0":
        return failed(done.describe())
    skipped = sum(map(int, re.findall(r"^\[  SKIPPED \] (\d+) test", done.output, re.MULTILINE)))
    reasons = re.findall(r": Skipped\n(.*)$", done.output, re.MULTILINE)
    wrong = [reason for reason in reasons if not reason.startswith(INCURABLE + more_reasons)]
    if wrong or len(reasons) != skipped:
        return failed(f"{done.describe()}\n{skipped} tests were skipped; unit.py does not know the reasons: {wrong}")
    return passed()


def check_judge() -> Result:
    """Tests `judge`, because a mistake in it could hide tests."""
    ran, none_ran = "[  PASSED  ] 2 tests.\n", "[  PASSED  ] 0 tests.\n"
    one_skipped, known, unknown = "[  SKIPPED ] 1 test.\n", f"a.cpp:1: Skipped\n{INCURABLE[0]} …\n\n", "a.cpp:1: Skipped\nno strace\n\n"
    expected_kinds = [(ran, 0, "passed"), (known + ran + one_skipped, 0, "passed"), (ran, 1, "failed"), (none_ran, 0, "failed"), ("", 0, "failed"),
                      (unknown + ran + one_skipped, 0, "failed"), (ran + one_skipped, 0, "failed")]
    for output, code, kind in expected_kinds:
        if judge(process.Completed(["unit_none"], code, output, False)).kind != kind:
            return failed(f"is not judged as {kind}, with exit code {code}:\n{output}")
    return passed()
