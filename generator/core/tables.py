"""Writes the C++ tables for conversions: functions of a runtime, values by category, predefined handles."""

from __future__ import annotations

from . import cpp_types
from .model import Api


def functions(api: Api) -> str:
    """Writes struct functions<Run>, which has a typed pointer to each function of a runtime, in the order of the slots."""
    lines = ["#pragma once", "", '#include "abi/abi.hpp"', "", "namespace anympi {", ""]
    lines += [f"inline constexpr int function_count = {len(api.functions)};", ""]
    lines += ["/// The place of each function in every table.", "enum class function : int {"]
    lines += [f"    {f.name}," for f in api.functions]
    lines += ["};", "", "/// Functions that the standard ABI has under two names.", "struct synonym {", "    function of;", "    function is;", "};"]
    lines += ["inline constexpr synonym same_numbers[] = {"]
    lines += [f"    {{function::{f.name}, function::{f.same_number}}}," for f in api.functions if f.same_number]
    lines += ["};", "", "template <class Run>", "struct functions {"]
    for f in api.functions:
        lines.append(f"    {cpp_types.result_type(f, cpp_types.RUN)} (*{f.name})({cpp_types.types(f, cpp_types.RUN)});")
    lines += ["};", "", "} // namespace anympi"]
    return "\n".join(lines) + "\n"


def categories(api: Api) -> str:
    """Writes struct category_X<Abi>, which has the values of the category X in the same order for every ABI."""
    lines = ["#pragma once", "", '#include "abi/all.hpp"', ""]
    lines += ["namespace anympi {", ""]
    for category in sorted(kind.name for kind in api.kinds.values() if kind.has_category):
        members = [c.member for c in [*api.constants, *api.vendor_constants] if c.category == category]
        values = ", ".join(f"Abi::{member}" for member in members)
        lines += ["template <class Abi>", f"struct category_{category} {{", f"    static constexpr int values[] = {{{values}}};", "};", ""]
    lines.append("} // namespace anympi")
    return "\n".join(lines) + "\n"


def predefined(api: Api) -> str:
    """Writes predefined_handles<Abi>: each predefined handle with its number in the standard ABI."""
    lines = ["#pragma once", "", '#include "abi/all.hpp"', ""]
    lines += ["namespace anympi {", "", "/// A predefined handle: its class, its number in the standard ABI, and its value in this ABI."]
    lines += ["template <class Value>", "struct predefined_handle {", "    object of;", "    std::uintptr_t id;", "    Value value;", "};", ""]
    lines += ["template <class Abi>", "using predefined_value =", "    std::conditional_t<Abi::handles == handle_style::addresses, const char*, std::uintptr_t>;", ""]
    lines += ["template <class Abi>", "inline constexpr predefined_handle<predefined_value<Abi>> predefined_handles[] = {"]
    for constant in api.handles:
        lines.append(f"    {{object::{constant.handle_class.lower()}, standard::{constant.member}, Abi::{constant.member}}},")
    for number, constant in api.removed_datatypes.items():
        lines.append(f"    {{object::datatype, {number:#x}, Abi::{constant.member}}},")
    lines += ["};", "", "/// Datatypes of MPI-1, which the standard ABI does not have. anympi chooses their numbers."]
    lines += [f"inline constexpr std::uintptr_t removed_{c.member.removeprefix('mpi_')} = {number:#x};" for number, c in api.removed_datatypes.items()]
    lines += ["", "} // namespace anympi"]
    return "\n".join(lines) + "\n"
