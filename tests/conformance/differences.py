"""Compares the two sides of a pair. Reads the lists of known and legitimate differences."""
from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from .pairs import Pair
from .verdict import NOT_BUILT, PASSED

REASONS = {"native-fails": "the runtime itself fails, though not in every run",
           "abi-changed": "the test checks something that the standard ABI changed",
           "test-wrong": "the test itself is wrong, for example keeps a handle in an int",
           "lacking": "the test uses a function that the library lacks, since mpi.h declares it"}
# The possible outcomes of a test.
KEPT, LOST, NATIVE_FAILS, EXPECTED, NEEDLESS, FLAKY = "kept", "lost", "native fails", "expected", "needless", "flaky"
GAINED, NOT_GAINED, NOT_EXPECTED_TO_GAIN = "gained", "not gained", "not expected to gain"
OUTCOMES = {KEPT: "passes natively and through the front", LOST: "passes natively, but not through the front",
            NATIVE_FAILS: "does not pass natively", EXPECTED: "lost for a listed reason",
            NEEDLESS: "listed as an expected difference, but passes: remove it from the list",
            FLAKY: "lost, but it also fails natively now and then",
            GAINED: "cannot be built natively, passes through the front",
            NOT_GAINED: "cannot be built natively, and does not pass through the front",
            NOT_EXPECTED_TO_GAIN: "cannot be built natively, and does not pass for a listed reason"}
WRONG = (LOST, NEEDLESS, NOT_GAINED)


@dataclass
class Lists:
    """Names of tests, with the reasons why they are listed."""
    expected: dict[str, str] = field(default_factory=dict)
    flaky: dict[str, str] = field(default_factory=dict)
    enforced: bool = True  # a test that is listed as expected must differ; False for other makers' libraries, since the
                           # lists are for anympi


def read_lists(folder: Path, pair: Pair, enforced: bool) -> Lists:
    """Returns the part of expected.txt for a pair, and the part of flaky.txt for its runtime."""
    expected = {test: f"{reason}: {why}" for reason, runtimes, test, why in read_list(folder / "expected.txt", 4)
                if named(pair.lists, runtimes) and (pair.app == "standard" or reason != "abi-changed")}
    flaky = {test: why for runtimes, test, why in read_list(folder / "flaky.txt", 3) if named(pair.label, runtimes)}
    return Lists(expected, flaky, enforced)


def read_list(path: Path, columns: int) -> list[list[str]]:
    entries = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [part.strip() for part in line.split("|")]
        if len(fields) != columns or columns == 4 and fields[0] not in REASONS:
            raise SystemExit(f"anympi: {path.name}:{number}: a line has {columns} columns, and a reason is one of "
                             f"{', '.join(REASONS)}; not `{line}`")
        entries.append(fields)
    return entries


def named(runtime: str, patterns: str) -> bool:
    """Returns True if the patterns name the runtime: `mpich*,openmpi` names all versions of MPICH, and Debian's Open MPI."""
    return any(fnmatchcase(runtime, pattern.strip()) for pattern in patterns.split(","))


def outcome(name: str, native: dict, through: dict | None, lists: Lists) -> str:
    """Returns the outcome of a test. `through` is None if the test was not tried, because it fails natively."""
    if through is None:
        return FLAKY if name in lists.flaky else NATIVE_FAILS
    can_be_lost = native["verdict"] != NOT_BUILT
    if through["verdict"] == PASSED:
        if lists.enforced and name in lists.expected:
            return NEEDLESS
        return KEPT if can_be_lost else GAINED
    if name in lists.flaky:
        return FLAKY
    if name in lists.expected:
        return EXPECTED if can_be_lost else NOT_EXPECTED_TO_GAIN
    return LOST if can_be_lost else NOT_GAINED


def describe(native: dict, through: dict | None, most_lines: int = 12) -> str:
    """Describes both runs of a test, for a message."""
    lines = []
    for side, run in (("natively", native), ("through the front", through)):
        if run is None:
            continue
        lines.append(f"{side}: {run['verdict']}, exit code {run['code']}, {run['seconds']} s")
        lines += [f"    {line}" for line in run["output"].splitlines()[:most_lines]]
    return "\n".join(lines)
