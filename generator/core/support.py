"""The functions that each library supports. Reads api/support.api and writes the table for the documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from . import model
from .homes import Home
from .model import FAMILIES, Api, ApiError
from .overrides import Condition, Override, Register, can_be_built
from .synonyms import Synonym

_ABBREVIATIONS = ("abi", "io", "rma")  # chapters

_HEAD = """\
# Functions of each MPI library

A program that is compiled with anympi may call all {count} functions of MPI 5.0 in C. The tables say
what happens on each library:

| word | meaning |
|---|---|
| yes | anympi calls the library's function |
| anympi | anympi does the work: by itself, with another function of the library, or by the name that the function had in the library before the standard had it |
| built | the library lacks the function. anympi emulates it with other functions of the library; the last column says how |
| replaced | the library has the function, but it does not do what MPI requires (see [below](#replaced-functions)). anympi emulates it |
| extended | the library has the function. anympi's function does more (see [below](#extended-functions)) and calls the library's for the rest |
| - | the library lacks the function. A call reports `MPI_ERR_UNSUPPORTED_OPERATION` to the error handler, with a text that names the function and the library |

With `ANYMPI_EMULATE=off`, *built* functions are missing, and anympi calls the library's own
functions instead of *replaced* and *extended* ones.

`anympi inspect --functions` shows the same for the libraries of a machine. The generator makes this
page from `api/support.api`, `src/bridge/homes.txt` and `api/overrides.api`.
"""


@dataclass(frozen=True)
class Product:
    title: str
    family: str
    releases: list[str]  # oldest first


@dataclass
class OptionalType:
    name: str
    first: dict[str, str]  # product: the first release that has it
    how: str  # what replaces it elsewhere; "- …": nothing, for this reason


@dataclass
class Support:
    products: dict[str, Product] = field(default_factory=dict)
    since: dict[str, dict[str, str]] = field(default_factory=dict)  # function: product: first release; absent: all releases
    older: dict[str, str] = field(default_factory=dict)  # function: its name before it was in the standard
    types: list[OptionalType] = field(default_factory=list)

    def has(self, function: str, product: str, release: str) -> bool:
        return function not in self.since or self.is_since(self.since[function], product, release)

    def is_since(self, releases: dict[str, str], product: str, release: str) -> bool:
        first = releases.get(product)
        order = self.products[product].releases
        return first is not None and order.index(release) >= order.index(first)

    def fulfils(self, condition: Condition, product: str, release: str) -> bool:
        """Returns True if the library fulfils a condition of api/overrides.api."""
        if condition.word in ("family", "abi"):
            return condition.of == self.products[product].family
        if condition.word == "datatype":
            return not any(one.name == condition.of and self.is_since(one.first, product, release) for one in self.types)
        return self.has_by_any_name(condition.of, product, release) == (condition.word == "with")

    def has_by_any_name(self, function: str, product: str, release: str) -> bool:
        return self.has(function, product, release) or (function in self.older and self.has(self.older[function], product, release))

    def applies(self, entry: Override, column: tuple[str, str]) -> bool:
        return all(self.fulfils(condition, *column) for condition in entry.libraries)

    @property
    def columns(self) -> list[tuple[str, str]]:
        return [(product, release) for product in self.products for release in self.products[product].releases]


def _product(where: str, text: str) -> dict[str, Product]:
    columns = [part.strip() for part in text.split("|")]
    if len(columns) != 4 or columns[2] not in FAMILIES:
        raise ApiError(f"{where}: not a product with its title, family and releases: {text}")
    name, title, family, releases = columns
    return {name: Product(title, family, releases.split())}


def _first_releases(where: str, text: str, support: Support) -> dict[str, str]:
    if text == "none":
        return {}
    first = {}
    for part in text.split(","):
        product, _, release = part.strip().partition(" ")
        if product not in support.products or release not in support.products[product].releases:
            raise ApiError(f"{where}: {part.strip()} is not under [releases]")
        first[product] = release
    return first


def _optional_types(where: str, text: str, api: Api, support: Support) -> list[OptionalType]:
    known = {constant.name for constant in api.constants}
    names, first, how = (part.strip() for part in text.split("|"))
    for name in names.split():
        if f"MPI_{name}" not in known:
            raise ApiError(f"{where}: MPI_{name} is not a datatype of MPI")
    return [OptionalType(name, _first_releases(where, first, support), how) for name in names.split()]


def read(path: Path, api: Api, extensions: list[Synonym]) -> Support:
    support, section, first = Support(), "", {}
    support.older = {s.function.name: s.name for s in extensions}
    names = {f.name for f in api.functions} | {s.name for s in extensions}
    for where, text in model.lines(path):
        if text.startswith("["):
            section = text.strip("[]")
            first = {} if section in ("releases", "datatypes") else _first_releases(where, section, support)
        elif section == "releases":
            support.products |= _product(where, text)
        elif section == "datatypes":
            support.types += _optional_types(where, text, api, support)
        else:
            for name in text.split():
                if name not in names:
                    raise ApiError(f"{where}: {name} is not a function of MPI")
                if name in support.since:
                    raise ApiError(f"{where}: {name} appears twice")
                support.since[name] = first
    return support


def _can_be_had(function: str | None, column: tuple[str, str], support: Support, register: Register) -> bool:
    return function is None or can_be_built(function, register, lambda name: support.has_by_any_name(name, *column))


def _first_moments(column: tuple[str, str], support: Support, homes: dict[str, Home], register: Register) -> set[str]:
    """Returns the moments at the start of a program of the standard ABI on this library. Functions that are extended at one
    of these moments are extended from the beginning.
    """
    is_whole = all(_can_be_had(home.needs, column, support, register) for home in homes.values())
    return {"binding", "standard_program"} | ({"whole_standard"} if is_whole else set())


def _extended_from_beginning(column: tuple[str, str], support: Support, homes: dict[str, Home], register: Register) -> set[str]:
    moments = _first_moments(column, support, homes, register)
    return {entry.function for entry in register.extended if entry.when in moments and support.applies(entry, column)}


def _answers(column: tuple[str, str], support: Support, homes: dict[str, Home], register: Register) -> dict[str, str]:
    """Returns for each function who answers it on one library. The words are explained at the top of the document."""
    extended = _extended_from_beginning(column, support, homes, register)

    def answer(function: str) -> str:
        needs = homes[function].needs
        if needs is None:
            return "anympi"
        if support.has(function, *column):
            if function in register.wrong and support.applies(register.wrong[function], column):
                return "replaced"
            return "extended" if needs in extended else "yes"
        if support.has_by_any_name(needs, *column):
            return "anympi"
        return "built" if _can_be_had(needs, column, support, register) else "-"

    return {function: answer(function) for function in homes}


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _how(function: str, cells: list[str], homes: dict[str, Home], register: Register) -> str:
    built = register.absent.get(function) or register.absent.get(homes[function].needs or "")
    return built.sentence if built and {"built", "replaced"} & set(cells) else ""


def write(api: Api, homes: dict[str, Home], register: Register, support: Support) -> str:
    titles = [f"{support.products[product].title} {release}" for product, release in support.columns]
    answers = [_answers(column, support, homes, register) for column in support.columns]
    rows = {f.name: [of_library[f.name] for of_library in answers] for f in api.functions}
    lines = [_HEAD.format(count=len(api.functions)), _row(["functions", *titles]), _row(["---"] * (len(titles) + 1))]
    for answer in ("yes", "extended", "anympi", "built", "replaced", "-"):
        lines.append(_row([answer, *(str(sum(row[i] == answer for row in rows.values())) for i in range(len(titles)))]))
    everywhere = sum(set(row) == {"yes"} for row in rows.values())
    lines += ["", f"All of these libraries have {everywhere} functions themselves. The tables below list the others, by\nchapter of the standard."]
    for chapter in sorted({f.chapter for f in api.functions}):
        chosen = [f.name for f in api.functions if f.chapter == chapter and set(rows[f.name]) != {"yes"}]
        if chosen:
            title = chapter.upper() if chapter in _ABBREVIATIONS else chapter.capitalize()
            lines += ["", f"## {title}", "", _row(["function", *titles, "built"]), _row(["---"] * (len(titles) + 2))]
            lines += [_row([f"`MPI_{name}`", *rows[name], _how(name, rows[name], homes, register)]) for name in chosen]
    return "\n".join(lines + _types(support, titles) + _replaced(support, register) + _extended(register)) + "\n"


def _types(support: Support, titles: list[str]) -> list[str]:
    lines = ["", "## Optional datatypes", "", _row(["datatype", *titles, "built, or why not"]), _row(["---"] * (len(titles) + 2))]
    for one in support.types:
        otherwise, how = ("-", one.how[1:].strip()) if one.how.startswith("-") else ("built", one.how)
        cells = ["yes" if support.is_since(one.first, *column) else otherwise for column in support.columns]
        lines.append(_row([f"`MPI_{one.name}`", *cells, how]))
    return lines


def _products(family: str, support: Support) -> str:
    return ", ".join(product.title for product in support.products.values() if product.family == family)


def _groups(entries: list[Override]) -> dict[tuple[str, str, str], list[str]]:
    """Groups functions that have the same libraries, moment and sentence."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        groups.setdefault((entry.conditions, entry.when, entry.sentence), []).append(f"`MPI_{entry.function}`")
    return groups


def _replaced(support: Support, register: Register) -> list[str]:
    lines = ["", "## Replaced functions", "", _row(["functions, each with its large form", "libraries", "what is wrong there"]), _row(["---"] * 3)]
    small = [entry for name, entry in register.wrong.items() if name.removesuffix("_c") not in register.wrong or not name.endswith("_c")]
    for (conditions, _, sentence), names in _groups(small).items():
        lines.append(_row([", ".join(names), _products(conditions.removeprefix("family "), support), sentence]))
    return lines


def _extended(register: Register) -> list[str]:
    lines = ["", "## Extended functions", "", "Some functions are extended only when a program needs the extension. Until then anympi calls the",
             "library's function, and the table above says *yes*.", ""]
    lines += [_row(["functions", "libraries", "when", "what anympi's function does"]), _row(["---"] * 4)]
    for (conditions, when, sentence), names in _groups(register.extended).items():
        lines.append(_row([", ".join(names), conditions, register.moments[when], sentence]))
    return lines
