"""Other names of functions, which vendors' programs use and older libraries have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .model import Api, ApiError, Function, lines_in_sections


@dataclass(frozen=True)
class Synonym:
    name: str  # with MPI_
    function: Function
    abis: tuple[str, ...]
    is_extension: bool


def read(path: Path, api: Api) -> list[Synonym]:
    functions = {f.name: f for f in api.functions}
    found = []
    for where, section, text in lines_in_sections(path):
        match = re.fullmatch(r"(\w+) = (\w+)\s*: (.+)", text)
        if not match or match[2] not in functions:
            raise ApiError(f"{where}: not a synonym of a function: {text}")
        found.append(Synonym(match[1], functions[match[2]], tuple(match[3].split()), section == "extensions"))
    return found
