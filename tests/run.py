#!/usr/bin/env python3
"""Runs the tests of all suites on every MPI that is available.

    python3 tests/run.py                          everything that fits into the usual time
    python3 tests/run.py --only attributes        test cases whose name contains a text
    python3 tests/run.py --runtime openmpi        on some runtimes only (see --list)
    python3 tests/run.py --full                   everything, which takes hours
    python3 tests/run.py --list                   names of the cases; runs and installs nothing

--full adds: every program with every number of ranks on every runtime, including old releases; the limits of times in bench/;
transfers of more than 2 GiB; the static analyzer of clang-tidy, and clang-tidy for src/command; all installed compilers of
Fortran; an installation on Debian 11, whose image is downloaded.

A suite is a file tests/ROOM/NAME.py with `def cases(context)`, which yields lib.results.Case objects. A suite without jobs
of MPI has `IS_SERIAL = True`: each of its cases keeps a core busy. A case that uses the result of another case names it in `after`.
The last line is exactly `N passed, N failed, N skipped`; the exit code is 1 when anything failed.
"""
from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parent)]  # for the suites, and for the generator

from lib import run_report, runtimes  # noqa: E402
from lib.context import Context  # noqa: E402
from lib.execute import run_all  # noqa: E402


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=TESTS.parent / "build" / "release",
                        help="build tree with include/mpi.h and lib/libmpi_abi.so (default: build/release)")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="cases whose name contains it (several: any of them)")
    parser.add_argument("--suite", action="append", default=[], metavar="NAME", help="suites (default: all)")
    parser.add_argument("--runtime", action="append", default=[], metavar="NAME", help="runtimes (default: all)")
    parser.add_argument("--ranks", type=int, nargs="+", metavar="N", help="numbers of ranks instead of the usual ones")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="how many to use: each has one serial case or two jobs of MPI at a time (default: all)")
    parser.add_argument("--full", action="store_true", help="all of the tests: see above")
    parser.add_argument("--no-install", action="store_true", help="do not install missing runtimes with pip; their cases are skipped")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    parser.add_argument("--slowest", type=int, default=5, metavar="N", help="how many of the slowest cases to name at the end (default: 5)")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for every case")
    return parser.parse_args()


def suite_files() -> list[Path]:
    """Returns the Python files with cases, in any folder."""
    return sorted((path for path in TESTS.glob("*/*.py") if "\ndef cases(" in path.read_text()), key=lambda path: path.stem)


def collect(context: Context, suites: list[str], only: list[str]) -> list:
    found = []
    for path in suite_files():
        if not suites or path.stem in suites:
            module = importlib.import_module(f"{path.parent.name}.{path.stem}")
            for case in module.cases(context):
                case.name = f"{path.stem}/{case.name}"
                case.is_serial = case.is_serial or getattr(module, "IS_SERIAL", False)
                found.append(case)
    return [case for case in found if not only or any(text in case.name for text in only)]


def main() -> int:
    options = parse_arguments()
    context = Context(root=TESTS.parent, build=options.build.resolve(), full=options.full, ranks=options.ranks,
                      runtimes=runtimes.find(TESTS.parent, options.runtime, not (options.no_install or options.list)))
    cases = collect(context, options.suite, options.only)
    if options.list:
        print("\n".join(case.name for case in cases))
        for runtime in context.runtimes:
            if runtime.missing:
                print(f"anympi: cases on {runtime.name} are not in the list: {runtime.missing}", file=sys.stderr)
        return 0
    if not cases:
        raise SystemExit("anympi: no test case fits the options; --list shows the names")
    outcomes = run_all(cases, options.cores, options.verbose)
    run_report.print_report(outcomes, context, options.slowest)
    return 1 if any(outcome.failed for outcome in outcomes) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nanympi: interrupted, the tests were stopped")
