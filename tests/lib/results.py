"""A test case and what can come of it."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Result:
    kind: str  # "passed", "failed" or "skipped"
    text: str = ""
    not_offered: list[str] = field(default_factory=list)  # MPI functions that the runtime lacks, in a passed case


def passed(not_offered: list[str] | None = None) -> Result:
    return Result("passed", "", not_offered or [])


def failed(text: str) -> Result:
    return Result("failed", text)


def skipped(reason: str) -> Result:
    return Result("skipped", reason)


def not_installed(what: str) -> Result:
    """A failure: a skip would hide that a test never runs."""
    return failed(f"{what} is not installed; scripts/test installs what the tests need")


@dataclass(eq=False)
class Case:
    """A named test. Row and column place it in the table of the report (program and runtime); both or none."""
    name: str
    run: Callable[[], Result]
    row: str = ""
    column: str = ""
    is_serial: bool = False  # keeps one core busy; a job of MPI waits most of its time (schedule.py)
    is_alone: bool = False   # measures time: nothing else runs meanwhile
    after: list[Case] = field(default_factory=list)  # cases that make what this one uses: it starts when they have ended
    seconds: float = 0       # a guess for long cases, which start early


@dataclass
class Outcome:
    case: Case
    result: Result
    seconds: float

    @property
    def failed(self) -> bool:
        return self.result.kind == "failed"
