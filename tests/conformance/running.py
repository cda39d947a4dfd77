"""Runs one test of the suite with the launcher of a runtime, and removes everything that the test leaves behind."""
from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
import uuid
from pathlib import Path

from lib import process

from .pairs import Side
from .testlists import Test
from .verdict import HANGS, NOT_BUILT, judge

MARK = "ANYMPI_CONFORMANCE_RUN"  # in the environment of everything that a test starts
interrupted = threading.Event()  # the running tests are being ended, so their results do not count


def limit(test: Test, most_seconds: int) -> int:
    """Returns the time limit in seconds: the test's own limit or `most_seconds`, whichever is smaller."""
    return min(test.seconds or most_seconds, most_seconds)


def ended_too_early(known: dict, test: Test, most_seconds: int) -> bool:
    """Returns True if the stored result is a test that was ended at a smaller time limit than the present one. With more
    time, the test may pass.
    """
    return known["verdict"] == HANGS and known["seconds"] < limit(test, most_seconds)


def run_test(side: Side, test: Test, most_seconds: int) -> dict:
    """Runs a test. Returns the stored result: verdict, seconds, exit code and output."""
    if not (side.programs / test.folder / test.program).exists():
        return {"verdict": NOT_BUILT, "seconds": 0, "code": 0, "output": ""}
    seconds = limit(test, most_seconds)
    mark = uuid.uuid4().hex
    folder = make_folder(side.programs / test.folder)
    # The launcher gets the time limit and ends a job that takes too long, since it knows best which processes belong to
    # the job. The driver's own limit is used only if the launcher fails to end the job.
    variables = {**side.runtime.environment, **side.environment, **dict(entry.split("=", 1) for entry in test.environment),
                 "MPIEXEC_TIMEOUT": str(seconds), "TMPDIR": str(folder), MARK: mark}
    command = [*side.runtime.launcher, *side.launcher_options, "-n", str(test.ranks), f"./{test.program}", *test.arguments]
    begin = time.monotonic()
    try:
        run = process.run(command, seconds + 10, variables, folder)
    finally:
        end_leftovers(mark)
        shutil.rmtree(folder, ignore_errors=True)
    if interrupted.is_set():
        raise KeyboardInterrupt
    took = time.monotonic() - begin
    # A job that was ended at the limit has not passed, even if the test expects an abnormal end. (init/timeout waits for
    # the launcher's limit, so it counts as failing natively.)
    run.timed_out = run.timed_out or took >= seconds
    return {"verdict": judge(test.judge, run), "seconds": round(took, 2), "code": run.code,
            "output": "\n".join(run.output.splitlines()[:60])}


def make_folder(programs: Path) -> Path:
    """Makes a folder for the files that a test writes. It also has links to the programs of the test's folder,
    since tests that spawn processes start them as ./NAME.
    """
    folder = Path(tempfile.mkdtemp(prefix="conf-"))
    for path in programs.iterdir():
        if path.is_file() and os.access(path, os.X_OK):
            (folder / path.name).symlink_to(path)
    return folder


def end_leftovers(mark: str) -> None:
    """Ends ranks that have outlived their launcher. The mark in their environment identifies them."""
    wanted = f"{MARK}={mark}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in path.read_bytes():
                os.kill(int(path.parent.name), signal.SIGKILL)
        except OSError:  # ended meanwhile, or owned by another user
            continue
