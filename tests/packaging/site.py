"""Tests of the documents and of their site (scripts/site): links lead somewhere, commands run as written, code compiles.

A page of docs/ is a script for this suite; lib/pages.py explains its form.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lib import markdown, pages, process
from lib.anympi import SECONDS, wrapper
from lib.checks import Unavailable, expect, guarded, need
from lib.context import Context
from lib.results import Case

from packaging.documents import options_of
from packaging.packages import pack

IS_SERIAL = True
WIDTH = 100
BUSY_SECONDS = 400  # building the site and the commands of a section take some seconds, and many times that on a busy machine
ADDRESS = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)+(/[\w./~%+:@=&?-]*)?(#[\w.-]+)?")

# How a whole program of a language is compiled. A fragment is marked: `c part`.
COMPILERS = {"c": ("mpicc", ["-std=c99"]), "cpp": ("mpicxx", ["-std=c++20"]), "fortran": ("mpifort", [])}
# Languages that no program reads here, or that other tests read.
OTHERS = {"cmake", "ini", "lua", "make", "meson", "sh", "sh elsewhere", "text", "dockerfile"}
CHECKED = {*COMPILERS, "json", "python", "toml"}
# Pages whose programs and commands other suites run: guides, typed.
OWN_SUITE = {"docs/builder/building.md", "docs/builder/tutorial.md"}
KNOWN = {*OTHERS, *CHECKED, *(f"{language} part" for language in CHECKED)}


def cases(context: Context):
    site = Case("the site builds", partial(guarded, check_build, context), seconds=15)
    yield site
    for title, check in OF_SITE.items():
        yield Case(title, partial(guarded, check, context), after=[site])
    for title, check in OF_DOCUMENTS.items():
        yield Case(title, partial(guarded, check, context))
    for path in markdown.paths(context.root):
        name = path.relative_to(context.root)
        if name.as_posix() in OWN_SUITE:
            continue
        if blocks := blocks_to_check(path):
            yield Case(f"code of {name}", partial(guarded, check_code, context, blocks))
        if found := pages.sections(path):
            yield Case(f"commands of {name}", partial(guarded, check_commands, context, found), seconds=5)


# The site


def html_folder(context: Context) -> Path:
    return context.root / "build" / "site" / "html"


def check_build(context: Context, _folder: Path) -> None:
    """A warning of MkDocs or Doxygen is an error: a page that docs/index.md does not list, a link or an anchor that is not there."""
    need("doxygen")
    if not context.may_install and not (context.root / "build" / "site" / "python").exists():
        raise Unavailable("MkDocs is not installed in build/site/python")
    shutil.rmtree(html_folder(context), ignore_errors=True)
    done = process.run([context.root / "scripts" / "site"], BUSY_SECONDS)
    expect(done.code == 0, done)
    built = [page.relative_to(html_folder(context)) for page in html_folder(context).rglob("*.html")]
    for path in markdown.paths(context.root / "docs"):
        expect(path.relative_to(context.root).with_suffix(".html") in built, f"no page of {path}")
    expect(Path("docs/builder/reference/annotated.html") in built, "no reference of the typed API")
    by_function = (html_folder(context) / "docs" / "builder" / "typed-functions.html").read_text()
    rows = re.findall(r"<tr>\s*<td><code>(MPI_\w+)</code></td>(.*?)</tr>", by_function, re.DOTALL)
    linked = {name for name, cells in rows if 'href="reference/' in cells}
    expect(len(linked) > 350, f"{len(linked)} functions of MPI lead to the reference")
    for name, caller in (("MPI_Iallreduce", "iallreduce"), ("MPI_Comm_split", "Comm::split"), ("MPI_File_write_all", "File::write_all")):
        expect(any(caller in cells for row, cells in rows if row == name), f"{name} does not lead to {caller}")


def check_html_links(context: Context, _folder: Path) -> None:
    """Each link of each page leads to a file, and to a place in it."""
    root = html_folder(context).resolve()
    pages_of_site = {page: page.read_text() for page in root.rglob("*.html")}
    places = {page: set(re.findall(r"""\b(?:id|name)=["']?([^"'\s>]+)""", text)) for page, text in pages_of_site.items()}
    wrong, found = [], 0
    for page, text in pages_of_site.items():
        if page.name == "404.html":  # its links begin with the address of the site
            continue
        for link in set(re.findall(r"""<(?:a|link|img|script)\b[^>]*?\b(?:href|src)=["']?([^"'\s>]*)""", text)):
            parts = urlsplit(unescape(link))
            if parts.scheme or parts.netloc or link.startswith("javascript:"):
                continue
            found += 1
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.is_file():
                wrong.append(f"{page.relative_to(root)}: {link} does not exist")
            elif parts.fragment and target in places and unquote(parts.fragment) not in places[target] | {"__skip"}:
                wrong.append(f"{page.relative_to(root)}: {link} has no such place")
    expect(found > 1000, f"only {found} links found: this test does not see what it should")
    expect(not wrong, "\n".join(wrong))


def check_no_network(context: Context, _folder: Path) -> None:
    """A browser that shows a page loads nothing from another host."""
    wrong = []
    for file in html_folder(context).rglob("*"):
        if file.suffix == ".html":
            loaded = re.findall(r"""<(?:script|img|iframe|link\s[^>]*rel=["']?stylesheet)\b[^>]*(?:src|href)=["']?((?:https?:)?//[^"'\s>]*)""", file.read_text())
        elif file.suffix == ".css":
            loaded = re.findall(r"""(?:@import\s+|url\()["']?((?:https?:)?//[^"')]*)""", file.read_text())
        else:
            continue
        wrong += [f"{file} loads {address}" for address in loaded]
    expect(not wrong, "\n".join(wrong))


def check_search(context: Context, _folder: Path) -> None:
    """The index of the search has the text of the pages, also for a browser that opens the pages as files."""
    for name, start in (("search_index.json", ""), ("search_index.js", "var __index = ")):
        text = (html_folder(context) / "search" / name).read_text()
        index = json.loads(text.removeprefix(start))
        found = {entry["location"].partition("#")[0] for entry in index["docs"] if "ANYMPI_MPI" in entry["text"]}
        expect("docs/user/using.html" in found, f"{name} finds ANYMPI_MPI in {found}")


def check_lists_and_tables(context: Context, _folder: Path) -> None:
    """Each page of the site has the lists, tables and blocks of its document, as readers of Markdown other than MkDocs see them."""
    wrong = []
    for path in markdown.paths(context.root / "docs"):
        shown = (html_folder(context) / path.relative_to(context.root).with_suffix(".html")).read_text()
        article = shown[shown.index("<article"):shown.index("</article>")]
        document = markdown.read(path)
        due = {"<li>": len(document.list_items), "<table>": document.tables, "<pre>": len(document.blocks)}
        wrong += [f"{path.relative_to(context.root)}: {article.count(tag)} {tag} instead of {many}"
                  for tag, many in due.items() if article.count(tag) != many]
    expect(not wrong, "\n".join(wrong))


# The Markdown files


def documents(context: Context) -> list[markdown.Document]:
    found = [markdown.read(path) for path in markdown.paths(context.root)]
    expect(len(found) > 40, f"only {len(found)} documents found: this test does not see what it should")
    return found


def check_markdown_links(context: Context, _folder: Path) -> None:
    """In the repository, where a reader has no site. An address of another host must have the form of one."""
    read = {document.path: document for document in documents(context)}
    wrong = []
    for document in read.values():
        for number, link in document.links:
            parts = urlsplit(link)
            place = f"{document.path.relative_to(context.root)}:{number}: {link}"
            target = (document.path.parent / parts.path).resolve() if parts.path else document.path
            if parts.scheme:
                wrong += [] if ADDRESS.fullmatch(link) else [f"{place} has not the form of an address"]
            elif not target.exists():
                wrong.append(f"{place} does not exist")
            elif parts.fragment and target in read and parts.fragment not in read[target].anchors:
                wrong.append(f"{place} has no such heading")
    expect(not wrong, "\n".join(wrong))


def check_form(context: Context, _folder: Path) -> None:
    """Lines that can be read in a terminal, and blocks whose info string says what they are."""
    wrong = []
    for document in documents(context):
        name = document.path.relative_to(context.root).as_posix()
        wrong += [f"{name}:{line.number}: more than {WIDTH} characters" for line in markdown.long_prose(document, WIDTH)]
        wrong += [f"{name}:{line.number}: code without a fence" for line in markdown.indented_code(document)]
        wrong += [f"{name}:{block.line}: unknown info string '{block.info}'" for block in document.blocks if block.info not in KNOWN]
    expect(not wrong, "\n".join(wrong))


def blocks_to_check(path: Path) -> list[markdown.Block]:
    """Without files that the commands of the page read."""
    blocks = markdown.read(path).blocks
    commands = "".join(block.text for block in blocks if block.info == "sh")
    return [block for block in blocks if block.info in CHECKED and not (block.file and block.file in commands)]


def check_code(context: Context, blocks: list[markdown.Block], folder: Path) -> None:
    """Programs of a page compile, and its data can be read."""
    for block in blocks:
        place = f"line {block.line}"
        if block.info in COMPILERS:
            compile_block(context, block, place, folder)
        elif block.info == "toml":
            read_toml(context, block, place, folder)
        else:
            accepted({"json": json.loads, "python": lambda text: compile(text, place, "exec")}[block.info], block.text, place)


def accepted(reader, text: str, place: str) -> None:
    try:
        reader(text)
    except (ValueError, SyntaxError) as error:
        expect(False, f"{place}: {error}")


def compile_block(context: Context, block: markdown.Block, place: str, folder: Path) -> None:
    name, options = COMPILERS[block.info]
    source = folder / f"block.{ {'fortran': 'f90'}.get(block.info, block.info) }"
    source.write_text(block.text)
    done = process.run([context.build / "bin" / name, *options, f"-I{context.root / 'include'}", "-fsyntax-only", source], SECONDS, directory=folder)
    expect(done.code == 0, f"{place}:\n{done.describe()}")


def read_toml(context: Context, block: markdown.Block, place: str, folder: Path) -> None:
    """As the configuration of a user: nothing in it is unknown to anympi."""
    settings = folder / "home" / ".config" / "anympi"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "config.toml").write_text(block.text)
    done = process.run([context.build / "bin" / "anympi", "config"], SECONDS, {"HOME": str(folder / "home"), "XDG_CONFIG_HOME": ""})
    expect(done.code == 0 and "anympi:" not in done.output, f"{place}:\n{done.describe()}")


def check_commands_elsewhere(context: Context, folder: Path) -> None:
    """Commands that no test runs: a shell can read them, and files of the repository that they name exist."""
    wrong = []
    for document in documents(context):
        for block in document.blocks:
            if block.info == "sh elsewhere":
                place = f"{document.path.relative_to(context.root)}:{block.line}"
                (folder / "commands").write_text(block.text)
                read = process.run(["bash", "-n", folder / "commands"], SECONDS)
                wrong += [f"{place}: {read.output}"] if read.code else []
                named = re.findall(r"^(?:\./|python3 )?((?:scripts|tests|bench)/[\w.]+)", block.text, re.MULTILINE)
                wrong += [f"{place}: {name} does not exist" for name in named if not (context.root / name).is_file()]
    expect(not wrong, "\n".join(wrong))


def check_options(context: Context, _folder: Path) -> None:
    """Options of anympi's subcommands that a document names exist. Options of `anympi run` may be a launcher's."""
    known = {name: options_of(context, name) for name in ("list", "inspect", "doctor", "adopt", "config")}
    wrong, found = [], 0
    for document in documents(context):
        lines = [(line.number, command) for line in document.prose for command in re.findall(r"`anympi ([^`]+)`", line.text)]
        lines += [(block.line, command) for block in document.blocks if block.info.startswith("sh")
                  for command in re.findall(r"^anympi ([^#\n]+)", block.text, re.MULTILINE)]
        for number, command in lines:
            name, *words = command.partition(" -- ")[0].split()
            for option in [word for word in words if word.startswith("-")] if name in known else []:
                found += 1
                if option.partition("=")[0] not in known[name]:
                    wrong.append(f"{document.path.relative_to(context.root)}:{number}: anympi {name} has no option {option}")
    expect(found > 10, f"only {found} options found: this test does not see what it should")
    expect(not wrong, "\n".join(wrong))


def check_demo(context: Context, _folder: Path) -> None:
    """scripts/demo prints the table that README shows. Only the checksum of the file may differ."""
    if not context.may_install:
        raise Unavailable("scripts/demo would install MPI libraries")
    due = next(block.text for block in markdown.read(context.root / "README.md").blocks if "correct results" in block.text)
    done = process.run([sys.executable, context.root / "scripts" / "lib" / "demo.py", "4"], SECONDS)
    expect(done.code == 0 and pages.is_output(done.output, re.sub(r"\b[0-9a-f]{16}\b", "…", due) + "…"), f"{done.describe()}\nREADME.md says:\n{due}")


def check_pictures(context: Context, _folder: Path) -> None:
    """The pictures that `scripts/site --pictures` writes exist and are small."""
    for name in ("site-wide.png", "site-narrow.png"):
        size = (context.root / "docs" / "pictures" / name).stat().st_size
        expect(10_000 < size < 300_000, f"{name} has {size} bytes")


# The commands


def check_commands(context: Context, found: list[pages.Section], folder: Path) -> None:
    """Each section runs in a folder of its own, with an installation of anympi in ~/anympi."""
    need("bwrap", "mpicc.openmpi")
    home = Path(tempfile.mkdtemp(prefix="anympi-page-"))  # configure scripts and make support no space in its name
    try:
        done = process.run(["cmake", "--install", context.build, "--prefix", home / "anympi"], SECONDS)
        expect(done.code == 0, done)
        (home / "opt").mkdir()
        programs = make_programs(context, home / "programs")
        for number, section in enumerate(found):
            work = home / f"section{number}"
            shutil.copytree(programs, work)
            if any("tar -xzf anympi-" in step.commands for step in section.steps):
                shutil.copy(pack(context, "TGZ", folder), work)
            pages.run_section(section, work, BUSY_SECONDS, environment_of(home), sandbox(home))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def sandbox(home: Path) -> list[str]:
    """The machine, but /opt is a folder of the page, and /etc/anympi is one of each section: administrators write there."""
    words = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--bind", home / "opt", "/opt", "--tmpfs", "/etc"]
    for path in sorted(Path("/etc").iterdir()):
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), path]
        elif os.access(path, os.R_OK):
            words += ["--ro-bind", path, path]
    return [*words, "--dir", "/etc/anympi", "--"]


def environment_of(home: Path) -> dict[str, str]:
    path = f"{home / 'anympi' / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8"}


def make_programs(context: Context, folder: Path) -> Path:
    """Programs that pages name: two that anympi's mpicc has compiled, one that was built for Open MPI."""
    folder.mkdir()
    source = context.root / "examples" / "pi.c"
    for name in ("hello", "program"):
        wrapper(context, "mpicc", "-O1", source, "-o", folder / name)
    done = process.run(["mpicc.openmpi", "-O1", source, "-o", folder / "solver"], SECONDS)
    expect(done.code == 0, done)
    return folder


def check_named_packages(context: Context, _folder: Path) -> None:
    """The packages of Debian that README names for a build are those that the scripts install."""
    named = re.search(r"^sudo apt install (.+)$", (context.root / "README.md").read_text(), re.MULTILINE)
    needed = re.search(r"^build_packages=\((.+?)\)", (context.root / "scripts" / "lib" / "needs.sh").read_text(), re.MULTILINE | re.DOTALL)
    expect(set(named[1].split()) == set(needed[1].split()), f"README.md names {named[1]}, the scripts install {needed[1]}")


OF_SITE = {
    "links of the site": check_html_links,
    "the site loads nothing from other hosts": check_no_network,
    "search": check_search,
    "lists, tables and blocks of the site": check_lists_and_tables,
}
OF_DOCUMENTS = {
    "links of the documents": check_markdown_links,
    "form of the documents": check_form,
    "packages in README": check_named_packages,
    "the demo in README": check_demo,
    "pictures of the site": check_pictures,
    "commands that no test runs": check_commands_elsewhere,
    "options of anympi": check_options,
}
