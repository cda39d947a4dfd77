"""clang-format and clang-tidy over the sources.

clang-tidy takes many minutes for the static analyzer among its checks, and for the command, whose libraries are headers: both
run with --full only.
"""
from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, passed, skipped

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
        return skipped("clang-format is not installed")
    files = [path for folder in FOLDERS for path in sorted((context.root / folder).rglob("*")) if path.suffix in SUFFIXES]
    done = process.run(["clang-format", "--dry-run", "-Werror", *files], seconds=300)
    return passed() if done.code == 0 else failed(done.describe(most_lines=20) + "\nclang-format -i mends it")


def tidied_sources(context: Context) -> list[Path]:
    """What the build tree compiles of src/, each file once."""
    left_out = () if context.full else (context.root / "src" / "command",)
    commands = context.build / "compile_commands.json"
    compiled = {Path(entry["file"]) for entry in json.loads(commands.read_text())} if commands.exists() else set()
    return sorted(path for path in compiled if path.is_relative_to(context.root / "src")
                  and not any(path.is_relative_to(folder) for folder in left_out))


def tidy(context: Context, source: Path) -> Result:
    if not shutil.which("clang-tidy"):
        return skipped("clang-tidy is not installed")
    checks = [] if context.full else ["--checks=-clang-analyzer-*"]
    done = process.run(["clang-tidy", "--quiet", *checks, "-p", context.build, source], seconds=600)
    return passed() if done.code == 0 else failed(done.describe(most_lines=20))
