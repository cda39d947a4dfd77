"""The unit tests: executables tests/unit_* of the build tree (GoogleTest), each one case."""
from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed


def cases(context: Context):
    found = sorted(path for path in (context.build / "tests").glob("unit_*") if os.access(path, os.X_OK) and path.is_file())
    if not found:
        yield Case("executables", partial(failed, f"no unit_* in {context.build / 'tests'}: build the tree first"))
    for executable in found:
        yield Case(executable.name, partial(run_unit_test, executable))


def run_unit_test(executable: Path) -> Result:
    done = process.run([executable, "--gtest_brief=1"], seconds=300)
    return passed() if done.code == 0 else failed(done.describe())
