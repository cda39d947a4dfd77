"""Out of memory: in every call of the test programs, each of the first allocations that anympi makes fails once.

A preloaded tool (tests/fronts/tools/scarce_memory.h) does it, for programs of every ABI. The call must report
MPI_ERR_NO_MEM, or succeed, and must be possible again: the program's own checks show whether anything was lost.
"""
from __future__ import annotations

import re
import threading
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS, Vendor
from fronts import vendor_programs
from programs import programs

_FUNCTION = re.compile(r"^(?:ANYMPI_DEPRECATED\(.*?\) )?int (MPI_\w+)\((.*)\);$")

# Programs whose own error handlers see each of the additional errors, that end early, or that make millions of calls.
LEFT_OUT = {"errhandlers", "handlers_inside", "ending", "churn", "many"}

# Programs that run without --full. On the library that lacks most functions: programs that together reach every
# allocation of anympi. On other libraries: programs with arrays, callbacks and remembered objects.
USUAL = {"alltoallw", "attributes", "before_init", "boundary_blocking_c", "boundary_messages_c", "boundary_nonblocking_c",
         "boundary_persistent_c", "buffers", "coll_persistent", "hints", "info", "io_files", "large_types", "long_arrays", "partitioned",
         "requests_arrays", "requests_mixed", "user_ops"}
FEW = {"alltoallw", "attributes", "long_arrays", "requests_arrays", "user_ops"}

# Functions that are called once, without failures: they begin and end MPI, with fatal errors (the tool defines most of
# these itself); they have no fixed arguments; or the tool itself uses them. Functions whose result is not an error code
# cannot report an error: MPI_Wtime, MPI_Aint_add, X_c2f …
NOT_REPEATED = {"MPI_Init", "MPI_Init_thread", "MPI_Session_init", "MPI_Finalize", "MPI_Abort", "MPI_Pcontrol"}


def write_calls(header: Path, result: Path) -> Path:
    """Writes the tool's functions, with as many parameters as the prototypes in anympi's mpi.h have."""
    lines = ['#include "scarce_memory.h"']
    for line in header.read_text().splitlines():
        found = _FUNCTION.match(line)
        if found and found[1] not in NOT_REPEATED:
            arguments = [f"a{i}" for i in range(0 if found[2] == "void" else 1 + found[2].count(","))]
            parameters = ", ".join(f"long {name}" for name in arguments) or "void"
            lines.append(f"SCARCE({found[1]}, ({parameters}), ({', '.join(arguments)}))")
    result.parent.mkdir(parents=True, exist_ok=True)
    # another case may be compiling it at the same time
    new = result.with_name(f"{result.name}.{threading.get_ident()}")
    new.write_text("\n".join(lines) + "\n")
    new.replace(result)
    return result


def build_tool(context: Context, vendor: Vendor | None) -> Path:
    """Builds the tool for programs of the standard ABI, or of a vendor's ABI."""
    abi = vendor.abi if vendor else "standard"
    tools = context.root / "tests" / "fronts" / "tools"
    header = context.build / "include" / "mpi.h"
    calls = write_calls(header, context.work / "include" / "scarce_memory_calls.c")
    flags = ["-shared", "-fPIC", "-O1", "-g", "-ftls-model=initial-exec", "-Wno-deprecated-declarations", f"-I{tools}"]
    if vendor:
        header = vendor_programs.newest_header(context, vendor)
        flags += [f"-I{vendor_programs.newest_include(context, vendor)}"]
    sources = [calls, tools / "scarce_memory.c", tools / "scarce_memory.h", header]
    return context.compile(f"scarce_memory-{abi}.so", sources, [*flags, f"-I{header.parent}", "-Wl,-z,lazy", "-ldl"])


def run_standard(context: Context, source: Path, runtime: Runtime, ranks: int) -> Result:
    try:
        program = programs.build_program(context, source, programs.read_head(source))
        tool = build_tool(context, None)
    except BuildError as error:
        return failed(str(error))
    return run(context, source, runtime, ranks, program, tool, "standard", {})


def run_vendor(context: Context, vendor: Vendor, source: Path, runtime: Runtime, ranks: int) -> Result:
    try:
        program = vendor_programs.build(context, vendor, source, [])
        tool = build_tool(context, vendor)
    except BuildError as error:
        return vendor_programs.explain(context, vendor, error)
    return run(context, source, runtime, ranks, program, tool, vendor.abi,
               {"LD_LIBRARY_PATH": str(vendor_programs.front_folder(context, vendor))})


def run(context: Context, source: Path, runtime: Runtime, ranks: int, program: Path, tool: Path, abi: str,
        environment: dict[str, str]) -> Result:
    preloaded = [str(tool)] + ([str(context.yield_shim())] if runtime.spins and ranks > 1 else [])
    # Only for the program, because a launcher has no MPI functions that the tool could call.
    arguments = [f"LD_PRELOAD={' '.join(preloaded)}", str(program)]
    done = programs.run_with_patience(context, programs.read_head(source), runtime, ranks, Path("/usr/bin/env"), arguments=arguments,
                                      environment=environment)
    return programs.judge(done, runtime, abi)


def cases(context: Context):
    for source in sorted((context.root / "tests" / "programs").glob("*.c")):
        head = programs.read_head(source)
        if not head.get("ranks") or source.stem in LEFT_OUT:
            continue
        for runtime in context.available:
            if runtime.family != "standard":  # anympi is not between program and library there
                yield from on_runtime(context, source, runtime, "", partial(run_standard, context, source, runtime))
            for vendor in VENDORS:
                if runtime.family in vendor.runs_on and head.get("abi") != "standard":
                    yield from on_runtime(context, source, runtime, vendor.abi, partial(run_vendor, context, vendor, source, runtime))


def on_runtime(context: Context, source: Path, runtime: Runtime, abi: str, check):
    possible = programs.possible_ranks(programs.read_head(source))
    usual = USUAL if runtime.name == "openmpi" and not abi else FEW if runtime.many_ranks or runtime.family == "standard" else set()
    if not context.full and source.stem not in usual:
        return
    for ranks in programs.wanted_ranks(context, possible, possible[:1]):
        program = f"{source.stem} for {abi}" if abi else source.stem
        yield Case(f"{program} on {runtime.name} with {ranks}", partial(check, ranks), row=f"{source.stem} (scarce memory)",
                   column=f"{abi} on {runtime.name}" if abi else runtime.name, ranks=ranks)
