"""docs/user/troubleshooting.md has the words of each message of anympi, so that a search for them finds the cause."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Iterator

from lib.checks import expect, guarded
from lib.context import Context
from lib.results import Case

IS_SERIAL = True
PAGE = Path("docs") / "user" / "troubleshooting.md"
FOLDERS = ["src/command/adopt", "src/command/cli", "src/command/config", "src/command/run", "src/runtime", "src/front", "src/preload",
           "src/starter", "src/emulate", "src/convert", "src/base", "src/cxx", "src/fortran"]
WRAPPERS = ["src/wrapper/mpicc.in", "src/wrapper/modules.sh"]

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
# Functions and exceptions whose first text is a message, and the text.
IN_CODE = re.compile(rf"\b(?:say|say_for_job|stop|fail|refuse|refused|sentence_of|\w+_error)\([^;\"{{}}]*((?:{LITERAL}\s*)+)")
IN_SHELL = re.compile(rf"\b(?:refuse|say) ({LITERAL})")
CONVERSIONS = re.compile(r"%(?:zu|[sdum])|\{[^}]*\}|\$\{?[\w%* ]+\}?|`[^`]*`|@\w+@|\\\"")
FEWEST_WORDS, MOST_WORDS = 3, 5  # by which a reader finds a message


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))


def messages_in(path: Path) -> Iterator[str]:
    """The first line of each message of a source file, with the names of its arguments."""
    text = re.sub(r"^\s*(//|#).*$", "", path.read_text(), flags=re.MULTILINE)
    for found in (IN_CODE if path.suffix.endswith("pp") else IN_SHELL).findall(text):
        yield "".join(literal[1:-1] for literal in re.findall(LITERAL, found)).split("\\n")[0]


def searched_words(message: str) -> list[str]:
    """Returns the words for which a reader may search: the first words of each part between the arguments of a message, if the part
    has enough words.
    """
    parts = (part.strip(" :;,.()").split() for part in CONVERSIONS.split(message))
    return [" ".join(words[:MOST_WORDS]).rstrip(",;:.") for words in parts if len(words) >= FEWEST_WORDS]


def messages(context: Context) -> Iterator[tuple[Path, list[str]]]:
    """The file and the searched words of each message that does not consist of arguments."""
    for path in [*(context.root / name for name in WRAPPERS), *(path for folder in FOLDERS for path in sorted((context.root / folder).rglob("*.?pp")))]:
        for message in messages_in(path):
            if words := searched_words(message):
                yield path.relative_to(context.root), words


def check_messages(context: Context, _folder: Path) -> None:
    text = " ".join((context.root / PAGE).read_text().replace("`", "").split())
    found = list(messages(context))
    expect(len(found) > 80, f"only {len(found)} messages found: this test does not see what it should")
    missing = [f"{path}: {' … '.join(words)}" for path, words in found if not any(part in text for part in words)]
    expect(not missing, f"{PAGE} lacks words of these messages; add a row with the cause and what to do:\n" + "\n".join(missing))


CHECKS = {"messages in troubleshooting.md": check_messages}
