"""A vendor's mpi.h with the missing parts of MPI 5.0, so that programs for its ABI can use all of MPI 5.0.

Functions and types come from anympi's mpi.h, whose prototypes are the same in every ABI. The generator writes the values for
the ABI.
"""
from __future__ import annotations

import re
import threading
from pathlib import Path

_TYPE = re.compile(r"^typedef .*?\b(MPI_\w+)\)?(?:\(.*\))?;$")
_FUNCTION = re.compile(r"^(?:int|double|MPI_\w+) (MPI_\w+)\(.*\);$")
_ENUMERATION = re.compile(r"^typedef enum (MPI_\w+) {$")
_VALUE = re.compile(r"static constexpr (?:int|std::intptr_t) mpi_(\w+) = (-?\w+);")
_OBJECT = re.compile(r'static constexpr const char\* mpi_(\w+) = "(\w+)";')


def write(vendors: Path, ours: Path, abi: Path, result: Path) -> Path:
    """Writes `result`, which includes the vendor's mpi.h and adds to it. `abi` is the generated header with the values
    of its ABI.
    """
    known = {name for part in vendors.parent.glob("mpi*.h") for name in re.findall(r"\b(?:MPI|ompi)_\w+", part.read_text())}
    lines = ["#include <stdint.h>", f'#include "{vendors}"']
    for line in ours.read_text().splitlines():
        found = _TYPE.match(line) or _FUNCTION.match(line)
        if found and found[1] not in known:
            lines.append(line)
        enumeration = _ENUMERATION.match(line)
        if enumeration and enumeration[1] not in known:
            lines.append(f"typedef int {enumeration[1]};")
    for name, value in _VALUE.findall(abi.read_text()):
        if f"MPI_{name}" not in known:
            cast = "(void *)(intptr_t)" if name == "BUFFER_AUTOMATIC" else ""
            lines.append(f"#define MPI_{name} ({cast}({value}))")
    lines += ["#ifndef MPI_CONVERSION_FN_NULL_C", "#define MPI_CONVERSION_FN_NULL_C 0", "#endif"]
    for name, symbol in _OBJECT.findall(abi.read_text()):
        if symbol.startswith("ompi_mpi_"):  # a program may name a datatype that only other machines define
            lines += [] if symbol in known else [f"extern char {symbol};"]
            lines += [f"#ifndef MPI_{name}", f"#define MPI_{name} ((void *)&{symbol})", "#endif"]
    result.parent.mkdir(parents=True, exist_ok=True)
    new = result.with_name(f"{result.name}.{threading.get_ident()}")  # another program may be compiled with it
                                                                      # meanwhile
    new.write_text("\n".join(lines) + "\n")
    new.replace(result)
    return result
