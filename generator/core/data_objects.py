"""Writes the data objects of an ABI whose predefined handles are addresses."""

from __future__ import annotations

import re
from pathlib import Path

from .model import ApiError, lines


def read(path: Path) -> list[tuple[str, int]]:
    """Names and sizes, in the order of the file."""
    objects, size = [], 0
    for where, text in lines(path):
        if head := re.fullmatch(r"\[(\d+)\]", text):
            size = int(head[1])
        elif size == 0:
            raise ApiError(f"{where}: a name before the first size")
        else:
            objects += [(name, size) for name in text.split()]
    return objects


def write(objects: list[tuple[str, int]]) -> str:
    """Definitions, and a table by which the front learns where the linker put them: in the program, if that holds a copy."""
    out = ['#include "front/common/data_objects.hpp"', "", "extern \"C\" {", ""]
    out += [f"OBJECT char {name}[{size}];" for name, size in objects]
    out += ["", '} // extern "C"', "", "namespace anympi {", "", "const data_object data_objects[] = {"]
    out += [f'    {{"{name}", {name}}},' for name, _ in objects]
    out += ["};", "const int data_object_count = sizeof data_objects / sizeof *data_objects;", "", "} // namespace anympi"]
    return "\n".join(out) + "\n"
