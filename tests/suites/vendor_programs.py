"""The MPI programs of tests/programs, compiled with a vendor's own compiler wrapper, on the library of another vendor.

A program is linked with the vendor's library as users do; one that uses functions which that library lacks is linked with our
front instead, which has them.
"""
from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, skipped
from lib.runtimes import Runtime

from . import programs

# The ABI of the programs, the wrapper that makes them, and the ABIs of the libraries that they run on.
WRAPPERS = {"openmpi": "mpicc.openmpi"}
RUNS_ON = {"openmpi": {"mpich", "standard"}}
# How a program refers to data of the library differs: by a copy of its own (PIE or not), or by address (PIC).
CODE_MODELS = {"": [], "-no-pie": ["-no-pie", "-fno-pie"], "-fPIC": ["-fPIC"]}
IN_ALL_MODELS = {"attributes", "reductions"}


def cases(context: Context):
    for abi, wrapper in WRAPPERS.items():
        if not shutil.which(wrapper):
            yield Case(f"{abi} programs", partial(skipped, f"{wrapper} is not installed"))
            continue
        for runtime in context.available:
            if runtime.family in RUNS_ON[abi] and (runtime.usual or context.full):
                yield from cases_on(context, abi, wrapper, runtime)


def cases_on(context: Context, abi: str, wrapper: str, runtime: Runtime):
    for source in sorted((context.root / "tests" / "programs").glob("*.c")):
        head = programs.read_head(source)
        few = not runtime.many_ranks and not context.full  # the usual time is short
        if not head.get("ranks") or (few and source.stem not in programs.ON_OLDER_RUNTIMES):
            continue
        ranks = 2 if "2" in head["ranks"].split() else int(head["ranks"].split()[0])
        for model in CODE_MODELS if source.stem in IN_ALL_MODELS else [""]:
            yield Case(f"{source.stem} for {abi} {model} on {runtime.name} with {ranks}".replace("  ", " "),
                       partial(run_program, context, abi, wrapper, source, CODE_MODELS[model], runtime, ranks),
                       row=f"{source.stem} {model}".strip(), column=f"{abi} on {runtime.name}")


def build(context: Context, abi: str, wrapper: str, source: Path, flags: list[str]) -> Path:
    head = programs.read_head(source)
    sources = [source, *sorted(source.parent.glob("*.h"))]
    options = [*head.get("flags", "").split(), *flags, "-w", "-std=gnu99", "-O1", "-g"]
    name = "-".join([source.stem, abi, *flags])
    try:
        return context.compile(f"{name}-own", sources, options, compiler=wrapper)
    except BuildError:
        return context.compile(name, sources, [*options, f"-L{front_folder(context, abi)}"], compiler=wrapper)


def front_folder(context: Context, abi: str) -> Path:
    return context.build / "lib" / "anympi" / abi


def run_program(context: Context, abi: str, wrapper: str, source: Path, flags: list[str], runtime: Runtime,
                ranks: int) -> Result:
    try:
        program = build(context, abi, wrapper, source, flags)
    except BuildError as error:
        return skipped(f"does not compile with {wrapper}: {first_error(str(error))}")
    done = context.run_mpi(runtime, ranks, program, environment={"LD_LIBRARY_PATH": str(front_folder(context, abi))},
                           seconds=int(programs.read_head(source).get("seconds", "60")))
    if "libmpi" in done.output and "cannot open shared object" in done.output:
        return failed(done.describe())
    return programs.judge(done, runtime)


def first_error(message: str) -> str:
    return next((line.strip() for line in message.splitlines() if "error" in line), message.splitlines()[-1])[:160]
