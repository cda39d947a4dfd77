"""How a build tree compiles what is installed: the entries of compile_commands.json that make objects of src/."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

TOGETHER = re.compile(r'^#include "(.+)"$', re.MULTILINE)  # in a file that CMake makes of several sources


@dataclass(frozen=True)
class Compilation:
    sources: tuple[Path, ...]  # compiled as one
    command: str
    result: Path

    @property
    def library(self) -> str:
        return re.search(r"(\w+)\.dir/", str(self.result))[1]


def compilations(build: Path) -> Iterator[Compilation]:
    commands = build / "compile_commands.json"
    for entry in json.loads(commands.read_text()) if commands.exists() else []:
        result = re.search(r" -o (\S+)", entry["command"])[1]
        if result.startswith("src/"):
            yield Compilation(sources_of(Path(entry["file"])), entry["command"], build / result)


def sources_of(file: Path) -> tuple[Path, ...]:
    return tuple(map(Path, TOGETHER.findall(file.read_text()))) if file.parent.name == "Unity" else (file,)
