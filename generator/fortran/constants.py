"""The constants of MPI in Fortran. Except for the sizes of strings, the values are the same as in C."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.model import HANDLE_CLASSES, Api, Constant

# Categories of C constants that are not integer constants in Fortran, such as addresses and functions.
_NOT_INTEGERS = ("buffer_address", "empty_address", "callback", "view_offset", "fortran_status", "t_")
STATUS_SIZE = 8


@dataclass(frozen=True)
class Value:
    name: str
    value: str
    type: str = "INTEGER"


@dataclass(frozen=True)
class Common:
    """A common block. The addresses of its members are special values of MPI. The library defines the same block."""

    name: str
    members: tuple[tuple[str, str, str], ...]  # type, name, shape


_STATUS = "status"  # an array in mpif.h and mpi, a TYPE in mpi_f08
COMMONS = (
    Common("MPIPRIV1", (("INTEGER", "MPI_BOTTOM", ""), ("INTEGER", "MPI_IN_PLACE", ""), (_STATUS, "MPI_STATUS_IGNORE", ""))),
    Common("MPIPRIV2", ((_STATUS, "MPI_STATUSES_IGNORE", "1"), ("INTEGER", "MPI_ERRCODES_IGNORE", "1"))),
    Common("MPIPRIVC", (("CHARACTER(LEN=1)", "MPI_ARGVS_NULL", "1,1"), ("CHARACTER(LEN=1)", "MPI_ARGV_NULL", "1"))),
    Common("MPIFCMB5", (("INTEGER", "MPI_UNWEIGHTED", "1"),)),
    Common("MPIFCMB9", (("INTEGER", "MPI_WEIGHTS_EMPTY", "1"),)),
    Common("MPIFCMBA", (("INTEGER", "MPI_BUFFER_AUTOMATIC", ""),)),
)


def member(kind: str, name: str, shape: str, types: bool) -> tuple[str, str]:
    """Returns the type of a member, and its name with the shape. If `types` is True, a status has a derived type, as in
    mpi_f08.
    """
    if kind == _STATUS and types:
        kind = "TYPE(MPI_Status)"
    elif kind == _STATUS:
        kind, shape = "INTEGER", f"MPI_STATUS_SIZE,{shape}" if shape else "MPI_STATUS_SIZE"
    return kind, f"{name}({shape})" if shape else name


def kinds() -> list[Value]:
    """Returns MPI's kinds of integers. They have 8 bytes; the number of such a kind depends on the compiler."""
    names = ["ADDRESS", "COUNT", "OFFSET", *(f"C_{name.upper()}" for name in HANDLE_CLASSES)]
    return [Value("MPI_INTEGER_KIND", "KIND(0)")] + [Value(f"MPI_{name}_KIND", "SELECTED_INT_KIND(18)") for name in names]


def status() -> list[Value]:
    return [Value("MPI_STATUS_SIZE", str(STATUS_SIZE)), Value("MPI_SOURCE", "1"), Value("MPI_TAG", "2"), Value("MPI_ERROR", "3")]


def _value(constant: Constant) -> str:
    number = int(constant.value, 0)
    return str(number - 1 if constant.category == "string_size" else number)


def integers(api: Api) -> list[Value]:
    """Returns all constants except the handles."""
    return [
        Value(c.name, _value(c))
        for c in api.constants
        if not c.category.startswith(("handle ", *_NOT_INTEGERS)) and not c.name.startswith("MPI_T_")
    ]


def offsets(api: Api) -> list[Value]:
    return [Value(c.name, _value(c), "INTEGER(KIND=MPI_OFFSET_KIND)") for c in api.category("view_offset")]


def handles(api: Api) -> list[Value]:
    """Returns the handles with their types in mpi_f08."""
    return [Value(c.name, _value(c), f"MPI_{c.handle_class}") for c in api.handles]


def subarrays(supported: bool) -> list[Value]:
    value = ".TRUE." if supported else ".FALSE."
    return [Value("MPI_SUBARRAYS_SUPPORTED", value, "LOGICAL"), Value("MPI_ASYNC_PROTECTS_NONBLOCKING", value, "LOGICAL")]


# If INTEGER has 8 bytes, the compiler cannot evaluate this constant and reports an error with its name.
GUARD = Value("INTEGER_MUST_HAVE_4_BYTES", "1/MAX(0,33-BIT_SIZE(0))")
