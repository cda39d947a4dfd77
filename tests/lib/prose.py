"""The prose of a source file or a document: comments, docstrings, messages in string literals, paragraphs.

`prose_of(path)` yields each text with the line on which it begins. Comments on neighbouring lines are one text, as are the string
literals that a compiler joins.
"""
from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator

PYTHON_SCRIPTS = re.compile(r"^#!.*\bpython3?\b")
SHELL_SCRIPTS = re.compile(r"^#!.*\b(ba|da)?sh\b")
IS_EMPTY = re.compile(r"\s*(namespace [\w:]+|extern \"C\"|[\s|:-]*)$")  # also ends of blocks and rules of tables
FEWEST_WORDS = 3  # of a message; shorter literals are names, options, formats


@dataclass
class Line:
    number: int
    text: str


@dataclass
class Text:
    kind: str  # "comment", "docstring", "message" or "document"
    lines: list[Line]

    @property
    def words(self) -> str:
        """The text in one line."""
        return " ".join(line.text for line in self.lines)

    def line_at(self, place: int) -> int:
        """Returns the number of the line to which a place of `words` belongs."""
        for line in self.lines:
            place -= len(line.text) + 1
            if place < 0:
                return line.number
        return self.lines[-1].number


@dataclass
class Piece:
    """A comment or string literal as it appears in a file."""
    line: int
    column: int
    source: str
    is_alone: bool = False   # only blanks precede it in its line
    is_joined: bool = False  # only blanks separate it from the previous piece


def prose_of(path: Path) -> list[Text]:
    """Returns the prose of a file; empty for kinds of files without prose."""
    try:
        content = path.read_text()
    except (UnicodeDecodeError, OSError):
        return []
    reader = reader_of(path, content.split("\n", 1)[0])
    return [text for text in reader(content) if not IS_EMPTY.match(text.words)] if reader else []


def reader_of(path: Path, first_line: str) -> Callable[[str], Iterator[Text]] | None:
    suffix = Path(path.stem).suffix if path.suffix == ".in" else path.suffix
    if path.name == "CMakeLists.txt":
        return of_hashed
    if suffix in READERS:
        return READERS[suffix]
    if PYTHON_SCRIPTS.match(first_line):
        return of_python
    return of_hashed if SHELL_SCRIPTS.match(first_line) else None


# C and C++

C_PIECES = re.compile(r"""(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
                        | (?P<string>R"(?P<mark>[^(\s"]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*")
                        | '(?:\\.|[^'\\\n])*'          # a character
                        | \b\d[\w'.]*                   # a number, which may have ' in it
                        | ^[ \t]*\#[ \t]*include[^\n]*""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def of_c(content: str) -> Iterator[Text]:
    comments, strings = pieces_of(C_PIECES, content)
    yield from comments_of(comments, r"//[/!]?<?|/\*+|\*+/$|^\s*\*(?=\s|$)")
    yield from messages_of(strings)


def pieces_of(pattern: re.Pattern, content: str) -> tuple[list[Piece], list[Piece]]:
    """Returns the comments and the string literals that a pattern finds."""
    found: dict[str, list[Piece]] = {"comment": [], "string": []}
    line, seen, last_end = 1, 0, -1
    for match in pattern.finditer(content):
        line += content.count("\n", seen, match.start())
        seen = match.start()
        start_of_line = content.rfind("\n", 0, match.start()) + 1
        if match.lastgroup in ("comment", "string", "mark"):
            kind = "comment" if match["comment"] else "string"
            is_joined = not content[last_end:match.start()].strip() if last_end >= 0 else False
            found[kind].append(Piece(line, match.start() - start_of_line, match[0],
                                     is_alone=not content[start_of_line:match.start()].strip(), is_joined=is_joined))
            last_end = match.end() if kind == "string" else -1
        else:
            last_end = -1
    return found["comment"], found["string"]


def comments_of(pieces: list[Piece], marks: str) -> Iterator[Text]:
    """Joins comments on neighbouring lines that begin in the same column. `marks` matches the parts that are not words
    of a comment.
    """
    lines: list[Line] = []
    last: Piece | None = None
    for piece in pieces:
        continues = last and piece.line == last.line + 1 and piece.column == last.column and piece.is_alone
        is_other_kind = last and (piece.source[:3] == "///") != (last.source[:3] == "///")
        if lines and (not continues or is_other_kind):
            yield Text("comment", lines)
            lines = []
        for count, source in enumerate(piece.source.split("\n")):
            lines.append(Line(piece.line + count, re.sub(marks, "", source.strip()).strip()))
        last = piece
        if "\n" in piece.source:
            last = Piece(piece.line + piece.source.count("\n"), piece.column, piece.source)
    if lines:
        yield Text("comment", lines)


def messages_of(pieces: list[Piece]) -> Iterator[Text]:
    """Joins string literals that follow each other, and leaves out texts that are not prose."""
    lines: list[Line] = []
    for piece in pieces:
        if not piece.is_joined:
            yield from prose_in(lines)
            lines = []
        lines += (Line(piece.line + count, source) for count, source in enumerate(unquoted(piece.source).split("\n")))
    yield from prose_in(lines)


def prose_in(lines: list[Line]) -> Iterator[Text]:
    text = Text("message", lines)
    if len(re.findall(r"(?<![\w%/.-])[A-Za-z][a-z']*(?![\w/])", text.words)) >= FEWEST_WORDS:
        yield text


def unquoted(source: str) -> str:
    inside = re.sub(r'^[A-Za-z]*("""|\'\'\'|"|\')|("""|\'\'\'|"|\')$', "", source)
    return re.sub(r"\\[nt]", "  ", inside)


# Python

def of_python(content: str) -> Iterator[Text]:
    comments: list[Piece] = []
    strings: list[Piece] = []
    before = tokenize.NEWLINE  # the previous token, without blanks and comments
    between = (tokenize.NL, tokenize.COMMENT)
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        row, column = token.start
        if token.type == tokenize.COMMENT:
            if not token.string.startswith("#!") and "noqa" not in token.string:
                comments.append(Piece(row, column, token.string, is_alone=not token.line[:column].strip()))
        elif token.type == tokenize.STRING:
            if before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING):
                yield docstring(row, token.string)
            else:
                strings.append(Piece(row, column, token.string, is_joined=before == tokenize.STRING))
        if token.type not in between:
            before = token.type
    yield from comments_of(comments, r"^#+")
    yield from messages_of(strings)


def docstring(row: int, source: str) -> Text:
    lines = unquoted(source).split("\n")
    return Text("docstring", [Line(row + count, line.strip()) for count, line in enumerate(lines)])


# Languages whose comments begin with #, and Fortran

HASHED_PIECES = re.compile(r"""(?:^|(?<=\s))(?P<comment>\#(?!!)[^\n]*)
                             | (?P<string>"(?:\\.|[^"\\])*")
                             | '[^'\n]*'""", re.VERBOSE | re.MULTILINE)
FORTRAN_PIECES = re.compile(r"""(?P<comment>![^\n]*|^[cC*][ ][^\n]*)
                              | (?P<string>"[^"\n]*"|'[^'\n]*')""", re.VERBOSE | re.MULTILINE)


def of_hashed(content: str) -> Iterator[Text]:
    """Reads CMake and shell."""
    comments, strings = pieces_of(HASHED_PIECES, content)
    yield from comments_of(comments, r"^#+")
    yield from messages_of(strings)


def of_fortran(content: str) -> Iterator[Text]:
    comments, strings = pieces_of(FORTRAN_PIECES, content)
    yield from comments_of(comments, r"^([!cC*])")
    yield from messages_of(strings)


def of_data(content: str) -> Iterator[Text]:
    """Reads data with comments after #, and sentences for users after a colon at the start of a line."""
    comments = [Piece(number, 0, line, is_alone=True) for number, line in enumerate(content.splitlines(), 1) if line.startswith("#")]
    yield from comments_of(comments, r"^#+")
    for number, line in enumerate(content.splitlines(), 1):
        if line.startswith(": "):
            yield Text("message", [Line(number, line[2:])])


# Markdown

def of_markdown(content: str) -> Iterator[Text]:
    """Reads paragraphs, entries of lists, cells of tables and headings. Crosses replace code."""
    lines: list[Line] = []
    fence = ""
    for number, line in enumerate(content.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        was_code = bool(fence)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        starts_text = re.match(r"\s*([-*+]|\d+\.|#+|>|\|)\s", line) or not line.strip()
        if lines and (starts_text or mark or was_code):
            yield Text("document", lines)
            lines = []
        if mark or was_code or not line.strip() or is_code_block(line, lines):
            continue
        plain = re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), line)
        if line.lstrip().startswith("|"):
            for cell in plain.strip().strip("|").split("|"):
                yield Text("document", [Line(number, cell.strip())])
        else:
            lines.append(Line(number, re.sub(r"^\s*([-*+]|\d+\.|#+|>)\s+", "", plain).strip()))
    if lines:
        yield Text("document", lines)


def is_code_block(line: str, paragraph: list[Line]) -> bool:
    """Returns True for an indented line that continues neither a paragraph nor an entry of a list."""
    return not paragraph and line.startswith("    ") and not re.match(r"\s*([-*+]|\d+\.)\s", line)


READERS = {suffix: reader for suffixes, reader in {
    (".c", ".h", ".cpp", ".hpp", ".inc", ".S"): of_c,
    (".py",): of_python,
    (".sh", ".cmake", ".map", ".tcl"): of_hashed,
    (".f", ".f90", ".F90"): of_fortran,
    (".api", ".txt", ".names"): of_data,
    (".md",): of_markdown,
}.items() for suffix in suffixes}
