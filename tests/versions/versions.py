"""Runs programs that were built for one version of an MPI on the other versions of the same family, with this machine's libraries and
the libraries of the Python package index. Programs in Fortran and C++ also run with Debian 13, if it is unpacked in build/tests. With
--full, all cells of scripts/versions are run: also on the other family, and with Debian 13.
"""
from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial

from lib import roots
from lib.context import Context
from lib.results import Case, Result, failed, passed

from .cell import RANKS, RIGHT, WRONG, Cell, fill, judge
from .cell import run as run_cell
from .installations import KNOWN, Known, NotHere, Version, find, newer_debians
from .kinds import HERE, KINDS, Kind, build, why_not_built

# their names in tests/lib/runtimes.py, if those differ
RUNTIME_OF = {"openmpi-4.1.4": "openmpi", "mpich-4.0.2": "mpich", "mpich-5.0.2": "mpich-5.0.2-vendor", "intel-2018": "impi",
              "intel-2021.1": "impi", "intel-2021.19": "impi"}

finding = threading.Lock()
found: dict[str, Version] = {}


def cases(context: Context):
    for built_for in KNOWN:
        for run_on in KNOWN:
            for kind in KINDS:
                if is_due(context, kind, built_for, run_on):
                    yield Case(f"{kind.name} for {built_for.name} on {run_on.name}", partial(run, context, kind, built_for, run_on), ranks=RANKS)

    if "mpich" in {runtime.name for runtime in context.runtimes}:
        yield Case("the judge sees a library before the one chosen", partial(check_judge, context), ranks=RANKS)


def check_judge(context: Context) -> Result:
    """Calls that go to another library are reported, although the result is right and the chosen library is in the process."""
    try:
        version = locate(context, "mpich-4.0.2")
    except NotHere as reason:
        return context.absent(reason)
    cell = Cell(replace(KINDS[0], is_by_launcher=True), version, version)  # `anympi run` refuses such a library
    program = build(context, cell.kind, version)
    first = context.compile("first_library.so", [HERE / "first_library.c"], ["-shared", "-fPIC"])
    without, behind = (judge(context, cell, run_cell(context, cell, program, preloaded)) for preloaded in ((), (first,)))
    is_seen = behind.kind == WRONG and f"it calls {first}," in behind.text
    return passed() if without.kind == RIGHT and is_seen else failed(f"without: {without.text}\nbehind: {behind.text}")


def is_due(context: Context, kind: Kind, built_for: Known, run_on: Known) -> bool:
    names = {runtime.name for runtime in context.runtimes}
    is_chosen = RUNTIME_OF.get(run_on.name, run_on.name) in names or (run_on.make is newer_debians and "mpich" in names)
    is_possible = newer_debians not in (built_for.make, run_on.make) or (kind.language != "c" and roots.is_made(context, roots.DEBIAN_13))
    is_usual = is_possible and is_of_openmpi(built_for) == is_of_openmpi(run_on)
    return is_chosen and (is_usual or context.full) and not why_not_built(kind, built_for)


def is_of_openmpi(version: Known) -> bool:
    return version.name.startswith("openmpi")


def run(context: Context, kind: Kind, built_for: Known, run_on: Known) -> Result:
    try:
        pair = [locate(context, known.name) for known in (built_for, run_on)]
    except NotHere as reason:
        return context.absent(reason)
    answer = fill(context, Cell(kind, *pair))
    return passed() if answer.kind == RIGHT else failed(f"{answer.kind} and not {RIGHT}: {answer.text}")


def locate(context: Context, name: str) -> Version:
    with finding:
        if name not in found:
            found[name] = find(context, name, context.may_install)
        return found[name]
