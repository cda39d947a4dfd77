"""Writes the data objects of an ABI whose predefined handles are addresses."""

from __future__ import annotations

import re
from pathlib import Path

from .model import HANDLE_CLASSES, Api, ApiError, lines

_APP = "openmpi"


def _of_constants(api: Api, handle_class: str) -> set[str]:
    """Returns the data objects of all handles of a class, including handles that MPI has removed."""
    removed = api.removed_datatypes.values() if handle_class == "Datatype" else []
    return {c.symbol(_APP) for c in [*api.category(f"handle {handle_class}"), *removed]}


def read(path: Path, api: Api) -> list[tuple[str, int]]:
    """Returns the name and the size of each data object, ordered by size and name."""
    objects: dict[str, int] = {}
    size = 0
    for where, text in lines(path):
        if head := re.fullmatch(r"\[(\d+)\]", text):
            size = int(head[1])
            continue
        what, *names = text.split()
        if size == 0 or what not in ("handles", "others"):
            raise ApiError(f"{where}: neither handles nor others of a size: {text}")
        if what == "handles":
            if unknown := set(names) - set(HANDLE_CLASSES):
                raise ApiError(f"{where}: no class of handles: {', '.join(sorted(unknown))}")
            names = [name for handle_class in names for name in _of_constants(api, handle_class)]
        for name in names:
            if name in objects:
                raise ApiError(f"{where}: {name} appears twice")
            objects[name] = size
    if without := {c.symbol(_APP) for c in api.handles} - objects.keys():
        raise ApiError(f"{path.name}: no size for {', '.join(sorted(without))}")
    return sorted(objects.items(), key=lambda item: (item[1], item[0]))


def write(objects: list[tuple[str, int]]) -> str:
    """Writes the definitions of the data objects, and a table of their addresses. The front needs this table, because the
    address is in the program if the program has a copy of the object.
    """
    out = ['#include "front/common/data_objects.hpp"', "", "extern \"C\" {", ""]
    out += [f"OBJECT char {name}[{size}];" for name, size in objects]
    out += ["", '} // extern "C"', "", "namespace anympi {", "", "const data_object data_objects[] = {"]
    out += [f'    {{"{name}", {name}}},' for name, _ in objects]
    out += ["};", "const int data_object_count = sizeof data_objects / sizeof *data_objects;", "", "} // namespace anympi"]
    return "\n".join(out) + "\n"
