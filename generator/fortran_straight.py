"""Writes the straight procedures: what a Fortran procedure and the bridge under it do in the frequent case, in one (src/bridge/straight.hpp).

They are for procedures with so many arguments, or with requests, that going through the C function costs too much; and for those of them whose
arguments all have a simple rule.
"""

from __future__ import annotations

import re
import zlib

from . import fortran_entries, fortran_sections
from .fortran_entries import REGISTERS, on_stack
from .fortran_model import ADDRESS, CHOICE, COUNT, HANDLE, INTEGER, OFFSET, STATUS, Argument, Procedure
from .homes import Home

_WRITTEN = ("Wait", "Waitall")  # in src/bridge/straight_completion.hpp
_NUMBERS = (INTEGER, ADDRESS, COUNT, OFFSET)


# ---- which ----


def _is_request(a: Argument) -> bool:
    return a.f90 == HANDLE and a.c.kind.name == "request"


def _is_simple(a: Argument) -> bool:
    kind = a.c.kind
    if a.f90 == CHOICE:
        return kind.name in ("buffer", "buffer_in_place")
    if a.f90 == HANDLE:
        return not a.is_array and (a.direction == "in" or a.direction == "out" and _is_request(a))
    if a.f90 == STATUS:
        return kind.name == "status" and a.direction == "out" and not a.is_array
    return a.f90 in _NUMBERS and a.direction == "in" and (kind.crossing == "plain" or kind.crossing in ("rank", "tag") and not a.is_array)


def _is_straight(p: Procedure, homes: dict[str, Home]) -> bool:
    if p.c is None or not p.ierror or p.c.callbacks or homes[p.c.name].how != "generated" or len(p.c.parameters) != len(p.arguments):
        return False
    if re.search(r"_init(_c)?$", p.name) or not fortran_entries.known_handles(p):
        return False  # what is done once, and what has nothing to gain
    many = len(fortran_entries.parameters(p)) > REGISTERS or any(_is_request(a) for a in p.arguments)
    return many and all(_is_simple(a) for a in p.arguments)


class Straight:
    """The procedures that have a straight one beside them, in the order of their rows: plain ones, then those with descriptors."""

    def __init__(self, procedures: list[Procedure], homes: dict[str, Home]):
        self.all = [p for p in procedures if _is_straight(p, homes)]
        self.written = [p for p in procedures if p.name in _WRITTEN]
        described = {p.name for p in fortran_sections.described(procedures)}
        self.plain = [p for p in self.all if p.in_f90] + self.written
        self.described = [p for p in self.all if p.name in described]
        self.plain_rows = {p.name: row for row, p in enumerate(self.plain)}
        self.described_rows = {p.name: row for row, p in enumerate(self.described)}

    def list(self) -> str:
        """What both libraries have to agree on."""
        names = [fortran_entries.declarations(p) for p in self.plain] + [f"{p.name} {fortran_sections.declarations(p)}" for p in self.described]
        stamp = zlib.crc32("\n".join([*self.plain_rows, *names]).encode())
        return "\n".join([
            "#pragma once", "", "#include <cstdint>", "", "namespace anympi::straight {", "",
            f"inline constexpr int plain_count = {len(self.plain)};",
            f"inline constexpr int procedure_count = {len(self.plain) + len(self.described)};",
            f"inline constexpr std::uint32_t procedure_stamp = {stamp:#x};", "", "} // namespace anympi::straight",
        ]) + "\n"


# ---- the procedures of the front ----


def _referred(p: Procedure) -> str:
    """Addresses of buffers may stand in descriptors, from where they are read again."""
    found = fortran_entries.parameters(p)
    choices = {a.c.name for a in p.arguments if a.f90 == CHOICE}
    return ", ".join(f"{kind} const& {name}" if place >= REGISTERS or name in choices else f"{kind} {name}" for place, (kind, name) in enumerate(found))


def _body(p: Procedure) -> list[str]:
    """The frequent case.  What is compared with something is compared first; what is on the stack is read where it is passed on."""
    handles = [a.c for a in p.arguments if a.f90 == HANDLE and a.direction == "in"]
    signed = [a.c.name for a in p.arguments if a.c.kind.crossing in ("rank", "tag")]
    lines = [f"    if (is_special({a.c.name})) [[unlikely]]\n        return false;" for a in p.arguments if a.f90 == CHOICE]
    if signed:
        lines.append(f"    if (({' | '.join(f'*{name}' for name in signed)}) < 0) [[unlikely]]\n        return false;")
    lines.append("    const word* const table = predefined_table<P>();")
    for h in handles:
        lines.append(f"    word {h.name}_;\n    if (!read<P, object::{h.kind.object}>({h.name}, table, {h.name}_)) [[unlikely]]\n        return false;")
    given, after = [], []
    for a in p.arguments:
        name = a.c.name
        if a.f90 == HANDLE and a.direction == "in":
            given.append(f"{name}_")
        elif _is_request(a):
            lines.append(f"    request_place<P> {name}_;")
            given.append(f"{name}_.place({name})")
            after.append(f"    {name}_.finish({name});")
        elif a.f90 == STATUS:
            given.append(f"status_place<P>({name})")
            after.append(f"    finish_status<P>({name});")
        else:
            given.append(name if a.f90 == CHOICE or a.is_array else f"*{name}")
    lines += ["    read_again();", f"    const int code = run<P>.{p.c.name}({', '.join(given)});", *after, "    Report::report(ierror, code);", "    return true;"]
    head = [f"template <class P, class Report>", f"[[gnu::always_inline]] inline bool {p.name}_with({_referred(p)}) {{"]
    return [*head, *lines, "}"]


def _staying(p: Procedure, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Where all arguments of C are in registers, ierror may not be in the way of a jump."""
    return found if len(p.c.parameters) > REGISTERS else []


def _plain(p: Procedure, row: str) -> list[str]:
    found = fortran_entries.parameters(p)
    names = ", ".join(name for _, name in found)
    return [
        "template <class P>",
        f"ANYMPI_APART void {p.name}({', '.join(f'{kind} {name}' for kind, name in found)}) {{",
        f"    {on_stack(_staying(p, found))}",
        f"    if (!{p.name}_with<P, {'reported' if p.has_choice else 'reported_if_present'}<P>>({names})) [[unlikely]]",
        f"        call_layered<{row}>({names});",
        "}",
    ]


def _described(p: Procedure, row: int) -> list[str]:
    """With the buffers of mpi_f08.  Scalars, and programs that want no ierror, go at once."""
    found = fortran_sections.parameters(p)
    names = ", ".join(name for _, name in found)
    choices = [a.c.name for a in p.arguments if a.f08 == CHOICE]
    addresses = ", ".join(f"{name}_section->address" if name in choices else name for _, name in fortran_entries.parameters(p))
    plain = " && ".join(f"is_plain(*{name}_section)" for name in choices)
    lines = ["template <class P>", f"void {p.name}_f08ts({', '.join(f'{kind} {name}' for kind, name in found)}) {{", f"    {on_stack(_staying(p, found))}"]
    return [
        *lines,
        f"    if (!are_scalars_without(ierror, {', '.join(f'*{name}_section' for name in choices)})) [[unlikely]] {{",
        "        read_again();",
        f"        if (!({plain}))",
        f"            return call_layered<{row}>({names});",
        "        if (ierror != nullptr)",
        f"            return {p.name}_reported<P>({names});",
        "    }",
        f"    if (!{p.name}_with<P, unreported>({addresses})) [[unlikely]]",
        f"        call_layered<{row}>({names});",
        "}",
    ]


def _described_reported(p: Procedure, row: int) -> list[str]:
    found = fortran_sections.parameters(p)
    names = ", ".join(name for _, name in found)
    choices = [a.c.name for a in p.arguments if a.f08 == CHOICE]
    addresses = ", ".join(f"{name}_section->address" if name in choices else name for _, name in fortran_entries.parameters(p))
    return [
        "template <class P>",
        f"ANYMPI_APART void {p.name}_reported({', '.join(f'{kind} {name}' for kind, name in found)}) {{",
        f"    {on_stack(_staying(p, found))}",
        f"    if (!{p.name}_with<P, reported<P>>({addresses})) [[unlikely]]",
        f"        call_layered<{row}>({names});",
        "}",
    ]


def procedures(straight: Straight) -> str:
    lines = ["#pragma once", "", '#include "bridge/straight_completion.hpp"', "", "namespace anympi::straight {", ""]
    for p in straight.all:
        lines += _body(p)
        if p.name in straight.plain_rows:
            lines += _plain(p, straight.plain_rows[p.name])
        if p.name in straight.described_rows:
            row = len(straight.plain) + straight.described_rows[p.name]
            lines += _described_reported(p, row)
            lines += _described(p, row)
    for p in straight.written:
        lines += _plain(p, straight.plain_rows[p.name])
    lines += ["", "template <class P>", "inline const procedure procedures[procedure_count] = {"]
    lines += [f"    {{function::{p.c.name}, reinterpret_cast<void*>({p.name}<P>)}}," for p in straight.plain]
    lines += [f"    {{function::{p.c.name}, reinterpret_cast<void*>({p.name}_f08ts<P>)}}," for p in straight.described]
    return "\n".join([*lines, "};", "", "} // namespace anympi::straight"]) + "\n"
