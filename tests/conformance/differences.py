"""Comparing the two sides of a pair, and the lists of differences that are known and legitimate."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .verdict import PASSED

REASONS = {"native-fails": "the runtime itself fails, though not in every run",
           "abi-changed": "the test checks something that the standard ABI changed",
           "test-wrong": "the test itself is wrong, for example keeps a handle in an int",
           "lacking": "the test uses a function that the library lacks, since mpi.h declares it"}
# What can come of a test.
KEPT, LOST, NATIVE_FAILS, EXPECTED, NEEDLESS, FLAKY = "kept", "lost", "native fails", "expected", "needless", "flaky"
OUTCOMES = {KEPT: "passes natively and through the front", LOST: "passes natively, but not through the front",
            NATIVE_FAILS: "does not pass natively", EXPECTED: "lost for a reason that is listed",
            NEEDLESS: "listed as an expected difference, but is none: take it off the list",
            FLAKY: "lost, but natively it comes and goes"}
WRONG = (LOST, NEEDLESS)


@dataclass
class Lists:
    """Names of tests with why they are listed. Each line of a file is `reason | name of a test | why`."""
    expected: dict[str, str] = field(default_factory=dict)
    flaky: dict[str, str] = field(default_factory=dict)


def read_list(path: Path, words: list[str]) -> list[tuple[str, str, str]]:
    """The lines of a list, whose first field must be one of the words."""
    entries = []
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [part.strip() for part in line.split("|")]
        if len(fields) != 3 or fields[0] not in words:
            raise SystemExit(f"anympi: {path.name}:{number}: a line is `word | test | why`, and the word is one of "
                             f"{', '.join(words)}; not `{line}`")
        entries.append((fields[0], fields[1], fields[2]))
    return entries


def read_lists(folder: Path, pair_name: str, runtime_name: str, runtimes: list[str]) -> Lists:
    expected = read_list(folder / f"{pair_name.replace(':', '-')}.txt", list(REASONS))
    flaky = read_list(folder / "flaky.txt", runtimes)
    return Lists({test: f"{reason}: {why}" for reason, test, why in expected},
                 {test: why for runtime, test, why in flaky if runtime == runtime_name})


def outcome(name: str, native: dict, through: dict | None, lists: Lists) -> str:
    """`through` is None where it was not tried, because the test does not pass natively."""
    if name in lists.flaky:
        return FLAKY if through is None or through["verdict"] != PASSED else KEPT
    if through is None or through["verdict"] == PASSED:
        if name in lists.expected:
            return NEEDLESS
        return NATIVE_FAILS if through is None else KEPT
    return EXPECTED if name in lists.expected else LOST


def describe(native: dict, through: dict | None, most_lines: int = 12) -> str:
    """Both runs of a test, for people."""
    lines = []
    for side, run in (("natively", native), ("through the front", through)):
        if run is None:
            continue
        lines.append(f"{side}: {run['verdict']}, exit code {run['code']}, {run['seconds']} s")
        lines += [f"    {line}" for line in run["output"].splitlines()[:most_lines]]
    return "\n".join(lines)
