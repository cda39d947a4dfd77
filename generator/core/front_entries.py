"""Writes the parts of a front: the exported entry points, the slots through which they jump, and the targets of the slots."""

from __future__ import annotations

from . import bridges, cpp_types
from .cpp_types import APP, FRONT
from .homes import Home
from .model import ABIS, Api, Function
from .synonyms import Synonym


def _signature(function: Function) -> str:
    return f"{cpp_types.result_type(function, FRONT)}({cpp_types.types(function, FRONT)})"


def _slot_call(function: Function) -> str:
    return f"slot<{_signature(function)}>(function::{function.name})({cpp_types.names(function)})"


def _entry(function: Function, name: str) -> list[str]:
    """Writes the exported names of a function. The name with PMPI_ is the function itself. The name with MPI_ is a weak
    alias, which a tool can replace.
    """
    result, declarations = cpp_types.result_type(function, FRONT), cpp_types.declarations(function, FRONT)
    if any(p.kind.name == "varargs" for p in function.parameters):
        declarations += ", ..."
    return [
        f"EXPORTED {result} P{name}({declarations}) {{ return {_slot_call(function)}; }}",
        f'EXPORTED {result} {name}({declarations}) __attribute__((weak, alias("P{name}")));',
    ]


def _first_call(function: Function) -> str:
    """Writes the target that a slot has before a runtime is bound. It chooses and binds a runtime, and then repeats the
    call.
    """
    result, declarations = cpp_types.result_type(function, FRONT), cpp_types.declarations(function, FRONT)
    return f"static {result} first_{function.name}({declarations}) {{\n    bind_runtime();\n    return {_slot_call(function)};\n}}"


def _error_object(function: Function) -> tuple[str, str]:
    if found := function.error_object:
        return f"object::{found.kind.object}", found.name
    return "object::comm", "predefined_of_program<App>(standard::mpi_COMM_SELF)"


def _missing(function: Function) -> str:
    """Writes the target of a slot whose function the runtime lacks."""
    result = cpp_types.result_type(function, FRONT)
    if not function.returns_error_code:
        return f"static {result} missing_{function.name}({cpp_types.types(function, FRONT)}) {{ stop_missing(function::{function.name}); }}"
    obj, handle = _error_object(function)
    declarations = cpp_types.declarations(function, FRONT, used=handle)
    return f"static {result} missing_{function.name}({declarations}) {{ return report_missing(function::{function.name}, {obj}, {handle}); }}"


def entries(api: Api, app: str, synonyms: list[Synonym]) -> str:
    lines = ['#include "front/common/entry.hpp"', "", "namespace anympi {", "", f"using App = {app};", ""]
    for function in api.functions:
        lines += _entry(function, f"MPI_{function.name}")
    for synonym in synonyms:
        lines += _entry(synonym.function, synonym.name)
    lines.append("")
    for function in api.functions:
        lines.append(_first_call(function))
    lines += ["", "void* slots[function_count] = {"]
    lines += [f"    reinterpret_cast<void*>(first_{f.name})," for f in api.functions]
    lines += ["};", ""]
    if app != "standard":
        lines += ["/// For the interposers, which forward calls to these slots.", 'extern "C" [[gnu::visibility("default")]] void* anympi_slots_1[function_count]']
        lines += ['    __attribute__((alias("_ZN6anympi5slotsE")));', ""]
    for function in api.functions:
        lines.append(_missing(function))
    lines += ["", "void* const missing_functions[function_count] = {"]
    lines += [f"    reinterpret_cast<void*>(missing_{f.name})," for f in api.functions]
    lines += ["};", "", "} // namespace anympi"]
    return "\n".join(lines).replace("typename App::status", "App::status") + "\n"


def generated_bridges(api: Api, homes: dict[str, Home]) -> str:
    lines = ["#pragma once", "", '#include "bridge/port_room.hpp"', '#include "bridge/report_no_memory.hpp"', '#include "bridge/reduction_operands.hpp"', '#include "convert/combiner.hpp"', '#include "convert/crossings.hpp"', '#include "convert/number.hpp"', '#include "emulate/engine/error.hpp"', "", "namespace anympi::bridge {", ""]
    for function in api.functions:
        home = homes[function.name]
        if home.how == "generated":
            lines.append(bridges.bridge(function))
        elif home.file == "number.hpp":
            lines.append(bridges.number(function))
    lines.append("} // namespace anympi::bridge")
    return "\n".join(lines) + "\n"


def bridge_files(homes: dict[str, Home]) -> list[str]:
    return sorted({home.file for home in homes.values() if home.how != "generated" and home.file != "number.hpp"})


def _backtrace_names(api: Api) -> list[str]:
    """Writes the names of bridges in backtraces, such as "anympi_Send_on_mpich". The names are texts of assembler
    statements, which cannot depend on a template parameter. So the names for each library's ABI are written separately.
    """
    lines = ["/// Names the bridges for backtraces. It is compiled with the bridges and never called.", "template <class P>", "[[gnu::used]] void name_bridges() {"]
    for number, run in enumerate(ABIS):
        lines.append(f"    {'} else ' if number else ''}if constexpr (std::is_same_v<typename P::run, {run}>) {{")
        for function in api.functions:
            signature = f"{cpp_types.result_type(function, APP)} (*)({cpp_types.types(function, APP)})"
            lines.append(f'        ANYMPI_BACKTRACE_NAME("{backtrace_name(function, run)}", static_cast<{signature}>(bridge::{function.name}<P>));')
    return [*lines, "    }", "}"]


def backtrace_name(function: Function, run: str) -> str:
    return f"anympi_{function.name}_on_{run}"


def bridge_table(api: Api, homes: dict[str, Home]) -> str:
    """Writes bridges<P>: the targets of the slots when a runtime is bound through the pair P."""
    lines = ["#pragma once", "", '#include "arch/backtrace_name.hpp"', '#include "bridges.hpp"']
    lines += [f'#include "bridge/{name}"' for name in bridge_files(homes)]
    lines += ["", "#include <type_traits>", "", "namespace anympi {", "", "/// The bridge of each function. Each has the signature with which its entry calls it."]
    lines += ["template <class P>", "inline void* const bridges[function_count] = {"]
    for function in api.functions:
        signature = f"{cpp_types.result_type(function, APP)} (*)({cpp_types.types(function, APP)})"
        lines.append(f"    reinterpret_cast<void*>(static_cast<{signature}>(bridge::{function.name}<P>)),")
    lines += ["};", "", *_backtrace_names(api), "", "} // namespace anympi"]
    return "\n".join(lines) + "\n"


def directory(api: Api, homes: dict[str, Home], older: list[Synonym]) -> str:
    """Writes the tables that do not depend on a pair: the names of all functions, and for each bridge the function of the
    runtime that it needs.
    """
    lines = ['#include "front/common/directory.hpp"', "", "namespace anympi {", "", "const char* const function_names ="]
    lines += [f'    "{f.name}\\0"' for f in api.functions]
    lines[-1] += ";"
    index = {f.name: i for i, f in enumerate(api.functions)}
    needs = [str(index[homes[f.name].needs]) if homes[f.name].needs else "-1" for f in api.functions]
    lines += ["", "const short needed_functions[function_count] = {" + ", ".join(needs) + "};", ""]
    lines.append("const older_name older_names[] = {")
    lines += [f'    {{function::{s.function.name}, "P{s.name}"}},' for s in older]
    lines += ["};", f"const int older_name_count = {len(older)};", "", "} // namespace anympi"]
    return "\n".join(lines) + "\n"


def symbol_map(names: list[str], others: list[str]) -> str:
    """Writes the linker's list of a front's exports: the functions, each with its PMPI_ name, and further symbols."""
    names = "\n".join([f"        {name};\n        P{name};" for name in names] + [f"        {name};" for name in others] +
                      [f"        anympi_*_on_{run};" for run in ABIS])
    return f"{{\n    global:\n{names}\n    local:\n        *;\n}};\n"
