"""The spelling of a parameter in the C++ of the fronts and bridges.

Handles are numbers in this code, never pointers to structs. In memory, a handle is as wide as the ABI defines. As an
argument of a runtime's function, a handle is one machine word. Except handles and statuses, all types are the same in all
ABIs.
"""

from __future__ import annotations

from .c_types import ADDRESSES, CONST_ADDRESSES, base_type
from .model import Function, Parameter

_NUMBERS = {
    "int": "int",
    "double": "double",
    "MPI_Aint": "std::intptr_t",
    "MPI_Count": "std::int64_t",
    "MPI_Offset": "std::int64_t",
    "MPI_Fint": "int",
    "MPI_F08_status": "int",
    "MPI_T_cb_safety": "int",
    "MPI_T_source_order": "int",
    "char": "char",
    "char*": "char*",
    "char**": "char**",
}


class Side:
    """The names of handles and statuses on one side of a bridge."""

    def __init__(self, handle: str, register: str, status: str):
        self.handle, self.register, self.status = handle, register, status

    def handle_type(self, obj: str) -> str:
        return self.handle.format(f"object::{obj}")

    def register_type(self, obj: str) -> str:
        return self.register.format(f"object::{obj}")


APP = Side("app_handle<P, {0}>", "app_handle<P, {0}>", "app_status<P>")  # in bridges: template over the pair P
FRONT = Side("handle_of<App, {0}>", "handle_of<App, {0}>", "typename App::status")  # in a front: template over App
RUN = Side("handle_of<Run, {0}>", "word", "typename Run::status")  # functions of a runtime


def _value_type(function: Function, parameter: Parameter, side: Side) -> str:
    kind = parameter.kind
    if kind.crossing == "handle":
        return side.handle_type(kind.object)
    if kind.name == "status":
        return side.status
    if kind.crossing == "widened" and side is RUN:
        return _NUMBERS[kind.large]
    base = base_type(function, parameter)
    return _NUMBERS.get(base, "void*")  # handles of the tools interface are opaque pointers


def parameter_type(function: Function, parameter: Parameter, side: Side) -> str:
    kind, out = parameter.kind, parameter.direction != "in"
    if kind.name == "callback":
        return "void*"
    if kind.name in ADDRESSES:
        return "const void*" if kind.name in CONST_ADDRESSES and not out else "void*"
    value = _value_type(function, parameter, side)
    if kind.name == "triplets":
        return "int (*)[3]"
    if kind.name in ("strings", "argvs"):
        return value + "*"
    if kind.name == "argv":
        return "char***"
    if kind.name in ("status", "string", "f_status", "f08_status") or parameter.is_array:
        return f"{value}*" if out else f"const {value}*"
    if out:
        return f"{value}*"
    return side.register_type(kind.object) if kind.crossing == "handle" else value


def declaration(function: Function, parameter: Parameter, side: Side) -> str:
    text = parameter_type(function, parameter, side)
    if "(*)" in text:
        return text.replace("(*)", f"(*{parameter.name})")
    return f"{text} {parameter.name}"


def result_type(function: Function, side: Side) -> str:
    if function.result is None:
        return "void"
    if function.result.crossing == "handle":
        return side.register_type(function.result.object)
    return _NUMBERS[function.result.small]


def fixed_parameters(function: Function) -> list[Parameter]:
    return [p for p in function.parameters if p.kind.name != "varargs"]


def declarations(function: Function, side: Side, used: str | None = None) -> str:
    """Returns the parameters. If `used` is given, only that parameter has a name."""
    write = lambda p: declaration if used in (None, p.name) else parameter_type
    return ", ".join(write(p)(function, p, side) for p in fixed_parameters(function))


def types(function: Function, side: Side) -> str:
    return ", ".join(parameter_type(function, p, side) for p in fixed_parameters(function))


def names(function: Function) -> str:
    return ", ".join(p.name for p in fixed_parameters(function))
