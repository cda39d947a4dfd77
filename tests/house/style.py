"""clang-format and clang-tidy over the sources.

clang-tidy takes most of its time for the headers of the standard library, which it reads once for each source. So the sources that a
library compiles with the same options are read as one file.

It takes many minutes for the static analyzer among its checks, and for the command, whose libraries are headers: both
run with --full only. So does a build in which each source is compiled alone: the usual one would not see that a source lacks an include.
"""
from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Iterator

from lib import process
from lib.compilations import compilations, left_alone
from lib.context import Context
from lib.presets import built
from lib.results import Case, Result, failed, not_installed, passed

FOLDERS = ("src", "include", "tests", "bench", "examples")
SUFFIXES = {".c", ".h", ".cpp", ".hpp"}
DELIVERED = ("mpi_abi", "mpi_openmpi", "mpi_mpich", "mpifort_abi", "anympi")

IS_SERIAL = True


def cases(context: Context):
    yield Case("clang-format", partial(formatted, context))
    units = tidied_units(context)
    if not units:
        yield Case("clang-tidy", partial(failed, f"no compile_commands.json in {context.build}: configure it with CMake first"))
    for unit in units:
        yield Case(f"clang-tidy {unit.name}", partial(tidy, context, unit))
    if context.full:
        yield Case("each source includes what it uses", partial(built, context, "separate", DELIVERED, lambda _: passed()))


def formatted(context: Context) -> Result:
    if not shutil.which("clang-format"):
        return not_installed("clang-format")
    files = [path for folder in FOLDERS for path in sorted((context.root / folder).rglob("*")) if path.suffix in SUFFIXES]
    done = process.run(["clang-format", "--dry-run", "-Werror", *files], seconds=300)
    return passed() if done.code == 0 else failed(done.describe(most_lines=20) + "\nclang-format -i mends it")


@dataclass
class Unit:
    """Sources that a library compiles with the same options."""
    library: str
    compiler: str  # with the options
    sources: list[Path] = field(default_factory=list)

    @property
    def name(self) -> str:
        first, others = "/".join(self.sources[0].parts[-2:]), len(self.sources) - 1
        return f"{self.library}: {first}" + (f" and {others} more" if others else "")

    def with_own_places(self, text: str, together: Path) -> str:
        """Names the sources and their lines where a text names those of the file that holds them all."""
        places = [f"{source}:{number}" for source in self.sources
                  for number, _ in enumerate(source.read_text().splitlines(), 1)]
        return re.sub(rf"{re.escape(str(together))}:(\d+)", lambda found: places[int(found[1]) - 1], text)


def tidied_units(context: Context) -> list[Unit]:
    alone = left_alone(context.build)
    units: dict[tuple[str, str, Path | None], Unit] = {}
    for library, compiler, source in ways_to_compile(context):
        units.setdefault((library, compiler, source if source in alone else None), Unit(library, compiler)).sources.append(source)
    return list(units.values())


def ways_to_compile(context: Context) -> Iterator[tuple[str, str, Path]]:
    """How the build tree compiles src/ for what is installed. Tests compile some files once more, and several libraries compile
    some in the same way: each way counts once."""
    src, known = context.root / "src", set()
    for one in compilations(context.build):
        for source in one.sources if one.library != "narrow_emulation_objects" else ():
            is_read = src in source.parents and (context.full or src / "command" not in source.parents)
            if is_read and (one.compiler, source) not in known:
                known.add((one.compiler, source))
                yield one.library, one.compiler, source


def tidy(context: Context, unit: Unit) -> Result:
    if not shutil.which("clang-tidy"):
        return not_installed("clang-tidy")
    folder = context.work / "clang-tidy" / hashlib.sha256(unit.name.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    # Not a file that includes them: some checks look at nothing that is included.
    file = folder / f"together{unit.sources[0].suffix}"
    file.write_text("".join(source.read_text() for source in unit.sources))
    entry = {"directory": str(context.build), "command": f"{unit.compiler} -c {file}", "file": str(file)}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    checks = [] if context.full else ["--checks=-clang-analyzer-*"]
    done = process.run(["clang-tidy", "--quiet", f"--config-file={context.root / '.clang-tidy'}", *checks, "-p", folder, file],
                       seconds=1200)
    done.output = unit.with_own_places(done.output, file)
    hint = "\nA source that is wrong only in a file with others: SKIP_UNITY_BUILD_INCLUSION in src/CMakeLists.txt"
    return passed() if done.code == 0 else failed(done.describe(most_lines=20) + hint)
