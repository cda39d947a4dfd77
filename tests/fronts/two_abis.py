"""A plug-in that was built for another ABI of MPI than the program that opens it: the process is stopped with a
message."""
from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import with_programs
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime
from lib.vendor_table import STANDARD, TITLE_OF_ABI, VENDOR_OF, VENDORS

# the sonames that programs need
FRONTS = {STANDARD: "libmpi_abi.so.1", **{vendor.abi: vendor.system_soname for vendor in VENDORS}}
IS_SERIAL = True
SECONDS = 60
FLAGS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-ldl"]


@dataclass(frozen=True)
class Mixture:
    host: str    # the ABI of the program
    plugin: str  # the ABI of the plug-in

    def is_native_on(self, runtime: Runtime) -> bool:
        """Returns True if no front is in the process until the plug-in loads one."""
        return self.host == runtime.family

    def __str__(self) -> str:
        return f"a plug-in of {self.plugin} in a program of {self.host}"


TIMES = {"before": "before the first call", "bound": "after the first call", "after": "after MPI has started"}
MIXTURES = [Mixture(host, plugin) for host in TITLE_OF_ABI for plugin in TITLE_OF_ABI if host != plugin]


def cases(context: Context):
    missing = [vendor.wrapper for vendor in VENDORS if not shutil.which(vendor.wrapper)]
    if missing:
        yield Case("two ABIs", partial(not_installed, ", ".join(missing)))
        return
    for runtime in context.available:
        if runtime.name not in VENDOR_OF:
            continue
        for mixture in MIXTURES:
            for when, words in TIMES.items():
                if is_seen(mixture, runtime, when):
                    yield Case(f"{mixture}, opened {words}, on {runtime.name}",
                               partial(with_programs, refused, context, mixture, runtime, when))
            yield Case(f"{mixture}, merely opened, on {runtime.name}", partial(with_programs, opened, context, mixture, runtime))
            if mixture.host == "standard":
                yield Case(f"{mixture}, adopted, on {runtime.name}", partial(with_programs, adopted, context, mixture, runtime))
        yield Case(f"a plug-in of standard in an interpreter on {runtime.name}", partial(with_programs, interpreter, context, runtime))
        for abi in TITLE_OF_ABI:
            if abi != runtime.family:
                yield Case(f"{Mixture(abi, abi)} on {runtime.name}", partial(with_programs, used, context, abi, runtime))


def is_seen(mixture: Mixture, runtime: Runtime, when: str) -> bool:
    """Returns True if anympi notices the mixture. If the program runs on its own library, only a plug-in with a front
    can be noticed, when it is loaded."""
    return not mixture.is_native_on(runtime) or (mixture.plugin == "standard" and when == "after")


def build(context: Context, abi: str, name: str, flags: list[str]) -> Path:
    source = [context.root / "tests" / "fronts" / "tools" / "two_abis.c"]
    if abi == "standard":
        return context.compile(name, source, [*context.program_flags(), "-ldl", *flags])
    return context.compile(f"{name}-{abi}", source, FLAGS + flags, compiler=VENDOR_OF[abi].wrapper)


def run(context: Context, mixture: Mixture, runtime: Runtime, when: str) -> tuple[Path, process.Completed]:
    """Runs a single process, which needs no launcher."""
    program = build(context, mixture.host, "two_abis", [])
    plugin = build(context, mixture.plugin, "two_abis.so", ["-shared", "-fPIC", "-DPLUGIN"])
    front = context.build / "lib" / ("." if mixture.host == "standard" else f"anympi/{mixture.host}")
    variables = {**runtime.environment, "ANYMPI_MPI": str(runtime.library)}
    if not mixture.is_native_on(runtime):
        variables["LD_LIBRARY_PATH"] = str(front)
    return plugin, process.run([program, when, plugin], SECONDS, variables)


def refused(context: Context, mixture: Mixture, runtime: Runtime, when: str) -> Result:
    plugin, done = run(context, mixture, runtime, when)
    front = FRONTS[mixture.plugin if mixture.is_native_on(runtime) else mixture.host]
    culprit = "two_abis" if mixture.is_native_on(runtime) else plugin.name
    expected = ["mixes two ABIs", culprit, front, TITLE_OF_ABI[mixture.host], TITLE_OF_ABI[mixture.plugin]]
    lacking = [text for text in expected if text not in done.output]
    good = done.code != 0 and not done.timed_out and not lacking and "plug-in: received" not in done.output
    return passed() if good else failed(f"{done.describe()}\nnot said: {', '.join(lacking)}")


def adopted(context: Context, mixture: Mixture, runtime: Runtime) -> Result:
    """An adopted plug-in names its front by a path."""
    plugin = build(context, mixture.plugin, "two_abis.so", ["-shared", "-fPIC", "-DPLUGIN"])
    copy = context.work / f"two_abis-{mixture.plugin}-{runtime.name}.so"
    made = process.run([context.build / "bin" / "anympi", "adopt", plugin, "-o", copy], SECONDS)
    if made.code != 0:
        return failed(made.describe())
    program = build(context, mixture.host, "two_abis", [])
    for when in TIMES:
        done = process.run([program, when, copy], SECONDS, {**runtime.environment, "ANYMPI_MPI": str(runtime.library)})
        if done.code == 0 or "mixes two ABIs" not in done.output or TITLE_OF_ABI[mixture.plugin] not in done.output:
            return failed(done.describe())
    return passed()


def interpreter(context: Context, runtime: Runtime) -> Result:
    """The interpreter has opened an MPI library by its name, which no object needs then."""
    plugin = build(context, "standard", "two_abis.so", ["-shared", "-fPIC", "-DPLUGIN"])
    script = (f"import ctypes; mpi = ctypes.CDLL('{runtime.library}', ctypes.RTLD_GLOBAL); mpi.MPI_Init(None, None)\n"
              f"ctypes.CDLL('{plugin}').use_mpi()")
    done = process.run(["/usr/bin/python3", "-c", script], SECONDS, {**runtime.environment, "ANYMPI_MPI": str(runtime.library)})
    good = done.code == 1 and "mixes two ABIs" in done.output and TITLE_OF_ABI[runtime.family] in done.output
    return passed() if good else failed(done.describe())


def opened(context: Context, mixture: Mixture, runtime: Runtime) -> Result:
    _, done = run(context, mixture, runtime, "only")
    good = done.code == 0 and done.output.strip() == "opened"
    return passed() if good else failed(done.describe())


def used(context: Context, abi: str, runtime: Runtime) -> Result:
    """A plug-in of the program's own ABI is never rejected."""
    _, done = run(context, Mixture(abi, abi), runtime, "after")
    good = done.code == 0 and "right" in done.output
    return passed() if good else failed(done.describe())
