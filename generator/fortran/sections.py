"""Writes the procedures whose buffers have a descriptor: the procedures of mpi_f08, MPI_Send_f08ts, and the C functions
MPI_Send_cdesc.

In a Fortran procedure, a contiguous buffer needs only one test and is then passed as in mpif.h. Other buffers, and all
buffers of the C functions, are passed by src/fortran/sections/section_call.hpp, which has a function for each role of a
buffer.
"""

from __future__ import annotations

import re

from ..core import cpp_types, processor
from . import entries
from .arguments import REPORT_EXHAUSTED, C, buffer_with_sentinels, crossing, lengths_by_comm
from .procedures import CHARACTER, CHOICE, CHOICES, Procedure
from ..core.model import PREFIXES, ApiError, Function, Parameter

_GROUPS = ("MPI_SEND", "MPI_ISEND", "MPI_GET_ADDRESS", "MPI_FREE_MEM")


def with_descriptors(procedures: list[Procedure]) -> list[Procedure]:
    """Returns the procedures that have descriptors, except MPI_F_sync_reg and MPI_Sizeof, which call nothing."""
    return [p for p in procedures if p.in_f08 and p.has_choice and p.group in _GROUPS]


# ---- the role of a buffer ----


def _parameters_behind(function: Function, buffer: Parameter) -> list[Parameter]:
    """Returns the parameters after a buffer. Further buffers that directly follow it are left out."""
    rest = function.parameters[function.parameters.index(buffer) + 1 :]
    while rest and rest[0].kind.name in CHOICES:
        rest = rest[1:]
    return rest + [None, None, None]


_CUT = ("Bcast", "Gather", "Scatter")  # libraries cut large messages of these functions by the size of the datatype
# MPICH 4.0 frees the derived datatype of these functions once too often. So sections must not be passed as derived
# datatypes there: they are copied.
_COPIED = ("Isendrecv", "Isendrecv_c", "Isendrecv_replace", "Isendrecv_replace_c")
_IN_BLOCKS = {
    "Allgather": ("recvbuf",),
    "Alltoall": ("sendbuf", "recvbuf"),
    "Neighbor_allgather": ("recvbuf",),
    "Neighbor_alltoall": ("sendbuf", "recvbuf"),
}


def _role(function: Function, buffer: Parameter) -> tuple[str, list[str]]:
    """Returns the function of section_call for the buffer, with the parameters that it may change."""
    if buffer.kind.name == "address" or function.name == "Free_mem":
        return "", []  # only the beginning matters
    if buffer.kind.name in ("memory", "buffer_automatic"):
        return "memory", []
    first, second, third = _parameters_behind(function, buffer)[:3]
    if first.kind.name == "status":
        return "", []  # the end of an operation that has the buffer already
    if first.kind.name == "datatype":
        return "operands", ["1", first.name]
    if first.name == "partitions":
        return "blocks", [second.name, third.name]
    if first.is_array and second.is_array:
        if third.is_array:
            return "each", [first.name, second.name, third.name, lengths_by_comm("comm")[third.length]]
        return "elements", [third.name]
    if second.kind.name != "datatype":
        return "bytes", [first.name]
    if function.name in _COPIED:
        return "operands", [first.name, second.name]
    if any(p.kind.name == "op" for p in function.parameters) and function.chapter != "rma":
        return ("operands", [first.name, second.name]) if first.name == "count" else ("all", [])
    family = function.blocking_name
    role = "segments" if family in _CUT else "blocks" if buffer.name in _IN_BLOCKS.get(family, ()) else "whole"
    return role, [first.name, second.name]


def _end(function: Function) -> str:
    if function.chapter == "partitioned" or re.search(r"_begin(_c)?$", function.name) or (function.chapter == "rma" and not function.makes_request):
        return "unknown"
    return "with_request" if function.makes_request else "with_call"


# ---- the C functions ----


def _buffers(function: Function) -> list[Parameter]:
    return [p for p in function.parameters if p.kind.name in CHOICES]


def _declaration(function: Function, p: Parameter) -> str:
    return f"const descriptor* {p.name}" if p.kind.name in CHOICES else cpp_types.declaration(function, p, C)


def _declarations(function: Function) -> str:
    return ", ".join(_declaration(function, p) for p in function.parameters)


def _names(function: Function) -> str:
    return ", ".join(p.name for p in function.parameters)


def _address(function: Function, buffer: Parameter) -> str:
    """Returns the address of a section, and the parameters that describe the section."""
    plain = f"{buffer.name}->address"
    role, changed = _role(function, buffer)
    if not role:
        return plain
    use = [] if role == "memory" else ["in" if buffer.direction == "in" else "out"]
    passed = f"call.pass_{role}({', '.join([buffer.name, *use, *changed])})"
    return f"root_here ? {passed} : {plain}" if buffer.root_only else passed


def _raise(function: Function) -> str:
    if found := function.error_object:
        return f"raise_{found.kind.object}({found.name}, call.error())"
    return "raise_comm(rule::handle<object::comm>(number_of(app::mpi_COMM_SELF)), call.error())"


def _call(called: str, function: Function, buffers: dict[str, str]) -> str:
    return f"{called}({', '.join(buffers.get(p.name, p.name) for p in function.parameters)})"


def _with_sections(function: Function) -> list[str]:
    """Writes the function for all buffers, contiguous or not. Its argument `called` is the function with MPI_ or PMPI_."""
    buffers = _buffers(function)
    called = f"decltype(PMPI_{function.name})* called"
    lines = [f"[[gnu::noinline, gnu::cold]] inline int {function.name}_sections({called}, {_declarations(function)}) {{"]
    if all(not _role(function, b)[0] for b in buffers):
        call = _call("called", function, {b.name: buffer_with_sentinels(b, f"{b.name}->address") for b in buffers})
        return [*lines, f"    return {call};", "}"]
    end = _end(function)
    lines.append(f"    section_call call(end::{end});")
    if any(b.root_only for b in buffers):
        lines.append("    const bool root_here = rule::is_root(comm, root);")
    lines += [f"    void* const {b.name}_c = {buffer_with_sentinels(b, _address(function, b))};" for b in buffers]
    lines += ["    if (call.error() != 0)", f"        return {_raise(function)};", "    call.begin();"]
    persistent = "true" if function.is_persistent else "false"
    with_request = f", request, {persistent}" if end == "with_request" else ""
    call = _call("called", function, {b.name: f"{b.name}_c" for b in buffers})
    return [*lines, f"    return call.finish({call}{with_request});", "}"]


# ---- the Fortran procedures ----


def parameters(p: Procedure) -> list[tuple[str, str]]:
    """Returns the parameters. In a procedure with BIND(C), a text also has a descriptor, which contains its length."""
    special = {a.c.name for a in p.arguments if a.f08 in (CHOICE, CHARACTER)}
    lengths = {f"{name}_length" for name in special}
    found = [(kind, name) for kind, name in entries.parameters(p) if name not in lengths]
    return [("const descriptor*", f"{name}_section") if name in special else (kind, name) for kind, name in found]


def any_arguments(p: Procedure) -> str:
    return entries.read_numbers(p, parameters(p))


def _read_first(p: Procedure, used: str) -> list[str]:
    """Writes variables for arguments that have a descriptor. The rules that convert arguments use these variables."""
    lines = []
    for a in p.arguments:
        section = f"{a.c.name}_section"
        if a.f08 == CHARACTER:
            lines.append(f"    const auto* const {a.c.name} = static_cast<const char*>({section}->address);")
            lines.append(f"    const int {a.c.name}_length = static_cast<int>({section}->element);")
        elif a.f08 == CHOICE and f"is_in_place({a.c.name})" in used:
            lines.append(f"    void* const {a.c.name} = {section}->address;")
    return lines


def _any_way(p: Procedure) -> list[str]:
    """Writes the general function, which works with all buffers and handles."""
    conversions, expressions, used = [], [], ""
    for a in p.arguments:
        if a.f08 == CHOICE:
            expressions.append(f"{a.c.name}_section")
            continue
        found = crossing(p.c, a)
        expressions.append(found.expression.replace("Handles::template ", "rule::any::"))
        used += found.expression + found.declaration
        if found.declaration:
            conversions.append((found.declaration, found.finish))
    given = entries.declarations(entries.numbered(p, parameters(p)))
    lines = ["template <class Calls>", f"void {p.name}_any({given}) {{"]
    lines += _read_first(p, used)
    lines += [f"    {text}".replace(REPORT_EXHAUSTED, "rule::report(ierror, rule::raise_no_memory())") for text, _ in conversions]
    lines.append(f"    const int code = {p.c.name}_sections(Calls::{p.c.name}, {', '.join(expressions)});")
    lines += [f"    {finish}" for _, finish in conversions]
    return [*lines, "    rule::report(ierror, code);", "}"]


def _choices(p: Procedure) -> list[str]:
    return [a.c.name for a in p.arguments if a.f08 == CHOICE]


def addresses_of_sections(p: Procedure) -> list[str]:
    """Returns the arguments, with the address of each buffer in place of its descriptor."""
    return [f"{name}_section->address" if name in _choices(p) else name for _, name in entries.parameters(p)]


def are_plain(p: Procedure) -> str:
    return " && ".join(f"is_plain(*{name}_section)" for name in _choices(p))


def has_procedure_by_address(p: Procedure) -> bool:
    """Returns True if mpif.h has the procedure. mpif.h has no large counts. Procedures with texts are excluded, too, since
    their texts have descriptors.
    """
    return p.in_f90 and not p.has_character


def _by_address_declarations(p: Procedure) -> list[str]:
    if not has_procedure_by_address(p):
        return []
    return [f'[[gnu::visibility("hidden")]] void {entries.full_path("by_address", p, prefix)}({entries.declarations(entries.parameters(p))});' for prefix in PREFIXES]


def unless_scalars(p: Procedure, any_way: str, plain_way: str) -> list[str]:
    """Writes a test for scalar buffers without ierror. In this case the code after these lines is executed. In all other
    cases these lines return.
    """
    return [
        f"    if (!are_scalars_without(ierror, {', '.join(f'*{name}_section' for name in _choices(p))})) [[unlikely]] {{",
        "        read_again();",
        f"        if (!({are_plain(p)}))",
        f"            return {any_way}",
        "        if (ierror != nullptr)",
        f"            return {plain_way}",
        "    }",
    ]


def _procedure(p: Procedure) -> list[str]:
    """Writes a procedure of mpi_f08.

    Scalar buffers without ierror are passed on directly, as in the procedure of mpif.h, if all handles are known. For other
    contiguous buffers, the procedure calls the procedure of mpif.h, if there is one. All other calls use the general
    function.
    """
    found = parameters(p)
    by_address = ", auto ByAddress" if has_procedure_by_address(p) else ""
    lines = [f"template <class Calls{by_address}>", f"[[gnu::always_inline]] inline void {p.name}_f08ts({entries.referred(found)}) {{"]
    any_way = f"rule::continue_out_of_line<{p.name}_any<Calls>>({any_arguments(p)});"
    if p.has_character:
        return [*lines, f"    {any_way}", "}"]
    addresses = ", ".join(addresses_of_sections(p))
    if by_address:
        lines += unless_scalars(p, any_way, f"ByAddress({addresses});")
    else:
        lines += [f"    if (!({are_plain(p)})) [[unlikely]]", f"        return {any_way}"]
    report = "rule::never" if by_address else "rule::if_present"
    handles = entries.known_handles(p)
    entry = f"entry::{entries.template_name(p)}"
    if not handles:
        return [*lines, f"    {entry}<Calls, {report}>({addresses});", "}"]
    return lines + entries.choice_of_way(handles, (f"{entry}_with<Calls, rule::known, {report}>", addresses_of_sections(p)),
                                         (f"{p.name}_any<Calls>", [name for _, name in found]))


# ---- files ----


def procedures_file(procedures: list[Procedure]) -> str:
    """Writes for each procedure the C function with descriptors, and the Fortran procedure that converts its arguments."""
    found = with_descriptors(procedures)
    lines = ["#pragma once", "", '#include "fortran/sections/section_call.hpp"', '#include "fortran/core/raise.hpp"', '#include "fortran_procedures.hpp"', ""]
    lines += ["namespace anympi::fortran {", "", *(line for p in found for line in _by_address_declarations(p)), "", "} // namespace anympi::fortran", ""]
    lines += ["namespace anympi::fortran::sections {", ""]
    for p in found:
        if len(p.c.parameters) != len(p.arguments):
            raise ApiError(f"{p.name}: an argument with a descriptor next to one that Fortran does not have")
        lines += _with_sections(p.c) + _any_way(p) + _procedure(p)
    return "\n".join(lines + ["", "} // namespace anympi::fortran::sections"]) + "\n"


def _staying(p: Procedure) -> list[tuple[str, str]]:
    """Returns the arguments that are read on the stack when they are needed. If all arguments of the C function are in
    registers, the C function is called by a jump. ierror is then left out, since it must be read before the jump.
    """
    found = parameters(p)
    return found if len(p.c.parameters) > processor.argument_registers else [each for each in found if each[1] != "ierror"]


def _entries(p: Procedure, prefix: str, row: int | None) -> list[str]:
    stay = entries.on_stack(_staying(p))
    by_address = f", {entries.full_path('by_address', p, prefix)}" if has_procedure_by_address(p) else ""
    given = parameters(p)
    exported, body = f"{prefix}{p.name}_{p.f08_suffix}", f"{stay}sections::{p.name}_f08ts<{entries.CALLS[prefix]}{by_address}>({entries.names(given)});"
    if row is None:
        lines = [f"EXPORTED void {exported}({entries.declarations(given)}) {{ {body} }}"]
    else:
        lines = entries.jumping(exported, entries.full_path("by_descriptor", p, prefix), entries.slot("by_descriptor", row, prefix), given, body)
    if p.group != "MPI_FREE_MEM":
        lines.append(f"EXPORTED int {prefix}{p.name}_cdesc({_declarations(p.c)}) {{ return sections::{p.c.name}_sections({prefix}{p.c.name}, {_names(p.c)}); }}")
    return lines


def exports_file(procedures: list[Procedure], replaceable: list[Procedure]) -> str:
    """Writes the names that are exported for programs of the standard ABI."""
    row = entries.places(replaceable)
    lines = ['#include "fortran/core/exported.hpp"', '#include "fortran/fast_path/slots.hpp"', '#include "fortran_sections.hpp"', ""]
    lines += ["namespace anympi::fortran {", ""]
    lines += [line for p in with_descriptors(procedures) for prefix in PREFIXES for line in _entries(p, prefix, row.get(p.name))]
    lines += ["", *entries.rows("by_descriptor", replaceable)]
    return "\n".join(lines + ["", "} // namespace anympi::fortran"]) + "\n"
