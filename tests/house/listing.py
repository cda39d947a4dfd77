"""tests/run.py --list names the cases, and neither installs nor runs anything."""
from __future__ import annotations

import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import expect, guarded
from lib.context import Context
from lib.results import Case

IS_SERIAL = True

# Python loads this at its start. It records the programs that are started and the connections that are made.
HOOK = """import os, sys
def note(event, arguments):
    if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "socket.connect", "socket.getaddrinfo"):
        with open(os.environ["NOTED"], "a") as noted:
            noted.write(f"{event} {os.path.basename(str(arguments[0]))}\\n")
sys.addaudithook(note)
"""
READERS = {"ldconfig", "nm"}  # they tell where the libraries are, and which functions they have


def cases(context: Context):
    yield Case("a clean clone", partial(guarded, check_clean_clone, context))


def check_clean_clone(context: Context, folder: Path) -> None:
    """The copy has neither a build tree nor wheels."""
    clone, noted = folder / "clone", folder / "noted"
    shutil.copytree(context.root, clone, symlinks=True, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    (folder / "sitecustomize.py").write_text(HOOK)
    noted.touch()
    before = files_of(clone)
    done = process.run([sys.executable, "-B", clone / "tests" / "run.py", "--list"], 60, {"PYTHONPATH": str(folder), "NOTED": str(noted)})
    expect(done.code == 0 and re.search(r"^listing/a clean clone$", done.output, re.MULTILINE), done)
    started = set(re.findall(r"^subprocess\.Popen (\S+)$", noted.read_text(), re.MULTILINE))
    expect(started, "the check sees no program that is started, though `nm` is")
    expect(started <= READERS and len(noted.read_text().splitlines()) == noted.read_text().count("subprocess.Popen"), noted.read_text())
    expect(files_of(clone) == before, f"made: {files_of(clone) - before}")


def files_of(folder: Path) -> set[str]:
    return {os.path.join(place, name) for place, folders, names in os.walk(folder) for name in [*folders, *names]}
