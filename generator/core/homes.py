"""Which function lives where: every function has exactly one home."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .model import Api, ApiError


@dataclass(frozen=True)
class Home:
    how: str  # generated, written, answered
    file: str
    needs: str | None  # the runtime's function that must exist; None: none


def _meant_by(item: str, numbered: list[str]) -> list[str]:
    """X_toint stands for Comm_toint, Errhandler_toint …"""
    return [f"{handle}{item[1:]}" for handle in numbered] if item.startswith("X_") else [item]


def read(path: Path, api: Api) -> dict[str, Home]:
    """Homes of all functions; those that stand in no line are generated."""
    names = {f.name for f in api.functions}
    numbered = [f.name.removesuffix("_toint") for f in api.functions if f.name.endswith("_toint")]
    homes: dict[str, Home] = {}
    for number, text in enumerate(path.read_text().splitlines(), 1):
        text = text.split("#", 1)[0].strip()
        if not text:
            continue
        match = re.fullmatch(r"(written|answered) ([\w.]+):\s+(.+)", text)
        if not match:
            raise ApiError(f"{path.name}:{number}: not a line of homes: {text}")
        how, file, functions = match.groups()
        for item in (name for word in functions.split() for name in _meant_by(word, numbered)):
            name, _, needs = item.rstrip(")").partition("(")
            if name not in names:
                raise ApiError(f"{path.name}:{number}: {name} is no function of MPI")
            if name in homes:
                raise ApiError(f"{path.name}:{number}: {name} has two homes")
            needed = None if how == "answered" or needs == "-" else needs or name
            homes[name] = Home(how, file, needed)
    for function in api.functions:
        homes.setdefault(function.name, Home("generated", "bridges.hpp", function.name))
    return homes
