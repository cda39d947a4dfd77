"""Writes the names of MPI libraries that the search uses. CMake reads the same input file for the placeholders and for the
links to the fronts (src/preload).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .model import FAMILIES, ApiError, lines_in_sections

_OF_ALL = "-"  # a name of the standard ABI
_SEARCHED = ("common", "rare")
_SECTIONS = (*_SEARCHED, "companions", "below")
_LINE = r"(lib[\w-]+\.so\.\d+)\s+(\S+)(\s+placeholder)?(\s+for lib[\w-]+\.so\.\d+)?"


@dataclass(frozen=True)
class Soname:
    text: str
    family: str
    section: str


def read(path: Path) -> list[Soname]:
    names = []
    for where, section, text in lines_in_sections(path):
        if section not in _SECTIONS:
            raise ApiError(f"{where}: no such section: {section}")
        match = re.fullmatch(_LINE, text)
        if not match or match[2] not in (_OF_ALL, *FAMILIES):
            raise ApiError(f"{where}: not a soname with its family: {text}")
        if match[1] in {name.text for name in names}:
            raise ApiError(f"{where}: {match[1]} appears twice")
        names.append(Soname(match[1], match[2], section))
    return names


def write(names: list[Soname]) -> str:
    """Writes constexpr file_name common_names[], rare_names[]; runtime/find/sonames.hpp declares the type."""
    out = []
    for section in _SEARCHED:
        out += ["", f"inline constexpr file_name {section}_names[] = {{"]
        out += [f'    {{"{name.text}", family::{"unknown" if name.family == _OF_ALL else name.family}}},' for name in names if name.section == section] + ["};"]
    return "\n".join(out[1:]) + "\n"
