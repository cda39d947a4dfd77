"""Builds the documentation site in build/site/html: MkDocs makes the pages, Doxygen makes the reference of the typed API.

MkDocs reads a copy of the documents in build/site/pages, which has the folders of the repository, so that links stay as they are.
docs/index.md is the list of all pages: its headings and links become the navigation.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import function_index

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = ROOT / "docs" / "site"
SITE = ROOT / "build" / "site"
PAGES = SITE / "pages"
HTML = SITE / "html"
START = "README.md"
INDEX = "docs/index.md"
REFERENCE = "docs/builder/reference"
# The site's copy of this page links the functions of the reference.
BY_FUNCTION = "docs/builder/typed-functions.md"
# The navigation has the reference after this page.
BEFORE_REFERENCE = "docs/builder/typed-reference.md"
# For a page without others in its part of the navigation.
WITHOUT_NAVIGATION = "---\nhide:\n  - navigation\n---\n\n"
SHOWN = {".css", ".js", ".md", ".png", ".svg"}


class SiteError(Exception):
    """The error, in words for the user."""


def say(text: str) -> None:
    print(f"== {text}", flush=True)


def run(command: list, **more) -> str:
    """Returns what the command printed; raises SiteError if the command failed."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        raise SiteError(f"{done.stdout.rstrip()}\n{Path(str(command[0])).name} failed")
    return done.stdout


# The tools


def mkdocs() -> Path:
    """Installs the packages of docs/site/requirements.txt unless they are installed. Returns the program."""
    folder, wanted = SITE / "python", (SETTINGS / "requirements.txt").read_text()
    mark = folder / "installed.txt"
    if not mark.exists() or mark.read_text() != wanted:
        say("Installing MkDocs into build/site/python")
        venv.create(folder, clear=True, with_pip=True)
        run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--requirement", SETTINGS / "requirements.txt"])
        mark.write_text(wanted)
    return folder / "bin" / "mkdocs"


# The pages


def documents() -> list[str]:
    """Names of the files that the site shows, from the root of the repository."""
    names = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.suffix in SHOWN]
    return sorted(names) + [name for name in links_of(INDEX) if not name.startswith("docs/")]


def links_of(page: str) -> list[str]:
    """Names of the pages that a page links, from the root of the repository."""
    folder = ROOT / Path(page).parent
    targets = re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]*)?\)", (ROOT / page).read_text())
    return [Path(os.path.relpath(folder / target, ROOT)).as_posix() for target in targets]


def for_mkdocs(text: str) -> str:
    """MkDocs wants four spaces for each level of a list, and only the name of a language after the fence of a block."""
    lines, fence = [], None
    for line in text.splitlines():
        spaces = len(line) - len(line.lstrip(" ")) if fence is None else fence
        deeper = " " * (spaces // 2 * 2)  # two or three spaces become four
        mark = re.match(r" *```(\w*)", line)
        if mark:
            fence = spaces if fence is None else None
            line = f"{line[:spaces]}```{mark[1]}"
        lines.append(deeper + line if line else "")
    return "\n".join(lines) + "\n"


def copy_pages() -> None:
    shutil.rmtree(PAGES, ignore_errors=True)
    for name in documents():
        copy = PAGES / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.suffix == ".md":
            copy.write_text((WITHOUT_NAVIGATION if name in (START, INDEX) else "") + for_mkdocs((ROOT / name).read_text()))
        else:
            shutil.copyfile(ROOT / name, copy)
    shutil.copyfile(ROOT / "LICENSE", PAGES / "LICENSE")


def make_reference() -> None:
    say("Doxygen: the reference of the typed API")
    settings = (ROOT / "docs" / "Doxyfile").read_text()
    more = f"\nOUTPUT_DIRECTORY = {PAGES}\nHTML_OUTPUT = {REFERENCE}\nWARN_AS_ERROR = FAIL_ON_WARNINGS\n"
    (PAGES / REFERENCE).parent.mkdir(parents=True, exist_ok=True)
    run(["doxygen", "-"], input=settings + more, cwd=ROOT)
    for page in (PAGES / REFERENCE).glob("*.html"):
        page.write_text(linked_to_site(without_dead_jumps(page.read_text())))
    by_function = PAGES / BY_FUNCTION
    reference = os.path.relpath(REFERENCE, by_function.parent.relative_to(PAGES))
    by_function.write_text(function_index.with_callers(by_function.read_text(), function_index.callers(ROOT), reference))


def without_dead_jumps(page: str) -> str:
    """Doxygen 1.9 puts links to parts of a page above its title, also to parts that the settings leave out. Removes the latter."""
    summary = re.search(r'<div class="summary">\n(.*?)  </div>', page, re.DOTALL)
    if not summary:
        return page
    jumps = re.findall(r'<a href="#([^"]*)">[^<]*</a>', summary[1])
    links = re.findall(r'<a href="#[^"]*">[^<]*</a>', summary[1])
    alive = [link for link, place in zip(links, jumps) if f'name="{place}"' in page or f'id="{place}"' in page]
    return page[:summary.start(1)] + " &#124;\n".join(alive) + page[summary.end(1):]


def linked_to_site(page: str) -> str:
    """The title of each page of the reference leads to the first page of the site."""
    start = os.path.relpath("index.html", REFERENCE)
    return re.sub(r'(<div id="projectname">)([^<]*)', rf'\1<a href="{start}">\2</a>', page)


# The navigation


def navigation() -> list:
    """The headings of docs/index.md are sections. The links of its lists are pages."""
    sections: list = [{"Start": START}, {"Documents": INDEX}]
    levels = [sections]
    for line in (ROOT / INDEX).read_text().splitlines():
        heading = re.match(r"(##+) (.+)", line)
        link = re.match(r"- \[(.+?)\]\(([\w./-]+\.md)\)", line)
        if heading:
            depth = len(heading[1]) - 1
            del levels[depth:]
            levels.append([])
            levels[depth - 1].append({heading[2].replace("`", ""): levels[depth]})
        elif link:
            name = Path(os.path.relpath(ROOT / "docs" / link[2], ROOT)).as_posix()
            if name == START:
                continue
            levels[-1].append({link[1].replace("`", ""): name})
            if name == BEFORE_REFERENCE:
                levels[-1].append({"Reference with all arguments": f"{REFERENCE}/annotated.html"})
    return sections


def write_settings() -> Path:
    """MkDocs reads JSON as YAML."""
    file = SITE / "mkdocs.yml"
    file.write_text(json.dumps({"INHERIT": str(SETTINGS / "mkdocs.yml"), "docs_dir": str(PAGES), "site_dir": str(HTML), "nav": navigation()}))
    return file


def main() -> None:
    program = mkdocs()
    copy_pages()
    make_reference()
    say("MkDocs: the pages")
    run([program, "build", "--strict", "--config-file", write_settings()], env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    print(f"The site is {(HTML / 'index.html').relative_to(ROOT)}")


if __name__ == "__main__":
    try:
        main()
    except SiteError as error:
        sys.exit(f"anympi: {error}")
