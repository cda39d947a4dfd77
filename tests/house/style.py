"""clang-format and clang-tidy over the sources.

clang-tidy takes many minutes for the static analyzer among its checks, and for the command, whose libraries are headers: both
run with --full only.
"""
from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed

FOLDERS = ("src", "include", "tests", "bench", "examples")
SUFFIXES = {".c", ".h", ".cpp", ".hpp"}

IS_SERIAL = True


def cases(context: Context):
    yield Case("clang-format", partial(formatted, context))
    sources = tidied_sources(context)
    if not sources:
        yield Case("clang-tidy", partial(failed, f"no compile_commands.json in {context.build}: configure it with CMake first"))
    for source in sources:
        yield Case(f"clang-tidy {source.relative_to(context.root)}", partial(tidy, context, source))


def formatted(context: Context) -> Result:
    if not shutil.which("clang-format"):
        return not_installed("clang-format")
    files = [path for folder in FOLDERS for path in sorted((context.root / folder).rglob("*")) if path.suffix in SUFFIXES]
    done = process.run(["clang-format", "--dry-run", "-Werror", *files], seconds=300)
    return passed() if done.code == 0 else failed(done.describe(most_lines=20) + "\nclang-format -i mends it")


def tidied_sources(context: Context) -> list[Path]:
    """What the build tree compiles of src/, each file once."""
    left_out = () if context.full else (context.root / "src" / "command",)
    compiled = {Path(entry["file"]) for entry in compilations(context)}
    return sorted(path for path in compiled if path.is_relative_to(context.root / "src")
                  and not any(path.is_relative_to(folder) for folder in left_out))


def compilations(context: Context) -> list[dict[str, str]]:
    """How the build tree compiles what is installed: clang-tidy reads a file once for each of them. Tests compile some files once more,
    and some are compiled several times in the same way, for libraries of other names."""
    commands = context.build / "compile_commands.json"
    found = {}
    for entry in json.loads(commands.read_text()) if commands.exists() else []:
        result = re.search(r" -o (\S+)", entry["command"])[1]
        if result.startswith("src/") and "/narrow_emulation_objects.dir/" not in result:
            found.setdefault(entry["command"].replace(result, "").replace(Path(result).parts[2], ""), entry)
    return list(found.values())


def write_compilations(context: Context) -> Path:
    folder = context.work / "clang-tidy"
    with context.lock_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "new").write_text(json.dumps(compilations(context)))
        (folder / "new").replace(folder / "compile_commands.json")
    return folder


def tidy(context: Context, source: Path) -> Result:
    if not shutil.which("clang-tidy"):
        return not_installed("clang-tidy")
    checks = [] if context.full else ["--checks=-clang-analyzer-*"]
    done = process.run(["clang-tidy", "--quiet", *checks, "-p", write_compilations(context), source], seconds=600)
    return passed() if done.code == 0 else failed(done.describe(most_lines=20))
