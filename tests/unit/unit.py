"""The unit tests: executables bin/unit_* of the build tree (GoogleTest), each one case."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed

IS_SERIAL = True


def cases(context: Context):
    for name in expected(context):
        yield Case(name, partial(run_unit_test, context.build / "bin" / name))


def expected(context: Context) -> list[str]:
    """All that the makefiles of tests/ name: one that was not built is a failure, and not left out."""
    makefiles = (context.root / "tests").rglob("CMakeLists.txt")
    names = [name for file in makefiles for name in re.findall(r"^ *add_executable\((unit_\w+)", file.read_text(), re.MULTILINE)]
    if not names:
        raise ValueError("no CMakeLists.txt of tests/ adds an executable unit_*")
    return sorted(names)


def run_unit_test(executable: Path) -> Result:
    if not executable.exists():
        return failed(f"{executable} is not there: build the tree first")
    done = process.run([executable, "--gtest_brief=1"], seconds=300)
    return passed() if done.code == 0 else failed(done.describe())
