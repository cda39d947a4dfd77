"""The MPI programs of tests/programs, compiled with a vendor's own compiler wrapper, on the library of another vendor.

A program is compiled and linked as users do. If that release lacks functions of the program, the program is compiled
with the mpi.h of the newest release, completed with the rest of MPI 5.0, and linked with anympi's front, which has
every function.
"""
from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from lib import newer_header, wheels
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed, skipped
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS, Vendor

from programs import programs

# The ways in which a program refers to data of the library: by its own copy (PIE or not), or by address (PIC).
CODE_MODELS = {"": [], "-no-pie": ["-no-pie", "-fno-pie"], "-fPIC": ["-fPIC"]}
IN_ALL_MODELS = {"attributes", "reductions"}


def cases(context: Context):
    yield from of_vendors(context, partial(cases_on, set()))


def of_vendors(context: Context, cases_on):
    """Yields the cases of each vendor whose compiler is installed, on each runtime."""
    for vendor in VENDORS:
        if not shutil.which(vendor.wrapper):
            yield Case(f"{vendor.abi} programs", partial(not_installed, vendor.wrapper))
            continue
        for runtime in context.available:
            yield from cases_on(context, vendor, runtime)


def cases_on(building: set, context: Context, vendor: Vendor, runtime: Runtime):
    if runtime.family not in vendor.runs_on or not (runtime.usual or context.full):
        return
    for source in sorted((context.root / "tests" / "programs").glob("*.c")):
        head = programs.read_head(source)
        few = not runtime.many_ranks and not context.full  # only a short time without --full
        if not head.get("ranks") or head.get("abi") == "standard" or (few and source.stem not in programs.ON_OLDER_RUNTIMES):
            continue
        ranks = programs.usual_number(programs.possible_ranks(head))
        for model in CODE_MODELS if source.stem in IN_ALL_MODELS else [""]:
            program = f"{source.stem} for {vendor.abi} {model}".rstrip()
            if program not in building:
                building.add(program)
                yield Case(f"{program} builds", partial(check_build, context, vendor, source, CODE_MODELS[model]), is_serial=True)
            yield Case(f"{program} on {runtime.name} with {ranks}",
                       partial(run_program, context, vendor, source, CODE_MODELS[model], runtime, ranks),
                       row=f"{source.stem} {model}".strip(), column=f"{vendor.abi} on {runtime.name}", ranks=ranks)


def build(context: Context, vendor: Vendor, source: Path, flags: list[str]) -> Path:
    try:
        return context.compile(f"{name_of(vendor, source, flags)}-own", sources_of(source), options_for(source, flags), compiler=vendor.wrapper)
    except BuildError:
        return build_with_newest(context, vendor, source, flags)


def build_with_newest(context: Context, vendor: Vendor, source: Path, flags: list[str]) -> Path:
    """Builds with all of MPI 5.0, whatever the release of the vendor's compiler has."""
    header, vendors = newest_header(context, vendor), newest_include(context, vendor)
    front = front_folder(context, vendor) / vendor.soname
    return context.compile(name_of(vendor, source, flags), [*sources_of(source), header],
                           [*options_for(source, flags), f"-I{header.parent}", f"-I{vendors}", str(front), "-lm", "-lpthread"])


def name_of(vendor: Vendor, source: Path, flags: list[str]) -> str:
    return "-".join([source.stem, vendor.abi, *flags])


def sources_of(source: Path) -> list[Path]:
    return [source, *sorted(source.parent.glob("*.h"))]


def options_for(source: Path, flags: list[str]) -> list[str]:
    return [*programs.read_head(source).get("flags", "").split(), *flags, "-Werror=implicit-function-declaration", "-std=gnu99", "-O0"]


def newest_include(context: Context, vendor: Vendor) -> Path:
    return wheels.prefix_of(context.root, vendor.newest) / "include"


def newest_header(context: Context, vendor: Vendor) -> Path:
    """Returns the newest mpi.h of the vendor, completed with the rest of MPI 5.0."""
    return newer_header.write(newest_include(context, vendor) / "mpi.h", context.build / "include" / "mpi.h",
                              context.build / "generated" / f"{vendor.abi}_values.hpp", context.work / "include" / vendor.abi / "mpi.h")


def front_folder(context: Context, vendor: Vendor) -> Path:
    return context.build / "lib" / "anympi" / vendor.abi


def run_program(context: Context, vendor: Vendor, source: Path, flags: list[str], runtime: Runtime, ranks: int) -> Result:
    try:
        program = build(context, vendor, source, flags)
    except BuildError as error:
        return explain(context, vendor, error)
    done = programs.run_with_patience(context, programs.read_head(source), runtime, ranks, program,
                                      environment={"LD_LIBRARY_PATH": str(front_folder(context, vendor))})
    if "libmpi" in done.output and "cannot open shared object" in done.output:
        return failed(done.describe())
    return programs.judge(done, runtime, vendor.abi)


def check_build(context: Context, vendor: Vendor, source: Path, flags: list[str]) -> Result:
    try:
        build(context, vendor, source, flags)
    except BuildError as error:
        return explain(context, vendor, error)
    return passed()


def explain(context: Context, vendor: Vendor, error: BuildError) -> Result:
    why = f"does not compile for {vendor.abi}: {first_error(str(error))}"
    return failed(why) if wheels.prefix_of(context.root, vendor.newest).exists() else skipped(why)


def first_error(message: str) -> str:
    return next((line.strip() for line in message.splitlines() if "error" in line), message.splitlines()[-1])[:160]
