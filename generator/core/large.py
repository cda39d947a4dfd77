"""Writes the large forms of functions in which every count belongs to a datatype or is in an array, for runtimes that
have only the small forms.

A count that fits into int is passed on. A larger count is replaced by one element of a datatype that contains all
elements (src/emulate/large_counts/aggregate_count.hpp). A reduction also needs an operation for this datatype
(src/emulate/large_counts/aggregate_reduction.hpp).
"""

from __future__ import annotations

from . import cpp_types
from .cpp_types import RUN
from .overrides import Override
from .model import Api, Function

FILE = "large_counts/large_forms.hpp"  # in generated/emulate/, next to the files of src/emulate/
_HOW = "a count above the range of int becomes one element of a datatype"

# Collectives with arrays of counts, and the functions with one datatype per peer that implement them
# (src/emulate/large_counts/exchange.hpp).
_EXCHANGES = {
    "Alltoallv": "Alltoallw",
    "Alltoallw": "Alltoallw",
    "Gatherv": "Alltoallw",
    "Scatterv": "Alltoallw",
    "Neighbor_allgatherv": "Neighbor_alltoallw",
    "Neighbor_alltoallv": "Neighbor_alltoallw",
    "Neighbor_alltoallw": "Neighbor_alltoallw",
}
_HOW_EXCHANGE = "an exchange with one datatype per process, which can hold more than an int can count"

_SELF = "predefined<Run>(standard::mpi_COMM_SELF)"

_HEAD = """\
#pragma once

#include "emulate/large_counts/aggregate_reduction.hpp"
#include "emulate/large_counts/aggregate_types.hpp"
#include "emulate/large_counts/large_vectors.hpp"

namespace anympi::emulate {
"""


def _is_count(function: Function, at: int) -> bool:
    """Returns True if the parameter is a number of elements and the next parameter is their datatype."""
    count, rest = function.parameters[at], function.parameters[at + 1 :]
    return (
        count.kind.name == "count"
        and count.direction == "in"
        and not count.is_array
        and bool(rest)
        and rest[0].kind.name == "datatype"
        and rest[0].direction == "in"
        and not rest[0].is_array
    )


def _counts(function: Function) -> list[int]:
    return [at for at, p in enumerate(function.parameters) if p.kind.small != p.kind.large]


def _names(function: Function) -> set[str]:
    return {p.kind.name for p in function.parameters}


def is_regular(function: Function) -> bool:
    """Returns True if this file can write the large form of the function. It cannot write constructors of datatypes, since
    their count becomes part of the datatype. It also cannot write functions whose large form has another callback.
    """
    counts = _counts(function)
    makes_type = any(p.kind.name == "datatype" and p.direction == "out" for p in function.parameters)
    return bool(counts) and not makes_type and all(_is_count(function, at) for at in counts)


def _exchange(function: Function) -> str:
    """Returns the blocking name of a collective with arrays of counts. Returns an empty text for all other functions."""
    return function.blocking_name if function.blocking_name in _EXCHANGES else ""


def _function_for_exchange(function: Function) -> str:
    """Returns the function that implements the exchange. It has the same form as `function`: blocking, nonblocking or
    persistent.
    """
    by, base = _EXCHANGES[_exchange(function)], _exchange(function)
    return function.small_name.replace(base, by).replace(base.lower(), by.lower())


def _needs_of_exchange(function: Function) -> tuple[str, ...]:
    """Returns the functions that an exchange needs. An exchange with a request packs the data if MPI_IN_PLACE is used
    (src/emulate/large_counts/exchange.hpp). Nonblocking exchanges between neighbors do not pack, since they do
    not support MPI_IN_PLACE.
    """
    packs = "request" in _names(function) and not function.name.startswith("Ineighbor")
    return (_function_for_exchange(function), *(("Pack_c",) if packs else ()))


def overrides(api: Api, written: dict[str, Override]) -> dict[str, Override]:
    """Returns the overrides for the large forms that this file writes. `written` has the overrides of api/overrides.api,
    which are written by hand.
    """
    found = {}
    for function in api.functions:
        if function.name in written or not function.large:
            continue
        name = function.name
        if is_regular(function):
            found[name] = Override(name, FILE, f"{name}<Run>", "absent", (), "binding", (function.small_name,), _HOW)
        elif _exchange(function):
            found[name] = Override(name, FILE, f"{name}<Run>", "absent", (), "binding", _needs_of_exchange(function), _HOW_EXCHANGE)
    return found


def _significant(function: Function, at: int) -> str:
    """Returns the condition under which the count and its datatype are significant. The condition is empty if they are
    always significant.
    """
    count, before = function.parameters[at], function.parameters[at - 1]
    if count.root_only:
        return "is_root<Run>(library<Run>, comm, root)"
    if count.ignored_in_place:
        return f"!is_in_place<Run>({before.name})"
    if count.name == "origin_count" and any(p.name == "result_count" for p in function.parameters):
        return "op != predefined<Run>(standard::mpi_NO_OP)"
    return ""


def _call(function: Function, replaced: dict[str, str]) -> str:
    arguments = ", ".join(replaced.get(p.name, p.name) for p in function.parameters)
    return f"library<Run>.{function.small_name}({arguments})"


def _is_file_request(function: Function) -> bool:
    """Returns True for nonblocking file operations. During such an operation, MPICH's file code holds no reference to the
    datatype.
    """
    return function.name.startswith("File_i")


def _is_persistent_collective(function: Function) -> bool:
    return {"info", "request", "comm"} <= _names(function)


def _error_target(function: Function) -> str:
    """Returns the object whose error handler is called. For a matched message this is MPI_COMM_SELF, since the message's
    communicator is unknown.
    """
    if found := function.error_object:
        return f"error_target{{object::{found.kind.object}, {found.name}}}"
    return f"error_target_of({_SELF})"


def _aggregate_counts(function: Function) -> list[str]:
    """Writes a call that passes each count above the range of int as one element of an aggregate datatype."""
    lines, replaced, aggregates = [], {}, []
    target = _error_target(function)
    for at in _counts(function):
        count, datatype = function.parameters[at].name, function.parameters[at + 1].name
        condition = _significant(function, at)
        lines.append(f"    aggregate_count<Run> {datatype}_({target}, {count}, {datatype}{', ' + condition if condition else ''});")
        lines.append(f"    if ({datatype}_.code() != 0)")
        lines.append(f"        return {datatype}_.code();")
        replaced |= {count: f"{datatype}_.count()", datatype: f"{datatype}_.type()"}
        aggregates.append(f"{datatype}_")
    if not (_is_persistent_collective(function) or _is_file_request(function)):
        return lines + [f"    return {_call(function, replaced)};"]
    persistent = "true" if _is_persistent_collective(function) else "false"
    comm = "comm" if "comm" in _names(function) else _SELF
    return lines + [
        "    const auto call = [&](request_of<Run>* child) {",
        f"        return {_call(function, replaced | {'request': 'child'})};",
        "    };",
        f"    return begin_with_aggregates<Run>({', '.join([persistent, comm, 'request', 'call', *aggregates])});",
    ]


def _aggregate_reduction(function: Function) -> list[str]:
    at = _counts(function)[0]
    count, datatype = function.parameters[at].name, function.parameters[at + 1].name
    replaced = {count: "one.count", datatype: "one.type", "op": "one.op"}
    if "request" not in _names(function):
        return [
            f"    const blocking_aggregate_reduction<Run> one(comm, {count}, {datatype}, op);",
            "    if (one.code() != 0)",
            "        return one.code();",
            f"    return {_call(function, replaced)};",
        ]
    persistent = "true" if _is_persistent_collective(function) else "false"
    return [
        "    const auto call = [=](const aggregate_reduction<Run>& one, request_of<Run>* child) {",
        f"        return {_call(function, replaced | {'request': 'child'})};",
        "    };",
        f"    return begin_reduction<Run>({persistent}, {count}, {datatype}, op, comm, request, call);",
    ]


def _is_reduction(function: Function) -> bool:
    """Returns True for reductions. Returns False for accumulations into a window: they need no special operation, since they
    allow derived datatypes that consist of one predefined datatype.
    """
    return "op" in _names(function) and "win" not in _names(function)


def _exchanged(function: Function) -> list[str]:
    """Writes an exchange. The blocking, nonblocking and persistent forms describe the blocks in the same way
    (src/emulate/large_counts/large_vectors.hpp).
    """
    names = [p.name for p in function.parameters]
    others = [name for name in ("info", "request") if name in names]
    blocks = f"{_exchange(function)}_blocks<Run>({', '.join(name for name in names if name not in others)})"
    way = _function_for_exchange(function).lower()
    return [
        "",
        "template <class Run>",
        f"int {function.name}({cpp_types.declarations(function, RUN)}) {{",
        f"    return {way}<Run>({', '.join(['comm', *others, blocks])});",
        "}",
    ]


def _regular(function: Function) -> list[str]:
    parameters = cpp_types.declarations(function, RUN)
    counts = [function.parameters[at].name for at in _counts(function)]
    slow = _aggregate_reduction(function) if _is_reduction(function) else _aggregate_counts(function)
    return [
        "",
        "template <class Run>",
        f"[[gnu::cold, gnu::noinline]] int {function.name}_large({parameters}) {{",
        *slow,
        "}",
        "template <class Run>",
        f"int {function.name}({parameters}) {{",
        f"    const auto small = small_form(library<Run>.{function.small_name}, library<Run>.{function.name});",
        f"    return (fits({' | '.join(counts)}) ? small : {function.name}_large<Run>)({cpp_types.names(function)});",
        "}",
    ]


def forms(api: Api, chosen: dict[str, Override]) -> str:
    out = [_HEAD.rstrip("\n")]
    for function in api.functions:
        if function.name in chosen and chosen[function.name].file == FILE:
            out += _exchanged(function) if _exchange(function) else _regular(function)
    return "\n".join([*out, "", "} // namespace anympi::emulate"]) + "\n"
