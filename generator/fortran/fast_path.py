"""Writes the fast-path procedures. For the frequent case, such a procedure does the work of a Fortran procedure and of its
bridge in one function (src/bridge/fast_path.hpp).

A procedure has a fast path if all of its arguments are converted by simple rules, and if it has requests or so many
arguments that the call through the C function is too slow.
"""

from __future__ import annotations

import zlib

from ..core import bridges, processor
from . import entries
from . import sections
from .entries import on_stack
from .procedures import ADDRESS, CHOICE, COUNT, HANDLE, INTEGER, OFFSET, STATUS, Argument, Procedure
from ..core.homes import Home
from ..core.model import FAMILIES

RUNTIMES = FAMILIES  # a library with the standard ABI needs no fast path: a jump leads to its C functions
_WRITTEN = ("Wait", "Waitall")  # in src/bridge/fast_path_completion.hpp
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


def _has_fast_path(p: Procedure, homes: dict[str, Home]) -> bool:
    if not p.in_f90 or p.c is None or not p.ierror or p.c.callbacks or homes[p.c.name].how != "generated" or len(p.c.parameters) != len(p.arguments):
        return False
    if p.c.is_persistent or not entries.known_handles(p):
        return False  # procedures that are called once, and procedures that gain nothing
    many = len(entries.parameters(p)) > processor.argument_registers or any(_is_request(a) for a in p.arguments)
    return many and all(_is_simple(a) for a in p.arguments)


class FastPaths:
    """The procedures that have a fast path, in the order of their rows: plain procedures, then procedures with descriptors."""

    def __init__(self, procedures: list[Procedure], homes: dict[str, Home]):
        self.written = [p for p in procedures if p.name in _WRITTEN]
        self.by_address = [p for p in procedures if _has_fast_path(p, homes)] + self.written
        self.by_descriptor = [p for p in sections.with_descriptors(procedures) if p in self.by_address]

    def list(self, structure: str) -> str:
        """Returns a text that must be the same in the front and in the Fortran library: the structure by which they find
        each other, and the list of procedures.
        """
        agreed = [structure, *(f"{p.name}({entries.declarations(entries.parameters(p))})" for p in self.by_address), *(p.name for p in self.by_descriptor)]
        stamp = zlib.crc32("\n".join(agreed).encode())
        return "\n".join([
            "#pragma once", "", f'#define ANYMPI_RELEASE ANYMPI_VERSION " ({stamp:08x})"', "", "namespace anympi::fast_path {", "",
            f"inline constexpr int by_address_count = {len(self.by_address)};",
            f"inline constexpr int procedure_count = {len(self.by_address) + len(self.by_descriptor)};",
            "", "} // namespace anympi::fast_path",
        ]) + "\n"


# ---- the procedures of the front ----


def _referred(p: Procedure) -> str:
    """Writes the parameters. The address of a buffer is a reference, since it may be in a descriptor, from where it can be
    read again.
    """
    return entries.referred(entries.parameters(p), {a.c.name for a in p.arguments if a.f90 == CHOICE})


def _call(p: Procedure) -> list[str]:
    """Writes the call of the runtime's function.

    Handles, requests and statuses are converted before the call, since this may need jumps. All other arguments are read
    only where they are passed on.
    """
    handles, places, given, after = [], [], [], []
    for a in p.arguments:
        name = a.c.name
        if a.f90 == HANDLE and a.direction == "in":
            handles.append(f"    const word {name}_ = Handles::template handle<P, object::{a.c.kind.object}>(table, {name});")
            given.append(f"{name}_")
        elif a.f90 == HANDLE:
            places.append(f"    request_place<P> {name}_;")
            given.append(f"{name}_.place({name})")
            after.append(f"    {name}_.finish({name});")
        elif a.f90 == STATUS:
            places.append(f"    run_status<P>* const {name}_ = status_place<P>({name});")
            given.append(f"{name}_")
            after.append(f"    finish_status<P>({name});")
        else:
            given.append(name if a.f90 == CHOICE or a.is_array else f"*{name}")
    return [
        "template <class P, class Report, class Handles>",
        f"[[gnu::always_inline]] inline void {p.name}_call({_referred(p)}) {{",
        "    const word* const table = predefined_table<P>();",
        *handles,
        *places,
        "    read_again();",
        f"    const int code = target<P>.{p.c.name}({', '.join(given)});",
        *after,
        "    Report::report(ierror, code);",
        "}",
    ]


def _tests(p: Procedure) -> list[str]:
    """Writes the function that tests whether a call is the frequent case, and makes the call if it is. All tests are at the
    beginning, so that no register must keep a result.
    """
    tests = [f"is_special({a.c.name})" for a in p.arguments if a.f90 == CHOICE]
    signed = [f"*{a.c.name}" for a in p.arguments if a.c.kind.crossing in ("rank", "tag")]
    tests += [f"({' | '.join(signed)}) < 0"] if signed else []
    operands = bridges.operands(p.c)
    tests += [f"may_be_integer16<P>(number_at({operands.datatype.name}))"] if operands else []
    handles = [h for h in entries.known_handles(p) if not operands or h.name != operands.datatype.name]  # the datatype
                                                                                                         # is predefined
    known = " && ".join(f"is_known<P, object::{h.kind.object}>({h.name})" for h in handles)
    names = entries.names(entries.parameters(p))
    lines = ["template <class P, class Report>", f"[[gnu::always_inline]] inline bool {p.name}_with({_referred(p)}) {{"]
    lines += [f"    if ({test}) [[unlikely]]\n        return false;" for test in tests]
    return [
        *lines,
        f"    const bool all_predefined = are_predefined<P>({', '.join(h.name for h in handles)});",
        "    read_numbers_again<P>();",
        "    if (all_predefined) [[likely]] {",
        f"        {p.name}_call<P, Report, predefined>({names});",
        "        return true;",
        "    }",
        f"    if (!({known}))",
        "        return false;",
        "    read_again();" if _stay(p) else "    read_numbers_again<P>();",
        f"    {p.name}_call<P, Report, known>({names});",
        "    return true;",
        "}",
    ]


def _stay(p: Procedure) -> bool:
    """Returns True if arguments on the stack are read there when they are needed. If only ierror is on the stack, the
    runtime's function is called by a jump, before which ierror must be read.
    """
    return len(p.c.parameters) > processor.argument_registers


def _head(name: str, p: Procedure, found: list[tuple[str, str]]) -> list[str]:
    lines = ["template <class P>", f"ANYMPI_APART void {name}({entries.declarations(found)}) {{"]
    return lines + ([f"    {on_stack(found)}"] if _stay(p) else [])


def _tail(p: Procedure, report: str, given: str, full_path: str) -> list[str]:
    return [f"    if ({p.name}_with<P, {report}>({given})) [[likely]]", "        return;", *(["    read_again();"] if _stay(p) else []), f"    {full_path}", "}"]


def _by_address(p: Procedure, row: int) -> list[str]:
    found = entries.parameters(p)
    names = entries.names(found)
    report = "report_always" if p.has_choice else "report_if_present"
    return [*_head(p.name, p, found), *_tail(p, f"{report}<P>", names, f"call_full_path<{row}>({names});")]


def _by_descriptor(p: Procedure, row: int) -> list[str]:
    """Writes the procedure of mpi_f08, whose buffers have descriptors and whose ierror may be absent.

    The first test is for the simplest case: scalar buffers and no ierror.
    """
    found = sections.parameters(p)
    names = entries.names(found)
    full_path = f"call_full_path<{row}>({names});"
    addresses = ", ".join(sections.addresses_of_sections(p))
    return [
        *_head(f"{p.name}_f08ts", p, found),
        *sections.unless_scalars(p, full_path, f"{p.name}<P>({addresses});"),
        "    read_again();",
        *_tail(p, "report_never", addresses, full_path),
    ]


def procedures(fast: FastPaths) -> str:
    lines = ["#pragma once", "", '#include "bridge/fast_path_completion.hpp"', "", "namespace anympi::fast_path {", ""]
    for p in fast.by_address:
        if p not in fast.written:
            lines += _call(p) + _tests(p)
        lines += _by_address(p, fast.by_address.index(p))
    for place, p in enumerate(fast.by_descriptor, len(fast.by_address)):
        lines += _by_descriptor(p, place)
    lines += ["", "template <class P>", "inline const procedure procedures[procedure_count] = {"]
    lines += [f"    {{function::{p.c.name}, reinterpret_cast<void*>({p.name}<P>)}}," for p in fast.by_address]
    lines += [f"    {{function::{p.c.name}, reinterpret_cast<void*>({p.name}_f08ts<P>)}}," for p in fast.by_descriptor]
    return "\n".join([*lines, "};", "", "} // namespace anympi::fast_path"]) + "\n"


def pair(run: str) -> str:
    """Writes the file of one pair."""
    return "\n".join([
        '#include "front/standard/fortran_link.hpp"', '#include "fast_path_procedures.hpp"', "", "namespace anympi {", "", "template <class P>",
        "const fast_path::procedure* fast_path_procedures() {", "    return fast_path::procedures<P>;", "}",
        f"template const fast_path::procedure* fast_path_procedures<pair<standard, {run}>>();", "", "} // namespace anympi",
    ]) + "\n"
