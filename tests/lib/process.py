"""Runs a command with a time limit, which also ends everything that the command has started."""
from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path


running: set[subprocess.Popen] = set()
of_thread = threading.local()


@dataclass
class Completed:
    command: list[str]
    code: int
    output: str  # standard output and error, mixed
    timed_out: bool
    hangs: int = 0  # of earlier runs of the same command, caused by the library or its launcher

    def describe(self, most_lines: int = 300) -> str:
        how = "did not end in time" if self.timed_out else f"exit code {self.code}"
        lines = self.output.rstrip().splitlines()
        if len(lines) > most_lines:
            lines[most_lines:] = [f"... and {len(lines) - most_lines} more lines"]
        return "\n".join([f"$ {' '.join(self.command)}", *lines, f"({how})"])


@contextlib.contextmanager
def own_temporary_files():
    """Gives everything that this thread starts meanwhile its own folder for temporary files. Open MPI's launchers use
    one folder for all jobs of a user, and a job that ends may remove it while another one starts.
    """
    with tempfile.TemporaryDirectory(prefix="anympi-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o1777)  # as /tmp, since some cases become another user
        of_thread.environment = {"TMPDIR": folder}
        try:
            yield
        finally:
            del of_thread.environment


def variables(environment: dict[str, str] | None = None) -> dict[str, str]:
    """Returns the environment of everything that this thread starts: the driver's own, the folder for temporary files,
    and additions.
    """
    return {**os.environ, **getattr(of_thread, "environment", {}), **(environment or {})}


def run(command: list[str], seconds: float, environment: dict[str, str] | None = None,
        directory: Path | None = None) -> Completed:
    """Runs a command. `environment` is added to the driver's own."""
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, cwd=directory, env=variables(environment), start_new_session=True)
    running.add(process)
    timed_out = False
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        timed_out = True
        output = stop(process)
    finally:
        running.discard(process)
    return Completed([str(part) for part in command], process.returncode, output.decode(errors="replace"), timed_out)


def stop(process: subprocess.Popen) -> bytes:
    """Ends the whole session. A launcher that gets SIGTERM ends its ranks; SIGKILL would leave them running."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            return process.communicate(timeout=20)[0]  # launchers are slow on a busy machine
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            break
    # A rank in its own session may hold the pipe open; its own alarm (check.h) ends it.
    process.stdout.close()
    process.wait()
    return b""


def stop_all() -> None:
    """Ends all processes when the user interrupts. They have their own sessions, so the terminal's signal does not reach them."""
    for process in list(running):
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
