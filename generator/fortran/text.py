"""The spelling of arguments and procedures in Fortran, for mpif.h and the modules."""

from __future__ import annotations

from dataclasses import dataclass

from . import procedures
from .procedures import Argument, Procedure
from ..core.model import Api, Function, Parameter

_LONGEST = 100  # of a line in free form; the standard allows 132
_KINDS = {
    procedures.INTEGER: "INTEGER",
    procedures.ADDRESS: "INTEGER(KIND=MPI_ADDRESS_KIND)",
    procedures.COUNT: "INTEGER(KIND=MPI_COUNT_KIND)",
    procedures.OFFSET: "INTEGER(KIND=MPI_OFFSET_KIND)",
    procedures.LOGICAL: "LOGICAL",
    procedures.CHARACTER: "CHARACTER(LEN=*)",
    procedures.C_PTR: "TYPE(C_PTR)",
}
_RESULTS = {"double": "DOUBLE PRECISION", "aint": "INTEGER(KIND=MPI_ADDRESS_KIND)"}
_INTENTS = {"in": "INTENT(IN)", "out": "INTENT(OUT)", "inout": "INTENT(INOUT)"}
# Directives of different compilers, which mean that the argument may have any type, kind and rank. Each compiler ignores
# the directives of the others.
_ANY_TYPE = ("!GCC$ ATTRIBUTES NO_ARG_CHECK ::", "!DEC$ ATTRIBUTES NO_ARG_CHECK ::", "!DIR$ IGNORE_TKR", "!$PRAGMA IGNORE_TKR", "!IBM* IGNORE_TKR")


def wrapped(text: str, indent: int) -> list[str]:
    """Returns a statement in free form as a list of lines. Lines are broken at spaces."""
    lines, line = [], " " * indent
    for word in text.split(" "):
        if len(line) + len(word) > _LONGEST and line.strip():
            lines.append(line + "&")
            line = " " * (indent + 4)
        line += word + " "
    return lines + [line.rstrip()]


def handle_type(parameter: Parameter) -> str:
    return f"TYPE({parameter.kind.small})"


def result_type(function: Function) -> str:
    return _RESULTS[function.result.name]


def _shape(argument: Argument, old: bool) -> str:
    """Returns the shape of an argument. If `old` is True, returns its shape in the module mpi, where a status is an array."""
    kind = argument.c.kind.name
    if kind == "triplets":
        return "(3,*)"
    if kind == "argvs":
        return "(count,*)"
    if kind == "f_status":
        return "(MPI_STATUS_SIZE)"
    many = argument.is_array and kind != "string"
    if kind == "status" and old:
        return "(MPI_STATUS_SIZE,*)" if many else "(MPI_STATUS_SIZE)"
    return "(*)" if many else ""


def _intent(argument: Argument) -> list[str]:
    """Returns the intent of an argument. Memory to which MPI may write during or after the call has no intent. An argument
    has no intent either if a special value such as MPI_STATUS_IGNORE can be passed.
    """
    kind = argument.c.kind.name
    written = argument.direction != "in" or kind in ("buffer_automatic", "address") or (kind == "memory" and argument.c.asynchronous)
    if argument.f08 == procedures.PROCEDURE or (argument.f08 == procedures.CHOICE and written):
        return []
    if argument.direction == "out" and (kind in ("status", "weights") or (kind == "error_code" and argument.is_array)):
        return []
    return [_INTENTS["in" if argument.only_read else argument.direction]]


def _new_type(procedure: Procedure, argument: Argument) -> str:
    if argument.f08 == procedures.CHOICE:
        return "TYPE(*), DIMENSION(..)"
    if argument.f08 == procedures.HANDLE:
        return handle_type(argument.c)
    if argument.f08 == procedures.STATUS:
        return "TYPE(MPI_Status)"
    if argument.f08 == procedures.PROCEDURE:
        return f"PROCEDURE({callback_name(procedure, argument)})"
    return _KINDS[argument.f08]


def callback_name(procedure: Procedure, argument: Argument) -> str:
    return argument.c.kind.large if procedure.large else argument.c.kind.small


def _new_declaration(procedure: Procedure, argument: Argument) -> list[str]:
    attributes = [_new_type(procedure, argument), *_intent(argument)] + ["ASYNCHRONOUS"] * argument.asynchronous
    declared = wrapped(f"{', '.join(attributes)} :: {argument.name}{_shape(argument, old=False)}", 6)
    if argument.f08 == procedures.CHARACTER and procedure.has_choice:
        # The C function expects a descriptor. gfortran before 12 passes no descriptor for a CHARACTER(LEN=*), so it gets
        # another declaration.
        any_type = wrapped(f"TYPE(*), DIMENSION(..), INTENT(IN) :: {argument.name}", 6)
        return ["#if defined(__GFORTRAN__) && __GNUC__ < 12", *any_type, "#else", *declared, "#endif"]
    return declared


def _old_declaration(argument: Argument) -> list[str]:
    name = argument.name + _shape(argument, old=True)
    if argument.f90 == procedures.PROCEDURE:
        return [f"      EXTERNAL :: {argument.name}"]
    if argument.f90 == procedures.CHOICE:
        return [f"{directive} {argument.name}" for directive in _ANY_TYPE] + [f"      INTEGER :: {argument.name}(*)"]
    if argument.c.kind.name == "f08_status":
        return [f"      TYPE(MPI_Status) :: {name}"]
    return [f"      {'INTEGER' if argument.f90 in (procedures.HANDLE, procedures.STATUS) else _KINDS[argument.f90]} :: {name}"]


def _body(head: str, names: list[str], tail: str, declarations: list[str]) -> list[str]:
    """Writes a procedure of an interface block."""
    lines = wrapped(f"{head}({', '.join(names)}){tail}", 4)
    return [*lines, "      IMPORT", *declarations, f"    END {head.split()[0]}"]


def _names(procedure: Procedure) -> list[str]:
    return [a.name for a in procedure.arguments] + ["ierror"] * procedure.ierror


def new_specific(procedure: Procedure, prefix: str) -> str:
    """Returns the name of the specific procedure in mpi_f08, as in table 17.2 of MPI 3.0. The compiler makes the linker name
    from it.
    """
    return f"{prefix}{procedure.name}_{procedure.f08_suffix}"


def new_procedure(procedure: Procedure, prefix: str) -> list[str]:
    """Writes a procedure of mpi_f08: buffers have a descriptor. Such a procedure has BIND(C) and the name of a C function."""
    name = new_specific(procedure, prefix)
    declarations = [line for a in procedure.arguments for line in _new_declaration(procedure, a)]
    if procedure.is_function:
        return _body(f"FUNCTION {name}", _names(procedure), " RESULT(value)", [*declarations, f"      {result_type(procedure.c)} :: value"])
    if procedure.ierror:
        declarations.append("      INTEGER, OPTIONAL, INTENT(OUT) :: ierror")
    return _body(f"SUBROUTINE {name}", _names(procedure), f" BIND(C, NAME='{name}')" if procedure.has_choice else "", declarations)


def old_procedure(procedure: Procedure, prefix: str) -> list[str]:
    """Writes a procedure of mpi: buffers are passed by address."""
    name = f"{prefix}{procedure.name}".upper()
    declarations = [line for a in procedure.arguments for line in _old_declaration(a)]
    if procedure.is_function:
        return _body(f"FUNCTION {name}", _names(procedure), " RESULT(value)", [*declarations, f"      {result_type(procedure.c)} :: value"])
    if procedure.ierror:
        declarations.append("      INTEGER :: ierror")
    return _body(f"SUBROUTINE {name}", _names(procedure), "", declarations)


# ---- functions that a program gives to MPI ----


@dataclass(frozen=True)
class Callback:
    name: str  # with MPI_
    c: Function

    @property
    def in_f08(self) -> bool:
        return not self.c.deprecated

    def _declaration(self, parameter: Parameter, old: bool) -> list[str]:
        new_type, old_type = procedures.types_of(parameter, self.c.large)
        name = parameter.name
        if new_type == procedures.CHOICE:
            if not old:
                return [f"      TYPE(C_PTR), VALUE :: {name}"]
            return [f"{directive} {name}" for directive in _ANY_TYPE] + [f"      INTEGER :: {name}(*)"]
        if new_type == procedures.HANDLE:
            return [f"      {'INTEGER' if old else handle_type(parameter)} :: {name}"]
        if new_type == procedures.STATUS:
            return [f"      INTEGER :: {name}(MPI_STATUS_SIZE)" if old else f"      TYPE(MPI_Status) :: {name}"]
        if old_type == procedures.ADDRESS and self.c.deprecated:
            return [f"      INTEGER :: {name}"]  # the only integer in MPI-1
        return [f"      {_KINDS[new_type]} :: {name}"]

    def body(self, name: str, old: bool) -> list[str]:
        parameters = [p for p in self.c.parameters if p.kind.name != "varargs"]
        declarations = [line for p in parameters for line in self._declaration(p, old)]
        names = [p.name for p in parameters]
        if self.c.returns_error_code:
            names.append("ierror")
            declarations.append("      INTEGER :: ierror")
        return _body(f"SUBROUTINE {name}", names, "", declarations)


def callbacks(api: Api) -> dict[str, Callback]:
    """Returns the callbacks by their names with MPI_. Callbacks of the tools interface are left out, since only C has them."""
    return {f"MPI_{c.name}": Callback(f"MPI_{c.name}", c) for c in api.callbacks if not c.name.startswith("T_")}
