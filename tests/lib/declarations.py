"""The declarations and definitions of a C++ file, read without a compiler.

Declarations at namespace scope and in classes are found; a template counts as what it makes. Names with C linkage count only if they
belong to anympi (anympi_…). The others belong to MPI, the C library or compilers, and one library may declare a name that another
library defines.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Names:
    declared: dict[str, int] = field(default_factory=dict)  # functions, variables and "class NAME", with the line
    defined: set[str] = field(default_factory=set)


@dataclass
class Scope:
    kind: str  # "namespace", "unnamed", "class", "C"
    name: str = ""


# Text that is replaced by as many line ends as it has, so that lines keep their numbers.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
                   re.DOTALL | re.MULTILINE)
ATTRIBUTE = re.compile(r"\[\[.*?\]\]|(?:__attribute__|alignas|noexcept|requires|decltype)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)",
                       re.DOTALL)
ARGUMENTS = re.compile(r"<[^<>()]*>")
NOT_DECLARED_HERE = re.compile(r"^(?:extern\s+template|template\s+(?!<))|\b(?:friend|using|typedef|static_assert|concept|enum)\b|"
                               r"=\s*(?:default|delete|0)\s*$")
CLASS = re.compile(r"^(?:template )?(?:class|struct|union) (?:\w+::)*(\w+)$")
OF_CLASS = re.compile(r"^(?!.*\b(?:inline|constexpr)\b).*\bstatic\b")
OPERATOR = re.compile(r"\boperator\s*[^\s\w(]+")
BREAK = re.compile(r"[({};]|\b(?:public|private|protected)\s*:")
BRACKET = re.compile(r"[(){}]")
FUNCTION = re.compile(r"(?P<name>(?:\w+::)*(?:operator\s*[^\s\w(]+|~?\w+))\s*\(")


def read(text: str) -> Names:
    names = Names()
    text = NOISE.sub(lambda match: '""' if match[0][0] == '"' else "\n" * match[0].count("\n"), text)
    ends = closing_brackets(text)
    scopes: list[Scope] = []
    head = ""
    position = counted = 0
    line = 1
    while match := BREAK.search(text, position):
        head += text[position:match.start()]
        position = match.end()
        if match[0] == "(":
            position = ends[match.start()]
            head += text[match.start():position]
        elif match[0] == "{":
            scope = opened(head)
            if scope is not None:
                if scope.kind == "class":
                    names.defined.add(f"class {scope.name}")
                scopes.append(scope)
                head = ""
                continue
            note_definition(head, scopes, names)
            position = ends[match.start()]
            if is_function(head):
                head = ""
        elif match[0] == "}":
            del scopes[-1:]
            head = ""
        else:
            if match[0] == ";":
                begin = match.start() - len(head.lstrip())
                line += text.count("\n", counted, begin)
                counted = begin
                note_statement(head, line, scopes, names)
            head = ""
    return names


def closing_brackets(text: str) -> dict[int, int]:
    """Returns for each opening bracket the place after the bracket that closes it."""
    ends: dict[int, int] = {}
    open_brackets: list[int] = []
    for match in BRACKET.finditer(text):
        if match[0] in "({":
            open_brackets.append(match.start())
        elif open_brackets:
            ends[open_brackets.pop()] = match.end()
    return ends | {place: len(text) for place in open_brackets}


def opened(head: str) -> Scope | None:
    plain = ATTRIBUTE.sub("", head)
    if match := re.search(r"\bnamespace\b\s*([\w:]*)\s*$", plain):
        return Scope("namespace" if match[1] else "unnamed", match[1])
    if re.search(r'\bextern\s+""\s*$', plain):
        return Scope("C")
    if (match := re.search(r"\b(?:class|struct|union)\s+(?:\w+::)*(\w+)[^()=]*$", without_arguments(plain))) and "enum" not in plain:
        return Scope("class", match[1])
    return None


def without_arguments(text: str) -> str:
    """Removes the text between < and >."""
    while (shorter := ARGUMENTS.sub("", text)) != text:
        text = shorter
    return text


def plain_head(head: str) -> str:
    return " ".join(without_arguments(ATTRIBUTE.sub("", head.replace("->", " "))).split())


def is_function(head: str) -> bool:
    plain = plain_head(head)
    before = plain.split("(", 1)[0]
    return "(" in plain and "=" not in OPERATOR.sub("", before)


def qualified(name: str, scopes: list[Scope]) -> str:
    """Returns the name with its class, so that functions of two classes differ."""
    classes = [scope.name for scope in scopes if scope.kind == "class"]
    parts = [*classes[-1:], *name.replace(" ", "").split("::")]
    return "::".join(parts[-2:])


def is_ignored(head: str, scopes: list[Scope]) -> bool:
    """Returns True for names in an unnamed namespace, and for names with C linkage that do not belong to anympi."""
    has_c_linkage = re.search(r'\bextern\s+""', head) or any(scope.kind == "C" for scope in scopes)
    return any(scope.kind == "unnamed" for scope in scopes) or bool(has_c_linkage and not re.search(r"\banympi_\w+\s*[(\[;={]|\banympi_\w+$", head.strip()))


def note_definition(head: str, scopes: list[Scope], names: Names) -> None:
    if is_ignored(head, scopes):
        return
    plain = plain_head(head)
    if is_function(head):
        if match := FUNCTION.search(plain):
            names.defined.add(qualified(match["name"], scopes))
    elif match := re.search(r"((?:\w+::)*\w+)\s*(?:\[[^\]]*\])?\s*(?:=.*)?$", plain.split("=")[0].strip()):
        names.defined.add(qualified(match[1], scopes))


def note_statement(head: str, line: int, scopes: list[Scope], names: Names) -> None:
    if is_ignored(head, scopes):
        return
    plain = " ".join(re.sub(r'\bextern ""', "extern", ATTRIBUTE.sub("", head)).split())
    if not plain or NOT_DECLARED_HERE.search(plain):
        return
    is_in_class = any(scope.kind == "class" for scope in scopes)
    is_declared = plain.startswith("extern ") or (is_in_class and OF_CLASS.match(plain) and "=" not in plain)
    plain = plain_head(plain)
    if match := CLASS.match(plain):
        names.declared.setdefault(f"class {match[1]}", line)
    elif is_function(plain) and not re.search(r"\(\s*\*", plain):
        if match := FUNCTION.search(plain):
            names.declared.setdefault(qualified(match["name"], scopes), line)
    elif match := re.search(r"((?:\w+::)*\w+)\s*(?:\[[^\]]*\]\s*)*$", plain.split("=")[0].strip()):
        if is_declared:
            names.declared.setdefault(qualified(match[1], scopes), line)
        elif not is_in_class:
            names.defined.add(qualified(match[1], scopes))
