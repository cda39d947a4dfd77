"""Compares the values and layouts of src/abi/X.hpp with a real header: writes the file that values.cpp includes, builds
and runs it.
"""
from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from lib import process
from lib.context import BuildError, Context

from .library_header import Header

# Categories without a conversion: the ABIs have no members for them.
ONLY_IN_HEADERS = {"version", "fortran_status", "callback"}
# Values that have no function of their own: the front expects that a library with this function knows them.
CAME_WITH = {"MPI_COMM_TYPE_HW_GUIDED": "MPI_Session_init", "MPI_COMM_TYPE_HW_UNGUIDED": "MPI_Session_init",
             "MPI_COMM_TYPE_RESOURCE_GUIDED": "MPI_Buffer_flush", "MPI_BUFFER_AUTOMATIC": "MPI_Buffer_flush"}
CLASSES = ["ERR_PROC_FAILED", "ERR_PROC_FAILED_PENDING", "ERR_REVOKED"]  # MPI_ or MPIX_, if the release has them
CLASSES = ["Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win"]


def members(context: Context, abi: str) -> set[str]:
    return set(re.findall(r"\b(mpi_\w+) =", (context.build / "generated" / f"{abi}_values.hpp").read_text()))


def facts_of_vendors(api, abi: str, header: Header) -> list[str]:
    """Returns the constants that the standard ABI does not have."""
    lines = []
    for constant in api.vendor_constants:
        name = constant.name
        if constant.category == "removed_combiner":
            renamed = f"OMPI_WAS_{name}" in header.text  # Open MPI keeps the number and hides the name
            lines.append(f"CONSTANT({'OMPI_WAS_' * renamed}{name}, {constant.member})")
        elif constant.category == "error_class":  # for fault tolerance, if the release has them
            lines += [f"CONSTANT({found}, {constant.member})" for found in (name, name.replace("MPI_", "MPIX_")) if found in header.names]
        elif constant.number(abi) is not None:  # a datatype of MPI-1
            lines.append(f"CONSTANT({name}, {constant.member})")
    return lines


def facts(context: Context, api, abi: str, header: Header) -> list[str]:
    """Returns the lines of facts.inc."""
    names = header.names
    lines = [f"HANDLE({name}, {name.lower()})" for name in CLASSES if f"MPI_{name}" in names]
    for constant in api.constants:
        if abi == "standard" and constant.name in names:
            lines.append(f"VALUE({constant.name}, {constant.value})")
        if constant.category not in ONLY_IN_HEADERS:
            macro = "CONSTANT" if constant.name in names else "LACKS"
            lines.append(f"{macro}({constant.name}, {constant.member})")
    if abi == "standard":
        return lines
    lines += facts_of_vendors(api, abi, header)
    lines += [f"CAME_WITH({name}, {function}, {int(name in names)})" for name, function in CAME_WITH.items()]
    for place, name in enumerate(("COMM", "TYPE", "WIN")):
        lines += [f"FUNCTION(MPI_{name}_NULL_COPY_FN, null_copy, {place})", f"FUNCTION(MPI_{name}_DUP_FN, dup, {place})",
                  f"FUNCTION(MPI_{name}_NULL_DELETE_FN, null_delete, {place})"]
    return lines


def compile_and_run(context: Context, program: str, header: Header, abi: str, generated: dict[str, str],
                    library: Path | None, environment: dict[str, str]) -> str:
    """Builds tests/facts/PROGRAM.cpp with a header and its library, and returns the program's output."""
    folder = context.work / "facts" / re.sub(r"\W+", "-", header.title)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in generated.items():
        (folder / name).write_text(text)
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    # A C header is compiled as C++ here: its own casts and missing overloads are not mistakes of anympi.
    command = [*compiler, "-std=c++20", "-w", context.root / "tests" / "facts" / f"{program}.cpp", f"-I{folder}",
               f"-I{context.root / 'src'}", f"-I{context.build / 'generated'}", *header.flags,
               f'-DMPI_HEADER="{header.file}"', f'-DABI_HEADER="abi/{abi}.hpp"', f"-DABI={abi}", "-o", folder / program, "-ldl"]
    if library:
        command += [library, f"-Wl,-rpath,{library.parent}", "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined"]
    built = process.run(command, 120)
    if built.code != 0:
        raise BuildError(built.describe())
    done = process.run([folder / program], 60, environment)
    if done.code != 0:
        raise BuildError(done.describe())
    return done.output
