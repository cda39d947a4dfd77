"""The spelling of a parameter in C, for mpi.h."""

from __future__ import annotations

from .model import Function, Parameter

# Kinds whose C type is already an address. An output parameter of such a kind has the same type.
ADDRESSES = {"buffer", "buffer_in_place", "buffer_automatic", "address", "memory", "address_slot", "extra_state", "attribute", "t_object"}
CONST_ADDRESSES = {"buffer", "buffer_in_place", "address"}
# Kinds that are always passed by address. They are declared as pointers, not as arrays: for an array parameter, compilers
# warn if a program passes a constant instead of an address.
BY_ADDRESS = {"status", "string", "f_status", "f08_status", "weights"}


def base_type(function: Function, parameter: Parameter) -> str:
    """Returns the C type of the parameter's value in this form of the function."""
    return parameter.kind.large if function.large else parameter.kind.small


def declaration(function: Function, parameter: Parameter) -> str:
    """Returns the parameter as it appears in the prototype."""
    kind, name, out = parameter.kind.name, parameter.name, parameter.direction != "in"
    base = base_type(function, parameter)
    if kind == "varargs":
        return "..."
    if kind == "callback":
        return f"{base} {name}" if base.startswith("MPI_T_") else f"{base} *{name}"  # both are pointers to functions
    if kind in ADDRESSES:
        const = "const " if kind in CONST_ADDRESSES and not out else ""
        return f"{const}void *{name}"
    if kind == "triplets":
        return f"int {name}[][3]"
    if kind == "strings":
        return f"char *{name}[]"
    if kind == "argvs":
        return f"char **{name}[]"
    if kind == "argv":
        return f"char ***{name}"
    if kind in BY_ADDRESS:
        return f"{base} *{name}" if out else f"const {base} *{name}"
    if parameter.is_array:
        return f"{base} {name}[]" if out else f"const {base} {name}[]"
    return f"{base} *{name}" if out else f"{base} {name}"


def result_type(function: Function) -> str:
    if function.result is None:
        return "void"
    return "int" if function.result.name == "error_code" else function.result.small


def prototype(function: Function, prefix: str = "MPI_") -> str:
    parameters = ", ".join(declaration(function, p) for p in function.parameters) or "void"
    return f"{result_type(function)} {prefix}{function.name}({parameters})"
