"""The first MPI call of a process, which chooses and opens the library: its use of the stack, and the locks that it
holds."""
from __future__ import annotations

import os
import re
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import with_programs
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS, Vendor

from fronts import vendor_programs

IS_SERIAL = True
MOST_STACK = 32 * 1024
SECONDS = 60
FLAGS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-ldl", "-lpthread"]


def cases(context: Context):
    for runtime in context.available:
        for way in WAYS if runtime.name in ("mpich", "openmpi") else ["named by its file"]:
            yield Case(f"stack on {runtime.name}, {way}", partial(with_programs, stack, context, None, runtime, way))
        if runtime.usual:
            yield Case(f"race on {runtime.name}", partial(with_programs, race, context, None, runtime))
    for vendor in VENDORS:
        if not shutil.which(vendor.wrapper):
            yield Case(f"{vendor.abi} programs", partial(not_installed, vendor.wrapper))
            continue
        for runtime in context.available:
            if runtime.family in vendor.runs_on:
                yield Case(f"stack of a program of {vendor.abi} on {runtime.name}",
                           partial(with_programs, stack, context, vendor, runtime, "named by its file"))
                if runtime.usual:
                    yield Case(f"race in a program of {vendor.abi} on {runtime.name}",
                               partial(with_programs, race, context, vendor, runtime))


def configured(context: Context, runtime: Runtime) -> dict[str, str]:
    """A configuration file of the largest allowed size; the setting is at its end."""
    folder = context.work / "first_call" / runtime.name
    text = f'search = ["/nonexistent"]\nmpi = "{runtime.name}"\n'
    (folder / "anympi").mkdir(parents=True, exist_ok=True)
    (folder / "anympi" / "config.toml").write_text("# \n" * ((16000 - len(text)) // 3) + text)
    return {"ANYMPI_MPI": "", "XDG_CONFIG_HOME": str(folder)}


# The ways to find the library, which need different amounts of stack.
WAYS = {
    "named by its file": lambda _, runtime: {"ANYMPI_MPI": str(runtime.library)},
    "named by its product": lambda _, runtime: {"ANYMPI_MPI": runtime.name},
    "named by the configuration": configured,
    "searched": lambda context, _: {"ANYMPI_MPI": "", "XDG_CONFIG_HOME": "/nonexistent",
                                    "PATH": f"{context.work}/nowhere:{os.environ['PATH']}"},
    "named by its product, with messages": lambda _, runtime: {"ANYMPI_MPI": runtime.name, "ANYMPI_VERBOSE": "1"},
}


def build(context: Context, vendor: Vendor | None, name: str, source: str, flags: list[str]) -> Path:
    file = context.root / "tests" / "fronts" / "tools" / source
    if vendor:
        return context.compile(f"{name}-{vendor.abi}", [file], FLAGS + flags, compiler=vendor.wrapper)
    return context.compile(name, [file], [*context.program_flags(), "-ldl", "-lpthread", *flags])


def environment(context: Context, vendor: Vendor | None, runtime: Runtime) -> dict[str, str]:
    front = vendor_programs.front_folder(context, vendor) if vendor else context.build / "lib"
    return {**runtime.environment, "LD_LIBRARY_PATH": str(front), "ANYMPI_MPI": str(runtime.library)}


def stack(context: Context, vendor: Vendor | None, runtime: Runtime, way: str) -> Result:
    """The use of the stack by constructors of the MPI library beyond the limit does not count, because opening the
    library always needs it."""
    program = build(context, vendor, "first_call_stack", "first_call_stack.c", [])
    variables = environment(context, vendor, runtime)
    done = process.run([program], SECONDS, {**variables, **WAYS[way](context, runtime)})
    alone = process.run([program, str(runtime.library)], SECONDS, {**variables, "ANYMPI_MPI": ""})
    found, of_library = (re.search(r"^stack: (\d+)$", each.output, re.MULTILINE) for each in (done, alone))
    if done.code != 0 or not found or not of_library:
        return failed(f"{done.describe()}\n{alone.describe()}")
    most = max(MOST_STACK, int(of_library[1]) + MOST_STACK // 4)
    return passed() if int(found[1]) <= most else failed(f"{found[1]} bytes of stack; at most {most} are allowed")


def race(context: Context, vendor: Vendor | None, runtime: Runtime) -> Result:
    program = build(context, vendor, "first_call_race", "first_call_race.c", ["-rdynamic"])
    plugin = build(context, vendor, "first_call_race.so", "first_call_race.c", ["-shared", "-fPIC", "-DPLUGIN"])
    done = process.run([program, plugin], SECONDS, environment(context, vendor, runtime))
    good = done.code == 0 and not done.timed_out and "both called" in done.output
    return passed() if good else failed(done.describe())
