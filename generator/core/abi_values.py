"""Writes the constants of one ABI as members of a struct. The struct of the ABI in src/abi/ inherits them."""

from __future__ import annotations

from .model import ABIS, ONLY_IN_OUR_HEADER, REMOVED_DATATYPES, Api, Constant

_FUNCTIONS = "callback"
_CLASSES_WITH_ATTRIBUTES = ("COMM", "TYPE", "WIN")
_ATTRIBUTE_FUNCTIONS = {"null_copy": "NULL_COPY_FN", "dup": "DUP_FN", "null_delete": "NULL_DELETE_FN"}

# The value of a constant that the ABI lacks. No constant of any ABI has this number. A datatype that the ABI lacks has the
# null datatype as its value instead.
_ABSENT = "-0x7fffffff"
_NO_DATATYPE = "mpi_DATATYPE_NULL"


def _type(constant: Constant, abi: str) -> str:
    category = constant.category
    if constant.symbol(abi):
        return "const char*"
    if category.startswith("handle ") or category == REMOVED_DATATYPES:
        is_narrow = abi == "mpich" and category != "handle File" and not category.startswith("handle T_")
        return "std::uint32_t" if is_narrow else "std::uintptr_t"
    return {"buffer_address": "std::intptr_t", "empty_address": "std::intptr_t", "view_offset": "std::int64_t"}.get(category, "int")


def _value(constant: Constant, abi: str) -> str:
    if symbol := constant.symbol(abi):
        return f'"{symbol}"'
    if not constant.exists_in(abi):
        return _NO_DATATYPE if constant.category == REMOVED_DATATYPES else "absent"
    text = constant.columns[abi]
    ctype = _type(constant, abi)
    return f"static_cast<{ctype}>({text})" if ctype.startswith("std::uint") and text.startswith("-") else text


def _member(constant: Constant, abi: str) -> str:
    return f"    static constexpr {_type(constant, abi)} {constant.member} = {_value(constant, abi)};"


def _attribute_functions(api: Api, abi: str) -> list[str]:
    """Returns the predefined attribute functions of communicators, datatypes and windows. An ABI has either symbols for
    them, or special addresses that are never called.
    """
    by_name = {c.name: c for c in api.category(_FUNCTIONS)}
    has_symbols = any(c.symbol(abi) for c in by_name.values())
    lines = ["", "    // predefined attribute functions of communicators, datatypes and windows"]
    for member, function in _ATTRIBUTE_FUNCTIONS.items():
        constants = [by_name[f"MPI_{of}_{function}"] for of in _CLASSES_WITH_ATTRIBUTES]
        if has_symbols:
            values, ctype = [f'"{c.symbol(abi)}"' if c.symbol(abi) else "nullptr" for c in constants], "const char*"
        else:
            values, ctype = [c.columns[abi] for c in constants], "std::uintptr_t"
        lines.append(f"    static constexpr {ctype} {member}[] = {{{', '.join(values)}}};")
    return lines


def _fortran_numbers(constants: list[Constant], abi: str) -> list[str]:
    """Returns the Fortran numbers of the handles that are symbols in C."""
    numbers = {c.symbol(abi): c.fortran_number(abi) for c in constants if c.symbol(abi) and c.fortran_number(abi) is not None}
    if not numbers:
        return []
    lines = ["", "    // the handles of predefined objects in Fortran programs: places in the tables of their classes"]
    lines += ["    static constexpr fortran_number fortran_numbers[] = {"]
    return lines + [f'        {{"{symbol}", {number}}},' for symbol, number in numbers.items()] + ["    };"]


def _newer_handles(constants: list[Constant], abi: str) -> list[str]:
    """Returns the handles that only some libraries of the ABI have, with the symbols that such a library exports."""
    newer = {c.member: c.note(f"{abi} with").split(" and ") for c in constants if c.note(f"{abi} with")}
    if not newer:
        return []
    lines = ["", "    // handles that only newer libraries have", "    static constexpr newer_handle newer_handles[] = {"]
    return lines + [f"        {{{member}, {', '.join(f'{chr(34)}{symbol}{chr(34)}' for symbol in symbols)}}}," for member, symbols in newer.items()] + ["    };"]


def write(api: Api, abi: str) -> str:
    constants = [c for c in [*api.constants, *api.vendor_constants] if c.category not in (*ONLY_IN_OUR_HEADER, _FUNCTIONS)]
    lines = ["#pragma once", "", '#include "abi/abi.hpp"', "", "#include <cstdint>", "", "namespace anympi {", ""]
    lines += [f"struct {abi}_values {{", f"    static constexpr int absent = {_ABSENT}; // no such value in this ABI", ""]
    lines += [_member(c, abi) for c in constants]
    lines += _fortran_numbers(constants, abi) + _newer_handles(constants, abi) + _attribute_functions(api, abi)
    return "\n".join([*lines, "};", "", "} // namespace anympi"]) + "\n"


def files(api: Api) -> dict[str, str]:
    return {f"generated/{abi}_values.hpp": write(api, abi) for abi in ABIS}
