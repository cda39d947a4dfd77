"""A test case and its possible results."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Result:
    kind: str  # "passed", "failed" or "skipped"
    text: str = ""
    not_offered: list[str] = field(default_factory=list)  # MPI functions that the runtime lacks, in a passed case
    hangs: int = 0  # caused by the library or its launcher, before the run that passed


def passed(not_offered: list[str] | None = None, hangs: int = 0) -> Result:
    return Result("passed", "", not_offered or [], hangs)


def failed(text: str) -> Result:
    return Result("failed", text)


def skipped(reason: str) -> Result:
    return Result("skipped", reason)


def not_installed(what: str) -> Result:
    """Returns a failure: a skip would hide that a test never runs."""
    return failed(f"{what} is not installed; scripts/test installs what the tests need")


@dataclass(eq=False)
class Case:
    """A named test. Row and column place it in the report's table (program and runtime). A case has both or none of them."""
    name: str
    run: Callable[[], Result]
    row: str = ""
    column: str = ""
    ranks: int = 0           # of the MPI job that it starts
    is_serial: bool = False  # keeps one core busy, as a job of one rank does; others wait most of their time (schedule.py)
    is_alone: bool = False   # measures time: nothing else runs meanwhile
    after: list[Case] = field(default_factory=list)  # cases that make something this one uses: it starts when they have
                                                     # ended
    seconds: float = 0       # an estimate for long cases, which start early

    def __post_init__(self):
        self.is_serial = self.is_serial or self.ranks == 1


@dataclass
class Outcome:
    case: Case
    result: Result
    seconds: float

    @property
    def failed(self) -> bool:
        return self.result.kind == "failed"
