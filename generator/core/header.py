"""Writes mpi.h: the C interface of MPI 5.0 with the standard ABI, valid C99 and C++11."""

from __future__ import annotations

from . import c_types
from ..fortran import name_macros
from .model import HANDLE_CLASSES, PREFIXES, Api, Constant, Function

_TOOL_HANDLES = ("T_enum", "T_cvar_handle", "T_pvar_handle", "T_pvar_session", "T_event_registration", "T_event_instance")
_ENUM_TYPES = {"t_cb_safety": "MPI_T_cb_safety", "t_source_order": "MPI_T_source_order"}
_MACROS = ("version", "string_size", "size")

_TOP = """\
#ifndef MPI_H_INCLUDED
#define MPI_H_INCLUDED

/* MPI 5.0, standard ABI {abi}. A program compiled with this header runs on every library with this ABI. */

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {{
#endif

#if defined(ANYMPI_NO_DEPRECATION_WARNINGS)
#define ANYMPI_DEPRECATED(text)
#elif defined(__cplusplus) && __cplusplus >= 201402L
#define ANYMPI_DEPRECATED(text) [[deprecated(text)]]
#elif defined(__GNUC__)
#define ANYMPI_DEPRECATED(text) __attribute__((__deprecated__(text)))
#else
#define ANYMPI_DEPRECATED(text)
#endif

/* types */
"""

_STATUS = """\
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;
"""

_FORTRAN = """
/* Fortran: not part of the standard ABI. The converters are inline and use functions that every library with this ABI has. */

typedef int MPI_Fint;
typedef struct {
    MPI_Fint MPI_SOURCE;
    MPI_Fint MPI_TAG;
    MPI_Fint MPI_ERROR;
    MPI_Fint MPI_internal[5];
} MPI_F08_status;

/* What Fortran passes for a status that it does not want; a program without Fortran has no such variables. */
extern MPI_Fint mpipriv1_[] __attribute__((weak));
extern MPI_Fint mpipriv2_[] __attribute__((weak));
#define MPI_F_STATUS_IGNORE (mpipriv1_ + 2)
#define MPI_F_STATUSES_IGNORE (mpipriv2_)
#define MPI_F08_STATUS_IGNORE ((MPI_F08_status *) MPI_F_STATUS_IGNORE)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status *) MPI_F_STATUSES_IGNORE)
"""

_REPORT = """\
/* The names by which the Fortran procedures are linked, for tools that intercept them: by group of routines (named after one of
   them), support method and scheme. 0: not available, 1: in the library, 2: used by the support method. */"""


def _value(constant: Constant) -> str:
    return f"0x{int(constant.value, 0):08x}" if constant.value.startswith("0x") else constant.value


def _remark(constant: Constant) -> str:
    version = constant.note("deprecated")
    return f" /* deprecated since MPI {version} */" if version else ""


def _macros(api: Api, category: str) -> list[str]:
    """Writes constants as macros. Their type is `int` in C++, too. A program can test by #ifdef whether a constant exists,
    as with a vendor's header.
    """
    return [f"#define {c.name} {f'({c.value})' if c.value.startswith('-') else c.value}{_remark(c)}" for c in api.category(category)]


def _enumeration(api: Api, category: str) -> str:
    constants = api.category(category)
    last = constants[-1]
    body = "\n".join(f"    {c.name} = {c.value}{'' if c is last else ','}{_remark(c)}" for c in constants)
    name = _ENUM_TYPES[category]
    return f"typedef enum {name} {{\n{body}\n}} {name};"


def _typed_macro(constant: Constant) -> str:
    ctype = constant.notes[0].replace("*", " *").replace("* *", "**")
    ctype = ctype.replace(" * *", " **").replace("** *", "***")
    return f"#define {constant.name} (({ctype}) {constant.value}){_remark(constant)}"


def _constants(api: Api) -> list[str]:
    lines = []
    for category in _MACROS:
        lines += _macros(api, category)
    lines += [f"#define {c.name} ((MPI_Offset) {c.value})" for c in api.category("view_offset")]
    lines.append("")
    for name in HANDLE_CLASSES + _TOOL_HANDLES:
        lines += [f"#define {c.name} ((MPI_{name}) {_value(c)})" for c in api.category(f"handle {name}")]
    lines.append("")
    for category in ("buffer_address", "empty_address"):
        lines += [_typed_macro(c) for c in api.category(category)]
    lines.append("")
    done = set(_MACROS) | {"view_offset", "buffer_address", "empty_address", "callback"} | set(_ENUM_TYPES)
    for constant in api.constants:
        category = constant.category
        if category not in done and not category.startswith("handle "):
            done.add(category)
            lines += [*_macros(api, category), ""]
    return lines


def _callback(function: Function) -> list[str]:
    parameters = ", ".join(c_types.declaration(function, p) for p in function.parameters)
    name = f"MPI_{function.name}"
    lines = [f"typedef {c_types.result_type(function)} ({name})({parameters});"]
    if function.alias:
        lines.append(f"typedef {name} MPI_{function.alias};")
    return lines


def _declaration(function: Function, prefix: str) -> str:
    text = c_types.prototype(function, prefix) + ";"
    if function.deprecated and prefix == "MPI_":
        return f'ANYMPI_DEPRECATED("MPI_{function.name} is deprecated since MPI {function.deprecated}") {text}'
    return text


def _handle_converter(function: Function, prefix: str) -> str:
    argument = function.parameters[0].name
    head = "static inline " + c_types.prototype(function, prefix)
    return f"{head} {{ return {prefix}{function.same_number}({argument}); }}"


def _status_converter(function: Function, prefix: str) -> str:
    """Writes a function that converts a status. The statuses of C, mpif.h and mpi_f08 consist of the same eight integers."""
    source, target = function.parameters[0].name, function.parameters[1].name
    head = "static inline " + c_types.prototype(function, prefix)
    return "\n".join(
        [
            head + " {",
            f"    const int *from = (const int *) {source};",
            f"    int *to = (int *) {target};",
            "    int i;",
            "    for (i = 0; i < 8; ++i)",
            "        to[i] = from[i];",
            "    return MPI_SUCCESS;",
            "}",
        ]
    )


def _converter(function: Function, prefix: str) -> str:
    return (_handle_converter if function.same_number else _status_converter)(function, prefix)


def write(api: Api) -> str:
    abi = ".".join(c.value for c in api.constants if c.name in ("MPI_ABI_VERSION", "MPI_ABI_SUBVERSION"))
    parts = [_TOP.format(abi=abi)]
    parts += [f"typedef struct MPI_ABI_{n} *MPI_{n};" for n in HANDLE_CLASSES + _TOOL_HANDLES]
    parts.append(_STATUS)
    parts += [_enumeration(api, category) for category in _ENUM_TYPES]
    parts += ["", "/* functions that a program passes to MPI */", ""]
    parts += [line for c in api.callbacks for line in _callback(c)]
    parts += ["", "/* constants */", ""]
    parts += _constants(api)
    parts += [_typed_macro(c) for c in api.category("callback")]
    functions = [f for f in api.functions if not f.converter]
    for prefix in PREFIXES:
        parts += ["", f"/* functions, {prefix} */", ""]
        parts += [_declaration(f, prefix) for f in functions]
    parts.append(_FORTRAN)
    parts += [_converter(f, prefix) for prefix in PREFIXES for f in api.functions if f.converter]
    parts += ["", _REPORT, "", *name_macros.macros()]
    parts.append("\n#if defined(__cplusplus)\n}\n#endif\n\n#endif")
    return "\n".join(parts) + "\n"
