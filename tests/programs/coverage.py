"""Checks in symbol tables that at least one program of tests/programs calls each function of the API."""
from __future__ import annotations

import subprocess
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed
from programs import programs


# Functions that no program can call with a useful effect.
LEFT_OUT = {
    "no available MPI has events": {
        f"MPI_T_event_{name}" for name in
        ("callback_get_info", "callback_set_info", "copy", "get_source", "get_timestamp", "handle_free",
         "handle_get_info", "handle_set_info", "read", "register_callback", "set_dropped_handler")},
    "ends the job: in programs/ending.py": {"MPI_Abort"},
}


def cases(context: Context):
    yield Case("functions without a test", lambda: check(context))


def check(context: Context) -> Result:
    from generator.core import model

    # The converters of Fortran are inline functions of mpi.h; c2f.c calls them all.
    api = {f"MPI_{function.name}" for function in model.read(context.root / "api").functions if not function.converter}
    called: set[str] = set()
    for source in sorted((context.root / "tests" / "programs").glob("*.c")):
        head = programs.read_head(source)
        if "ranks" in head:
            try:
                called |= called_functions(programs.build_program(context, source, head))
            except BuildError as error:
                return failed(str(error))
    left_out = set().union(*LEFT_OUT.values())
    missing = sorted(api - called - left_out)
    if missing:
        return failed(f"{len(missing)} functions are called by no program:\n" + "\n".join(missing))
    needless = sorted(left_out & called | left_out - api)
    return failed(f"LEFT_OUT need not name {', '.join(needless)}") if needless else passed()


def called_functions(program: Path) -> set[str]:
    listing = subprocess.run(["nm", "--dynamic", "--undefined-only", program], capture_output=True, text=True,
                             check=True).stdout
    return {word[1:] if word.startswith("PMPI_") else word for word in listing.split() if "MPI_" in word}
