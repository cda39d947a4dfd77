"""The functions of the library that a template of src/emulate calls, read from the text of the headers."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_TEMPLATE_HEAD = re.compile(r"\A(?:\s*template <.*?>\s*\n)+", re.DOTALL)
_ATTRIBUTE = re.compile(r"\[\[.*?\]\]\s*")
_CLASS = re.compile(r"\s*(?:struct|class) (\w+)")
_ORIGINAL = re.compile(r"\boriginal<(?:\w+::)*(\w+)[^;{}()]*>")
_CALLS = (re.compile(r"\blibrary<Run>\.(\w+)"), re.compile(r"\bfunctions<Run>::(\w+)"), _ORIGINAL)
_TABLE = re.compile(r"\b(?:auto|functions<\w+>)& (\w+)(?= = library<Run>;|[,)])")  # another name of the library's table
_TEST = re.compile(r"\blibrary<Run>\.(\w+) [!=]= nullptr")
_MEMBER = re.compile(r"(?<!\bdoes)(?:\.|->|>::|\btemplate )(\w+)\b")  # the target of `does` is named where `does` is
                                                                      # set
_WORD = re.compile(r"(?:\w+::)*\w+")


@dataclass
class Definition:
    """The names in one or several definitions."""

    calls: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)  # functions that may be missing and that the code tests for
    words: set[str] = field(default_factory=set)  # these may be names of other definitions
    uses: set[str] = field(default_factory=set)  # these may be names of member functions of any class

    def add(self, text: str) -> None:
        tables = "|".join(_TABLE.findall(text))
        self.calls |= {name for pattern in _CALLS for name in pattern.findall(text)}
        self.calls |= set(re.findall(rf"\b(?:{tables})\.(\w+)", text)) if tables else set()
        self.tests |= set(_TEST.findall(text))
        text = _ORIGINAL.sub("", text)
        self.uses |= set(_MEMBER.findall(text))
        self.words |= set(_WORD.findall(_MEMBER.sub(" ", text)))


def _is_whole(text: str) -> bool:
    return text.rstrip().endswith((";", "}")) and all(text.count(one) == text.count(other) for one, other in ("{}", "()"))


def _definitions(text: str) -> list[tuple[str, str]]:
    """Returns the namespace and text of each definition that begins at the margin."""
    found: list[tuple[str, str]] = []
    spaces: list[str] = []
    begun = ""
    for line in text.splitlines():
        space = re.fullmatch(r"namespace ([\w:]*) ?\{", line)
        if not begun and space:
            spaces.append(re.sub(r"^anympi(::emulate)?(::)?", "", space[1]))
        elif not begun and line.startswith("}"):
            spaces.pop()
        elif begun or (line.strip() and not line.startswith("#")):
            begun += line + "\n"
            if _is_whole(begun):
                found.append(("::".join(filter(None, spaces)), begun))
                begun = ""
    return found


def _without_head(definition: str) -> str:
    return _ATTRIBUTE.sub("", _TEMPLATE_HEAD.sub("", definition))


def _name(definition: str) -> str:
    text = _without_head(definition)
    if found := _CLASS.match(text):
        return found[1]
    head = re.split(r"[={]", text)[0]
    function = re.search(r"(~?\w+)\(", head)
    return function[1] if function else (re.findall(r"\w+", head) or [""])[-1]


def _members(definition: str) -> tuple[str, list[tuple[str, str]]]:
    """Returns a class without its member functions, and the member functions by name. Constructors and destructors stay
    with the class.
    """
    rest, _, body = definition.partition("{\n")
    members: list[tuple[str, str]] = []
    begun = ""
    for line in body.splitlines():
        begun += line.removeprefix("    ") + "\n"
        if re.fullmatch(r"(public|private):\s*|\s*|};\s*", begun):
            begun = ""
        elif _is_whole(begun):
            name, is_function = _name(begun), "(" in re.split(r"[={]", _without_head(begun))[0]
            if is_function and name.strip("~") != _name(definition):
                members.append((name, begun))
            else:
                rest += begun
            begun = ""
    return rest + begun, members


@dataclass
class Headers:
    """The names in the definitions of some headers."""

    named: dict[str, Definition] = field(default_factory=dict)  # at namespace scope, by their names with the namespace
    members: dict[str, dict[str, Definition]] = field(default_factory=dict)  # by the class and the member's name

    def add(self, text: str) -> None:
        for space, definition in _definitions(text):
            name = f"{space}::{_name(definition)}" if space else _name(definition)
            if _CLASS.match(_without_head(definition)):
                definition, members = _members(definition)
                for member, body in members:
                    self.members.setdefault(name, {}).setdefault(member, Definition()).add(body)
            self.named.setdefault(name, Definition()).add(definition)


class _Search:
    """Follows a definition to all definitions that it names, and to all that those name."""

    def __init__(self, headers: Headers):
        self.headers = headers
        self.seen: set[str] = set()
        self.seen_members: set[tuple[str, str]] = set()
        self.uses: set[str] = set()
        self.found = Definition()

    def visit(self, definition: Definition, space: str, of_class: str = "") -> None:
        self.found.calls |= definition.calls
        self.found.tests |= definition.tests
        self.uses |= definition.uses
        for word in definition.words:
            name = next((name for name in (f"{space}::{word}", word) if name in self.headers.named), "")
            if name and name not in self.seen:
                self.seen.add(name)
                self.visit(self.headers.named[name], name.rpartition("::")[0], name)
            if word in self.headers.members.get(of_class, {}):
                self.visit_member(of_class, word)

    def visit_member(self, of_class: str, member: str) -> None:
        if (of_class, member) not in self.seen_members:
            self.seen_members.add((of_class, member))
            self.visit(self.headers.members[of_class][member], of_class.rpartition("::")[0], of_class)

    def visit_used_members(self) -> None:
        """Visits the used members of the classes seen so far, until there are no new ones."""
        before = -1
        while before != len(self.seen_members):
            before = len(self.seen_members)
            for of_class in self.seen & self.headers.members.keys():
                for member in self.headers.members[of_class].keys() & self.uses:
                    self.visit_member(of_class, member)


class Sources:
    """The headers of src/emulate and src/convert, and the generated headers for src/emulate."""

    def __init__(self, source: Path, generated: Path):
        self.places = [source, generated]
        self.texts: dict[str, str] = {}
        self.with_included: dict[str, Headers] = {}

    def _read(self, header: str) -> str:
        if header not in self.texts:
            text = next((path.read_text() for place in self.places if (path := place / header).exists()), "")
            self.texts[header] = _COMMENT_OR_STRING.sub(lambda found: '""' if found[0].startswith('"') and "/" not in found[0]
                                                        else found[0] if found[0].startswith('"') else "", text)
        return self.texts[header]

    def _headers(self, header: str) -> Headers:
        """Returns the names in a header and in all headers of the two folders that it includes."""
        if header not in self.with_included:
            made = self.with_included[header] = Headers()
            names = [header]
            for name in names:
                made.add(self._read(name))
                names += [one for one in re.findall(r'#include "((?:emulate|convert)/[^"]+)"', self._read(name)) if one not in names]
        return self.with_included[header]

    def calls_of(self, code: str, header: str) -> set[str]:
        """Returns the functions that a template calls on any way, without functions that the code on this way tests for."""
        search, start = _Search(self._headers(header)), Definition()
        start.add(code)
        search.visit(start, "")
        search.visit_used_members()
        return search.found.calls - search.found.tests
