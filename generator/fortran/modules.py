"""Writes the modules mpi and mpi_f08, and anympi_types with the parts that both share."""

from __future__ import annotations

from . import constants
from . import text
from .procedures import Procedure
from ..core.model import HANDLE_CLASSES, PREFIXES, Api, Constant


def _values(values: list[constants.Value]) -> list[str]:
    return [f"  {v.type}, PARAMETER :: {v.name} = {v.value}" for v in values]


def _commons(types: bool) -> list[str]:
    lines = []
    for common in constants.COMMONS:
        members = [constants.member(*m, types=types) for m in common.members]
        lines += [f"  {kind}, TARGET :: {name}" for kind, name in members]
        lines.append(f"  COMMON /{common.name}/ {', '.join(m[1] for m in common.members)}")
        lines.append(f"  SAVE :: /{common.name}/")
    return lines


def _interface(bodies: list[list[str]], name: str = "", abstract: bool = False) -> list[str]:
    head = "  ABSTRACT INTERFACE" if abstract else f"  INTERFACE {name}".rstrip()
    return [head, *(line for body in bodies for line in body), "  END INTERFACE"]


# ---- what both have ----


def _types() -> list[str]:
    lines = []
    for name in HANDLE_CLASSES:
        lines += [f"  TYPE, BIND(C) :: MPI_{name}", "    INTEGER :: MPI_VAL", f"  END TYPE MPI_{name}"]
    lines += ["  TYPE, BIND(C) :: MPI_Status", "    INTEGER :: MPI_SOURCE", "    INTEGER :: MPI_TAG", "    INTEGER :: MPI_ERROR"]
    return lines + [f"    INTEGER :: MPI_internal({constants.STATUS_SIZE - 3})", "  END TYPE MPI_Status"]


def _operators() -> list[str]:
    lines = []
    for operator, word in (("==", "same"), ("/=", "other")):
        lines.append(f"  INTERFACE OPERATOR({operator})")
        lines += [f"    MODULE PROCEDURE {word}_{name.lower()}" for name in HANDLE_CLASSES]
        lines.append("  END INTERFACE")
    lines += [f"  PRIVATE :: {word}_{name.lower()}" for word in ("same", "other") for name in HANDLE_CLASSES]
    return lines


def _operator_bodies() -> list[str]:
    lines = []
    for operator, word in (("==", "same"), ("/=", "other")):
        for name in HANDLE_CLASSES:
            lines += [
                f"  ELEMENTAL LOGICAL FUNCTION {word}_{name.lower()}(a, b)",
                f"    TYPE(MPI_{name}), INTENT(IN) :: a, b",
                f"    {word}_{name.lower()} = a%MPI_VAL {operator} b%MPI_VAL",
                "  END FUNCTION",
            ]
    return lines


def _converter(name: str, kind: str) -> list[str]:
    """Writes the interface of a C function that converts a handle to or from Fortran."""
    of_c = f"INTEGER(KIND=MPI_C_{kind.upper()}_KIND)"
    result, argument = (of_c, "INTEGER") if name.endswith("f2c") else ("INTEGER", of_c)
    return [
        *text.wrapped(f"FUNCTION {name}(handle) BIND(C, NAME='{name}') RESULT(converted)", 4),
        "      IMPORT",
        f"      {argument}, VALUE, INTENT(IN) :: handle",
        f"      {result} :: converted",
        "    END FUNCTION",
    ]


def _converters(api: Api) -> list[str]:
    bodies = []
    for function in api.functions:
        if function.converter and not function.name.startswith("Status_"):
            kind = function.name.rpartition("_")[0].replace("Type", "Datatype")
            bodies += [_converter(prefix + function.name, kind) for prefix in PREFIXES]
    return _interface(bodies)


def types(api: Api) -> str:
    lines = ["MODULE anympi_types", "  IMPLICIT NONE", "  PUBLIC", f"  PRIVATE :: {constants.GUARD.name}"]
    lines += _values([constants.GUARD, *constants.kinds(), *constants.status(), *constants.integers(api), *constants.offsets(api)])
    lines += [*_types(), *_operators(), *_converters(api), "CONTAINS", *_operator_bodies(), "END MODULE anympi_types"]
    return "\n".join(lines) + "\n"


def _sizeof(suffix: str) -> list[str]:
    """Writes MPI_Sizeof. It reads the size from the descriptor of its argument, for every type and rank."""
    lines = []
    for prefix in PREFIXES:
        name = f"{prefix}Sizeof_{suffix}"
        body = [
            f"    SUBROUTINE {name}(x, size, ierror) BIND(C, NAME='{name}')",
            "      TYPE(*), DIMENSION(..), INTENT(IN) :: x",
            "      INTEGER, INTENT(OUT) :: size",
            f"      INTEGER, {'OPTIONAL, ' if suffix == 'f08ts' else ''}INTENT(OUT) :: ierror",
            "    END SUBROUTINE",
        ]
        lines += _interface([body], f"{prefix}Sizeof")
    return lines


# ---- mpi ----


def _old_callback(constant: Constant) -> str:
    return constant.notes[0].rstrip("*")


def mpi(api: Api, procedures: list[Procedure]) -> str:
    mine = [p for p in procedures if p.in_f90]
    callbacks = text.callbacks(api)
    lines = ["MODULE mpi", "  USE, INTRINSIC :: iso_c_binding, ONLY: c_ptr", "  USE anympi_types", "  IMPLICIT NONE", "  PUBLIC", "  PRIVATE :: c_ptr"]
    lines += _values([constants.Value(h.name, h.value) for h in constants.handles(api)] + constants.subarrays(False))
    lines += _commons(types=False)
    overloaded = {p.cptr_of for p in mine}
    for prefix in PREFIXES:
        alone = [p for p in mine if not p.cptr_of and p.name not in overloaded]
        lines += _interface([text.old_procedure(p, prefix) for p in alone])
        for name in sorted(overloaded - {""}):
            same = [p for p in mine if name in (p.name, p.cptr_of)]
            lines += _interface([text.old_procedure(p, prefix) for p in same], f"{prefix}{name}".upper())
    lines += _interface([callbacks[_old_callback(c)].body(c.name, old=True) for c in api.category("callback") if not c.name.endswith("_C")])
    lines += [*_sizeof("fts"), "END MODULE mpi"]
    return "\n".join(lines) + "\n"


# ---- mpi_f08 ----


def _predefined(api: Api) -> list[tuple[str, text.Callback]]:
    callbacks = text.callbacks(api)
    found = [(c.name, callbacks[_old_callback(c)]) for c in api.category("callback")]
    return [(name, callback) for name, callback in found if callback.in_f08]


def _callbacks_f08(api: Api) -> list[str]:
    """Writes the predefined callbacks as a separate module. Their linker names end in _f08, while the linker names of the
    program's callbacks do not.
    """
    lines = ["MODULE anympi_callbacks_f08", "  USE, INTRINSIC :: iso_c_binding, ONLY: c_ptr", "  USE anympi_types", "  IMPLICIT NONE", "  PUBLIC"]
    lines += _interface([c.body(c.name, old=False) for c in text.callbacks(api).values() if c.in_f08], abstract=True)
    lines += _interface([callback.body(f"{name}_f08", old=False) for name, callback in _predefined(api)])
    return [*lines, "END MODULE anympi_callbacks_f08", ""]


def _generic(procedure: Procedure) -> str:
    return procedure.name if procedure.called_by_large_name else procedure.small_name


def mpi_f08(api: Api, procedures: list[Procedure]) -> str:
    mine = [p for p in procedures if p.in_f08 and not p.same_as_small]
    renamed = ", ".join(f"{name} => {name}_f08" for name, _ in _predefined(api))
    abstract = ", ".join(c.name for c in text.callbacks(api).values() if c.in_f08)
    lines = [*_callbacks_f08(api), "MODULE mpi_f08", "  USE, INTRINSIC :: iso_c_binding, ONLY: c_ptr", "  USE anympi_types"]
    lines += text.wrapped(f"USE anympi_callbacks_f08, ONLY: {abstract}, {renamed}", 2)
    lines += ["  IMPLICIT NONE", "  PUBLIC", "  PRIVATE :: c_ptr"]
    lines += [f"  TYPE({h.type}), PARAMETER :: {h.name} = {h.type}({h.value})" for h in constants.handles(api)]
    lines += _values(constants.subarrays(True))
    lines += _commons(types=True)
    generics: dict[str, list[Procedure]] = {}
    for procedure in mine:
        generics.setdefault(_generic(procedure), []).append(procedure)
    for prefix in PREFIXES:
        for name, same in generics.items():
            lines += _interface([text.new_procedure(p, prefix) for p in same], prefix + name)
    lines += [*_sizeof("f08ts"), "END MODULE mpi_f08"]
    return "\n".join(lines) + "\n"
