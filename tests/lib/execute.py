"""Runs cases, some at the same time, and shows the progress."""
from __future__ import annotations

import shutil
import sys
import threading
import time
import traceback

from . import process
from .checks import NotInstalled
from .results import Case, Outcome, failed, not_installed
from .schedule import Schedule

QUIET_SECONDS = 20  # a log gets a line of progress at least this often


class Progress:
    """Progress: one line that is overwritten on a terminal, or a line now and then in a log. Failures are printed at once."""

    def __init__(self, total: int, verbose: bool):
        self.total, self.verbose, self.done, self.failures = total, verbose, 0, 0
        self.terminal = sys.stdout.isatty()
        self.last = time.monotonic()
        self.lock = threading.Lock()

    def started(self, name: str) -> None:
        with self.lock:
            if self.terminal:
                width = shutil.get_terminal_size().columns - 1
                print(f"\r\033[K{f'[{self.done + 1}/{self.total}] {name}'[:width]}", end="", flush=True)

    def finished(self, outcome: Outcome) -> None:
        with self.lock:
            self.done += 1
            self.failures += outcome.failed
            clear = "\r\033[K" if self.terminal else ""
            if outcome.failed:
                print(f"{clear}FAILED {outcome.case.name} ({outcome.seconds:.1f} s)\n{indent(outcome.result.text)}",
                      flush=True)
            elif self.verbose:
                print(f"{clear}{outcome.result.kind:8}{outcome.seconds:6.1f} s  {outcome.case.name}", flush=True)
            elif not self.terminal and time.monotonic() - self.last > QUIET_SECONDS:
                print(f"[{self.done}/{self.total}] {self.failures} failed so far", flush=True)
                self.last = time.monotonic()

    def end(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", flush=True)


def indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def run_case(case: Case, progress: Progress) -> Outcome:
    progress.started(case.name)
    begin = time.monotonic()
    try:
        with process.own_temporary_files():
            result = case.run()
    except NotInstalled as lacking:
        result = not_installed(str(lacking))
    except (Exception, SystemExit):  # a mistake in a suite fails this case; the others still run
        result = failed(traceback.format_exc())
    outcome = Outcome(case, result, time.monotonic() - begin)
    progress.finished(outcome)
    return outcome


def run_all(cases: list[Case], cores: int, verbose: bool) -> list[Outcome]:
    """Keeps all cores busy. Returns the outcomes in the order of the cases."""
    progress = Progress(len(cases), verbose)
    outcomes: dict[Case, Outcome] = {}
    schedule = Schedule(cases, cores)
    workers = [threading.Thread(target=work, args=(schedule, progress, outcomes)) for _ in range(schedule.most_at_once)]
    try:
        for worker in workers:
            worker.start()
        schedule.wait()
    except KeyboardInterrupt:
        schedule.cancel()
        process.stop_all()
        raise
    finally:
        for worker in workers:
            worker.join()
    progress.end()
    return [outcomes[case] for case in cases]


def work(schedule: Schedule, progress: Progress, outcomes: dict[Case, Outcome]) -> None:
    while (case := schedule.take()) is not None:
        try:
            outcomes[case] = run_case(case, progress)
        finally:  # otherwise the run would wait for this case forever
            schedule.give_back(case)
