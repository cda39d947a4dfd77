"""How an argument of a Fortran procedure is passed to the C function: its text in the template, by the kind of the parameter."""

from __future__ import annotations

from ..core import cpp_types
from ..core.model import ApiError, Function, Parameter
from .procedures import C_PTR, CHARACTER, CHOICE, HANDLE, LOGICAL, PROCEDURE, STATUS, Argument

C = cpp_types.Side("c_handle<{0}>", "c_handle<{0}>", "c_status")


class _Crossing:
    """The code that passes an argument to C: an expression, a declaration before the call, and code after the call.

    `first` marks an expression that compares the argument with special values. Such expressions are evaluated before all
    others. After the last comparison there is no jump, so the compiler reads each argument only where it is passed on.
    """

    def __init__(self, expression: str, declaration: str = "", first: bool = False, finish: str = ""):
        self.expression, self.declaration, self.first, self.finish = expression, declaration, first, finish


# A placeholder for the code that reports that there was no memory for an argument. This code differs between procedures.
REPORT_EXHAUSTED = "REPORT_EXHAUSTED"


def _filled(name: str, made: str, *arguments: str) -> str:
    """Writes code that allocates memory by `made`, and fills this memory unless the allocation fails."""
    return f"{made} if ({name}_c.lacks_memory()) [[unlikely]] return {REPORT_EXHAUSTED}; {name}_c.fill({', '.join(arguments)});"


def _converted_array(name: str, rule: str, *arguments: str) -> _Crossing:
    found = _converted(name, rule, *arguments)
    return _Crossing(found.expression, _filled(name, found.declaration), finish=found.finish)


def _converted(name: str, rule: str, *arguments: str) -> _Crossing:
    return _Crossing(f"{name}_c.place()", f"rule::{rule} {name}_c({', '.join(arguments)});", finish=f"{name}_c.finish(code);")


def _converted_handles(name: str, rule: str, *arguments: str) -> _Crossing:
    """Writes the conversion of an array of handles. The code after the call gets the program's array as an argument again,
    so that no register has to keep its address during the call.
    """
    given = ", ".join([name, *arguments])
    return _Crossing(f"{name}_c.place({name})", f"rule::{rule} {name}_c({given});", finish=f"{name}_c.finish({given});")


def lengths_by_comm(comm: str) -> dict[str, str]:
    """Returns the expressions for lengths of arrays that the communicator determines."""
    return {
        "peers": f"rule::count_peers({comm})",
        "indegree": f"rule::count_neighbors({comm}).receive",
        "outdegree": f"rule::count_neighbors({comm}).send",
        "ndims": f"rule::count_dimensions({comm})",
    }


def length_of(function: Function, parameter: Parameter) -> str:
    """Returns the number of elements of the program's array."""
    length = parameter.length
    if any(p.name == length for p in function.parameters):
        return f"*{length}"
    known = lengths_by_comm("rule::handle<object::comm>(comm)")
    if length not in known:
        raise ApiError(f"{function.name}: how long is {parameter.name}?")
    if parameter.ignored_in_place:
        return f"rule::sentinels::is_in_place({_buffer_before(function, parameter)}) ? 0 : {known[length]}"
    return known[length]


def _buffer_before(function: Function, parameter: Parameter) -> str:
    place = function.parameters.index(parameter)
    return [p.name for p in function.parameters[:place] if p.kind.name == "buffer_in_place"][-1]


def _handle(function: Function, p: Parameter) -> _Crossing:
    of = f"object::{p.kind.object}"
    if not p.is_array:
        if p.direction == "in":
            return _Crossing(f"Handles::template handle<{of}>({p.name})")
        return _converted_handles(p.name, f"handle_{p.direction}<{of}>")
    if p.direction == "inout":
        found, length = _converted_handles(p.name, f"handles_inout<{of}>", length_of(function, p)), length_of(function, p)
        return _Crossing(found.expression, _filled(p.name, found.declaration, p.name, length), finish=found.finish)
    how = "until_completion" if p.asynchronous else p.direction
    return _converted_array(p.name, f"handles_{how}<{of}>", p.name, length_of(function, p))


def _logical(function: Function, p: Parameter) -> _Crossing:
    if p.kind.name != "logical":
        return _Crossing(f"const_cast<int*>({p.name})" if p.direction == "in" else p.name)
    if p.is_array:
        return _converted_array(p.name, f"logicals_{p.direction}", p.name, length_of(function, p))
    return _Crossing(f"rule::is_true(*{p.name})") if p.direction == "in" else _converted(p.name, "logical_out", p.name)


def _text(function: Function, p: Parameter) -> _Crossing:
    if p.kind.name != "string":
        raise ApiError(f"{function.name}: no rule for the texts of {p.name}")
    if p.direction == "in":
        trim = "without_blanks" if function.chapter == "info" else "without_trailing_blanks"
        return _converted_array(p.name, "text_in", f"rule::{trim}({p.name}, {p.name}_length)")
    if not p.length or not p.length.startswith("MAX_"):
        raise ApiError(f"{function.name}: how long may {p.name} be?")
    return _converted(p.name, f"text_out<app::mpi_{p.length}>", p.name, f"{p.name}_length")


def buffer_with_sentinels(buffer: Parameter, address: str) -> str:
    rule = buffer.kind.name if buffer.kind.name in ("buffer_in_place", "buffer_automatic") else "buffer"
    return f"rule::{rule}({address})"


def _choice(p: Parameter) -> _Crossing:
    return _Crossing(buffer_with_sentinels(p, p.name), first=True)


_BY_ADDRESS = {"error_code": "error_codes", "weights": "weights"}


def _number(p: Parameter) -> _Crossing:
    if p.kind.name == "triplets":
        return _Crossing(f"reinterpret_cast<int (*)[3]>(const_cast<int*>({p.name}))")
    if p.kind.name in _BY_ADDRESS and p.is_array:
        return _Crossing(f"rule::{_BY_ADDRESS[p.kind.name]}({p.name})")
    if p.direction != "in" or p.is_array or p.kind.name == "f_status":
        return _Crossing(p.name)
    return _Crossing(f"rule::keyval(*{p.name})" if p.kind.name == "keyval" else f"*{p.name}")


def _status(p: Parameter) -> _Crossing:
    if p.kind.name == "f08_status":
        return _Crossing(f"reinterpret_cast<int*>({p.name})")
    return _Crossing(f"rule::status{'es' if p.is_array else ''}({p.name})", first=True)


def _one_based(function: Function, p: Parameter) -> _Crossing:
    if not p.is_array:
        return _converted(p.name, "index_out", p.name)
    count = next(q.name for q in function.parameters if q.kind.name == "length" and q.direction == "out")
    return _converted(p.name, "indices_out", p.name, count)


def _attribute(function: Function, p: Parameter) -> _Crossing:
    if p.direction == "in":
        return _Crossing(f"rule::attribute(*{p.name})")
    keyval = next(q.name for q in function.parameters if q.kind.name == "keyval")
    return _converted(p.name, "attribute_out", p.name, f"rule::keyval(*{keyval})")


def crossing(function: Function, argument: Argument) -> _Crossing:
    p, kind = argument.c, argument.f90
    if argument.one_based:
        return _one_based(function, p)
    if kind == HANDLE:
        return _handle(function, p)
    if kind == STATUS:
        return _status(p)
    if kind == LOGICAL:
        return _logical(function, p)
    if kind == CHARACTER:
        return _text(function, p)
    if kind == CHOICE:
        return _choice(p) if argument.f08 == CHOICE else _converted(p.name, "unused_address", p.name)
    if p.kind.name == "attribute":
        return _attribute(function, p)
    if p.kind.name == "extra_state":
        return _Crossing(f"rule::extra_state({p.name})")
    if kind == PROCEDURE:
        return _Crossing(p.name)
    return _Crossing(p.name) if p.kind.name == "address_slot" or kind == C_PTR else _number(p)


_OMITTED = {"int": "0", "argv": "nullptr", "strings": "nullptr", "varargs": ""}


def omitted(function: Function, p: Parameter) -> str:
    return "nullptr" if p.kind.name == "int" and p.direction != "in" else _OMITTED[p.kind.name]
