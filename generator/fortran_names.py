"""Writes the Fortran names of the vendors' libraries: until Fortran is served, each leads to one message."""

from __future__ import annotations

from .model import Api


def _spellings(name: str) -> list[str]:
    """As the compilers of the last decades spell it."""
    small = name.lower()
    return [f"{small}_", f"{small}__", small, name.upper()]


def _names(api: Api) -> list[str]:
    names = []
    for function in api.functions:
        for prefix in ("MPI_", "PMPI_"):
            names += _spellings(prefix + function.name)
            names += [f"{(prefix + function.name).lower()}_{suffix}" for suffix in ("f08_", "f08ts_")]
    return sorted(set(names))


def write(api: Api) -> str:
    lines = [".text", ".globl anympi_no_fortran", ".hidden anympi_no_fortran"]
    for name in _names(api):
        lines += [f".globl {name}", f".type {name}, @function", f"{name}:"]
    lines += ["    jmp anympi_no_fortran", '.section .note.GNU-stack,"",@progbits']
    return "\n".join(lines) + "\n"
