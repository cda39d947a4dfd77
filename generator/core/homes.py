"""The home of each function. Every function has exactly one home."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .model import Api, ApiError, lines


@dataclass(frozen=True)
class Home:
    how: str  # generated, written, answered
    file: str
    needs: str | None  # the runtime's function that must exist; None if no function is needed


_LINE = re.compile(r"(written|answered) ([\w./]+):\s+(.+)")


def numbered_classes(api: Api) -> tuple[str, ...]:
    """Returns the classes of handles that can be converted to numbers."""
    return tuple(f.name.removesuffix("_toint") for f in api.functions if f.name.endswith("_toint"))


def meant_by(item: str, numbered: tuple[str, ...]) -> list[str]:
    """Returns the functions for which an item stands. The item X_toint stands for Comm_toint, Errhandler_toint …; all other
    items stand for themselves.
    """
    return [f"{handle}{item[1:]}" for handle in numbered] if item.startswith("X_") else [item]


def read_written(path: Path, names: set[str], kind: str, numbered: tuple[str, ...] = ()) -> dict[str, Home]:
    """Returns the homes of the functions or procedures that a homes.txt names. Each of them must be in `names`, and must
    occur only once in the file.
    """
    homes: dict[str, Home] = {}
    for where, text in lines(path):
        match = _LINE.fullmatch(text)
        if not match:
            raise ApiError(f"{where}: not a line of homes: {text}")
        how, file, items = match.groups()
        for item in (name for word in items.split() for name in meant_by(word, numbered)):
            name, _, needs = item.rstrip(")").partition("(")
            if name not in names:
                raise ApiError(f"{where}: {name} is not a {kind} of MPI")
            if name in homes:
                raise ApiError(f"{where}: {name} has two homes")
            homes[name] = Home(how, file, None if how == "answered" or needs == "-" else needs or name)
    return homes


def read(path: Path, api: Api) -> dict[str, Home]:
    """Returns the homes of all functions. Functions without a line are generated."""
    homes = read_written(path, {f.name for f in api.functions}, "function", numbered_classes(api))
    for function in api.functions:
        homes.setdefault(function.name, Home("generated", "bridges.hpp", function.name))
    return homes
