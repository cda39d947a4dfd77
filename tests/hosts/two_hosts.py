"""Jobs over two hosts, each made of namespaces, which start processes on each other by secure shell. One of them may lack something."""
from __future__ import annotations

import re
from pathlib import Path

from lib import process
from lib.anympi import TITLES, anympi
from lib.checks import expect
from lib.context import Context
from lib.host_jobs import ABIS, RUNTIMES, SECONDS, case, expect_local_ranks, expect_world, program, start, start_by_launcher
from lib.hosts import SHARED, own_network
from lib.runtimes import Runtime
from lib.vendor_table import STANDARD, TITLE_OF_ABI

# Another library that may lie at the same place on another host.
OTHER = {"mpich-5.0.2-vendor": "mpich-4.3.2", "openmpi-5.0.11": "openmpi-4.1.8"}

# Its launcher hangs in most runs if a program of MPI is missing on one host, also without anympi.
HANGS_WHERE_A_FILE_IS_MISSING = {"openmpi-5.0.11"}

# Its launcher often crashes at the end of such a job ("free(): invalid pointer"), also without anympi.
CRASHES_AFTER_A_SPAWN = {"openmpi-5.0.11"}


def cases(context: Context):
    runtimes = [runtime for runtime in context.runtimes if runtime.name in RUNTIMES]
    for runtime in runtimes:
        for abi in ABIS:
            yield case(context, runtime, f"program of {TITLE_OF_ABI[abi]}", check_program, abi)
        yield case(context, runtime, "variables", check_variables)
        yield case(context, runtime, "processes that MPI starts on the other host", check_spawn)
        if runtime.name not in HANGS_WHERE_A_FILE_IS_MISSING:
            yield case(context, runtime, "a host without anympi", check_missing_anympi)
        yield case(context, runtime, "a host without the library", check_missing_library)
        yield case(context, runtime, "a host with another build of the library", check_other_build)
        yield case(context, runtime, "a host without the library, by the launcher itself", check_missing_library_without_us)
        yield case(context, runtime, "the launcher of the other family, adopted program", check_stepping_aside)
    for name, other in OTHER.items():
        pair = [runtime for wanted in (name, other) for runtime in context.runtimes if runtime.name == wanted]
        if len(pair) == 2:
            yield case(context, pair[0], f"a host with {other}", check_other_library, pair[1])


def check_program(context: Context, runtime: Runtime, abi: str, _folder: Path) -> None:
    hosts = SHARED.hosts()
    done = start(context, runtime, hosts, program(context, abi))
    expect_world(done, runtime, hosts)
    if abi == "openmpi":
        expect_local_ranks(done, hosts)


def check_variables(context: Context, runtime: Runtime, _folder: Path) -> None:
    """What users set for anympi is the same on all hosts: else a collective operation that is emulated on one host waits for the native one on the other."""
    users = {"ANYMPI_EMULATE": "off", "XDG_CONFIG_HOME": "/nowhere", "ANYMPI_ALLOW_SINGLETON": "1"}
    done = start(context, runtime, SHARED.hosts(), program(context, STANDARD), *users, on_each=1, environment=users)
    for host in SHARED.hosts():
        for name, value in users.items():
            expect(f"variable: {name}={value} on {host.name}\n" in done.output, done)


def check_spawn(context: Context, runtime: Runtime, _folder: Path) -> None:
    """They run on the library of those that start them, with the same variables."""
    for abi, words in zip(ABIS, ([], ["multiple"], ["multiple"])):
        if abi == runtime.family:
            continue  # by the library's own function
        done = start(context, runtime, SHARED.hosts(), program(context, abi, "spawns"), "nb", "ANYMPI_EMULATE", *words, on_each=1,
                     environment={"ANYMPI_EMULATE": "1"})
        seen = re.findall(rf"^child: rank . of 2 on nb, ANYMPI_EMULATE=1, {TITLES[runtime.product]}", done.output, re.MULTILINE)
        crashes = runtime.name in CRASHES_AFTER_A_SPAWN
        expect((done.code == 0 or crashes) and len(seen) == 2, done)


def expect_end(done: process.Completed, *expected: str) -> None:
    """The job ends, with these messages and no others of anympi, and no process runs alone."""
    expect(done.code != 0 and not done.timed_out and "where: " not in done.output, done)
    said = messages(done)
    expect(len(said) == len(expected) and all(re.match(want, line) for want, line in zip(expected, said)), done)


def check_missing_anympi(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The launcher says what file is missing where. Programs of a vendor would find that vendor's own library there. MPICH's launchers
    do not end by themselves where a program is missing on one host: they are given a short time, and more on a busy machine."""
    limits = (SECONDS,) if runtime.product == "openmpi" else (4, 20, SECONDS)
    with own_network() as hosts:
        programs = [program(context, abi) for abi in ABIS]
        hosts[1].hide(context.build)
        for each in programs:
            for seconds in limits:
                done = start(context, runtime, hosts, each, seconds=seconds)
                if says_what_is_missing := re.search("start_program.*(No such file|not found|\n.*nb)", done.output):
                    break
            expect(says_what_is_missing and done.code != 0 and "where: " not in done.output, done)
            expect(runtime.product != "openmpi" or not done.timed_out, done)


def check_missing_library(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The processes of that host say so before the program starts, once for all of them."""
    with own_network() as hosts:
        hosts[1].replace(runtime.library.resolve(), Path("/dev/null"))
        for abi in ABIS:
            expect_end(start(context, runtime, hosts, program(context, abi)),
                       rf"anympi: on host nb: the MPI chosen, {re.escape(str(runtime.library))}, ", "anympi: install the same MPI")


def check_missing_library_without_us(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The other host's processes wait in MPI_Init: the launcher must end them."""
    with own_network() as hosts:
        hosts[1].replace(runtime.library.resolve(), Path("/dev/null"))
        chosen = ["-x", "ANYMPI_MPI"] if runtime.product == "openmpi" else []
        done = start_by_launcher(runtime, hosts, *chosen, program(context, STANDARD), environment={"ANYMPI_MPI": str(runtime.library)})
        expect_end(done, rf"anympi: on host nb: ANYMPI_MPI={re.escape(str(runtime.library))} ", "anympi: give a name")


def check_other_library(context: Context, runtime: Runtime, other: Runtime, _folder: Path) -> None:
    """The job would hang."""
    with own_network() as hosts:
        hosts[1].replace(runtime.library.resolve(), other.library.resolve())
        for abi in ABIS:
            here, there = (f"{TITLES[each.product]} {'.'.join(each.release.split('.')[:2])}" for each in (other, runtime))
            expect_end(start(context, runtime, hosts, program(context, abi)),
                       rf"anympi: on host nb: \S+ is {re.escape(here)}\b.* on the host of `anympi run` it is {re.escape(there)}\b",
                       "anympi: install the same MPI")


def check_other_build(context: Context, runtime: Runtime, folder: Path) -> None:
    """A library with another build ID, or of another size if it has none, is told of, and the job runs; under the launcher itself only if
    the user asks for the comparison."""
    library = runtime.library.resolve()
    build = re.search(r"Build ID: (\w+)", process.run(["readelf", "--notes", library], SECONDS).output)
    content, number = library.read_bytes(), bytes.fromhex(build.group(1) if build else "")
    other = folder / library.name
    other.write_bytes(content.replace(number, bytes(reversed(number))) if number else content + b"\0")
    chosen = ["-x", "ANYMPI_MPI", "-x", "ANYMPI_CHECK_JOB"] if runtime.product == "openmpi" else []
    with own_network() as hosts:
        hosts[1].replace(library, other)
        for abi in (STANDARD, *(abi for abi in ABIS if abi == runtime.family)):
            done = start(context, runtime, hosts, program(context, abi))
            expect_world(done, runtime, hosts, silent=False)
            expect(messages(done) == [f"anympi: on host nb: {runtime.library} is another build of this version than on the host of `anympi run`"], done)
        for check in ("1", "0"):
            done = start_by_launcher(runtime, hosts, *chosen, program(context, STANDARD), environment={"ANYMPI_MPI": str(runtime.library), "ANYMPI_CHECK_JOB": check})
            expect_world(done, runtime, hosts, silent=False)
            expect(messages(done) == [f"anympi: on host nb: {runtime.library} is another build of this version than for rank 0"][:int(check)], done)


def messages(done: process.Completed) -> list[str]:
    return [line for line in done.output.splitlines() if line.startswith("anympi: ")]


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
