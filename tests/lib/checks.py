"""Checks as plain functions: they raise what they see, and get their own folder, which is removed afterwards."""
from __future__ import annotations

import shutil
import tempfile
import time
from functools import partial
from pathlib import Path

from . import process
from .context import BuildError, Context
from .results import Case, Result, failed, passed, skipped
from .runtimes import Runtime


class Mismatch(Exception):
    """The observed and the expected value differ."""


class Unavailable(Exception):
    """This machine lacks something for a test."""


class NotInstalled(Exception):
    """This machine lacks a program that a test needs and that scripts/test installs. The case fails."""


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            raise NotInstalled(program)


def expect(condition: object, seen: object) -> None:
    if not condition:
        raise Mismatch(seen.describe() if isinstance(seen, process.Completed) else str(seen))


def waited(condition, seconds: float = 30) -> bool:
    """Returns True if the condition becomes true in time. The limit is for a busy machine."""
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
    """Runs a check in its own folder, whose name has a space."""
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


def on_runtime(check, context: Context, runtime: Runtime, *arguments) -> Result:
    """Runs a check on a runtime. Fails if the runtime is missing, unless --no-install allows that."""
    return runtime.absent() if runtime.missing else guarded(check, context, runtime, *arguments)


def case_on(context: Context, runtime: Runtime, title: str, check, *arguments, ranks: int = 0) -> Case:
    return Case(f"{title} on {runtime.name}", partial(on_runtime, check, context, runtime, *arguments), ranks=ranks)
