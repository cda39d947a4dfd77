"""The unit tests: executables bin/unit_* of the build tree (GoogleTest), each one case."""
from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed

IS_SERIAL = True


def cases(context: Context):
    folder = context.build / "bin"
    found = [path for path in sorted(folder.glob("unit_*")) if path.is_file() and os.access(path, os.X_OK)]
    if not found:
        yield Case("executables", partial(failed, f"no unit_* in {folder}: build the tree first"))
    for executable in found:
        yield Case(executable.name, partial(run_unit_test, executable))


def run_unit_test(executable: Path) -> Result:
    done = process.run([executable, "--gtest_brief=1"], seconds=300)
    return passed() if done.code == 0 else failed(done.describe())
