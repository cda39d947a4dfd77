"""Pages of docs/ as scripts. Each section of a page runs in its own folder.

In a page, a block after a line such as "`hello.c`:" is a file. bash runs the commands of a `sh` block. A `text` block after them is
their output, with lines in any order, since processes print in any order. "…" in a line stands for any text, and as a line for any lines.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from . import process
from .checks import expect

BLOCK = re.compile(r"(?:(?<=\n\n)`([\w./-]+)`:\n\n)?^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
END_OF_STEP = "== end of step =="


@dataclass
class Step:
    commands: str
    printed: str | None = None


@dataclass
class Section:
    title: str
    files: dict[str, str] = field(default_factory=dict)  # also the files of earlier sections
    steps: list[Step] = field(default_factory=list)


def sections(page: Path) -> list[Section]:
    """The sections of a page that have commands, in order. The first section is the text before the first heading `##`."""
    files: dict[str, str] = {}
    found = []
    for part in page.read_text().split("\n## "):
        section = Section(part.partition("\n")[0].lstrip("# "))
        previous = ""
        for name, info, text in BLOCK.findall(part):
            if name:
                files = {**files, name: text}
            elif info == "sh":
                section.steps.append(Step(text))
            elif info == "text" and previous == "sh":
                section.steps[-1].printed = text
            previous = "" if name else info
        section.files = files
        if section.steps:
            found.append(section)
    return found


def run_section(section: Section, folder: Path, seconds: float, environment: dict[str, str], before: list[str] | None = None) -> None:
    """Runs a section. It ends at the first command that fails. The words in `before` start the shell."""
    for name, text in section.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    script = "set -e\n" + "".join(f"{step.commands}echo; echo '{END_OF_STEP}'\n" for step in section.steps)
    done = process.run([*(before or []), "bash", "-c", script], seconds, environment, folder)
    expect(done.code == 0, done)
    for step, output in zip(section.steps, done.output.split(f"\n{END_OF_STEP}\n")):
        if step.printed is not None:
            expect(is_output(output, step.printed), f"$ {step.commands}{output}\nThe page says:\n{step.printed}")


def is_output(output: str, page: str) -> bool:
    left = output.strip("\n").splitlines()
    due = page.splitlines()
    for line in due:
        pattern = ".*".join(map(re.escape, line.split("…")))
        match = next((other for other in left if re.fullmatch(pattern, other)), None)
        if line != "…" and match is None:
            return False
        if line != "…":
            left.remove(match)
    return not left or "…" in due
