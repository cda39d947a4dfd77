"""How the front gets into a process and which objects it adds: dlopen, extension modules, programs without MPI
calls."""
from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import with_programs
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime
from lib.vendor_table import VENDOR_OF

RANKS = 2


def cases(context: Context):
    yield Case("a program that does not call MPI", partial(with_programs, without_mpi, context))
    yield Case("the static and the shared front together", partial(with_programs, two_fronts, context))
    for runtime in context.available:
        if runtime.usual or context.full:
            yield Case(f"front opened locally on {runtime.name}", partial(with_programs, open_front, context, runtime))
            yield Case(f"extensions opened locally on {runtime.name}", partial(with_programs, open_modules, context, runtime))
        if runtime.name in VENDOR_OF:
            yield Case(f"objects of a program on {runtime.name}", partial(with_programs, compare_objects, context, runtime))


def tool(context: Context, name: str, flags: list[str]) -> Path:
    return context.compile(name, [context.root / "tests" / "fronts" / "tools" / f"{name.split('.')[0]}.c"], flags)


def extension(context: Context, number: int) -> Path:
    """Two files from the same source, because the loader would open one file only once."""
    flags = ["-shared", "-fPIC", f"-DNUMBER={number}", *context.program_flags()]
    return context.compile(f"extension{number}.so", [context.root / "tests" / "fronts" / "tools" / "extension.c"], flags)


def loader(context: Context) -> Path:
    """A program that is not linked with MPI and uses only the header."""
    return tool(context, "loader", ["-std=c99", "-Wall", "-Wextra", "-Werror",
                                    f"-I{context.build / 'include'}", "-ldl"])


def open_front(context: Context, runtime: Runtime) -> Result:
    arguments = ["front", str(context.build / "lib" / "libmpi_abi.so.1"), str(extension(context, 1))]
    return judge(context.run_mpi(runtime, RANKS, loader(context), arguments))


def open_modules(context: Context, runtime: Runtime) -> Result:
    arguments = ["module", str(extension(context, 1)), str(extension(context, 2))]
    return judge(context.run_mpi(runtime, RANKS, loader(context), arguments))


def judge(done: process.Completed) -> Result:
    good = done.code == 0 and not done.timed_out and done.output.count("loader: ok") == RANKS
    return passed() if good else failed(done.describe())


def without_mpi(context: Context) -> Result:
    """A wrong value of ANYMPI_MPI must have no effect, because the program does not call MPI."""
    program = tool(context, "no_mpi", context.program_flags())
    done = process.run([program], 60, {"ANYMPI_MPI": "/nonexistent", "ANYMPI_VERBOSE": "1"})
    return passed() if done.code == 0 and done.output == "no MPI needed\n" else failed(done.describe())


def two_fronts(context: Context) -> Result:
    include, static = context.build / "include", context.build / "lib" / "libmpi_abi.a"
    module = extension(context, 1)
    program = tool(context, "two_fronts", [f"-I{include}", "-rdynamic", str(static), "-ldl", "-lpthread"])
    done = process.run([program, module], 60)
    named = program.name in done.output and "libmpi_abi.so.1" in done.output
    good = done.code == 1 and done.output.startswith("anympi: ") and named
    return passed() if good else failed(f"{done.describe()}\nexpected: a message with the names of both files")


def compare_objects(context: Context, runtime: Runtime) -> Result:
    """The process must have all objects of the native program (plug-ins of hwloc, UCX …), and in addition only the
    front."""
    compiler = VENDOR_OF[runtime.name].wrapper
    if not shutil.which(compiler):
        return not_installed(compiler)
    source = [context.root / "tests" / "fronts" / "tools" / "objects.c"]
    native = objects(context.run_mpi(runtime, 1, context.compile("objects_native", source, ["-O1"], compiler)))
    ours = objects(context.run_mpi(runtime, 1, tool(context, "objects", context.program_flags())))
    missing, added = native - ours, ours - native
    if not native or missing or any(not name.startswith("libmpi_abi.so") for name in added):
        return failed(f"only the native program has: {sorted(missing)}\nonly the program with the front has: {sorted(added)}")
    return passed()


def objects(done: process.Completed) -> set[str]:
    return {line.split(": ", 1)[1] for line in done.output.splitlines() if line.startswith("object: ")}
