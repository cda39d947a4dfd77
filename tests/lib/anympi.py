"""Shared by the suites about the `anympi` command and its installation."""
from __future__ import annotations

import os
import re
from functools import partial, wraps
from pathlib import Path

from . import process
from .checks import expect
from .context import Context
from .results import Case, failed
from .runtimes import Runtime

NAMES = ("mpich", "openmpi")  # runtimes that keep their name on a machine with both
SECONDS = 120
WIDE = "1000"  # for COLUMNS, so that each text is on one line
# The names by which the libraries of each product call themselves.
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI", "intel": "Intel"}


def needs_built(program: str):
    """Guards the cases of a suite that runs a program of the build tree. If the program does not exist, one case fails
    for all.
    """
    def decorate(cases):
        @wraps(cases)
        def cases_or_failure(context: Context, *arguments):
            if os.access(context.build / "bin" / program, os.X_OK):
                yield from cases(context, *arguments)
            else:
                yield Case(program, partial(failed, f"no bin/{program} in {context.build}: build the tree first"))
        return cases_or_failure
    return decorate


def anympi(context: Context, *words, environment: dict[str, str] | None = None, bin_folder: Path | None = None):
    """Runs the command. An empty ANYMPI_MPI counts as unset, whatever the caller's environment has."""
    command = (bin_folder or context.build / "bin") / "anympi"
    return process.run([command, *words], SECONDS, {"ANYMPI_MPI": "", "COLUMNS": WIDE, **(environment or {})})


def wrapper(context: Context, name: str, *words, environment: dict[str, str] | None = None, expected: int = 0):
    done = process.run([context.build / "bin" / name, *words], SECONDS, environment)
    expect(done.code == expected, done)
    return done.output.rstrip("\n")


def report_program(context: Context) -> Path:
    sources = [context.root / "tests" / "command" / "report.c", context.build / "include" / "mpi.h"]
    return context.compile("report", sources, context.program_flags())


def run_words(runtime: Runtime, mpi: object, ranks: int) -> list:
    return ["run", "--mpi", mpi, "-n", ranks, *runtime.launcher[1:]]


def expect_report(done: process.Completed, runtime: Runtime, ranks: int = 2) -> None:
    title = TITLES[runtime.product]
    expect(done.code == 0 and f"size={ranks}\n" in done.output, done)
    expect(re.search(rf"^library={title}", done.output, re.MULTILINE), done)


C_PROGRAM = """#include <mpi.h>
int main(void) { int flag = 1; MPI_Initialized(&flag); return flag; }
"""
CXX_PROGRAM = """#include <mpi.h>
#include <vector>
int main() { std::vector<int> flag(1, 1); MPI_Initialized(flag.data()); return flag[0]; }
"""


def sources(folder: Path) -> tuple[Path, Path]:
    """Writes small programs in C and C++ that need no MPI to run."""
    c_source, cxx_source = folder / "program.c", folder / "program.cpp"
    c_source.write_text(C_PROGRAM)
    cxx_source.write_text(CXX_PROGRAM)
    return c_source, cxx_source
