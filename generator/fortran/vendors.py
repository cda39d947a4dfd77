"""What the Fortran modules of a vendor define and its programs refer to: api/fortran_vendors.api."""

from __future__ import annotations

import re
from pathlib import Path

from ..core.model import HANDLE_CLASSES, Api, ApiError, lines_in_sections

HANDLES = tuple(name.lower() for name in HANDLE_CLASSES)
RANKS = ("scalar", *(f"r{rank}" for rank in range(1, 16)))
FUNCTIONS = ("same", "differs", "itself", "assign", "convert", "nothing", *(f"size_{bytes}" for bytes in (1, 2, 4, 8, 16, 32)))
HANDLE_VARIABLES, NUMBERS, TYPES = "handles", "number", "types"
SENTINELS = {"sentinel_1": "char", "sentinel_4": "int"}

Names = dict[str, list[str]]  # by what stands behind them


def expand(pattern: str) -> list[str]:
    """The names that a pattern of the file stands for."""
    pattern = pattern.replace("<handle>", f"{{{','.join(HANDLES)}}}").replace("<rank>", f"{{{','.join(RANKS)}}}")
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    return [name for each in found[1].split(",") for name in expand(pattern[: found.start()] + each + pattern[found.end():])]


def read(path: Path) -> dict[str, Names]:
    """By the ABI of the programs."""
    modules: dict[str, Names] = {}
    for where, app, text in lines_in_sections(path):
        what, *patterns = text.split()
        if not app or what not in (*FUNCTIONS, HANDLE_VARIABLES, NUMBERS, TYPES, *SENTINELS):
            raise ApiError(f"{where}: nothing stands behind {text}")
        modules.setdefault(app, {}).setdefault(what, []).extend(name for pattern in patterns for name in expand(pattern))
    return modules


def _renamed(api: Api, app: str, names: Names) -> list[tuple[str, str]]:
    """The variables whose names the constants do not tell, with what they hold."""
    numbers = {c.name: c.fortran_number(app) for c in [*api.constants, *api.vendor_constants]}
    found = []
    for item in names.get(NUMBERS, []):
        name, _, constant = item.partition("=")
        if numbers.get(constant) is None:
            raise ApiError(f"fortran_vendors.api: {constant} of {name} is no handle of {app} that has a number in Fortran")
        found.append((name, str(numbers[constant])))
    return found


def _handles(api: Api, app: str, names: Names) -> list[tuple[str, str]]:
    """The variables with what they hold."""
    return _renamed(api, app, names) + [(pattern.replace("*", c.name[len("MPI_"):].lower()), f"anympi::fortran::number_of(anympi::fortran::app::{c.member})")
                      for pattern in names.get(HANDLE_VARIABLES, []) for c in api.handles]


def _hash(name: str) -> int:
    """By which gfortran tells types apart at run time."""
    value = 0
    for letter in name:
        value = (value * 65599 + ord(letter)) % 2**32
    return value % 100000000


def _types(names: Names) -> list[tuple[str, int, str]]:
    """What gfortran calls the types of the modules, with their hash and what they are made of."""
    found = [(module, f"{module}_Mpi_{kind}", kind) for module in names.get(TYPES, []) for kind in (*HANDLES, "status")]
    return [(f"__{module}_MOD___{{}}_{name}", _hash(name), "anympi::fortran::c_status" if kind == "status" else "int")
            for module, name, kind in found]


def write(api: Api, app: str, names: Names) -> str:
    out = ['#include "fortran/core/modules.hpp"', "", 'extern "C" {', ""]
    out += [f"ANYMPI_MODULE_FUNCTION({what}, {name})" for what in FUNCTIONS for name in names.get(what, [])]
    out += [f"ANYMPI_MODULE_HANDLE({name}, {number})" for name, number in _handles(api, app, names)]
    out += [f"ANYMPI_MODULE_TYPE({name.format('vtab')}, {name.format('def_init')}, {name.format('copy')}, {number}, {made_of})"
            for name, number, made_of in _types(names)]
    out += [f"ANYMPI_MODULE_SENTINEL({name}, {kind})" for what, kind in SENTINELS.items() for name in names.get(what, [])]
    return "\n".join([*out, "", '} // extern "C"', ""])
