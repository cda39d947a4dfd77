"""The Fortran programs of tests/fortran, compiled with a vendor's own compiler wrapper, on the library of another
vendor.

Parts that the vendor's release does not support are removed from a program: whole subroutines, with their calls.
"""
from __future__ import annotations

import re
import shlex
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS, Vendor

from programs import programs
from fortran.fortran import read_head
from fronts.vendor_programs import front_folder

USUAL_RUNTIMES = ("mpich", "openmpi")
# The vendors' flags include an optimization that relies on INTENT(OUT), with which these programs do not comply.
FLAGS = ["-O0", "-g", "-w", "-fallow-argument-mismatch"]
WITHOUT = {("arguments", "mpich"): ["names", "places"],
           ("arguments", "openmpi"): ["duplicates", "exchanges_of_types", "names", "places"],
           ("fixed_form", "mpich"): ["times"],
           ("module_mpi", "mpich"): ["handles_of_c", "kinds", "statuses"],
           ("module_mpi", "openmpi"): ["handles_of_c", "sentinels", "statuses"],
           ("module_f08", "mpich"): ["files", "handles", "sessions", "texts", "versions", "wide_reduction"],
           ("module_f08", "openmpi"): ["handles", "large_counts", "large_types", "partitioned", "persistent", "sessions", "texts", "versions", "wide_reduction"]}
# Open MPI 4.1 has no large counts, and declares functions that it does not have.
INSTEAD = {("module_f08", "openmpi"): {"long = MPI_COUNT_KIND": "long = MPI_INTEGER_KIND",
                                       "call check_equal_long(count, 3_8": "call check_equal(count, 3",
                                       "check_true(MPI_SUBARRAYS_SUPPORTED .and.": "check_true(.not. MPI_SUBARRAYS_SUPPORTED .or.",
                                       "call MPI_Status_f082f(status, old)": "old(MPI_SOURCE) = status%MPI_SOURCE",
                                       "call MPI_Status_f2f08(old, status)": "status%MPI_SOURCE = old(MPI_SOURCE)"}}
# Open MPI's mpi_f08 supports no sections. Both releases lack callbacks with large counts, and the names for tools that
# `profiling` replaces.
NOT_FOR = {("sections", "openmpi"), *((name, abi) for name in ("callbacks_large", "profiling") for abi in ("openmpi", "mpich"))}
# Programs of tests/vendor that print "ok", with the flags that they need.
SMALL = [("INTEGERs of 8 bytes", "wide_integers.f90", "-fdefault-integer-8"), ("MPI_LB and MPI_UB", "bounds.f")]
# LU factorization of two sizes, with blocks of two sizes, on two grids of processes.
LU_DATA = """'LU factorization'
'any MPI'
'LU.out'     output file
6            device
2            problem sizes
4 17         M
4 13         N
2            sizes of blocks
2 3          NB
1            right hand sides
3            NRHS
1            blocks of them
3            NBRHS
2            grids
1 2          P
2 1          Q
1.0          threshold
T            condition
"""


def cases(context: Context):
    for vendor in VENDORS:
        compiler = vendor.fortran_wrapper
        if not shutil.which(compiler):
            yield Case(f"{vendor.abi} programs", partial(not_installed, compiler))
            continue
        for runtime in context.available:
            if runtime.family in vendor.runs_on and (runtime.name in USUAL_RUNTIMES or context.full):
                yield from cases_on(context, vendor, compiler, runtime)
            if runtime.name in USUAL_RUNTIMES:
                yield Case(f"adopted, for {vendor.abi} on {runtime.name}", partial(run_adopted, context, vendor, compiler, runtime))


def cases_on(context: Context, vendor: Vendor, compiler: str, runtime: Runtime):
    for source in sorted((context.root / "tests" / "fortran").glob("*.f*")):
        head = read_head(source)
        if "ranks" in head and (source.stem, vendor.abi) not in NOT_FOR:
            yield Case(f"{source.stem} for {vendor.abi} on {runtime.name}",
                       partial(run_program, context, vendor, compiler, source, head, runtime),
                       row=f"{source.stem} (Fortran)", column=f"{vendor.abi} on {runtime.name}")
    for what, name, *flags in SMALL:
        yield Case(f"{what} for {vendor.abi} on {runtime.name}", partial(run_small, context, vendor, compiler, runtime, name, *flags))
    yield Case(f"ScaLAPACK for {vendor.abi} on {runtime.name}", partial(run_scalapack, context, vendor, runtime))


def without(text: str, names: list[str]) -> str:
    """Returns a program without some of its subroutines. They end with `END` in fixed form, and with `end subroutine`
    in free form.
    """
    for name in names:
        text = re.sub(rf"^ *subroutine {name}\b.*?^ *end( subroutine\b[^\n]*)?$", "", text, flags=re.M | re.S | re.I)
        text = re.sub(rf"^ *call {name}\b.*$", "", text, flags=re.M | re.I)
    return text


def text_for(source: Path, abi: str) -> str:
    text = without(source.read_text(), WITHOUT.get((source.stem, abi), []))
    for ours, theirs in INSTEAD.get((source.stem, abi), {}).items():
        text = text.replace(ours, theirs)
    return text


def build(context: Context, vendor: Vendor, compiler: str, source: Path, head: dict[str, str]) -> Path:
    folder = context.work / "vendor_fortran" / vendor.abi / source.stem  # programs have modules of the same name
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / source.name
    text = text_for(source, vendor.abi)
    with context.lock_of(program):
        if not program.exists() or program.read_text() != text:
            program.write_text(text)
    headers = sorted((context.root / "tests" / "programs").glob("*.h"))
    halves = [context.compile(f"{name}-{vendor.abi}-half", [source.parent / name, *headers],
                              ["-std=gnu99", "-O1", "-g", "-w", "-c", f"-I{headers[0].parent}"], compiler=vendor.wrapper)
              for name in head.get("with", "").split()]
    return context.compile(f"{source.stem}-{vendor.abi}-fortran", [program, *halves], [*FLAGS, f"-J{folder}"], compiler=compiler)


def run_program(context: Context, vendor: Vendor, compiler: str, source: Path, head: dict[str, str], runtime: Runtime) -> Result:
    try:
        program = build(context, vendor, compiler, source, head)
    except BuildError as error:
        return failed(str(error))
    ranks = max(programs.possible_ranks(head))
    done = context.run_mpi(runtime, ranks, program, environment={"LD_LIBRARY_PATH": str(front_folder(context, vendor))},
                           seconds=int(head.get("seconds", "120")))
    return programs.judge(done, runtime, vendor.abi)


def build_small(context: Context, vendor: Vendor, compiler: str, name: str, *flags: str) -> Path:
    source = context.root / "tests" / "fronts" / "vendor" / name
    return context.compile("-".join([source.stem, vendor.abi, *flags]), [source], [*FLAGS, *flags], compiler=compiler)


def run_adopted(context: Context, vendor: Vendor, compiler: str, runtime: Runtime) -> Result:
    """Runs a program that names only a Fortran library, on both families. On its own family it gets the real C library."""
    if not shutil.which("patchelf"):
        return not_installed("patchelf")
    try:
        program = build_small(context, vendor, compiler, "wide_integers.f90")
    except BuildError as error:
        return failed(str(error))
    copy = context.work / f"adopted-{vendor.abi}-{runtime.name}"
    adopted = process.run([context.build / "bin" / "anympi", "adopt", program, "-o", copy], 60)
    if adopted.code != 0:
        return failed(adopted.describe())
    done = context.run_mpi(runtime, 2, copy)
    return passed() if done.code == 0 and done.output.split() == ["ok"] else failed(done.describe())


def run_small(context: Context, vendor: Vendor, compiler: str, runtime: Runtime, name: str, *flags: str) -> Result:
    try:
        program = build_small(context, vendor, compiler, name, *flags)
    except BuildError as error:
        return failed(str(error))
    done = context.run_mpi(runtime, 2, program, environment={"LD_LIBRARY_PATH": str(front_folder(context, vendor))})
    return passed() if done.code == 0 and done.output.split() == ["ok"] else failed(done.describe())


def run_scalapack(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    """Runs Debian's tests of a library in Fortran and C: a shared library of the program uses MPI."""
    program = next(Path("/usr/lib").glob(f"*/scalapack/{vendor.abi}-tests/xdlu"), None)
    if program is None:
        return not_installed("Debian's scalapack-mpi-test")
    folder = context.work / "scalapack"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "LU.dat").write_text(LU_DATA)
    start = folder / f"start-{vendor.abi}.sh"
    start.write_text(f"#!/bin/sh\ncd {shlex.quote(str(folder))} && exec {program}\n")
    start.chmod(0o755)
    done = context.run_mpi(runtime, 2, start, environment={"LD_LIBRARY_PATH": str(front_folder(context, vendor))}, seconds=100)
    right = done.code == 0 and re.search(r"\b8 tests completed and passed", done.output)
    return passed() if right else failed(done.describe())
