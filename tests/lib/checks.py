"""Checks as plain functions: they raise what they see, and get a folder of their own that is removed afterwards."""
from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from . import process
from .context import BuildError
from .results import Result, failed, passed, skipped


class Mismatch(Exception):
    """What was seen and what was expected."""


class Unavailable(Exception):
    """What this machine lacks for a test."""


class NotInstalled(Exception):
    """A program that a test needs, and scripts/test installs. The case fails."""


def expect(condition: object, seen: object) -> None:
    if not condition:
        raise Mismatch(seen.describe() if isinstance(seen, process.Completed) else str(seen))


def waited(condition, seconds: float = 30) -> bool:
    """Whether it becomes true in time, which is meant for a busy machine."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def with_programs(test, *arguments) -> Result:
    """Runs a test that compiles programs. The test fails if the compiler does."""
    try:
        return test(*arguments)
    except BuildError as error:
        return failed(str(error))


def guarded(check, *arguments) -> Result:
    """Runs a check in a folder of its own, whose name has a space in it."""
    folder = Path(tempfile.mkdtemp(prefix="anympi test "))
    try:
        check(*arguments, folder)
    except Mismatch as mismatch:
        return failed(str(mismatch))
    except Unavailable as reason:
        return skipped(str(reason))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return passed()
