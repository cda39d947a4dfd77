"""The names that a vendor's Fortran modules define and that its programs use. Reads api/fortran_vendors.api."""

from __future__ import annotations

import re
from pathlib import Path

from ..core.model import HANDLE_CLASSES, Api, ApiError, lines_in_sections

HANDLES = tuple(name.lower() for name in HANDLE_CLASSES)
RANKS = ("scalar", *(f"r{rank}" for rank in range(1, 16)))
FUNCTIONS = ("same", "differs", "itself", "assign", "convert", "nothing", *(f"size_{bytes}" for bytes in (1, 2, 4, 8, 16, 32)))
HANDLE_VARIABLES, NUMBERS, TYPES, ALIASES = "handles", "number", "types", "alias"
SENTINELS = {"sentinel_1": "char", "sentinel_4": "int"}

Names = dict[str, list[str]]  # by what implements them

# The linker names of a module's member in gfortran, Intel's compilers and flang. For functions, also in NVIDIA's compiler.
_FUNCTION = ("__{module}_MOD_{name}", "{module}_mp_{name}_", "_QM{module}P{name}", "{module}_{name}_")
_VARIABLE = ("__{module}_MOD_{name}", "{module}_mp_{name}_", "_QM{module}E{name}")
_CONSTANT = ("__{module}_MOD_{name}", "{module}_mp_{name}_", "_QM{module}EC{name}")


def _choices(text: str) -> list[str]:
    """Returns the choices that the text between two braces lists, such as a,b or 0-7."""
    numbers = re.fullmatch(r"(\d)-(\d)", text)
    return [str(n) for n in range(int(numbers[1]), int(numbers[2]) + 1)] if numbers else text.split(",")


def expand(pattern: str) -> list[str]:
    """Returns the names that a pattern of the file stands for."""
    pattern = pattern.replace("<handle>", f"{{{','.join(HANDLES)}}}").replace("<rank>", f"{{{','.join(RANKS)}}}")
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    return [name for each in _choices(found[1]) for name in expand(pattern[: found.start()] + each + pattern[found.end():])]


def spell(name: str, spellings: tuple[str, ...]) -> list[str]:
    """Returns the linker names for a name of the form module:name. Any other name is already a linker name."""
    module, colon, rest = name.partition(":")
    return [each.format(module=module, name=rest) for each in spellings] if colon else [name]


def _names(what: str, pattern: str) -> list[str]:
    """Returns the names for one pattern of a line, by what implements each of them."""
    name, equals, other = pattern.partition("=")
    if what == ALIASES:
        return [f"{new}={old}" for new, old in zip(expand(name), expand(other), strict=True)]
    spellings = {HANDLE_VARIABLES: _CONSTANT, NUMBERS: _CONSTANT, **dict.fromkeys(SENTINELS, _VARIABLE)}.get(what, _FUNCTION)
    return [spelled + equals + other for each in expand(name) for spelled in spell(each, spellings)]


def read(path: Path) -> dict[str, Names]:
    """Returns the names by the ABI of the programs."""
    modules: dict[str, Names] = {}
    for where, app, text in lines_in_sections(path):
        what, *patterns = text.split()
        if not app or what not in (*FUNCTIONS, HANDLE_VARIABLES, NUMBERS, TYPES, ALIASES, *SENTINELS):
            raise ApiError(f"{where}: nothing implements {text}")
        modules.setdefault(app, {}).setdefault(what, []).extend(name for pattern in patterns for name in _names(what, pattern))
    return {app: {what: list(dict.fromkeys(names)) for what, names in found.items()} for app, found in modules.items()}


def aliases(names: Names) -> dict[str, list[str]]:
    """Returns further names of procedures, by the name that a procedure has in all releases."""
    found: dict[str, list[str]] = {}
    for item in names.get(ALIASES, []):
        new, _, old = item.partition("=")
        found.setdefault(old, []).append(new)
    return found


def check_aliases(app: str, names: Names, texts: list[str]) -> None:
    """Checks that each procedure with further names is in one of the generated files."""
    for old, new in aliases(names).items():
        if not any(f" {new[0]} " in text for text in texts):
            raise ApiError(f"fortran_vendors.api: {app} has no procedure {old}")


def _renamed(api: Api, app: str, names: Names) -> list[tuple[str, str]]:
    """Returns the variables whose names cannot be derived from the names of constants, with their values."""
    numbers = {c.name: c.fortran_number(app) for c in [*api.constants, *api.vendor_constants]}
    found = []
    for item in names.get(NUMBERS, []):
        name, _, constant = item.partition("=")
        if numbers.get(constant) is None:
            raise ApiError(f"fortran_vendors.api: {constant} of {name} is not a handle of {app} with a number in Fortran")
        found.append((name, str(numbers[constant])))
    return found


def _handles(api: Api, app: str, names: Names) -> list[tuple[str, str]]:
    """Returns all variables that contain handles, with their values."""
    return _renamed(api, app, names) + [(pattern.replace("*", c.name[len("MPI_"):].lower()), f"anympi::fortran::number_of(anympi::fortran::app::{c.member})")
                      for pattern in names.get(HANDLE_VARIABLES, []) for c in api.handles]


# Types of ISO_C_BINDING, which gfortran identifies without a hash.
_OF_C = {"c_ptr": "__iso_c_binding_C_ptr", "c_funptr": "__iso_c_binding_C_funptr"}


def _hash(name: str) -> int:
    """Returns the hash by which gfortran identifies types at run time."""
    value = 0
    for letter in name:
        value = (value * 65599 + ord(letter)) % 2**32
    return value % 100000000


def _types(names: Names) -> list[tuple[str, int, str]]:
    """Returns gfortran's names of the modules' types, with the hash and the components of each type."""
    found = []
    for item in names.get(TYPES, []):
        module, _, single = item.partition(".")
        kinds = {single.capitalize(): "int"} if single else {**{f"Mpi_{kind}": "int" for kind in HANDLES}, "Mpi_status": "anympi::fortran::c_status"}
        for kind, made_of in kinds.items():
            name = f"{module}_{kind}"
            found.append((module, _OF_C[single], 0, "void*") if single in _OF_C else (module, name, _hash(name), made_of))
    return [(f"__{module}_MOD___{{}}_{name}", number, made_of) for module, name, number, made_of in found]


def write(api: Api, app: str, names: Names) -> str:
    out = ['#include "fortran/core/modules.hpp"', "", 'extern "C" {', ""]
    out += [f"ANYMPI_MODULE_FUNCTION({what}, {name})" for what in FUNCTIONS for name in names.get(what, [])]
    out += [f"ANYMPI_MODULE_HANDLE({name}, {number})" for name, number in _handles(api, app, names)]
    out += [f"ANYMPI_MODULE_TYPE({name.format('vtab')}, {name.format('def_init')}, {name.format('copy')}, {number}, {made_of})"
            for name, number, made_of in _types(names)]
    out += [f"ANYMPI_MODULE_SENTINEL({name}, {kind})" for what, kind in SENTINELS.items() for name in names.get(what, [])]
    return "\n".join([*out, "", '} // extern "C"', ""])
