"""Runs programs of every kind, built for each version of each MPI, on every other version with `anympi run`, and prints the results.

    scripts/versions                                     all 1728 cells, in about 5 minutes on two cores
    scripts/versions --kind C,mpi_f08 --built mpich      programs of two kinds, built for any MPICH
    scripts/versions --built openmpi-4.1.4 --on openmpi  for one version, on all Open MPIs
    scripts/versions --only "C for mpich-4.0.2 on"       cells whose name contains a text
    scripts/versions --list                              the names of the cells
    scripts/versions --json table.json                   also writes the result of each cell to a file

A cell is right if two processes of one job have computed the right result, their only MPI library is the chosen one, and the
program calls that library: through anympi's front for the program's ABI if the library has another ABI, otherwise directly.
The libraries come from this machine (Debian 12), the Python package index, and Debian 13, which mmdebstrap unpacks into
build/tests/debian-13, as root. The exit code is 1 if a cell is wrong.

    ok   right
    no   refused, with a sentence
    -    cannot be built
    BAD  wrong: another library, another result, a crash, or no end
"""
from __future__ import annotations

import argparse
import json
import os
import sys
import time
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.execute import run_all
from lib.results import Case, Result, failed, passed

from . import installations, show_cells
from .cell import WRONG, Answer, Cell, fill
from .installations import NotHere, Version
from .kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]


def words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/versions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", type=words, default=[], metavar="KIND,...", help=f"kinds of programs: {', '.join(kind.name for kind in KINDS)}")
    parser.add_argument("--built", type=words, default=[], metavar="VERSION,...", help="versions built for, or the beginning of their names: openmpi, mpich-4")
    parser.add_argument("--on", type=words, default=[], metavar="VERSION,...", help="versions run on, in the same way")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="cells whose name contains it (several: any of them)")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="build tree with bin/anympi (default: build/release)")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, metavar="N", help="how many to use (default: all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what came of each cell to a file as well")
    parser.add_argument("--list", action="store_true", help="print the names of the cells and stop; builds and installs nothing")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for every cell")
    options = parser.parse_args()
    options.kind = chosen(parser, "kind", options.kind, [kind.name for kind in KINDS], lambda name, word: name.lower() == word.lower())
    options.built = chosen(parser, "version", options.built, installations.NAMES, str.startswith)
    options.on = chosen(parser, "version", options.on, installations.NAMES, str.startswith)
    return options


def chosen(parser: argparse.ArgumentParser, what: str, wanted: list[str], known: list[str], fits) -> list[str]:
    """The known names that fit; all if nothing is wanted."""
    for word in wanted:
        if not any(fits(name, word) for name in known):
            parser.error(f"no {what} is called {word}; there are: {', '.join(known)}")
    return [name for name in known if not wanted or any(fits(name, word) for word in wanted)]


def names_of_cells(options: argparse.Namespace) -> list[tuple[str, str, str]]:
    """Kind, version built for, version run on."""
    cells = [(kind, built, on) for built in options.built for on in options.on for kind in options.kind]
    return [cell for cell in cells if not options.only or any(text in "{} for {} on {}".format(*cell) for text in options.only)]


def find_versions(context: Context, names: set[str]) -> dict[str, Version]:
    found: dict[str, Version] = {}
    for name in installations.NAMES:
        if name in names:
            try:
                found[name] = installations.find(context, name)
            except NotHere as reason:
                raise SystemExit(f"anympi: {name} is not available: {reason}\nleave it out by --built and --on") from reason
    return found


def run_cells(context: Context, cells: list[Cell], options: argparse.Namespace) -> dict[Cell, Answer]:
    answers: dict[Cell, Answer] = {}

    def run(cell: Cell) -> Result:
        begin = time.monotonic()
        answer = fill(context, cell)
        answers[cell] = Answer(answer.kind, answer.text, time.monotonic() - begin)
        return failed(answer.text) if answer.kind == WRONG else passed()

    run_all([Case(cell.name, partial(run, cell)) for cell in cells], options.cores, options.verbose)
    return {cell: answers.get(cell, Answer(WRONG, "a mistake of this command (message above)")) for cell in cells}


def main() -> int:
    options = parse_arguments()
    names = names_of_cells(options)
    if not names:
        raise SystemExit("anympi: no cell fits the options; --list without --only shows the names")
    if options.list:
        print("\n".join("{} for {} on {}".format(*cell) for cell in names))
        return 0
    if not os.access(options.build / "bin" / "anympi", os.X_OK):
        raise SystemExit(f"anympi: no bin/anympi in {options.build}: build the tree first (`cmake --build --preset release`)")
    context = Context(root=ROOT, build=options.build.resolve())
    versions = find_versions(context, {name for _, *pair in names for name in pair})
    kinds = {kind.name: kind for kind in KINDS}
    cells = [Cell(kinds[kind], versions[built], versions[on]) for kind, built, on in names]
    answers = run_cells(context, cells, options)
    show_cells.print_tables(answers)
    if options.json:
        options.json.write_text(json.dumps(show_cells.as_records(answers), indent=1) + "\n")
    return 1 if any(answer.kind == WRONG for answer in answers.values()) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        process.stop_all()
        sys.exit("\nanympi: interrupted, the programs were stopped")
