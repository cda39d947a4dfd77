"""What a front exports besides the functions of MPI."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .model import ApiError, lines


@dataclass
class Names:
    functions: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[str]:
        return self.functions + [f"P{name}" for name in self.functions if name.startswith(("MPI_", "MPIX_"))] + self.data


def read(path: Path) -> dict[str, Names]:
    """By the ABI of the programs."""
    fronts: dict[str, Names] = {}
    current = None
    for where, text in lines(path):
        if text.startswith("["):
            current = fronts.setdefault(text.strip("[]"), Names())
            continue
        what, *names = text.split()
        if current is None or what not in ("functions", "data"):
            raise ApiError(f"{where}: neither functions nor data of a front: {text}")
        (current.functions if what == "functions" else current.data).extend(names)
    return fronts
