"""The API in Fortran: the procedures of mpif.h, mpi and mpi_f08, derived from the C functions and api/fortran.api."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ..core.model import Api, ApiError, Function, Parameter, large_forms, lines, read_parameter, split_parameters

# Fortran types of arguments. A handle is an INTEGER in mpif.h and mpi, and has a type such as TYPE(MPI_Comm) in mpi_f08.
CHOICE = "choice"
HANDLE = "handle"
STATUS = "status"
INTEGER = "integer"
ADDRESS = "address"  # INTEGER(KIND=MPI_ADDRESS_KIND)
COUNT = "count"  # INTEGER(KIND=MPI_COUNT_KIND)
OFFSET = "offset"  # INTEGER(KIND=MPI_OFFSET_KIND)
LOGICAL = "logical"
CHARACTER = "character"
C_PTR = "c_ptr"
PROCEDURE = "procedure"

CHOICES = ("buffer", "buffer_in_place", "buffer_automatic", "memory", "address")
_OF_C_TYPE = {"int": INTEGER, "MPI_Fint": INTEGER, "MPI_Aint": ADDRESS, "MPI_Count": COUNT, "MPI_Offset": OFFSET}
_OF_KIND = {
    "status": STATUS,
    "f08_status": STATUS,
    "logical": LOGICAL,
    "string": CHARACTER,
    "strings": CHARACTER,
    "argvs": CHARACTER,
    "callback": PROCEDURE,
    "attribute": ADDRESS,
    "extra_state": ADDRESS,
}

GROUPS = (
    "MPI_TEST",
    "MPI_ALLOC_MEM",
    "MPI_FREE_MEM",
    "MPI_GET_ADDRESS",
    "MPI_F_SYNC_REG",
    "MPI_SEND",
    "MPI_ISEND",
    "MPI_OP_CREATE",
    "MPI_REGISTER_DATAREP",
    "MPI_COMM_CREATE_KEYVAL",
    "MPI_COMM_DUP_FN",
    "MPI_COMM_RANK",
)
# The groups that table 17.2 of MPI 3.0 calls "TS 29113" and "special".
DESCRIPTOR_GROUPS = ("MPI_SEND", "MPI_ISEND", "MPI_GET_ADDRESS", "MPI_F_SYNC_REG")
CALLBACK_GROUPS = ("MPI_OP_CREATE", "MPI_REGISTER_DATAREP", "MPI_COMM_CREATE_KEYVAL")
_ALONE = {
    "Free_mem": "MPI_FREE_MEM",
    "Get_address": "MPI_GET_ADDRESS",
    "F_sync_reg": "MPI_F_SYNC_REG",
    "Op_create": "MPI_OP_CREATE",
    "Register_datarep": "MPI_REGISTER_DATAREP",
}


@dataclass(frozen=True)
class Argument:
    name: str  # the Fortran name, small letters
    c: Parameter
    f08: str  # type in mpi_f08
    f90: str  # type in mpi and mpif.h
    asynchronous: bool  # in mpi_f08
    one_based: bool = False  # counts places from 1, C from 0
    only_read: bool = False  # although C takes the address

    @property
    def direction(self) -> str:
        return self.c.direction

    @property
    def is_array(self) -> bool:
        return self.c.is_array or self.c.kind.name in ("triplets", "f_status")


@dataclass(frozen=True)
class Procedure:
    name: str  # Send, Send_c, Alloc_mem_cptr: without MPI_
    c: Function | None  # None for a procedure that C does not have
    arguments: tuple[Argument, ...]
    group: str
    in_f08: bool = True
    in_f90: bool = True  # in the module mpi
    in_mpifh: bool = True
    ierror: bool = True
    large: bool = False  # a large-count overload: the generic name in mpi_f08 is small_name
    same_as_small: bool = False  # ... with the same arguments as the small one if addresses and counts have the same
                                 # kind
    small_name: str = ""  # name without _c, _cptr
    removed: bool = False  # of MPI-1: exists only for the linker
    cptr_of: str = ""  # the procedure that this one overloads with TYPE(C_PTR)

    @property
    def is_function(self) -> bool:
        return self.c is not None and not self.c.returns_error_code

    @property
    def has_choice(self) -> bool:
        """Returns True if the procedure has choice buffers in mpi_f08. (In the other support methods, its small form then
        also has choice buffers. MPI_Buffer_detach is the exception.)
        """
        return any(a.f08 == CHOICE for a in self.arguments)

    @property
    def f08_suffix(self) -> str:
        """Returns the suffix of the procedure's specific name in mpi_f08."""
        return "f08ts" if self.group in DESCRIPTOR_GROUPS else "f08"

    @property
    def has_callback(self) -> bool:
        return any(a.f08 == PROCEDURE for a in self.arguments)

    @property
    def has_character(self) -> bool:
        return any(a.f08 == CHARACTER for a in self.arguments)

    @property
    def called_by_large_name(self) -> bool:
        """Returns True if programs call the procedure by a name with _c. All other large forms are overloads of the name
        without _c.
        """
        return self.large and self.has_callback


@dataclass
class Facts:
    """The content of api/fortran.api."""

    names: dict[str, list[str]] = field(default_factory=dict)  # by word
    arguments: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)  # by word and function
    routines: list[tuple[str, list[Parameter], str]] = field(default_factory=list)  # the last part is the replacement

    def says(self, word: str, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.names.get(word, []))

    def of(self, word: str, function: str) -> dict[str, str]:
        return self.arguments.get((word, function), {})


_NAME_WORDS = ("c-only", "f90-only", "no-mpifh", "no-ierror", "cptr", "same-large", "large")
_ARGUMENT_WORDS = ("omits", "renames", "logical", "integer", "async", "not-async", "one-based", "only-read")


def read_facts(path: Path, api: Api) -> Facts:
    facts = Facts()
    callbacks = large_forms(api.callbacks)
    for where, text in lines(path):
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        if word in _NAME_WORDS:
            facts.names.setdefault(word, []).extend(rest.split())
        elif word in _ARGUMENT_WORDS:
            function, _, items = rest.partition(":")
            facts.arguments[word, function] = dict(item.partition("=")[::2] for item in items.split())
        elif word in ("fortran", "removed") and (match := re.fullmatch(r"(\w+)\((.*)\)(?: = (\w+))?", rest)):
            parameters = [read_parameter(where, p, api.kinds, callbacks) for p in split_parameters(match[2])]
            facts.routines.append((match[1], parameters, match[3] or ""))
        else:
            raise ApiError(f"{where}: not a fact of Fortran: {text}")
    return facts


def types_of(parameter: Parameter, large: bool) -> tuple[str, str]:
    """Returns two types: the type in mpi_f08, and the type in mpi and mpif.h."""
    kind = parameter.kind
    if kind.crossing == "handle":
        return HANDLE, HANDLE
    if kind.name == "buffer_automatic" and parameter.direction == "out":
        return C_PTR, CHOICE
    if kind.name == "address_slot":
        return C_PTR, ADDRESS
    if kind.name in CHOICES:
        return CHOICE, CHOICE
    found = _OF_KIND.get(kind.name) or _OF_C_TYPE.get(kind.large if large else kind.small)
    if not found:
        raise ApiError(f"the kind {kind.name} has no Fortran type")
    return found, found


def _argument(facts: Facts, name: str, parameter: Parameter, large: bool) -> Argument:
    if parameter.name in facts.of("logical", name):
        f08 = f90 = LOGICAL
    elif parameter.name in facts.of("integer", name):
        f08 = f90 = INTEGER
    else:
        f08, f90 = types_of(parameter, large)
    asynchronous = parameter.asynchronous and parameter.name not in facts.of("not-async", name) or parameter.name in facts.of("async", name)
    fortran_name = facts.of("renames", name).get(parameter.name, parameter.name)
    one_based, only_read = (parameter.name in facts.of(word, name) for word in ("one-based", "only-read"))
    return Argument(fortran_name, parameter, f08, f90, asynchronous, one_based, only_read)


def _group(name: str, arguments: tuple[Argument, ...]) -> str:
    if name in _ALONE:
        return _ALONE[name]
    types = [a.f08 for a in arguments]
    if PROCEDURE in types:
        return "MPI_COMM_CREATE_KEYVAL"
    if LOGICAL in types:
        return "MPI_TEST"
    if any(a.c.kind.name == "address_slot" for a in arguments):
        return "MPI_ALLOC_MEM"
    choices = [a for a in arguments if a.f08 == CHOICE]
    if choices:
        return "MPI_ISEND" if any(a.asynchronous for a in choices) else "MPI_SEND"
    return "MPI_COMM_RANK"


def _cptr(procedure: Procedure) -> Procedure:
    arguments = tuple(replace(a, f90=C_PTR) if a.f90 == ADDRESS and a.f08 == C_PTR else a for a in procedure.arguments)
    return replace(procedure, name=procedure.name + "_cptr", arguments=arguments, in_f08=False, cptr_of=procedure.name)


def _of_function(api_functions: dict[str, Function], facts: Facts, function: Function) -> list[Procedure]:
    name = function.small_name or function.name
    if facts.says("c-only", function.name) or (function.large and facts.says("large", name)):
        return []
    large = function.large or facts.says("large", name)
    c = api_functions[f"{name}_c"] if large else function
    omitted = facts.of("omits", name)
    arguments = tuple(_argument(facts, name, p, large) for p in c.parameters if p.name not in omitted)
    f90 = not function.large
    procedure = Procedure(
        function.name,
        c,
        arguments,
        _group(name, arguments),
        in_f08=not facts.says("f90-only", name),
        in_f90=f90,
        in_mpifh=f90 and not facts.says("no-mpifh", name),
        ierror=function.returns_error_code and not facts.says("no-ierror", name),
        large=function.large,
        same_as_small=function.large and facts.says("same-large", name),
        small_name=name,
    )
    return [procedure] + ([_cptr(procedure)] if f90 and facts.says("cptr", name) else [])


def _of_routine(facts: Facts, groups: dict[str, str], name: str, parameters: list[Parameter], replaced_by: str) -> Procedure:
    arguments = tuple(_argument(facts, name, p, False) for p in parameters)
    group = groups[replaced_by] if replaced_by else _group(name, arguments)
    is_there, ierror = not replaced_by, not facts.says("no-ierror", name)
    return Procedure(name, None, arguments, group, is_there, is_there, is_there, ierror, small_name=name, removed=not is_there)


def procedures(api: Api, facts: Facts) -> list[Procedure]:
    """Returns all procedures, including those that MPI has removed. in_f08, in_f90 and in_mpifh show where a procedure is
    declared.
    """
    functions = {f.name: f for f in api.functions}
    found = [p for f in api.functions for p in _of_function(functions, facts, f)]
    groups = {p.name: p.group for p in found}
    found += [_of_routine(facts, groups, *routine) for routine in facts.routines]
    return sorted(found, key=lambda p: p.name)


def read_procedures(folder: Path, api: Api) -> list[Procedure]:
    return procedures(api, read_facts(folder / "fortran.api", api))
