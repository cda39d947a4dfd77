"""Decides which case runs next: the cores stay busy, and not too many cases run at once."""
from __future__ import annotations

import threading

from .results import Case

# A job of MPI waits most of its time: for its launcher, and its processes for each other. Four jobs of two processes
# take hardly longer on two cores than one job.
JOBS_ON_A_CORE = 2


class Schedule:
    """Starts cases that wait for others when those have ended. Of the rest, long cases start first. Cases that measure
    time come last.
    """

    def __init__(self, cases: list[Case], cores: int):
        self.capacity = cores * JOBS_ON_A_CORE
        self.waiting = sorted(cases, key=lambda case: (case.is_alone, -case.seconds))
        self.unfinished = set(cases)
        self.free = self.capacity
        self.changed = threading.Condition()

    @property
    def most_at_once(self) -> int:
        return min(self.capacity, len(self.waiting))

    def load_of(self, case: Case) -> int:
        """Returns the load in parts of a core."""
        if case.is_alone:
            return self.capacity
        return JOBS_ON_A_CORE if case.is_serial else 1

    def take(self) -> Case | None:
        """Waits for a case that may start now. Returns None if no case is left."""
        with self.changed:
            while self.waiting:
                case = self.next_ready()
                if case:
                    self.waiting.remove(case)
                    self.free -= self.load_of(case)
                    return case
                self.changed.wait()
            return None

    def next_ready(self) -> Case | None:
        for case in self.waiting:
            if case.is_alone and len(self.unfinished) > len(self.waiting):
                return None  # the others have to end first
            if self.load_of(case) <= self.free and not any(before in self.unfinished for before in case.after):
                return case
        return None

    def give_back(self, case: Case) -> None:
        with self.changed:
            self.unfinished.remove(case)
            self.free += self.load_of(case)
            self.changed.notify_all()

    def wait(self) -> None:
        """Waits until all cases have ended."""
        with self.changed:
            while self.unfinished:
                self.changed.wait()

    def cancel(self) -> None:
        """Starts no more cases."""
        with self.changed:
            self.waiting.clear()
            self.changed.notify_all()
