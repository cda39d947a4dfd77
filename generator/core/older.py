"""Writes the functions of MPI 3.0 and before that have statuses as arguments. Programs of older releases need them, whose
statuses have another layout (src/preload/older).
"""

from __future__ import annotations

from . import c_types
from .model import Api, Function, Parameter

_LATEST = "3.0"  # the newest standard of the releases with another layout
_BY_HAND = ("Grequest_start",)


def _has_statuses(function: Function) -> bool:
    if function.since > _LATEST or function.large or function.converter or function.name in _BY_HAND:
        return False
    return any(p.kind.name == "status" for p in function.parameters)


def _status_of(function: Function) -> Parameter:
    statuses = [p for p in function.parameters if p.kind.name == "status"]
    assert len(statuses) == 1, function.name
    return statuses[0]


def _declaration(function: Function, parameter: Parameter, layout: str) -> str:
    return c_types.declaration(function, parameter).replace("MPI_Status", layout)


def _function(function: Function) -> list[str]:
    status = _status_of(function)
    parameters = [p for p in function.parameters if not p.large_only]
    older = ", ".join(_declaration(function, p, "older_status") for p in parameters)
    newer = ", ".join(_declaration(function, p, "newer_status") for p in parameters)

    def call(text: str) -> str:
        return f"next({', '.join(text if p is status else p.name for p in parameters)})"

    const = "const " if status.direction == "in" else ""
    count = status.length if status.is_array else "1"
    lines = [
        f"EXPORTED int PMPI_{function.name}({older}) {{",
        f"    using function = int({newer});",
        "    static std::atomic<function*> place;",
        f'    function* const next = find_next(place, "PMPI_{function.name}");',
        "    if (!is_call_of_program(__builtin_return_address(0)))",
        f"        return {call(f'reinterpret_cast<{const}newer_status*>({status.name})')};",
        f"    status_copies copies({status.name}, {count});",
        f"    const int code = {call('copies.argument()')};",
    ]
    if status.direction != "in":
        lines.append(f"    copies.write_back({status.name});")
    return lines + ["    return code;", "}", f'EXPORTED int MPI_{function.name}({older}) __attribute__((alias("PMPI_{function.name}")));', ""]


def functions(api: Api) -> str:
    return "\n".join(line for f in api.functions if _has_statuses(f) for line in ["", *_function(f)][1:])
