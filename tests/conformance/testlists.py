"""The tests of the suite, read from its testlist files."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_RANKS = 2     # as in the suite's own driver
# These tests refuse to run with fewer ranks than their testlist gives.
ALL_RANKS = {"coll/coll2", "coll/coll6", "coll/coll7", "coll/gatherv", "coll/nbcoll2", "coll/p_gatherv", "comm/ic2",
             "group/grouptest"}
# The folders with tests, for each language. The suite's own top-level list depends on how the suite was configured.
C_FOLDERS = ["attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "io", "mpi_t", "part", "pt2pt", "rma",
             "spawn", "topo",
             *(f"errors/{name}" for name in ("attr", "coll", "comm", "datatype", "faults", "group", "io", "pt2pt", "rma",
                                             "spawn", "topo")),
             *(f"threads/{name}" for name in ("coll", "comm", "init", "mpi_t", "part", "pt2pt", "rma", "spawn"))]
FURTHER = {"f77": [], "f90": ["f90types", "misc", "timer"], "f08": ["misc", "subarray", "timer"]}  # folders that
                                                                                                   # some methods lack
FORTRAN_FOLDERS = [f"{method}/{name}" for method, further in FURTHER.items()
                   for name in sorted(["attr", "coll", "comm", "datatype", "ext", "info", "init", "io", "profile", "pt2pt", "rma",
                                       "spawn", "topo", *further])]
FOLDERS = [*C_FOLDERS, *FORTRAN_FOLDERS]


@dataclass(frozen=True)
class Test:
    folder: str
    program: str
    ranks: int
    arguments: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()  # NAME=value
    seconds: int = 0                   # the suite's own limit, if there is one
    judge: str = ""                    # the suite's name of a rule other than "prints No Errors"

    @property
    def name(self) -> str:
        """The name of the test in results and lists of differences: `coll/allred 4 -count=10`."""
        return " ".join([f"{self.folder}/{self.program}", str(self.ranks), *self.arguments, *self.environment])


@dataclass
class Fields:
    """The key=value fields of a line."""
    arguments: list[str] = field(default_factory=list)
    environment: list[str] = field(default_factory=list)
    other: dict[str, str] = field(default_factory=dict)


def read_fields(words: list[str]) -> Fields:
    fields = Fields()
    for word in words:
        key, equals, value = word.partition("=")
        if key == "arg":
            fields.arguments.append(value)
        elif key == "env":
            fields.environment.append(value)
        elif equals:
            fields.other[key] = value
    return fields


def read_line(folder: str, line: str, most_ranks: int) -> Test | None:
    """Reads a line of the form `program [ranks [key=value …]]`. Returns None for a line without a test. A test that the
    list marks with xfail is included, since its native result is compared, too.
    """
    words = re.sub("#.*", "", line).split()
    if not words or words[0].startswith("!"):
        return None
    ranks = int(words[1]) if len(words) > 1 else DEFAULT_RANKS
    if f"{folder}/{words[0]}" not in ALL_RANKS:
        ranks = min(ranks, most_ranks)
    fields = read_fields(words[2:])
    return Test(folder, words[0], ranks, tuple(fields.arguments), tuple(fields.environment),
                int(fields.other.get("timeLimit", 0)), fields.other.get("resultTest", ""))


def read_folder(source: Path, built: Path, folder: str, lists: list[str], most_ranks: int) -> list[Test]:
    """Returns the tests of one folder. configure writes some of the lists into the build tree; the others stay in the source."""
    tests = []
    for name in lists:
        path = next((path for path in (built / folder / name, source / folder / name) if path.exists()), None)
        for line in path.read_text().splitlines() if path else []:
            test = read_line(folder, line, most_ranks)
            if test:
                tests.append(test)
    # If the number of ranks is limited, several lines may describe the same test.
    return list({test.name: test for test in tests}.values())
