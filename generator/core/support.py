"""Which library has which function: reads api/support.api and writes the table for the documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .emulations import Emulation, can_be_built
from .homes import Home
from .model import Api, ApiError
from .synonyms import Synonym

_TITLES = {"mpich": "MPICH", "intel": "Intel MPI", "openmpi": "Open MPI"}
_LINEAGES = {"mpich": "mpich", "intel": "mpich", "openmpi": "openmpi"}  # runtime::family of src/runtime/identify/library.hpp
_ABBREVIATIONS = ("abi", "io", "rma")  # chapters

_HEAD = """\
# Functions of each MPI library

A program that is compiled with anympi may call all {count} functions of MPI 5.0 in C. What answers depends on the library it
runs on:

- **yes**: the library has the function.
- **anympi**: the library lacks it, anympi does it by itself, with another function of the library, or by the name
  that the function had in the library before it was in the standard.
- **built**: the library lacks it, anympi builds it from other functions of the library; the last column says how. `ANYMPI_EMULATE=off`
  turns this off.
- **replaced**: the library has it, but not as MPI wants it (see the end); anympi builds it all the same. With `ANYMPI_EMULATE=off`
  the library's own is called.
- **-**: the library lacks it. The call reports `MPI_ERR_UNSUPPORTED_OPERATION` to the error handler, with a text that names
  the function and the library.

This table is made by the generator from `api/support.api`, `src/bridge/homes.txt` and `src/emulate/homes.txt`.
"""


@dataclass
class OptionalType:
    name: str
    first: dict[str, str]  # family: first release that has it
    how: str  # what stands for it elsewhere; "- …": nothing, for this reason


@dataclass
class Support:
    releases: dict[str, list[str]] = field(default_factory=dict)  # family: releases, oldest first
    since: dict[str, dict[str, str]] = field(default_factory=dict)  # function: family: first release; absent: all releases
    older: dict[str, str] = field(default_factory=dict)  # function: its name before it was in the standard
    types: list[OptionalType] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)  # function: the lineage whose libraries' own is replaced
    reasons: list[tuple[str, str, list[str]]] = field(default_factory=list)  # lineage, what is wrong, functions without their large forms

    def has(self, function: str, family: str, release: str) -> bool:
        return function not in self.since or self.is_since(self.since[function], family, release)

    def is_since(self, releases: dict[str, str], family: str, release: str) -> bool:
        first = releases.get(family)
        order = self.releases[family]
        return first is not None and order.index(release) >= order.index(first)

    def replaces(self, function: str, family: str, release: str) -> bool:
        return self.has(function, family, release) and self.wrong.get(function) == _LINEAGES[family]

    @property
    def columns(self) -> list[tuple[str, str]]:
        return [(family, release) for family, releases in self.releases.items() for release in releases]


def _first_releases(where: str, text: str, support: Support) -> dict[str, str]:
    if text == "none":
        return {}
    first = {}
    for part in text.split(","):
        family, _, release = part.strip().partition(" ")
        if release not in support.releases.get(family, []):
            raise ApiError(f"{where}: {part.strip()} is not under [releases]")
        first[family] = release
    return first


def _optional_types(where: str, text: str, api: Api, support: Support) -> list[OptionalType]:
    known = {constant.name for constant in api.constants}
    names, first, how = (part.strip() for part in text.split("|"))
    for name in names.split():
        if f"MPI_{name}" not in known:
            raise ApiError(f"{where}: MPI_{name} is no datatype of MPI")
    return [OptionalType(name, _first_releases(where, first, support), how) for name in names.split()]


def _read_wrong(where: str, text: str, emulations: dict[str, Emulation], support: Support) -> None:
    small, lineage, what = (part.strip() for part in text.split("|"))
    if lineage not in _LINEAGES.values():
        raise ApiError(f"{where}: unknown family {lineage}")
    names = [name for one in small.split() for name in (one, f"{one}_c") if name == one or name in emulations]
    for name in names:
        if name not in emulations:
            raise ApiError(f"{where}: nothing stands in for {name}")
        if name in support.wrong:
            raise ApiError(f"{where}: {name} stands twice")
        support.wrong[name] = lineage
    support.reasons.append((lineage, what, small.split()))


def read(path: Path, api: Api, extensions: list[Synonym], emulations: dict[str, Emulation]) -> Support:
    support, section, first = Support(), "", {}
    support.older = {s.function.name: s.name for s in extensions}
    names = {f.name for f in api.functions} | {s.name for s in extensions}
    for number, text in enumerate(path.read_text().splitlines(), 1):
        where, text = f"{path.name}:{number}", text.split("#", 1)[0].strip()
        if text.startswith("["):
            section = text.strip("[]")
            first = {} if section in ("releases", "datatypes", "wrong") else _first_releases(where, section, support)
        elif section == "releases" and text:
            family, *releases = text.split()
            if family not in _TITLES:
                raise ApiError(f"{where}: unknown family {family}")
            support.releases[family] = releases
        elif section == "datatypes" and text:
            support.types += _optional_types(where, text, api, support)
        elif section == "wrong" and text:
            _read_wrong(where, text, emulations, support)
        else:
            for name in text.split():
                if name not in names:
                    raise ApiError(f"{where}: {name} is no function of MPI")
                if name in support.since:
                    raise ApiError(f"{where}: {name} stands twice")
                support.since[name] = first
    return support


def _has(function: str, column: tuple[str, str], support: Support) -> bool:
    """By whatever name."""
    return support.has(function, *column) or (function in support.older and support.has(support.older[function], *column))


def _cell(function: str, column: tuple[str, str], support: Support, homes: dict[str, Home], emulations: dict[str, Emulation]) -> str:
    if support.has(function, *column):
        return "replaced" if support.replaces(function, *column) else "yes"
    needs = homes[function].needs
    if needs is None or _has(needs, column, support):
        return "anympi"
    return "built" if can_be_built(needs, emulations, lambda name: _has(name, column, support)) else "-"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _how(function: str, cells: list[str], homes: dict[str, Home], emulations: dict[str, Emulation]) -> str:
    built = emulations.get(function) or emulations.get(homes[function].needs or "")
    return built.how if built and {"built", "replaced"} & set(cells) else ""


def write(api: Api, homes: dict[str, Home], emulations: dict[str, Emulation], support: Support) -> str:
    titles = [f"{_TITLES[family]} {release}" for family, release in support.columns]
    rows = {f.name: [_cell(f.name, column, support, homes, emulations) for column in support.columns] for f in api.functions}
    lines = [_HEAD.format(count=len(api.functions)), _row(["functions", *titles]), _row(["---"] * (len(titles) + 1))]
    for answer in ("yes", "anympi", "built", "replaced", "-"):
        lines.append(_row([answer, *(str(sum(row[i] == answer for row in rows.values())) for i in range(len(titles)))]))
    everywhere = sum(set(row) == {"yes"} for row in rows.values())
    lines += ["", f"{everywhere} functions are in all of these libraries. The others, by chapter of the standard:"]
    for chapter in sorted({f.chapter for f in api.functions}):
        chosen = [f.name for f in api.functions if f.chapter == chapter and set(rows[f.name]) != {"yes"}]
        if chosen:
            title = chapter.upper() if chapter in _ABBREVIATIONS else chapter.capitalize()
            lines += ["", f"## {title}", "", _row(["function", *titles, "built"]), _row(["---"] * (len(titles) + 2))]
            lines += [_row([f"`MPI_{name}`", *rows[name], _how(name, rows[name], homes, emulations)]) for name in chosen]
    return "\n".join(lines + _types(support, titles) + _replaced(support)) + "\n"


def _types(support: Support, titles: list[str]) -> list[str]:
    lines = ["", "## Optional datatypes", "", _row(["datatype", *titles, "built, or why not"]), _row(["---"] * (len(titles) + 2))]
    for one in support.types:
        otherwise, how = ("-", one.how[1:].strip()) if one.how.startswith("-") else ("built", one.how)
        cells = ["yes" if support.is_since(one.first, *column) else otherwise for column in support.columns]
        lines.append(_row([f"`MPI_{one.name}`", *cells, how]))
    return lines


def _replaced(support: Support) -> list[str]:
    lines = ["", "## Replaced functions", "", _row(["functions, each with its large form", "libraries", "what is wrong there"]), _row(["---"] * 3)]
    for lineage, what, names in support.reasons:
        families = [_TITLES[family] for family in support.releases if _LINEAGES[family] == lineage]
        lines.append(_row([", ".join(f"`MPI_{name}`" for name in names), ", ".join(families), what]))
    return lines
