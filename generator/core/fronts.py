"""Symbols that a front exports besides the functions of MPI."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .model import Api, ApiError, lines_in_sections


@dataclass
class Names:
    functions: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[str]:
        return self.functions + [f"P{name}" for name in self.functions if name.startswith(("MPI_", "MPIX_"))] + self.data


def _add_symbols_of_constants(front: Names, api: Api, app: str) -> None:
    """Adds the functions and variables of the library that are constants of MPI. Symbols of handles are not added here; see
    data_objects.py.
    """
    symbols = {c.symbol(app): c.category for c in api.constants if c.symbol(app) and not c.handle_class}
    front.functions += [symbol for symbol, category in symbols.items() if category == "callback"]
    front.data += [symbol for symbol, category in symbols.items() if category != "callback"]


def read(path: Path, api: Api) -> dict[str, Names]:
    """Returns the symbols of each front, by the ABI of its programs."""
    fronts: dict[str, Names] = {}
    for where, app, text in lines_in_sections(path):
        what, *names = text.split()
        if not app or what not in ("functions", "data"):
            raise ApiError(f"{where}: neither functions nor data of a front: {text}")
        current = fronts.setdefault(app, Names())
        (current.functions if what == "functions" else current.data).extend(names)
    for app, front in fronts.items():
        _add_symbols_of_constants(front, api, app)
    return fronts
