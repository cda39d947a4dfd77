"""The marks of comments in C and C++. In a header, the comment above a declaration at the scope of a namespace or a class begins with
`///`. All other comments begin with `//`: headings of files, reasons in functions, comments after code, and all comments in sources.
The comment above a macro of a header may have either mark.

    python3 tests/lib/comment_marks.py [--fix] [PATH…]    # lists the comments with the wrong mark; --fix changes them
"""
from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Iterator

HEADERS, SOURCES = {".hpp", ".h"}, {".c", ".cpp", ".inc"}
TOKENS = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)
                      | R"(?P<mark>[^(\s"]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\b\d[\w'.]*
                      | ^[ \t]*(?P<directive>\#(?:\\\n|[^\n])*)
                      | (?P<sign>[{}();])""", re.VERBOSE | re.DOTALL | re.MULTILINE)
SCOPE_OF_DECLARATIONS = re.compile(r"\b(namespace|extern\s*\"C\"|(class|struct|union|enum)\b(?![^:]*\((?!.*\)\s*:)))")
NOT_DECLARED = re.compile(r"\s*($|#|\}|//|/\*|(public|private|protected):|static_assert|(inline )?namespace\b|extern \"C\" \{"
                          r"|friend (class|struct)\b|[A-Z][A-Z0-9_]*\()")
MACRO = re.compile(r"\s*(#\s*define|[A-Z][A-Z0-9_]*\()")
IS_INSTRUCTION = re.compile(r"//+\s*(NOLINT|clang-format|@cond|@endcond|-{4})")


@dataclass
class Mark:
    line: int
    column: int
    found: str   # "//", "///" or "///<"
    wanted: str  # "//" or "///"


def wrong_marks(file: Path) -> list[Mark]:
    if file.suffix not in HEADERS | SOURCES:
        return []
    content = file.read_text()
    return [mark for mark in marks_of(content, file.suffix in HEADERS) if mark.found != mark.wanted]


def marks_of(content: str, is_header: bool) -> Iterator[Mark]:
    lines = content.split("\n")
    declared = declaration_lines(content) if is_header else set()
    before: tuple[int, int, bool] = (-1, -1, False)  # line and column of the previous comment, and whether it follows
                                                     # code
    for number, column in comment_starts(content):
        line = lines[number]
        goes_on = before[:2] == (number - 1, column) and before[2]
        before = (number, column, bool(line[:column].strip()) or goes_on)
        found = re.match(r"///?<?(?!/)", line[column:])
        if found and not IS_INSTRUCTION.match(line[column:]):
            has_interface = not before[2] and number in declared and not NOT_DECLARED.match(below(lines, number))
            is_free = is_header and not before[2] and MACRO.match(below(lines, number))
            yield Mark(number, column, found[0], found[0] if is_free else "///" if has_interface else "//")


def comment_starts(content: str) -> Iterator[tuple[int, int]]:
    for token in TOKENS.finditer(content):
        if token["comment"] and token["comment"].startswith("//"):
            yield content.count("\n", 0, token.start()), token.start() - content.rfind("\n", 0, token.start()) - 1


def below(lines: list[str], number: int) -> str:
    """Returns the line that follows a comment."""
    while number < len(lines) and lines[number].lstrip().startswith("//"):
        number += 1
    return lines[number] if number < len(lines) else ""


def declaration_lines(content: str) -> set[int]:
    """Returns the lines that begin at the scope of a namespace or a class, and not within a declaration."""
    scopes: list[bool] = []  # for each open brace: whether declarations are in it
    parentheses, head = 0, ""  # the text since the last declaration
    known, last_end = set(), 0
    for token in TOKENS.finditer(content):
        head += content[last_end:token.start()]
        last_end = token.end()
        if token["comment"]:
            if all(scopes) and parentheses == 0 and not without_templates(head).strip():
                known.add(content.count("\n", 0, token.start()))
        elif token["sign"] == "{":
            scopes.append(parentheses == 0 and holds_declarations(head))
            head = ""
        elif token["sign"] == "}":
            scopes = scopes[:-1]
            head = ""
        elif token["sign"] == ";" and parentheses == 0:
            head = ""
        elif not token["directive"]:
            parentheses += {"(": 1, ")": -1}.get(token["sign"], 0)
            head += token[0]
    return known


def holds_declarations(head: str) -> bool:
    plain = without_templates(re.sub(r"\b(alignas|__attribute__|ANYMPI_\w+)\s*\((\([^()]*\)|[^()])*\)", "", head))
    return bool(SCOPE_OF_DECLARATIONS.search(plain)) and "=" not in plain


def without_templates(head: str) -> str:
    """Removes `template <…>` and other angle brackets, lines that call a macro, labels of access, and enumerators."""
    before = None
    while before != head:
        before, head = head, re.sub(r"<[^<>]*>", "", head)
    head = re.sub(r"^[ \t]*[A-Z][A-Z0-9_]*\([^()]*\)[ \t]*$", "", head, flags=re.MULTILINE)
    return re.sub(r"\b(public|private|protected)\s*:(?!:)|.*,(?=\s*$)", "", head)


def c_files(root: Path, paths: Iterable[str] = ()) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *paths], cwd=root,
                            capture_output=True, text=True, check=True).stdout
    return [file for file in listed.splitlines() if Path(file).suffix in HEADERS | SOURCES and (root / file).exists()]


def fix(file: Path, marks: list[Mark]) -> None:
    lines = file.read_text().split("\n")
    for mark in marks:
        line = lines[mark.line]
        lines[mark.line] = line[:mark.column] + mark.wanted + line[mark.column + len(mark.found):]
    file.write_text("\n".join(lines))


def main(arguments: list[str]) -> int:
    is_fixed = "--fix" in arguments
    found = 0
    for file in c_files(Path.cwd(), [argument for argument in arguments if argument != "--fix"]):
        marks = wrong_marks(Path(file))
        found += len(marks)
        if is_fixed and marks:
            fix(Path(file), marks)
        for mark in marks:
            print(f"{file}:{mark.line + 1}: {mark.found} should be {mark.wanted}")
    return 1 if found and not is_fixed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
