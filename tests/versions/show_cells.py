"""Prints the tables of scripts/versions: one for each version that programs were built for, with a line for each
version that they run on and a column for each kind.
"""
from __future__ import annotations

import re
import textwrap
from collections import Counter

from .cell import NOT_BUILT, REFUSED, RIGHT, WRONG, Answer, Cell

SHORT = {RIGHT: "ok", REFUSED: "no", NOT_BUILT: "-", WRONG: "BAD"}
WIDTH = 80
FEW = 5  # examples of cells after a reason


def print_tables(answers: dict[Cell, Answer]) -> None:
    kinds = list(dict.fromkeys(cell.kind.name for cell in answers))
    for built in dict.fromkeys(cell.built_for.title for cell in answers):
        rows = {}
        for cell, answer in answers.items():
            if cell.built_for.title == built:
                rows.setdefault(cell.run_on.title, {})[cell.kind.name] = SHORT[answer.kind]
        print(f"\nBuilt for {built}, run on\n{format_rows(kinds, rows)}")
    print_reasons(answers, NOT_BUILT, "Cannot be built")
    print_reasons(answers, REFUSED, "Refused")
    print_wrong(answers)
    counts = Counter(answer.kind for answer in answers.values())
    print(f"\n{counts[RIGHT]} right, {counts[REFUSED]} refused, {counts[NOT_BUILT]} cannot be built, {counts[WRONG]} wrong")


def format_rows(kinds: list[str], rows: dict[str, dict[str, str]]) -> str:
    lines = [["", *kinds], *([title, *(cells.get(kind, "") for kind in kinds)] for title, cells in rows.items())]
    widths = [max(len(line[column]) for line in lines) for column in range(len(kinds) + 1)]
    return "\n".join("  " + " ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in lines)


def print_reasons(answers: dict[Cell, Answer], kind: str, title: str) -> None:
    """Prints each reason once, with its cells: all of them, or their number and the first ones."""
    cells: dict[str, list[str]] = {}
    for cell, answer in answers.items():
        if answer.kind == kind:
            name = f"{cell.kind.name} for {cell.built_for.name}"
            named = cells.setdefault(general(answer.text, cell), [])
            if name not in named:
                named.append(name)
    if cells:
        print(f"\n{title}:")
    for text, names in cells.items():
        more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
        lines = text.replace("anympi: ", "").splitlines()
        print("\n".join(textwrap.wrap(f"{', '.join(names[:FEW])}{more}:", WIDTH, initial_indent="  ", subsequent_indent="  ")))
        print("\n".join(textwrap.fill(line, WIDTH, initial_indent="    ", subsequent_indent="    ") for line in lines))


def general(text: str, cell: Cell) -> str:
    """Returns a message without folders, without the versions of file names, and without parts that belong to this cell only."""
    text = re.sub(r"/\S*/(\S+)", r"\1", text).replace(cell.run_on.title, "the MPI chosen")
    text = re.sub(r"(\.so\.\d+)(\.\d+)+", r"\1", re.sub(r"-[0-9a-f]{12}\b", "", text))
    return text.replace(f"{cell.kind.name}-for-{cell.built_for.name}", "the program")


def print_wrong(answers: dict[Cell, Answer]) -> None:
    wrong = {cell: answer for cell, answer in answers.items() if answer.kind == WRONG}
    if wrong:
        print("\nWrong (what each has printed stands above):")
    for cell, answer in wrong.items():
        print(f"  {cell.name}:\n    {general(summary(answer.text), cell)}")


def summary(text: str) -> str:
    """Returns the most useful line: the dynamic linker's or the program's message, or the first mistake."""
    lines = text.splitlines()
    telling = re.compile(r"symbol lookup error|undefined symbol|cannot open shared object|did not end in time|signal \d+|BAD TERMINATION")
    return next((line.strip() for line in lines if telling.search(line)), lines[0])


def as_records(answers: dict[Cell, Answer]) -> list[dict]:
    return [{"kind": cell.kind.name, "built_for": cell.built_for.name, "run_on": cell.run_on.name, "system": cell.place.name,
             "answer": answer.kind, "text": answer.text, "seconds": round(answer.seconds, 2)} for cell, answer in answers.items()]
