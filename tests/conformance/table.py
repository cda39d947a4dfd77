"""The results as text, with a row for each folder of the suite."""
from __future__ import annotations

from collections import Counter
from pathlib import Path

from .differences import EXPECTED, FLAKY, GAINED, LOST, NATIVE_FAILS, NOT_EXPECTED_TO_GAIN, NOT_GAINED

MARKS = ("<!-- results -->", "<!-- end of results -->")  # the document has the tables between these lines
HEADINGS = ["folder", "tests", "pass natively", "pass through", "lost", "expected", "flaky", "gained", "not gained"]


def numbers(outcomes: list[str]) -> list[int]:
    count = Counter(outcomes)
    gained, not_gained = count[GAINED], count[NOT_GAINED] + count[NOT_EXPECTED_TO_GAIN]
    native = len(outcomes) - count[NATIVE_FAILS] - gained - not_gained
    lost, expected, flaky = count[LOST], count[EXPECTED], count[FLAKY]
    return [len(outcomes), native, native - lost - expected - flaky, lost, expected, flaky, gained, not_gained]


def format_table(folders: dict[str, list[str]]) -> str:
    """Returns a Markdown table, in the form of docs/evidence/conformance.md, from the outcomes of each folder's tests."""
    rows = [[folder, *numbers(outcomes)] for folder, outcomes in folders.items() if outcomes]
    rows.append(["all", *(sum(column) for column in zip(*(row[1:] for row in rows)))])
    cells = [HEADINGS, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(HEADINGS))]
    cells.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    return "\n".join(f"| {line[0].ljust(widths[0])} | "
                     + " | ".join(text.rjust(width) for text, width in zip(line[1:], widths[1:])) + " |" for line in cells)


def insert(path: Path, tables: str) -> None:
    """Replaces the tables of a document."""
    before, begin, rest = path.read_text().partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        raise SystemExit(f"anympi: {path} has no lines {' and '.join(MARKS)} for the tables to go between")
    path.write_text(f"{before}{begin}\n{tables}\n{end}{after}")
