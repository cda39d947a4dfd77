"""What is built from other functions where a runtime lacks it: reads src/emulate/homes.txt and writes the table that fills the gaps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from . import cpp_types
from .cpp_types import RUN
from .model import Api, ApiError, lines

_MOST_NEEDS = 4  # emulation::most_needs of src/emulate/engine/emulation.hpp


@dataclass(frozen=True)
class Emulation:
    file: str
    how: str  # in words for users
    needs: tuple[str, ...]  # functions that it calls
    template: str = ""  # what makes it of the function that it calls; "": one of its own name

    def code(self, name: str) -> str:
        return f"{self.template}<Run, &functions<Run>::{self.needs[0]}>" if self.template else f"{name}<Run>"


def _item(where: str, text: str, names: set[str]) -> tuple[str, tuple[str, ...]]:
    match = re.fullmatch(r"(\w+)\((-|\w+(?:,\w+)*)\)", text)
    if not match:
        raise ApiError(f"{where}: not a function with what it calls: {text}")
    needs = () if match[2] == "-" else tuple(match[2].split(","))
    for name in (match[1], *needs):
        if name not in names:
            raise ApiError(f"{where}: {name} is no function of MPI")
    if len(needs) > _MOST_NEEDS:
        raise ApiError(f"{where}: {match[1]} names more than {_MOST_NEEDS} functions")
    return match[1], needs


def read(path: Path, api: Api) -> dict[str, Emulation]:
    names = {f.name for f in api.functions}
    found: dict[str, Emulation] = {}
    file = template = how = ""
    for where, text in lines(path):
        if head := re.fullmatch(r"\[([\w./]+)(?: (\w+))?\] (.+)", text):
            file, template, how = head[1], head[2] or "", head[3]
            continue
        for part in text.split():
            name, needs = _item(where, part, names)
            if name in found:
                raise ApiError(f"{where}: {name} stands twice")
            found[name] = Emulation(file, how, needs, template)
    return found


def can_be_built(name: str, emulations: dict[str, Emulation], has) -> bool:
    """Whether a library that has the functions for which `has` is true gets this one too."""
    return has(name) or (name in emulations and all(can_be_built(need, emulations, has) for need in emulations[name].needs))


def table(api: Api, emulations: dict[str, Emulation], wrong: dict[str, str]) -> str:
    """emulations<Run>: what stands in for each function, with what it calls and the family (`wrong`) whose own it replaces."""
    index = {f.name: i for i, f in enumerate(api.functions)}
    out = ["#pragma once", "", '#include "emulate/engine/emulation.hpp"']
    out += [f'#include "emulate/{name}"' for name in sorted({e.file for e in emulations.values()})]
    out += ["", "namespace anympi::emulate {", "", "template <class Run>", "inline const emulation emulations[] = {"]
    for f in api.functions:
        if f.name not in emulations:
            continue
        needs = [index[need] for need in emulations[f.name].needs]
        needs += [-1] * (_MOST_NEEDS - len(needs))
        signature = f"{cpp_types.result_type(f, RUN)} (*)({cpp_types.types(f, RUN)})"
        code = f"reinterpret_cast<void*>(static_cast<{signature}>({emulations[f.name].code(f.name)}))"
        family = f"runtime::family::{wrong.get(f.name, 'unknown')}"
        out.append(f"    {{{code}, {index[f.name]}, {{{', '.join(map(str, needs))}}}, {family}}},")
    out += ["};", "", "} // namespace anympi::emulate"]
    return "\n".join(out) + "\n"
