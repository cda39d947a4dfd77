"""Runs MPICH's own test suite through anympi, and compares the results with the same MPI library without anympi.

    scripts/conformance                                      both pairs, all folders
    scripts/conformance --pair standard:mpich --dir attr,coll,f08
    scripts/conformance --only "coll/allred 4" --repeat 10   counts how often a test passes; stores nothing
    scripts/conformance --leaks --dir attr,errhan            does the front lose memory?
    scripts/conformance --pair standard:/opt/mpi --library /opt/mpi/lib/libmpi_abi.so.1
                                                             another implementation of the standard ABI

The suite is downloaded as Debian's source package of MPICH and built in build/conformance. Results are kept there: a second
run continues, --fresh starts again. The exit code is 1 if a test that passes natively fails through anympi, or if a test passes
that is listed as an expected difference (tests/conformance/*.txt).
"""
from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from lib import process
from lib.execute import run_all
from lib.results import Case

from . import running, shared_memory, table, testlists
from .session import HERE, Comparison, Session

ROOT = HERE.parents[1]


def words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pair", type=words, default=["standard:mpich", "standard:openmpi"], metavar="APP:RUNTIME,...",
                        help="ABI of the programs, and a runtime: its name as in tests/run.py, or the folder of an "
                             "installed MPI (default: standard:mpich,standard:openmpi)")
    parser.add_argument("--dir", type=words, default=testlists.FOLDERS, metavar="FOLDER,...",
                        help="folders of the suite, also f77, f90, f08, errors, threads (default: all)")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="tests whose name contains it")
    parser.add_argument("--full", action="store_true",
                        help="also the suite's lists of data types (testlist.dtp) and Open MPI's other plug-ins")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2), metavar="N",
                        help="tests, and compilers, at the same time (default: half of the cores)")
    parser.add_argument("--ranks", type=int, default=4, metavar="N", help="the largest number of ranks (default: 4)")
    parser.add_argument("--seconds", type=int, default=180, metavar="N",
                        help="the limit for a test (default: 180); a test that took too long under a smaller limit runs again")
    parser.add_argument("--library", type=Path, metavar="FILE", help="a libmpi_abi.so.1 to test instead of anympi's")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release",
                        help="build tree with bin/mpicc, bin/mpifort and lib/libmpi_abi.so.1 (default: build/release)")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "conformance",
                        help="the folder for source, programs and results (default: build/conformance)")
    parser.add_argument("--source", type=Path, metavar="DIR", help="source tree of MPICH instead of fetching it")
    parser.add_argument("--repeat", type=int, metavar="N", help="run each test N times on both sides and count; stores nothing")
    parser.add_argument("--fresh", action="store_true", help="forget the results of the chosen tests")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the outcome of each test to a file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables into a document like docs/evidence/conformance.md")
    parser.add_argument("--leaks", action="store_true",
                        help="look for lost memory instead, with LeakSanitizer, on both sides; stores nothing")
    parser.add_argument("--list", action="store_true", help="print the tests and stop")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for every test")
    options = parser.parse_args()
    unknown = [name for name in options.dir if not folders_in(name)]
    if unknown:
        parser.error(f"no folder of the suite is called {', '.join(unknown)}; there are: {', '.join(testlists.FOLDERS)}")
    options.dir = [folder for name in options.dir for folder in folders_in(name)]
    return options


def folders_in(name: str) -> list[str]:
    """Returns the suite's folders with tests: the folder `name` itself and all folders below it."""
    return [folder for folder in testlists.FOLDERS if folder == name or folder.startswith(f"{name}/")]


def outcomes(comparisons: list[Comparison]) -> dict[str, dict[str, dict[str, str]]]:
    """Returns the outcome of every test, by pair and folder. Each language of a pair has its own comparison."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for comparison in comparisons:
        found.setdefault(comparison.pair.name, {}).update(comparison.outcomes())
    return found


def tables(found: dict[str, dict[str, dict[str, str]]]) -> str:
    text = ""
    for pair, folders in found.items():
        text += f"\n### {pair}\n\n{table.format_table({name: list(tests.values()) for name, tests in folders.items()})}\n"
    return text


def main() -> int:
    options = parse_arguments()
    comparisons = Session(options).comparisons()
    cases = [case for comparison in comparisons for case in comparison.cases()]
    if not cases:
        raise SystemExit("anympi: no test of the suite fits the options; --list without --only shows the names")
    if options.list:
        print("\n".join(case.name for case in cases))
        return 0
    before = shared_memory.names()
    try:
        if options.repeat:
            return repeat(comparisons, options.repeat)
        return find_leaks(comparisons, options) if options.leaks else compare(comparisons, cases, options)
    finally:
        shared_memory.remove_new(before)


def repeat(comparisons: list[Comparison], times: int) -> int:
    for comparison in comparisons:
        for test in comparison.tests:
            print(comparison.repeat(test, times), flush=True)
    return 0


def find_leaks(comparisons: list[Comparison], options: argparse.Namespace) -> int:
    cases = [case for comparison in comparisons for case in comparison.leak_cases()]
    kinds = Counter(outcome.result.kind for outcome in run_all(cases, options.jobs, options.verbose))
    print(f"{kinds['passed']} tests lose nothing, {kinds['failed']} do, {kinds['skipped']} do not pass natively")
    return 1 if kinds["failed"] else 0


def compare(comparisons: list[Comparison], cases: list[Case], options: argparse.Namespace) -> int:
    ran = run_all(cases, options.jobs, options.verbose)
    found = outcomes(comparisons)
    print(tables(found), end="")
    if options.markdown:
        table.insert(options.markdown, tables(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 1 if any(outcome.failed for outcome in ran) else 0


def interrupt(number: int, frame: object) -> None:
    running.interrupted.set()
    signal.default_int_handler(number, frame)


if __name__ == "__main__":
    # A test runs in its own session, so signals for this command do not reach it. If a signal or a time limit ends this
    # command, the command must end the test itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        process.stop_all()
        sys.exit("\nanympi: interrupted; the next run continues")
