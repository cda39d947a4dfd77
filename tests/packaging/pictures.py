"""The pictures of the documents: they are drawn from their texts, have a title and a description, and are in a document."""
from __future__ import annotations

import re
import xml.etree.ElementTree
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import expect, guarded
from lib.context import Context
from lib.results import Case

SECONDS = 60
NAMESPACE = "{http://www.w3.org/2000/svg}"


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))


def pictures(context: Context) -> list[Path]:
    found = sorted((context.root / "docs" / "pictures").glob("*.svg"))
    expect(len(found) >= 3, f"only {len(found)} pictures were found")
    return found


def check_drawn(context: Context, _folder: Path) -> None:
    """Each picture agrees with its text. Each text has a picture, and each picture a text."""
    done = process.run([context.root / "scripts" / "pictures", "--check"], SECONDS)
    expect(done.code == 0, done)
    alone = [picture.name for picture in pictures(context) if not picture.with_suffix(".txt").exists()]
    expect(not alone, f"without a text: {alone}")


def check_described(context: Context, _folder: Path) -> None:
    for picture in pictures(context):
        root = xml.etree.ElementTree.parse(picture).getroot()
        words = [root.findtext(f"{NAMESPACE}{name}", "") for name in ("title", "desc")]
        expect(all(len(text) > 10 for text in words), f"{picture.name} lacks a title or a description: {words}")
        expect("prefers-color-scheme: dark" in picture.read_text(), f"{picture.name} has no colours for dark pages")


def check_shown(context: Context, _folder: Path) -> None:
    """Each picture is in a document, with words for readers who do not see it."""
    texts = [page.read_text() for page in (context.root / "docs").rglob("*.md")]
    for picture in pictures(context):
        shown = [words for text in texts for words in re.findall(rf"!\[([^\]]*)\]\([^)]*{re.escape(picture.name)}\)", text)]
        expect(shown and all(len(words) > 10 for words in shown), f"{picture.name} is shown with {shown}")


CHECKS = {
    "drawn from their texts": check_drawn,
    "described": check_described,
    "shown in documents": check_shown,
}
