"""The interposers. An interposer is a library that is loaded before an MPI library of the program's own family. It
forwards calls to the front, which is loaded after the MPI library.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from . import cpp_types
from .cpp_types import APP, FRONT
from .homes import Home
from .model import Api, ApiError, Function, lines_in_sections
from .overrides import Override, Register
from .synonyms import Synonym

_MOST = 8  # the bits of a mask
_MOMENTS_OF_OTHER_PROGRAMS = ("standard_program", "whole_standard")


@dataclass
class Interposer:
    name: str
    causes: list[str] = field(default_factory=list)  # files and folders of src/emulate/, data objects
    extends: list[str] = field(default_factory=list)  # files and folders of src/emulate/

    def is_for(self, entry: Override) -> bool:
        return _is_among(entry, self.causes)

    def is_before(self, entry: Override) -> bool:
        return entry.when not in _MOMENTS_OF_OTHER_PROGRAMS and _is_among(entry, self.extends)


def _is_among(entry: Override, places: list[str]) -> bool:
    return any(entry.file == place or (place.endswith("/") and entry.file.startswith(place)) for place in places)


def read(path: Path, register: Register) -> list[Interposer]:
    found: dict[str, Interposer] = {}
    where = path.name
    for where, section, text in lines_in_sections(path):
        what, *words = text.split()
        if not section or what not in ("for", "before"):
            raise ApiError(f"{where}: neither for nor before of an interposer: {text}")
        one = found.setdefault(section, Interposer(section))
        (one.causes if what == "for" else one.extends).extend(words)
        for word in (word for word in words if "/" in word):
            known = register.absent.values() if what == "for" else [*register.wrong.values(), *register.extended]
            if not any(_is_among(entry, [word]) for entry in known):
                raise ApiError(f"{where}: no entry of the register has its code in {word}")
    if len(found) > _MOST:
        raise ApiError(f"{path.name}: more than {_MOST} interposers")
    replaced = [entry for entry in [*register.wrong.values(), *register.extended] if entry.when not in _MOMENTS_OF_OTHER_PROGRAMS]
    for entry in replaced:
        if not any(_is_among(entry, one.extends) for one in found.values()):
            raise ApiError(f"{where}: no interposer wraps {entry.function}, whose code is in {entry.file}")
    return list(found.values())


def _exported(one: Interposer, homes: dict[str, Home], register: Register) -> set[str]:
    """Returns the functions that an interposer exports: the functions that its code replaces or extends, and functions
    whose bridge calls one of these.
    """
    replaced = [entry for entry in register.wrong.values() if not one.causes and _is_among(entry, one.extends)]
    named = {entry.function for entry in [*replaced, *filter(one.is_before, register.extended)]}
    return {name for name, home in homes.items() if name in named or home.needs in named}


# ---- C++ ----


def _entry(function: Function, name: str) -> list[str]:
    result, declarations = cpp_types.result_type(function, FRONT), cpp_types.declarations(function, FRONT)
    signature = f"{result}({cpp_types.types(function, FRONT)})"
    return [
        f"EXPORTED {result} P{name}({declarations}) {{ return interposed<{signature}>(function::{function.name})({cpp_types.names(function)}); }}",
        f'EXPORTED {result} {name}({declarations}) __attribute__((weak, alias("P{name}")));',
    ]


def library(api: Api, app: str, one: Interposer, homes: dict[str, Home], register: Register, synonyms: list[Synonym]) -> str:
    exported = _exported(one, homes, register)
    out = ['#include "front/interposers/interposed.hpp"', "", "namespace anympi {", "", f"using App = {app};", ""]
    for function in (f for f in api.functions if f.name in exported):
        out += _entry(function, f"MPI_{function.name}")
    for synonym in (s for s in synonyms if app in s.abis and s.function.name in exported):
        out += _entry(synonym.function, synonym.name)
    out += ["", f'INTERPOSER("{one.name}")', "", "} // namespace anympi"]
    return "\n".join(out).replace("typename App::status", "App::status") + "\n"


def _masks(entries: list[list[Interposer]], interposers: list[Interposer]) -> str:
    return ", ".join(str(sum(1 << interposers.index(one) for one in found)) for found in entries)


def table(api: Api, interposers: list[Interposer], register: Register) -> str:
    """Writes the tables of interposers for the front: the interposers that each function needs, and the interposers for
    which each override is installed.
    """
    out = ["#pragma once", "", '#include "functions.hpp"', '#include "moments.hpp"', "", "namespace anympi {", "", "inline constexpr const char* interposer_names[] = {"]
    out += [*(f'    "{one.name}",' for one in interposers), "};", "", "/// A data object. If the library lacks it, the process gets interposers."]
    out += ["struct interposing_object {", "    const char* name;", "    unsigned char mask;", "};", "inline constexpr interposing_object interposing_objects[] = {"]
    out += [f'    {{"{word}", {1 << number}}},' for number, one in enumerate(interposers) for word in one.causes if "/" not in word]
    by_function = [[one for one in interposers if one.is_for(register.absent[f.name])] if f.name in register.absent else [] for f in api.functions]
    out += ["};", "", "/// The interposers that a function needs if the library lacks it, as bits.", "inline constexpr unsigned char interposers_of_function[function_count] = {"]
    out += [f"    {_masks(by_function, interposers)}}};", "", "/// The interposers for which an override is installed, by the number of the override.", "inline constexpr unsigned char interposers_of_override[emulate::override_count] = {"]
    out += [f"    {_masks([[one for one in interposers if one.is_before(entry)] for entry in register.extended], interposers)}}};", "", "} // namespace anympi"]
    return "\n".join(out) + "\n"


def _call(function: Function, homes: dict[str, Home]) -> str:
    """Returns the call by which the supplement implements a function. Normally it calls the function in the table of the
    library.
    """
    home, arguments = homes[function.name], cpp_types.names(function)
    if home.file == "number.hpp":
        stem, _, form = function.name.rpartition("_")
        is_to_number = form in ("toint", "c2f")
        convert, in_library = ("native_number", "c2f") if is_to_number else ("native_handle", "f2c")
        return f"{convert}<P, object::{stem.lower()}>({arguments}, library<typename P::run>.{stem}_{in_library})".replace("object::type", "object::datatype")
    if home.how == "answered":
        return f"bridge::{function.name}<P>({arguments})"
    return f"library<typename P::run>.{home.needs}({arguments})"


def native_calls(api: Api, homes: dict[str, Home]) -> str:
    """Writes native_calls<P>, the targets of the slots if program and library have the same vendor's ABI. They call the
    functions in the table of the library. This table may contain emulations.
    """
    answered = sorted({home.file for home in homes.values() if home.how == "answered" and home.file != "number.hpp"})
    out = ["#pragma once", "", *(f'#include "bridge/{name}"' for name in answered), '#include "front/vendors/native_number.hpp"', "", "namespace anympi {", "", "namespace native_call {", ""]
    for function in api.functions:
        declarations = cpp_types.declarations(function, APP)
        out += ["template <class P>", f"{cpp_types.result_type(function, APP)} {function.name}({declarations}) {{"]
        out += [f"    return static_cast<{cpp_types.result_type(function, APP)}>({_call(function, homes)});", "}"]
    out += ["", "} // namespace native_call", "", "template <class P>", "inline void* const native_calls[function_count] = {"]
    for function in api.functions:
        signature = f"{cpp_types.result_type(function, APP)} (*)({cpp_types.types(function, APP)})"
        out.append(f"    reinterpret_cast<void*>(static_cast<{signature}>(native_call::{function.name}<P>)),")
    return "\n".join([*out, "};", "", "} // namespace anympi"]) + "\n"


# ---- the list ----


def listing(interposers: list[Interposer], register: Register) -> str:
    """Writes a line for each interposer: its name, and the functions and data objects that need it. The command reads this
    list.
    """
    out = []
    for one in interposers:
        functions = [entry.function for entry in register.absent.values() if one.is_for(entry)]
        objects = [word for word in one.causes if "/" not in word]
        out.append(f"{one.name} | {','.join(functions) or '-'} | {','.join(objects) or '-'}")
    return "\n".join(out) + "\n"
