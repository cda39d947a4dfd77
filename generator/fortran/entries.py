"""Writes the Fortran entry points, such as mpi_send_, which call the C functions of the same ABI.

A procedure is a template. Its parameter chooses whether it calls the C functions with MPI_ or with PMPI_. This file writes
most procedures, argument by argument. src/fortran/homes.txt names the procedures that are written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from ..core import cpp_types, processor
from .arguments import REPORT_EXHAUSTED, C, crossing, length_of, omitted
from .procedures import ADDRESS, C_PTR, CHARACTER, CHOICE, COUNT, HANDLE, INTEGER, LOGICAL, OFFSET, PROCEDURE, STATUS, Argument, Procedure
from ..core.homes import Home
from ..core.model import PREFIXES, Api, Function, Parameter
from ..core.synonyms import Synonym

# The set of C functions that the procedures with a prefix call.
CALLS = {"MPI_": "with_tools", "PMPI_": "without_tools"}

_TYPES = {
    CHOICE: "void*",
    HANDLE: "int*",
    STATUS: "c_status*",
    INTEGER: "int*",
    ADDRESS: "std::intptr_t*",
    COUNT: "std::int64_t*",
    OFFSET: "std::int64_t*",
    LOGICAL: "int*",
    CHARACTER: "char*",
    C_PTR: "void*",
    PROCEDURE: "void*",
}
_CONST = (HANDLE, INTEGER, ADDRESS, COUNT, OFFSET, LOGICAL, CHARACTER)


# ---- the C functions ----


def _prototype(function: Function, prefix: str) -> str:
    declarations = cpp_types.declarations(function, C)
    if any(p.kind.name == "varargs" for p in function.parameters):
        declarations += ", ..."
    return f"{cpp_types.result_type(function, C)} {prefix}{function.name}({declarations});"


def called(p: Procedure) -> str:
    """Returns the name of the C function that a procedure calls. If callbacks differ between mpi_f08 and the other support
    methods, there is a C function for each of them.
    """
    if not p.has_callback:
        return p.c.name
    return f"{p.c.name}_fcb" if p.in_f90 or p.removed else f"{p.c.name}_f08cb"


def calls(api: Api, procedures: list[Procedure]) -> str:
    """Writes the declarations of the C functions, and the two sets of functions that a procedure may call: MPI_ and PMPI_."""
    functions = api.functions + [replace(p.c, name=called(form)) for p in procedures if p.has_callback and p.c for form in forms(p)]
    lines = ["#pragma once", "", '#include "fortran/core/c_abi.hpp"', "", "namespace anympi::fortran {", "", 'extern "C" {']
    lines += [_prototype(f, prefix) for f in functions for prefix in PREFIXES]
    lines += ["} // extern \"C\"", ""]
    for prefix, name in CALLS.items():
        lines += [f"struct {name} {{"]
        lines += [f"    static constexpr auto {f.name} = {prefix}{f.name};" for f in functions]
        lines += ["};", ""]
    return "\n".join(lines + ["} // namespace anympi::fortran"]) + "\n"


# ---- forms ----


def forms(p: Procedure) -> list[Procedure]:
    """Returns the forms of a procedure. Normally there is one form. If mpi_f08 passes an argument differently or has other
    callbacks, there are two: the form of mpi and mpif.h, and the form of mpi_f08.
    """
    if not p.has_callback and not any(a.f90 == CHOICE and a.f08 == C_PTR for a in p.arguments) or not p.in_f08:
        return [p]
    f08 = replace(p, arguments=tuple(replace(a, f90=a.f08) for a in p.arguments), in_f90=False, in_mpifh=False)
    return [replace(p, in_f08=False), f08] if p.in_f90 else [f08]


def template_name(p: Procedure) -> str:
    return p.name if p.in_f90 or p.large or p.removed else f"{p.name}_f08"


# ---- signatures ----


def _argument_type(argument: Argument) -> str:
    text = _TYPES[argument.f90]
    return f"const {text}" if argument.f90 in _CONST and argument.direction == "in" else text


def _texts(procedure: Procedure) -> list[Argument]:
    return [a for a in procedure.arguments if a.f90 == CHARACTER]


def parameters(procedure: Procedure) -> list[tuple[str, str]]:
    """Returns the types and names of the parameters: the arguments by reference, then the lengths of the texts. A length has
    only 32 bits here, since some compilers pass no more.
    """
    found = [(_argument_type(a), a.c.name) for a in procedure.arguments]
    if procedure.ierror:
        found.append(("int*", "ierror"))
    return found + [("int", f"{a.c.name}_length") for a in _texts(procedure)]


def declarations(found: list[tuple[str, str]]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in found)


def names(found: list[tuple[str, str]]) -> str:
    return ", ".join(name for _, name in found)


def on_stack(found: list[tuple[str, str]]) -> str:
    """Writes code by which the compiler reads the arguments on the stack only when they are needed. Otherwise it would read
    them early, into registers that it must save first.
    """
    names_there = names(found[processor.argument_registers:])
    return f"stay_on_stack({names_there}); " if names_there else ""


def referred(found: list[tuple[str, str]], read_again: Collection[str] = ()) -> str:
    """Writes the parameters of a function that is inlined into its caller. Arguments on the stack, and arguments in
    `read_again`, are references, so that no register has to keep them.
    """
    stays = lambda place, name: place >= processor.argument_registers or name in read_again
    return declarations([(f"{kind} const&" if stays(place, name) else kind, name) for place, (kind, name) in enumerate(found)])


def numbered(p: Procedure, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Returns the parameters of a function that gets handles as numbers that were read already."""
    handles = {h.name for h in known_handles(p)}
    return [("rule::handle_number", name) if name in handles else (kind, name) for kind, name in found]


def read_numbers(p: Procedure, found: list[tuple[str, str]]) -> str:
    """Returns the arguments for the parameters of `numbered`. They read the numbers of the handles."""
    handles = {h.name for h in known_handles(p)}
    return ", ".join(f"rule::number_at({name})" if name in handles else name for _, name in found)


def result_type(procedure: Procedure) -> str:
    return cpp_types.result_type(procedure.c, C) if procedure.is_function else "void"


# ---- the templates ----

_WATCHED = {"Start": "starts", "Startall": "starts", "Request_free": "frees"}


def _watched(p: Procedure) -> list[tuple[str, str]]:
    """Returns the code before and after a call that starts, completes or frees requests. For some of these requests, anympi
    has work to do.
    """
    if not re.match(r"(Wait|Test|Start|Request_)", p.name):
        return []
    found = [q for q in p.c.parameters if q.kind.name == "request" and q.direction != "out"]
    return [(_watch(p, q), "watched_c.finish(code);") for q in found]


def _watcher(p: Procedure) -> str:
    return f"watched_requests<request_call::{_WATCHED.get(p.name, 'completes')}>"


def _watch(p: Procedure, request: Parameter) -> str:
    name = request.name
    if request.is_array:
        return f"Watcher watched_c({name}, {length_of(p.c, request)});"
    if request.direction == "in":
        return f"const int {name}_before = static_cast<int>({name}); {_watcher(p)} watched_c(&{name}_before);"
    return f"Watcher watched_c({name});"


def known_handles(p: Procedure) -> list[Parameter]:
    """Returns the input handles. The runtime's value of such a handle may be known by the handle's number."""
    return [a.c for a in p.arguments if a.f90 == HANDLE and a.direction == "in" and not a.is_array]


def procedure(p: Procedure) -> str:
    """Writes the template of a procedure that is not written by hand."""
    arguments = {a.c.name: a for a in p.arguments}
    conversions, first, expressions = [], [], []
    for parameter in p.c.parameters:
        if parameter.name not in arguments:
            expressions.append(omitted(p.c, parameter))
            continue
        found = crossing(p.c, arguments[parameter.name])
        expressions.append(f"{parameter.name}_c" if found.first else found.expression)
        if found.first:
            first.append(f"    auto* const {parameter.name}_c = {found.expression};")
        if found.declaration:
            conversions.append((found.declaration, found.finish))
    watched = _watched(p)
    conversions += watched
    call = f"Calls::{called(p)}({', '.join(e for e in expressions if e)})"
    if p.is_function:
        return "\n".join(["template <class Calls>", f"inline {result_type(p)} {template_name(p)}({declarations(parameters(p))}) {{", f"    return {call};", "}"])
    handles = known_handles(p)
    way = "class Handles, " if handles else "class Watcher, " if watched else ""
    ways = f"class Calls, {way}class Report"
    name = f"{template_name(p)}_with" if way else template_name(p)
    lines = [f"template <{ways}>", f"[[gnu::always_inline]] inline void {name}({referred(numbered(p, parameters(p)))}) {{"]
    exhausted = "Report::report(ierror, rule::raise_no_memory())" if p.ierror else "static_cast<void>(rule::raise_no_memory())"
    lines += [f"    {text}".replace(REPORT_EXHAUSTED, exhausted) for text, _ in conversions] + first
    lines.append(f"    const int code = {call};")
    lines.append("    Report::report(ierror, code);" if p.ierror else "    static_cast<void>(code);")
    lines += [f"    {finish}" for _, finish in conversions]
    lines.append("}")
    return "\n".join(lines + (_with_known_handles(p, handles) if handles else _choice_of_watcher(p) if watched else []))


def choice_of_way(handles: list[Parameter], known: tuple[str, list[str]], other: tuple[str, list[str]]) -> list[str]:
    """Writes code that calls the function `known` if all handles are known by their numbers, and otherwise the function
    `other`. Both consist of a name and arguments. The handles are passed as numbers.
    """
    numbers = {h.name: f"{h.name}_number" for h in handles}
    classes = ", ".join(f"object::{h.kind.object}" for h in handles)

    def given(arguments: list[str]) -> str:
        return ", ".join(numbers.get(each, each) for each in arguments)

    return [
        *(f"    const rule::handle_number {number} = rule::number_at({name});" for name, number in numbers.items()),
        f"    if (rule::are_known<{classes}>({', '.join(numbers.values())})) [[likely]]",
        f"        {known[0]}({given(known[1])});",
        "    else",
        f"        rule::continue_out_of_line<{other[0]}>({given(other[1])});",
        "}",
    ]


def _with_known_handles(p: Procedure, handles: list[Parameter]) -> list[str]:
    """Writes the function that takes the fast way if all handles are known by their numbers."""
    name, given = template_name(p), [each for _, each in parameters(p)]
    return [
        "template <class Calls, class Report>",
        f"[[gnu::always_inline]] inline void {name}({referred(parameters(p))}) {{",
        *choice_of_way(handles, (f"{name}_with<Calls, rule::known, Report>", given), (f"{name}_with<Calls, rule::any, Report>", given)),
    ]


def _choice_of_watcher(p: Procedure) -> list[str]:
    """Writes the function that takes the fast way if anympi has no deferred work for any request."""
    name = template_name(p)
    return [
        "template <class Calls, class Report>",
        f"[[gnu::always_inline]] inline void {name}({referred(parameters(p))}) {{",
        "    if (!is_work_deferred()) [[likely]]",
        f"        {name}_with<Calls, unwatched_requests, Report>({names(parameters(p))});",
        "    else",
        f"        rule::continue_out_of_line<{name}_with<Calls, {_watcher(p)}, Report>>({names(parameters(p))});",
        "}",
    ]


# ---- names ----


def spellings(name: str) -> list[str]:
    """Returns the linker names by which different compilers refer to a procedure."""
    small = name.lower()
    return [f"{small}_", f"{small}__", small, name.upper()]


def _has_descriptors(p: Procedure) -> bool:
    """Returns True if buffers of the procedure have descriptors in mpi_f08. Open MPI up to 5.0 passes addresses instead."""
    return p.in_f08 and p.has_choice


def _f08_names(p: Procedure, prefix: str, app: str) -> list[str]:
    """Returns the linker names in mpi_f08 of a procedure without descriptors. They are names of the same function.

    MPICH has its own profiling prefix. Programs of a vendor's ABI use only one spelling. Programs of the standard ABI may be
    compiled by any compiler, so they need all spellings.
    """
    if not p.in_f08 or (_has_descriptors(p) and app != "openmpi"):
        return []
    if app == "standard":
        return spellings(f"{prefix}{p.name}_f08")
    prefixes = [prefix.lower()] + (["pmpir_"] if app == "mpich" and prefix == "PMPI_" else [])
    found = [f"{each}{p.name}_f08_".lower() for each in prefixes]
    return found + ([f"{each}{p.small_name}_f08_large_".lower() for each in prefixes] if p.large and app == "mpich" else [])


def linker_names(p: Procedure, prefix: str, app: str, others: list[str], aliases: dict[str, list[str]]) -> list[str]:
    """Returns the linker names. `others` are synonyms with their prefix MPIX_. `aliases` are from api/fortran_vendors.api."""
    profiling = prefix.removesuffix("MPI_")
    found = (spellings(prefix + p.name) if p.in_f90 or p.removed else []) + _f08_names(p, prefix, app)
    for name in others:
        found += (spellings(profiling + name) if p.in_f90 else []) + ([f"{profiling}{name}_f08_".lower()] if p.in_f08 else [])
    return found + [alias for name in found for alias in aliases.get(name, [])]


# ---- files ----


def procedures_file(procedures: list[Procedure], written: dict[str, Home]) -> str:
    lines = ["#pragma once", "", '#include "fortran/sections/deferred_work.hpp"', '#include "fortran/core/rules.hpp"']
    lines += [f'#include "fortran/{file}"' for file in sorted({home.file for home in written.values()})]
    lines += ["", "namespace anympi::fortran::entry {", ""]
    for p in procedures:
        if p.name not in written:
            lines += [procedure(form) for form in forms(p)]
    return "\n".join(lines + ["", "} // namespace anympi::fortran::entry"]) + "\n"


def full_path(kind: str, p: Procedure, prefix: str) -> str:
    """Returns the name of the full-path procedure, which is called unless a fast-path procedure replaces it.

    A procedure with descriptors calls it for contiguous buffers. Tools must not see this call, so it does not use the
    exported name.
    """
    return f"{kind}_{prefix}{p.name}"


def jumping(name: str, full_path: str, place: str, found: list[tuple[str, str]], body: str) -> list[str]:
    """Writes an exported procedure that can be replaced: it jumps to the address in the variable `place`."""
    given = declarations(found)
    return [
        f"void {full_path}({given}) {{ {body} }}",
        f"EXPORTED void {name}({given}) {{ jump({place}, {names(found)}); }}",
    ]


def rows(kind: str, replaceable: list[Procedure]) -> list[str]:
    """Writes the addresses to which the exported procedures jump. At first, they are the full-path procedures."""
    lines = [f"fortran_row rows_{kind}[] = {{"]
    for p in replaceable:
        full_paths = ", ".join(f"reinterpret_cast<void*>({full_path(kind, p, prefix)})" for prefix in PREFIXES)
        functions = ", ".join(f"reinterpret_cast<void*>({prefix}{p.c.name})" for prefix in PREFIXES)
        lines.append(f"    {{{{{full_paths}}}, {{{functions}}}}},")
    return [*lines, "};"]


def places(replaceable: list[Procedure]) -> dict[str, int]:
    return {p.name: row for row, p in enumerate(replaceable)}


def slot(kind: str, row: int, prefix: str) -> str:
    return f"rows_{kind}[{row}].slots[fortran_row::{CALLS[prefix]}]"


def _entry(p: Procedure, prefix: str, app: str, others: list[str], aliases: dict[str, list[str]], by_hand: bool, row: int | None) -> list[str]:
    found = linker_names(p, prefix, app, others, aliases)
    if not found:
        return []
    ways = [CALLS[prefix]]
    if not by_hand and not p.is_function:  # ierror may be absent only in mpi_f08
        ways.append("rule::if_present" if any("_f08" in name for name in found) else "rule::always")
    first, *others = found
    given = parameters(p)
    signature = f"{result_type(p)} {{}}({declarations(given)})"
    body = f"entry::{template_name(p)}<{', '.join(ways)}>({names(given)});"
    body = f"return {body}" if p.is_function else on_stack(given) + body
    if row is None:
        lines = [f"EXPORTED {signature.format(first)} {{ {body} }}"]
        if _has_descriptors(p):
            lines.append(f'decltype({first}) {full_path("by_address", p, prefix)} __attribute__((alias("{first}")));')
    else:
        lines = jumping(first, full_path("by_address", p, prefix), slot("by_address", row, prefix), given, body)
    lines += [f'EXPORTED decltype({first}) {name} __attribute__((alias("{first}")));' for name in others]
    return lines


def exports_file(procedures: list[Procedure], app: str, others: list[Synonym], aliases: dict[str, list[str]], written: dict[str, Home],
                 replaceable: list[Procedure]) -> str:
    """Writes the exported names. Only synonyms that are extensions share a procedure. Other synonyms have different
    arguments in Fortran.
    """
    named = {p.name: [s.name for s in others if s.is_extension and app in s.abis and s.function.name == p.name] for p in procedures}
    lines = ['#include "fortran/core/exported.hpp"', '#include "fortran/fast_path/slots.hpp"', '#include "fortran_procedures.hpp"', ""]
    lines += ["namespace anympi::fortran {", ""]
    for p in procedures:
        by_hand = p.name in written
        row = places(replaceable).get(p.name)
        lines += [line for form in forms(p) for prefix in PREFIXES for line in _entry(form, prefix, app, named[p.name], aliases, by_hand, row)]
    if replaceable:
        lines += ["", *rows("by_address", replaceable)]
    return "\n".join(lines + ["", "} // namespace anympi::fortran"]) + "\n"
