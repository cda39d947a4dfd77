"""How a build tree compiles the installed files: the entries of compile_commands.json that make objects of src/."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

TOGETHER = re.compile(r'^#include "(.+)"$', re.MULTILINE)  # in a file that CMake makes from several sources
OF_ONE_RESULT = re.compile(r" -D\w+_EXPORTS| -o \S+| -c \S+")  # in a command of the compiler


@dataclass(frozen=True)
class Compilation:
    file: Path  # a source, or the file that CMake makes from several
    sources: tuple[Path, ...]  # compiled as one
    command: str
    result: Path

    @property
    def library(self) -> str:
        return re.search(r"(\w+)\.dir/", str(self.result))[1]

    @property
    def compiler(self) -> str:
        """The compiler with its options, which several results may share."""
        return OF_ONE_RESULT.sub("", self.command)

    @property
    def is_of_several(self) -> bool:
        return is_of_several(self.file)


def compilations(build: Path) -> Iterator[Compilation]:
    commands = build / "compile_commands.json"
    for entry in json.loads(commands.read_text()) if commands.exists() else []:
        result = re.search(r" -o (\S+)", entry["command"])[1]
        if result.startswith("src/"):
            file = Path(entry["file"])
            yield Compilation(file, sources_of(file), entry["command"], build / result)


def sources_of(file: Path) -> tuple[Path, ...]:
    return tuple(map(Path, TOGETHER.findall(file.read_text()))) if is_of_several(file) else (file,)


def is_of_several(file: Path) -> bool:
    return file.parent.name == "Unity"


def left_alone(build: Path) -> set[Path]:
    """Returns the sources that are compiled alone, although their library compiles others with the same options as one
    (SKIP_UNITY_BUILD_INCLUSION in src/CMakeLists.txt).
    """
    all_of_them = list(compilations(build))
    ways = {(one.library, one.compiler) for one in all_of_them if one.is_of_several}
    return {one.file for one in all_of_them if not one.is_of_several and (one.library, one.compiler) in ways}
