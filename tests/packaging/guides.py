"""Runs the commands of docs/builder/building.md and tutorial.md as written, with an installation of the tree under test."""
from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from lib import pages, process
from lib.checks import Mismatch, expect, need
from lib.context import Context
from lib.results import Case, Result, failed, passed

PAGES = ("building.md", "tutorial.md")  # of docs/builder
NEEDED = ("autoreconf", "meson", "pkg-config", "mpiexec.mpich")
SECONDS = 300
# clang without optimization takes a quarter of the time that gcc needs for mpi4py.
OF_SECTION = {"mpi4py": {"CFLAGS": "-O0 -g0", **({"ANYMPI_CC": "clang"} if shutil.which("clang") else {})}}


def cases(context: Context):
    found = [section for name in PAGES for section in pages.sections(context.root / "docs" / "builder" / name)]
    for section in found:
        yield Case(section.title, partial(check_section, context, section), seconds=20)
    yield Case("the pages have commands", partial(check_pages, found))


def check_pages(found: list[pages.Section]) -> Result:
    many = sum(len(section.steps) for section in found)
    return passed() if many >= 14 else failed(f"only {many} blocks of commands were found: this test does not see what it should")


def check_section(context: Context, section: pages.Section) -> Result:
    """Uses a folder without a space in its name, which configure scripts and make do not support."""
    need(*NEEDED)
    folder = Path(tempfile.mkdtemp(prefix="anympi-guide-"))
    try:
        done = process.run(["cmake", "--install", context.build, "--prefix", folder / "anympi"], SECONDS)
        expect(done.code == 0, done)
        (folder / "work").mkdir()
        pages.run_section(section, folder / "work", SECONDS, environment_of(section, folder))
    except Mismatch as mismatch:
        return failed(str(mismatch))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return passed()


def environment_of(section: pages.Section, home: Path) -> dict[str, str]:
    path = f"{home / 'anympi' / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {"HOME": str(home), "PATH": path, "PYTHONUNBUFFERED": "", "LC_ALL": "C.UTF-8", **OF_SECTION.get(section.title, {})}
