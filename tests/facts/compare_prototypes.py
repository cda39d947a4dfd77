"""Compares prototypes: anympi's mpi.h with another header of the standard ABI, and the front's calls with a vendor's header."""
from __future__ import annotations

import os
import re
import shlex

from lib import process
from lib.context import Context

from .library_header import Header

# The tools handles of MPICH's mpi_abi.h point to structs with other names. No binary contains these names.
SAME_STRUCTS = [f"-DMPI_T_{name}_t=MPI_ABI_T_{name}" for name in
                ("enum", "cvar_handle", "pvar_handle", "pvar_session", "event_registration", "event_instance")]


def conflicts(context: Context, ours: Header, theirs: Header) -> set[str]:
    """Returns the names that the two headers declare differently: the compiler reads their header, then anympi's
    declarations.

    Each line has one declaration, so that the line of a message tells the name.
    """
    declared = {**ours.types, **ours.functions}
    known = {**theirs.types, **theirs.functions}
    names = [name for name in declared if name in known]
    source = context.work / "facts" / "conflicts.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("".join(f"{declared[name]}\n" for name in names))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    limit = ["-ferror-limit=0"] if "clang" in process.run([*compiler, "--version"], 20).output else []
    done = process.run([*compiler, "-std=c11", "-fsyntax-only", *limit, *theirs.flags, *SAME_STRUCTS, "-include", theirs.file,
                        source], 120, {"LC_ALL": "C"})
    found = {names[int(line) - 1] for line in re.findall(r"conflicts\.c:(\d+):\d+: error:", done.output)}
    if done.code != 0 and not found:
        raise RuntimeError(done.describe())
    return found


def only_one_has(ours: Header, theirs: Header) -> tuple[set[str], set[str]]:
    """Returns the functions and types that only anympi's header has, and those that only the other header has."""
    here, there = ({*header.types, *header.functions} for header in (ours, theirs))
    return here - there, there - here


def called_functions(api, homes, header: Header) -> list[str]:
    """Returns the functions that a header declares and that the front may call. The front converts statuses itself."""
    return [f.name for f in api.functions if f"MPI_{f.name}" in header.functions and homes[f.name].file != "status_access.hpp"]
