"""The API as objects. Reads api/*.api and rejects everything that it does not understand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


class ApiError(Exception):
    """The description in api/ is wrong; the message names file and line."""


@dataclass(frozen=True)
class Kind:
    name: str
    small: str  # C type
    large: str  # C type in the _c form
    crossing: str  # rule of src/convert/
    object: str = ""  # class of a handle
    has_category: bool = False  # its values are the constants of the category that has its name


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: Kind
    direction: str  # in, out, inout
    length: str | None = None  # an array of this many elements ("" if the length is not counted)
    large_only: bool = False
    root_only: bool = False
    ignored_in_place: bool = False
    asynchronous: bool = False
    nullable: bool = False
    callback: str = ""  # name of a callback type

    @property
    def is_array(self) -> bool:
        return self.length is not None


WITH_ERROR_HANDLERS = ("comm", "win", "file", "session")  # classes of objects


@dataclass
class Function:
    name: str  # without MPI_
    parameters: list[Parameter]
    result: Kind | None  # None: void
    since: str
    chapter: str
    large: bool = False  # this is the _c form
    small_name: str = ""
    deprecated: str = ""
    converter: bool = False
    callbacks: bool = False  # runs callbacks of the program
    alias: str = ""

    @property
    def is_persistent(self) -> bool:
        """Returns True if the function makes a persistent request."""
        return self.name.removesuffix("_c").endswith("_init")

    @property
    def makes_request(self) -> bool:
        return any(p.kind.name == "request" and p.direction == "out" for p in self.parameters)

    @property
    def blocking_name(self) -> str:
        """Returns the blocking function that does the same: Bcast for Ibcast, Ibcast_c and Bcast_init."""
        name = self.name.removesuffix("_c").removesuffix("_init")
        return name[1:].capitalize() if self.makes_request and name.startswith("I") else name

    @property
    def error_object(self) -> Parameter | None:
        """Returns the parameter whose error handler is called, or None if the error handler of MPI_COMM_SELF is called."""
        given = (p for p in self.parameters if p.kind.object in WITH_ERROR_HANDLERS and p.direction == "in" and not p.is_array)
        return next(given, None)

    @property
    def same_number(self) -> str:
        """Returns, for X_c2f and X_f2c, the function of the standard ABI that does the same there: X_toint or X_fromint."""
        handle, _, way = self.name.rpartition("_")
        target = {"c2f": "toint", "f2c": "fromint"}.get(way)
        return f"{handle}_{target}" if target and handle != "Status" else ""

    @property
    def returns_error_code(self) -> bool:
        return self.result is not None and self.result.name == "error_code"


# The ABIs, in the order of the columns of api/constants.api. Programs and libraries may have any of these ABIs.
ABIS = ("standard", "mpich", "openmpi")

# The families of libraries (runtime::family in src/runtime/identify/library.hpp). Each ABI except the standard ABI belongs
# to one family.
FAMILIES = ABIS[1:]

# The prefix of the functions that tools replace, and the prefix of the functions that tools call.
PREFIXES = ("MPI_", "PMPI_")

# The classes of MPI objects, as in the names of their handle types.
HANDLE_CLASSES = ("Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win")

# Categories of constants that exist only in anympi's mpi.h. These constants have no values in the vendors' ABIs and are
# never converted.
ONLY_IN_OUR_HEADER = ("version", "fortran_status")

# Datatypes of MPI-1, which the standard ABI no longer has. Vendors' programs use them.
REMOVED_DATATYPES = "removed_datatype"

# The handle numbers of the standard ABI have 10 bits. The removed datatypes get the numbers that follow.
_FIRST_REMOVED = 0x400


@dataclass(frozen=True)
class Constant:
    name: str  # with MPI_
    category: str
    columns: dict[str, str]  # by ABI, as in the file
    notes: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        """The value in the standard ABI."""
        return self.columns["standard"]

    @property
    def is_standard(self) -> bool:
        return self.exists_in("standard")

    @property
    def member(self) -> str:
        """The name in generated/*_values.hpp. A prefix in lower case avoids conflicts with macros of other headers."""
        return re.sub(r"^MPIX?_", "mpi_", self.name)

    @property
    def handle_class(self) -> str:
        """Returns the class of MPI objects to which the constant belongs as a handle; empty for other constants and for
        handles of the tools interface.
        """
        kind, _, name = self.category.partition(" ")
        return name if kind == "handle" and name in HANDLE_CLASSES else ""

    def exists_in(self, abi: str) -> bool:
        return self.columns.get(abi, "-") != "-"

    def number(self, abi: str) -> int | None:
        """Returns the value as a number, or None for a symbol and for a constant that the ABI lacks."""
        return int(self.columns[abi], 0) if re.fullmatch(_NUMBER, self.columns.get(abi, "-")) else None

    def symbol(self, abi: str) -> str:
        """Returns the symbol of the library that stands for the constant, or an empty text for a number."""
        return self.columns[abi].partition("=")[0] if self.exists_in(abi) and self.number(abi) is None else ""

    def fortran_number(self, abi: str) -> int | None:
        """Returns the handle in Fortran programs, or None if the ABI lacks the constant."""
        _, _, number = self.columns.get(abi, "-").partition("=")
        return int(number) if number else self.number(abi)

    def note(self, key: str) -> str:
        """Returns the rest of the note that begins with key, or an empty text."""
        for text in self.notes:
            if text == key or text.startswith(key + " "):
                return text[len(key) :].strip() or key
        return ""


@dataclass
class Api:
    kinds: dict[str, Kind] = field(default_factory=dict)
    callbacks: list[Function] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)  # of MPI 5.0
    vendor_constants: list[Constant] = field(default_factory=list)  # without a value in the standard ABI

    def category(self, name: str) -> list[Constant]:
        return [c for c in self.constants if c.category == name]

    @property
    def handles(self) -> list[Constant]:
        """Predefined handles of MPI objects, without handles of the tools interface."""
        return [c for c in self.constants if c.handle_class]

    @property
    def removed_datatypes(self) -> dict[int, Constant]:
        """The removed datatypes, by their numbers in the tables of predefined handles."""
        return dict(enumerate((c for c in self.vendor_constants if c.category == REMOVED_DATATYPES), _FIRST_REMOVED))


def lines(path: Path):
    for number, text in enumerate(path.read_text().splitlines(), 1):
        text = text.split("#", 1)[0].strip()
        if text:
            yield f"{path.name}:{number}", text


def lines_in_sections(path: Path):
    """Yields each line with its section. A line with a name in brackets begins a section. Before the first such line, the
    section is "".
    """
    section = ""
    for where, text in lines(path):
        if text.startswith("["):
            section = text.strip("[]")
        else:
            yield where, section, text


def _read_kinds(path: Path, categories: set[str]) -> dict[str, Kind]:
    kinds = {}
    for where, text in lines(path):
        match = re.fullmatch(r"(\w+)\s+(\S+)(?:\s*\|\s*(\S+))?\s+(\w+)(?:\s+(\w+))?", text)
        if not match:
            raise ApiError(f"{where}: not a kind: {text}")
        name, small, large, crossing, more = match.groups()
        has_category = crossing in ("value", "bits") or more == "values"
        if name in kinds:
            raise ApiError(f"{where}: kind {name} appears twice")
        if has_category and name not in categories:
            raise ApiError(f"{where}: kind {name} has no section in constants.api")
        kinds[name] = Kind(name, small, large or small, crossing, more if crossing == "handle" else "", has_category)
    return kinds


_PARAMETER = re.compile(r"(?P<dir><>|>)?(?P<name>\w+):(?P<kind>\w+)(?:\[(?P<length>.*)\])?(?P<mods>[+@/~?]*)")


def read_parameter(where: str, text: str, kinds: dict[str, Kind], callbacks: dict[str, str]) -> Parameter:
    """Reads a parameter. `callbacks`: see large_forms."""
    match = _PARAMETER.fullmatch(text)
    if not match:
        raise ApiError(f"{where}: not a parameter: {text}")
    name, mods = match["kind"], match["mods"]
    callback = name if name in callbacks else ""
    if not callback and name not in kinds:
        raise ApiError(f"{where}: unknown kind {name} of parameter {match['name']}")
    kind = kinds[name] if not callback else Kind("callback", f"MPI_{name}", f"MPI_{callbacks[name]}", "callback")
    return Parameter(
        match["name"],
        kind,
        {None: "in", ">": "out", "<>": "inout"}[match["dir"]],
        match["length"],
        "+" in mods,
        "@" in mods,
        "/" in mods,
        "~" in mods,
        "?" in mods,
        callback,
    )


def split_parameters(text: str) -> list[str]:
    """Splits at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    rest = text[start:].strip()
    return parts + [rest] if rest else parts


def _marks(where: str, function: Function, marks: list[str]) -> None:
    for mark in marks:
        word, _, rest = mark.partition(" ")
        if word in ("converter", "callbacks"):
            setattr(function, word, True)
        elif word in ("deprecated", "alias"):
            setattr(function, word, rest)
        else:
            raise ApiError(f"{where}: unknown mark {mark}")


def _read_functions(path: Path, kinds: dict[str, Kind], callbacks: dict[str, str]) -> list[Function]:
    """Reads the functions. Each line describes one function, or a function and its large form."""
    functions, names = [], set()
    for where, chapter, text in lines_in_sections(path):
        match = re.fullmatch(r"(\w+)\((.*)\)(?:\s*->\s*(\w+))?\s*:\s*(.+)", text)
        if not match:
            raise ApiError(f"{where}: not a function: {text}")
        name, parameters, result, rest = match.groups()
        versions, *marks = [part.strip() for part in rest.split(",")]
        since, _, since_large = versions.partition("/")
        result = result or "error_code"
        if result != "void" and result not in kinds:
            raise ApiError(f"{where}: unknown kind {result} of the result")
        all_parameters = [read_parameter(where, p, kinds, callbacks) for p in split_parameters(parameters)]
        small = Function(
            name, [p for p in all_parameters if not p.large_only], kinds.get(result), since, chapter
        )
        _marks(where, small, marks)
        if name in names:
            raise ApiError(f"{where}: {name} appears twice")
        names |= {name, f"{name}_c"} if since_large else {name}
        functions.append(small)
        if since_large:
            large = Function(f"{name}_c", all_parameters, kinds.get(result), since_large, chapter, large=True, small_name=name)
            _marks(where, large, marks)
            functions.append(large)
    return functions


_NUMBER = r"-?(?:0x[0-9a-f]+|\d+)"
_VALUE = re.compile(rf"-|{_NUMBER}|[A-Za-z_]\w*(?:=\d+)?")


def _read_constants(path: Path) -> list[Constant]:
    constants = []
    for where, category, text in lines_in_sections(path):
        left, _, notes = text.partition(" : ")
        name, *values = left.split()
        abis = ABIS[:1] if category in ONLY_IN_OUR_HEADER else ABIS
        if len(values) != len(abis) or not all(_VALUE.fullmatch(value) for value in values):
            raise ApiError(f"{where}: not a constant with a value for {', '.join(abis)}: {text}")
        constants.append(Constant(name, category, dict(zip(abis, values)), tuple(n.strip() for n in notes.split(",") if n.strip())))
    return constants


def large_forms(callbacks: list[Function]) -> dict[str, str]:
    """Returns the name of each callback's large form, which is the callback's own name if it has no large form."""
    return {c.name: c.name for c in callbacks} | {c.small_name: c.name for c in callbacks if c.large}


def read(folder: Path) -> Api:
    constants = _read_constants(folder / "constants.api")
    kinds = _read_kinds(folder / "kinds.api", {c.category for c in constants})
    callbacks = _read_functions(folder / "callbacks.api", kinds, {})
    functions = _read_functions(folder / "functions.api", kinds, large_forms(callbacks))
    return Api(
        kinds,
        callbacks,
        sorted(functions, key=lambda f: f.name),
        [c for c in constants if c.is_standard],
        [c for c in constants if not c.is_standard],
    )
