"""The MPI programs of tests/programs, built with all of MPI 5.0 for a vendor's ABI, run with `anympi run` on libraries
of that vendor's own family. The front after the library supplies the functions that the library lacks."""
from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS, Vendor

from programs import programs

from . import vendor_programs

# Programs that run without --full: each kind of missing function, and functions of the interposers.
USUAL = {"coll_blocking_c", "coll_persistent", "large_count", "partitioned", "requests_mixed", "requests_threads", "sessions", "sessions_world", "toint"}

# Programs that test properties in which a library differs from the standard, or from newer versions. The library's own
# functions stay in use.
OF_LIBRARY = {
    "openmpi": {"alltoallw", "attributes", "bad_arguments", "before_init", "comms", "errhandlers", "many", "rma_shared", "signals_fork", "thread_levels"},
    "mpich": {"attributes", "before_init", "boundary_persistent_c", "coll_persistent", "coll_persistent_c", "comms", "datatypes", "error_codes",
              "predefined_attributes", "pt2pt_modes", "requests_mixed", "rma_shared", "signals_fork", "statuses"},
}

# Programs that find known limits of supplements: docs/roadmap.md ("Supplements") lists each.
OPEN = {"openmpi": {"buffers", "handlers_inside", "leaving"}, "mpich": set()}


def cases(context: Context):
    for vendor in VENDORS:
        for runtime in context.available:
            if runtime.family == vendor.abi:
                yield from cases_on(context, vendor, runtime)


def cases_on(context: Context, vendor: Vendor, runtime: Runtime):
    for source in sorted((context.root / "tests" / "programs").glob("*.c")):
        head = programs.read_head(source)
        if not head.get("ranks") or head.get("abi") == "standard" or not (source.stem in USUAL or context.full):
            continue
        if source.stem in OF_LIBRARY[vendor.abi] | OPEN[vendor.abi]:
            continue
        ranks = programs.usual_number(programs.possible_ranks(head))
        yield Case(f"{source.stem} for {vendor.abi} on {runtime.name} with {ranks}", partial(run_program, context, vendor, source, runtime, ranks),
                   row=source.stem, column=f"{vendor.abi} on {runtime.name}", ranks=ranks)


def run_program(context: Context, vendor: Vendor, source: Path, runtime: Runtime, ranks: int) -> Result:
    try:
        program = vendor_programs.build_with_newest(context, vendor, source, [])
    except BuildError as error:
        return vendor_programs.explain(context, vendor, error)
    by_command = replace(runtime, launcher=[context.build / "bin" / "anympi", "run", "--mpi", runtime.library, *runtime.launcher[1:]])
    done = programs.run_with_patience(context, programs.read_head(source), by_command, ranks, program)
    return programs.judge(done, runtime, vendor.abi)
