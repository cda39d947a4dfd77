"""Jobs over two hosts, each made of namespaces, which start processes on each other by secure shell. One of them may lack something."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import anympi
from lib.checks import expect, guarded
from lib.context import Context
from lib.host_jobs import ABIS, RUNTIMES, expect_local_ranks, expect_world, program, start, start_by_launcher
from lib.hosts import SHARED, own_network
from lib.results import Case, Result
from lib.runtimes import Runtime
from lib.vendor_table import STANDARD, TITLE_OF_ABI


def cases(context: Context):
    runtimes = [runtime for runtime in context.runtimes if runtime.name in RUNTIMES]
    for runtime in runtimes:
        for abi in ABIS:
            yield case(context, runtime, f"program of {TITLE_OF_ABI[abi]}", check_program, abi)
        yield case(context, runtime, "a host without the library, by the launcher itself", check_missing_library_without_us)
        yield case(context, runtime, "the launcher of the other family, adopted program", check_stepping_aside)


def case(context: Context, runtime: Runtime, title: str, check, *arguments) -> Case:
    return Case(f"{title} on {runtime.name}", partial(on_runtime, check, context, runtime, *arguments), ranks=4)


def on_runtime(check, context: Context, runtime: Runtime, *arguments) -> Result:
    return runtime.absent() if runtime.missing else guarded(check, context, runtime, *arguments)


def check_program(context: Context, runtime: Runtime, abi: str, _folder: Path) -> None:
    hosts = SHARED.hosts()
    done = start(context, runtime, hosts, program(context, abi))
    expect_world(done, runtime, hosts)
    if abi == "openmpi":
        expect_local_ranks(done, hosts)


def expect_end(done: process.Completed, *messages: str) -> None:
    """The job ends, with these messages and no others of anympi, and no process runs alone."""
    expect(done.code != 0 and not done.timed_out and "where: " not in done.output, done)
    said = [line for line in done.output.splitlines() if line.startswith("anympi: ")]
    expect(len(said) == len(messages) and all(re.match(want, line) for want, line in zip(messages, said)), done)


def check_missing_library_without_us(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The other host's processes wait in MPI_Init: the launcher must end them."""
    with own_network() as hosts:
        hosts[1].replace(runtime.library.resolve(), Path("/dev/null"))
        chosen = ["-x", "ANYMPI_MPI"] if runtime.product == "openmpi" else []
        done = start_by_launcher(runtime, hosts, *chosen, program(context, STANDARD), environment={"ANYMPI_MPI": str(runtime.library)})
        expect_end(done, rf"anympi: on host nb: ANYMPI_MPI={re.escape(str(runtime.library))} ", "anympi: give a name")


def check_stepping_aside(context: Context, runtime: Runtime, folder: Path) -> None:
    """A program that runs on its own library again, without a front, under a launcher that is not of that library."""
    family = "openmpi" if runtime.product == "openmpi" else "mpich"
    other = "mpich" if family == "openmpi" else "openmpi"
    copy = folder.parent / f"{folder.name.replace(' ', '-')}.any"
    try:
        expect((done := anympi(context, "adopt", program(context, other), "-o", copy)).code == 0, done)
        chosen = ["-x", "ANYMPI_MPI"] if family == "openmpi" else []
        done = start_by_launcher(runtime, SHARED.hosts(), *chosen, copy, environment={"ANYMPI_MPI": other})
        expect(done.code != 0 and not done.timed_out and "where: " not in done.output, done)
        expect(re.search(r"^anympi: on host n[ab]: this process is rank . of 4 of .*4 separate jobs would run\.$", done.output, re.MULTILINE), done)
    finally:
        copy.unlink(missing_ok=True)
