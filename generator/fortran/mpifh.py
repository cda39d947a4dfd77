"""Writes mpif.h: valid in fixed and in free form; no line has more than 72 columns or is continued."""

from __future__ import annotations

from . import constants
from . import text
from .procedures import Procedure
from ..core.model import PREFIXES, Api, ApiError

_LONGEST = 72
_MARGIN = " " * 6
_TOP = """\
! MPI 5.0, standard ABI. For programs that INCLUDE 'mpif.h', in fixed or
! free form. New programs: USE mpi_f08."""


def _parameter(value: constants.Value) -> list[str]:
    return [f"{value.type} {value.name}", f"PARAMETER ({value.name}={value.value})"]


def _kinds() -> list[constants.Value]:
    """Writes the kinds as numbers, not as calls of functions: SELECTED_INT_KIND might be a variable of the program."""
    numbers = {"KIND(0)": "4", "SELECTED_INT_KIND(18)": "8"}
    return [constants.Value(v.name, numbers[v.value]) for v in constants.kinds()]


def _guard() -> list[str]:
    """Writes the guard in a separate scope, since MAX or BIT_SIZE might be a variable of the program."""
    size = constants.GUARD
    return ["INTERFACE", "SUBROUTINE ANYMPI_GUARD(A)", *_parameter(size), f"INTEGER A({size.name})", "END SUBROUTINE", "END INTERFACE"]


def _common(common: constants.Common) -> list[str]:
    declared = [constants.member(*m, types=False) for m in common.members]
    lines = [f"{kind} {name}" for kind, name in declared]
    lines += [f"COMMON /{common.name}/ {m[1]}" for m in common.members]
    return [*lines, f"SAVE /{common.name}/"]


def _functions(procedures: list[Procedure]) -> list[str]:
    lines = []
    for procedure in procedures:
        for prefix in PREFIXES:
            name = f"{prefix}{procedure.name}".upper()
            lines += [f"{text.result_type(procedure.c)} {name}", f"EXTERNAL {name}"]
    return lines


def _converter(name: str) -> list[str]:
    """Declares a C function that converts a handle to or from Fortran. The arguments have C kinds, since compilers warn
    about other kinds.
    """
    of_c, of_fortran = "INTEGER(C_INTPTR_T)", "INTEGER(C_INT)"
    result, argument = (of_c, of_fortran) if name.endswith("f2c") else (of_fortran, of_c)
    return [
        f"FUNCTION {name}(h) BIND(C,NAME='{name}')",
        "USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_INT, C_INTPTR_T",
        f"{result} {name}",
        f"{argument}, VALUE, INTENT(IN) :: h",
        "END FUNCTION",
    ]


def _overload(procedures: list[Procedure], name: str, prefix: str) -> list[str]:
    """Declares both forms of a procedure that returns memory: the address as an INTEGER or as a TYPE(C_PTR)."""
    lines = [f"INTERFACE {prefix}{name}"]
    for procedure in procedures:
        if name not in (procedure.name, procedure.cptr_of):
            continue
        letters = [chr(ord("a") + i) for i in range(len(procedure.arguments) + 1)]
        lines.append(f"SUBROUTINE {prefix}{procedure.name}({','.join(letters)})")
        if procedure.cptr_of:
            lines.append("USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_PTR")
        lines += _old_arguments(procedure, letters)
        lines.append("END SUBROUTINE")
    return [*lines, "END INTERFACE"]


def _old_arguments(procedure: Procedure, letters: list[str]) -> list[str]:
    types = {"address": "INTEGER(KIND=8)", "c_ptr": "TYPE(C_PTR)"}
    lines = [f"{types.get(a.f90, 'INTEGER')} {letter}" for a, letter in zip(procedure.arguments, letters)]
    return [line.replace("TYPE(C_PTR) ", "TYPE(C_PTR) :: ") for line in [*lines, f"INTEGER {letters[-1]}"]]


def write(api: Api, procedures: list[Procedure]) -> str:
    mine = [p for p in procedures if p.in_mpifh]
    values = [*_kinds(), *constants.status(), *constants.integers(api)]
    values += [constants.Value(h.name, h.value) for h in constants.handles(api)]
    values += [*constants.offsets(api), *constants.subarrays(False)]
    lines = _guard() + [line for value in values for line in _parameter(value)]
    lines += [line for common in constants.COMMONS for line in _common(common)]
    lines += _functions([p for p in mine if p.is_function])
    lines += [f"EXTERNAL {c.name}" for c in api.category("callback") if not c.name.endswith("_C")]
    lines.append("INTERFACE")
    for function in api.functions:
        if function.converter and not function.name.startswith("Status_"):
            for prefix in PREFIXES:
                lines += _converter(prefix + function.name)
    lines.append("END INTERFACE")
    for procedure in mine:
        if procedure.cptr_of:
            for prefix in PREFIXES:
                lines += _overload(mine, procedure.cptr_of, prefix)
    done = _TOP.splitlines() + [_MARGIN + line for line in lines]
    for line in done:
        if len(line) > _LONGEST:
            raise ApiError(f"mpif.h: a line is too long: {line}")
    return "\n".join(done) + "\n"
