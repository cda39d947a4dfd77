"""The parts of the repository's documents: blocks of code, prose, headings, links."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("bench", "docs", "examples", "generator", "packaging", "scripts", "src", "tests")
FENCE = re.compile(r"^( *)```(.*)$")
FILE = re.compile(r"^`([\w./-]+)`:$")
LIST_ITEM = re.compile(r"^ *([-*]|\d+\.) ")


@dataclass
class Block:
    line: int
    info: str
    text: str
    file: str  # the name of the file whose content the block is, from the line before it, or ""


@dataclass
class Line:
    number: int
    text: str


@dataclass
class Document:
    path: Path
    prose: list[Line]     # without blocks of code
    blocks: list[Block]

    @property
    def headings(self) -> list[Line]:
        return [line for line in self.prose if re.match(r"#+ ", line.text)]

    @property
    def list_items(self) -> list[Line]:
        return [line for line in self.prose if LIST_ITEM.match(line.text)]

    @property
    def tables(self) -> int:
        return sum(bool(re.match(r"\|[ :|-]+\|$", line.text)) for line in self.prose)

    @property
    def anchors(self) -> list[str]:
        """The names by which links reach the headings."""
        return [re.sub(r"[^\w\- ]", "", plain(heading.text.lstrip("# ")).lower()).replace(" ", "-") for heading in self.headings]

    @property
    def links(self) -> list[tuple[int, str]]:
        """Returns the targets of links and pictures, with their lines."""
        return [(line.number, target) for line in self.prose for target in re.findall(r"\]\(([^()\s]+)\)", without_code(line.text))]


def without_code(text: str) -> str:
    return re.sub(r"`[^`]*`", "", text)


def plain(text: str) -> str:
    """Returns a heading without links and marks."""
    return re.sub(r"[`*]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text))


def paths(root: Path) -> list[Path]:
    """Returns all documents of the repository."""
    return sorted([*root.glob("*.md"), *(path for folder in FOLDERS for path in (root / folder).rglob("*.md"))])


def read(path: Path) -> Document:
    document = Document(path, [], [])
    block, indentation, file = None, "", ""
    for number, text in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(text)
        if block and fence and not fence[2]:
            document.blocks.append(block)
            block = None
        elif block:
            block.text += text.removeprefix(indentation) + "\n"
        elif fence:
            indentation = fence[1]
            block = Block(number, fence[2], "", file)
        else:
            document.prose.append(Line(number, text))
            name = FILE.match(text)
            file = name[1] if name else "" if text else file
    return document


def indented_code(document: Document) -> list[Line]:
    """Returns lines that Markdown takes for code because of four spaces. Lines of a list may begin with spaces."""
    found, is_in_list, before = [], False, ""
    for line in document.prose:
        if LIST_ITEM.match(line.text):
            is_in_list = True
        elif line.text and not line.text.startswith(" "):
            is_in_list = False
        if line.text.startswith("    ") and not is_in_list and not before:
            found.append(line)
        before = line.text
    return found


def long_prose(document: Document, most: int) -> list[Line]:
    """Returns lines that are too long. Tables, addresses and targets of links may be longer."""
    def width(text: str) -> int:
        return len(re.sub(r"\]\([^)]*\)|https?://\S+", "", text))

    return [line for line in document.prose if not line.text.startswith("|") and width(line.text) > most]
