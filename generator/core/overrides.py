"""The register of overrides, which are anympi's functions in the table of the library's functions. Reads
api/overrides.api and writes the code that installs the overrides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from . import cpp_types
from .cpp_types import RUN
from .homes import Home, meant_by, numbered_classes
from .model import ABIS, FAMILIES, Api, ApiError, Function, lines

_MOST_NEEDS = 4  # emulation::most_needs of src/emulate/engine/emulation.hpp
_REASONS = ("absent", "wrong", "extended", "bridged")


@dataclass(frozen=True)
class Condition:
    """A condition on a library. `word` is family, abi, with, without or datatype; for datatype, the library must lack the
    datatype.
    """

    word: str
    of: str

    def __str__(self) -> str:
        return f"without datatype {self.of}" if self.word == "datatype" else f"{self.word} {self.of}"


@dataclass(frozen=True)
class Override:
    """A function of anympi that replaces a function in the table of the library, or a bridge that is in the slot of such a
    function.
    """

    function: str
    file: str
    code: str  # in C++
    reason: str
    libraries: tuple[Condition, ...]  # all must be true; empty for any library
    when: str
    needs: tuple[str, ...]  # functions without which it is not built
    sentence: str  # in words for users

    @property
    def conditions(self) -> str:
        return ", ".join(map(str, self.libraries)) or "any"

    @property
    def path(self) -> str:
        """The path of the file, from the root of the repository."""
        if self.file.startswith("generated/"):
            return self.file
        return f"src/{self.file}" if self.reason == "bridged" else f"src/emulate/{self.file}"

    @property
    def enumerator(self) -> str:
        """The enumerator of `enum class libraries` for the conditions."""
        return _enumerator(self.libraries)


@dataclass
class Register:
    moments: dict[str, str] = field(default_factory=dict)  # words of [when bound] and [when used], with their meaning
    lazy: set[str] = field(default_factory=set)  # the moments of [when used]
    absent: dict[str, Override] = field(default_factory=dict)
    wrong: dict[str, Override] = field(default_factory=dict)
    extended: list[Override] = field(default_factory=list)  # in the order of their installation
    bridged: dict[str, Override] = field(default_factory=dict)

    @property
    def in_table(self) -> list[Override]:
        """The overrides that are functions in the table of the library. Bridges are not included."""
        return [*self.absent.values(), *self.wrong.values(), *self.extended]


@dataclass
class _Group:
    where: str
    file: str
    reason: str
    libraries: str
    when: str
    code: str
    sentence: str = ""


def _check_datatypes(where: str, libraries: str, api: Api) -> None:
    optional = {f"without datatype {constant.name.removeprefix('MPI_')}" for constant in api.constants if constant.note("optional")}
    for condition in re.findall(r"without datatype \w+", libraries):
        if condition not in optional:
            raise ApiError(f"{where}: not an optional datatype: {condition.split()[-1]}")


def _group(where: str, text: str, register: Register, api: Api) -> _Group:
    head = re.fullmatch(r"\[([\w./]+)\] (.+)", text)
    columns = [part.strip() for part in head[2].split("|")] if head else []
    if len(columns) not in (3, 4):
        raise ApiError(f"{where}: not the head of a group: {text}")
    reason, libraries, when, code = [*columns, "bridge::{}<direct>" if columns[0] == "bridged" else "{}<Run>"][:4]
    if reason not in _REASONS:
        raise ApiError(f"{where}: unknown reason {reason}")
    if when not in register.moments:
        raise ApiError(f"{where}: {when} is not under [when bound] or [when used]")
    if reason in ("absent", "wrong") and when != "binding":
        raise ApiError(f"{where}: a function that is {reason} is installed when the library is bound")
    if reason == "wrong" and len(columns) == 4:
        raise ApiError(f"{where}: a wrong function has the code of its entry as absent")
    if reason == "bridged" and libraries != "abi standard":
        raise ApiError(f"{where}: a bridge stays only before functions of libraries with the standard ABI")
    _check_datatypes(where, libraries, api)
    return _Group(where, head[1], reason, libraries, when, code)


def _condition(where: str, text: str, function: str, names: set[str]) -> Condition:
    word, _, of = text.partition(" ")
    if text.startswith("without datatype "):
        word, of = "datatype", text.split()[2]
    elif word == "with" and of == "it":
        of = function
    known = {"family": FAMILIES, "abi": ABIS, "with": names, "without": names}.get(word)
    if word != "datatype" and (known is None or of not in known):
        raise ApiError(f"{where}: not a condition: {text}")
    return Condition(word, of)


def _conditions(group: _Group, function: str, names: set[str]) -> tuple[Condition, ...]:
    if group.libraries == "any":
        return ()
    found = tuple(_condition(group.where, part.strip(), function, names) for part in group.libraries.split(","))
    if len(found) > 1 and any(condition.word == "abi" for condition in found):
        raise ApiError(f"{group.where}: a condition on the ABI cannot be combined")
    return found


def _item(where: str, text: str, names: set[str]) -> tuple[str, tuple[str, ...] | None]:
    """Returns a function and the functions that it needs. The needs are None if the line does not give them."""
    match = re.fullmatch(r"(\w+)(?:\((-|\w+(?:,\w+)*)\))?", text)
    if not match:
        raise ApiError(f"{where}: not a function with what it needs: {text}")
    needs = None if match[2] is None else () if match[2] == "-" else tuple(match[2].split(","))
    for name in (match[1], *(needs or ())):
        if name not in names:
            raise ApiError(f"{where}: {name} is not a function of MPI")
    if len(needs or ()) > _MOST_NEEDS:
        raise ApiError(f"{where}: {match[1]} names more than {_MOST_NEEDS} functions")
    return match[1], needs


def _code(pattern: str, function: str, needs: tuple[str, ...]) -> str:
    of = function.split("_")[0]
    code = pattern.replace("{}", function).replace("{Object}", of).replace("{object}", of.lower())
    return code.replace("{needs}", needs[0] if needs else "")


def _add(where: str, text: str, group: _Group, register: Register, names: set[str]) -> None:
    name, needs = _item(where, text, names)
    if needs is None and group.reason == "absent":
        raise ApiError(f"{where}: not a function with what it needs: {text}")
    if needs is not None and group.reason != "absent":
        raise ApiError(f"{where}: only a function that is absent names what it needs: {text}")
    if group.reason == "wrong":
        _add_wrong(where, name, group, register, names)
        return
    needs = needs or ()
    made = Override(
        name, group.file, _code(group.code, name, needs), group.reason, _conditions(group, name, names), group.when, needs, group.sentence
    )
    if any(condition.word == "family" for condition in made.libraries):
        raise ApiError(f"{where}: only a function that is wrong depends on the family")
    if group.reason == "absent":
        if name in register.absent:
            raise ApiError(f"{where}: {name} appears twice")
        if made.libraries:
            raise ApiError(f"{where}: a function that is absent is built for any library")
        register.absent[name] = made
    elif group.reason == "bridged":
        if name in register.bridged:
            raise ApiError(f"{where}: {name} appears twice")
        register.bridged[name] = made
    else:
        if any(other.function == name and other.code == made.code for other in register.extended):
            raise ApiError(f"{where}: {name} appears twice")
        register.extended.append(made)


def _add_wrong(where: str, name: str, group: _Group, register: Register, names: set[str]) -> None:
    """Adds a function that works wrongly in some libraries. It gets the same replacement as in libraries that lack the
    function. `complete` does this for its large form.
    """
    if name not in register.absent:
        raise ApiError(f"{where}: nothing replaces {name}")
    if name in register.wrong:
        raise ApiError(f"{where}: {name} appears twice")
    conditions = _conditions(group, name, names)
    if [c.word for c in conditions] != ["family"]:
        raise ApiError(f"{where}: a function is wrong in the libraries of a family")
    register.wrong[name] = replace(register.absent[name], reason="wrong", libraries=conditions, sentence=group.sentence)


def read(path: Path, api: Api) -> Register:
    """Reads the overrides that are written by hand. `complete` adds the large forms that the generator writes."""
    names = {f.name for f in api.functions}
    numbered = numbered_classes(api)
    register, group, section = Register(), None, ""
    for where, text in lines(path):
        if text.startswith("["):
            section = text if text in ("[when bound]", "[when used]") else ""
            group = None if section else _group(where, text, register, api)
        elif section:
            word, _, meaning = text.partition(" ")
            register.moments[word] = meaning.strip()
            register.lazy |= {word} if section == "[when used]" else set()
        elif group is None:
            raise ApiError(f"{where}: not in a group: {text}")
        elif text.startswith(": "):
            group.sentence = text[2:]
        elif not group.sentence:
            raise ApiError(f"{where}: the group has no sentence")
        else:
            for item in (name for word in text.split() for name in meant_by(word, numbered)):
                _add(where, item, group, register, names)
    return register


def complete(register: Register, large: dict[str, Override]) -> Register:
    """Adds the large forms that the generator writes, and the large forms of wrong functions."""
    absent = register.absent | large
    wrong = dict(register.wrong)
    for name, entry in register.wrong.items():
        form = absent.get(f"{name}_c")
        if form is not None:
            wrong.setdefault(form.function, replace(form, reason="wrong", libraries=entry.libraries, sentence=entry.sentence))
    return replace(register, absent=absent, wrong=wrong)


def can_be_built(name: str, register: Register, has) -> bool:
    """Returns True if anympi can build a function for a library. `has` tells which functions the library has."""
    return has(name) or (name in register.absent and all(can_be_built(need, register, has) for need in register.absent[name].needs))


# ---- C++ ----


def moments(register: Register) -> str:
    out = ["#pragma once", "", "namespace anympi::emulate {", "", "/// When anympi's functions replace the library's."]
    out += ["enum class moment : unsigned char {", *(f"    {word}, ///< {meaning}" for word, meaning in register.moments.items()), "};", ""]
    out += [f"inline constexpr int override_count = {len(register.extended)};", "", "} // namespace anympi::emulate"]
    return "\n".join(out) + "\n"


def _enumerator(conditions: tuple[Condition, ...]) -> str:
    return " ".join(map(str, conditions)).replace(" ", "_") or "any"


def _test(condition: Condition) -> str:
    if condition.word == "abi":
        return f"library.has_abi(abi::{condition.of})"
    if condition.word == "datatype":
        return f'library.lacks_type({{standard_values::mpi_{condition.of}, "MPI_{condition.of}"}})'
    return f"{'' if condition.word == 'with' else '!'}library.has(function::{condition.of})"


def _libraries(register: Register) -> list[str]:
    """Writes `enum class libraries`, which has an enumerator for each set of conditions. Also writes the function `fulfils`,
    which tests whether a library fulfils such a set.
    """
    sets = {_enumerator(conditions): conditions for conditions in ((), *(entry.libraries for entry in register.extended))}
    out = ["/// Each set of conditions of api/overrides.api: the libraries for which an override is installed.", "enum class libraries : unsigned char {"]
    out += [*(f"    {name}," for name in sets), "};", "", "/// A datatype of a condition: its number in the standard ABI, its name."]
    out += ["struct datatype_name {", "    std::uintptr_t id;", "    const char* name;", "};", ""]
    out += ["/// Returns true if the conditions are true of a library. `Library` has the functions that answer them."]
    out += ["template <class Library>", "constexpr bool fulfils(const Library& library, libraries conditions) {", "    switch (conditions) {"]
    for name, conditions in sets.items():
        out += [f"    case libraries::{name}:", f"        return {' && '.join(map(_test, conditions)) or 'true'};"]
    return [*out, "    }", "    return false;", "}", ""]


def _rows(api: Api, register: Register) -> list[str]:
    """Writes two constants: `emulations`, in the order of emulation_codes<Run>, and `overrides`, ordered by number."""
    index = {f.name: i for i, f in enumerate(api.functions)}
    out = ["inline constexpr emulation emulations[] = {"]
    for f in _emulated(api, register):
        needs = [index[need] for need in register.absent[f.name].needs]
        needs += [-1] * (_MOST_NEEDS - len(needs))
        wrong = register.wrong[f.name].libraries[0].of if f.name in register.wrong else "unknown"
        out.append(f"    {{{index[f.name]}, {{{', '.join(map(str, needs))}}}, runtime::family::{wrong}}},")
    out += ["};", "", "/// A function of anympi that wraps the library's function, for some libraries, after some moment.", "struct override_rule {"]
    out += ["    function of;", "    moment when;", "    bool is_lazy; // the moment depends on the program", "    libraries where;", "};"]
    out += ["inline constexpr override_rule overrides[] = {"]
    for entry in register.extended:
        is_lazy = "true" if entry.when in register.lazy else "false"
        out.append(f"    {{function::{entry.function}, moment::{entry.when}, {is_lazy}, libraries::{entry.enumerator}}},")
    return [*out, "};", ""]


def rules(api: Api, register: Register) -> str:
    """Writes the rules for overrides. The code that binds a library and `anympi inspect` both evaluate these rules."""
    out = ["#pragma once", "", '#include "emulate/engine/emulation.hpp"', '#include "functions.hpp"', '#include "moments.hpp"']
    out += ['#include "standard_values.hpp"', "", "namespace anympi::emulate {", ""]
    return "\n".join([*out, *_libraries(register), *_rows(api, register), "} // namespace anympi::emulate"]) + "\n"


def _emulated(api: Api, register: Register) -> list[Function]:
    return [f for f in api.functions if f.name in register.absent]


def _emulation_codes(api: Api, register: Register) -> list[str]:
    """Writes emulation_codes<Run>: the replacements, in the order of `emulations`."""
    out = ["template <class Run>", "inline void* const emulation_codes[] = {"]
    for f in _emulated(api, register):
        signature = f"{cpp_types.result_type(f, RUN)} (*)({cpp_types.types(f, RUN)})"
        out.append(f"    reinterpret_cast<void*>(static_cast<{signature}>({register.absent[f.name].code})),")
    return [*out, "};", ""]


def _block(conditions: tuple[Condition, ...], calls: list[str]) -> list[str]:
    """Writes calls inside an if statement with the conditions. A condition on the ABI is tested at compile time, since code
    for one ABI may not compile for another.
    """
    if not conditions:
        return [f"        {call}" for call in calls]
    test = "if constexpr" if conditions[0].word == "abi" else "if"
    return [f"        {test} (fulfils(bound_library<Run>(), libraries::{_enumerator(conditions)})) {{", *(f"            {call}" for call in calls), "        }"]


def _overrides(register: Register) -> list[str]:
    """Writes install_overrides<Run>: the overrides that a moment installs, in the order of the register."""
    out = ["template <class Run>", "void install_overrides(moment now) {", "    functions<Run>& all = writable_library<Run>;", "    switch (now) {"]
    numbered = list(enumerate(register.extended))
    for moment in register.moments:
        out.append(f"    case moment::{moment}:")
        chosen = [(number, entry) for number, entry in numbered if entry.when == moment]
        for conditions, entries in groupby(chosen, key=lambda one: one[1].libraries):
            out += _block(conditions, [f"override_function<{entry.code}>(all.{entry.function}, {number});" for number, entry in entries])
        out.append("        break;")
    return [*out, "    }", "}", ""]


def installation(api: Api, register: Register) -> str:
    out = ["#pragma once", "", '#include "emulate/engine/bound_library.hpp"', '#include "emulate/engine/override.hpp"']
    out += [f'#include "emulate/{name}"' for name in sorted({e.file for e in register.in_table})]
    out += ["", "namespace anympi::emulate {", "", *_emulation_codes(api, register), *_overrides(register), "} // namespace anympi::emulate"]
    return "\n".join(out) + "\n"


def direct_bridges(api: Api, homes: dict[str, Home], register: Register) -> str:
    """Writes bridges for programs and libraries that both have the standard ABI. The slots of these functions contain the
    bridges instead of the library's functions.
    """
    bridged = list(register.bridged.values())
    files = {entry.file.removeprefix("generated/") for entry in bridged} | {"front/common/directory.hpp"}
    out = ["#pragma once", "", *(f'#include "{name}"' for name in sorted(files))]
    out += ["", "namespace anympi {", "", "using direct = pair<standard, standard>;", "", "/// A bridge that wraps a function of the library."]
    out += ["struct direct_bridge {", "    function of;", "    void* code;", "};", ""]
    for moment in sorted({entry.when for entry in bridged}):
        out += [f"/// In the slots {register.moments[moment]}.", f"inline const direct_bridge direct_bridges_at_{moment}[] = {{"]
        out += [f"    {{function::{entry.function}, reinterpret_cast<void*>({entry.code})}}," for entry in bridged if entry.when == moment]
        out += ["};", ""]
    out += ["/// Large forms that no library has: the small form takes MPI_Count, too (src/bridge/homes.txt).", "inline constexpr synonym large_forms[] = {"]
    out += [f"    {{function::{f.name}, function::{f.small_name}}}," for f in api.functions if f.large and homes[f.name].needs == f.small_name]
    return "\n".join([*out, "};", "", "} // namespace anympi"]) + "\n"


# ---- the list ----


def listing(api: Api, register: Register) -> str:
    """Writes a line for each override, for `anympi inspect`. ` | ` separates the columns. The numbers are the same as in
    override_function.
    """
    out = [f"when | {'used' if word in register.lazy else 'bound'} | {word} | {meaning}" for word, meaning in register.moments.items()]
    needed = sorted({condition.of for entry in register.in_table for condition in entry.libraries if condition.word == "datatype"})
    out += [f"datatype | mpich | {c.name} | {c.note('mpich with')}" for c in api.constants if c.name.removeprefix("MPI_") in needed]
    numbers = {id(entry): str(number) for number, entry in enumerate(register.extended)}
    for entry in (*register.in_table, *register.bridged.values()):
        columns = [entry.function, entry.reason, entry.conditions, entry.when, ",".join(entry.needs) or "-", entry.path]
        out.append(" | ".join([*columns, numbers.get(id(entry), "-"), entry.code, entry.sentence]))
    return "\n".join(out) + "\n"

