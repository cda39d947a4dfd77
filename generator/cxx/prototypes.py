"""Writes the C functions that the C++ bindings of MPI call: the functions of MPI 2.2, the last version with the bindings.

    python3 prototypes.py SOURCE_ROOT FILE

The types have the names of mpi.h. A source that includes the file defines them for one ABI.
"""
from __future__ import annotations

import sys
from pathlib import Path

SOURCE_ROOT = Path(sys.argv[1])
sys.path.insert(0, str(SOURCE_ROOT))

from generator.core import c_types, model  # noqa: E402  (the path must be known first)


def belongs_to_mpi_2(function: model.Function) -> bool:
    return function.since <= "2.2" and not function.converter


def prototypes(api: model.Api) -> list[str]:
    functions = [f for f in api.functions if belongs_to_mpi_2(f)]
    used = {p.callback for f in functions for p in f.parameters}
    callbacks = [c for c in api.callbacks if c.name in used]
    lines = []
    for callback in callbacks:
        parameters = ", ".join(c_types.declaration(callback, p) for p in callback.parameters)
        lines.append(f"typedef {c_types.result_type(callback)} MPI_{callback.name}({parameters});")
    return lines + [c_types.prototype(f) + ";" for f in functions]


def main() -> None:
    text = "// Written by generator/cxx/prototypes.py from api/.\n" + "\n".join(prototypes(model.read(SOURCE_ROOT / "api"))) + "\n"
    Path(sys.argv[2]).write_text(text)


main()
