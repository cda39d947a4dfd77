"""Jobs over two hosts, each made of namespaces. The hosts start processes on each other by secure shell. A host may
lack something.
"""
from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from lib import process
from lib.anympi import TITLES, anympi
from lib.checks import expect
from lib.context import Context
from lib.host_jobs import ABIS, RUNTIMES, SECONDS, case, expect_local_ranks, expect_world, program, start, start_by_launcher, variables
from lib.hosts import SHARED, Host, own_network
from lib.runtimes import Runtime
from lib.vendor_table import STANDARD, TITLE_OF_ABI

# Another library that may have the same path on another host.
OTHER = {"mpich-5.0.2-vendor": "mpich-4.3.2", "openmpi-5.0.11": "openmpi-4.1.8"}

# The doctor does the same with all libraries, except for their launchers.
DOCTORED = ("mpich-5.0.2", "openmpi-5.0.11")

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
        if runtime.product == "openmpi":
            yield case(context, runtime, "programs that MPI starts by a name", check_spawn_by_name)
        if runtime.name not in HANGS_WHERE_A_FILE_IS_MISSING:
            yield case(context, runtime, "a host without anympi", check_missing_anympi)
        yield case(context, runtime, "a host without the library", check_missing_library)
        yield case(context, runtime, "a host with another build of the library", check_other_build)
        yield case(context, runtime, "a host without the library, by the launcher itself", check_missing_library_without_us)
        yield case(context, runtime, "the launcher of the other family, adopted program", check_stepping_aside)
        yield case(context, runtime, "a host without anympi, with --check-hosts", check_hosts_before_job)
    for runtime in runtimes:
        if runtime.name in DOCTORED:
            yield case(context, runtime, "anympi doctor, hosts that agree", check_doctor)
    for runtime in runtimes:
        if runtime.name == DOCTORED[0]:
            yield case(context, runtime, "anympi doctor, a host without anympi and hosts that do not answer", check_doctor_of_silent_hosts)
    for name, other in OTHER.items():
        pair = [runtime for wanted in (name, other) for runtime in context.runtimes if runtime.name == wanted]
        if len(pair) == 2:
            yield case(context, pair[0], f"a host with {other}", check_other_library, pair[1])
            yield case(context, pair[0], f"anympi doctor, a host with {other}", check_doctor_of_differences, pair[1])


def check_program(context: Context, runtime: Runtime, abi: str, _folder: Path) -> None:
    hosts = SHARED.hosts()
    done = start(context, runtime, hosts, program(context, abi))
    expect_world(done, runtime, hosts)
    if abi == "openmpi":
        expect_local_ranks(done, hosts)


def check_variables(context: Context, runtime: Runtime, _folder: Path) -> None:
    """Variables of users for anympi are the same on all hosts. Otherwise a collective operation that is emulated on one
    host would wait for the native operation on the other.
    """
    users = {"ANYMPI_EMULATE": "off", "XDG_CONFIG_HOME": "/nowhere", "ANYMPI_ALLOW_SINGLETON": "1"}
    done = start(context, runtime, SHARED.hosts(), program(context, STANDARD), *users, on_each=1, environment=users)
    for host in SHARED.hosts():
        for name, value in users.items():
            expect(f"variable: {name}={value} on {host.name}\n" in done.output, done)


def check_spawn(context: Context, runtime: Runtime, _folder: Path) -> None:
    """Spawned processes run on the library of their parents, with the same variables."""
    for abi, words in zip(ABIS, ([], ["multiple"], ["multiple"])):
        if abi == runtime.family:
            continue  # with the library's own function
        done = start(context, runtime, SHARED.hosts(), program(context, abi, "spawns"), "nb", "ANYMPI_EMULATE", *words, on_each=1,
                     environment={"ANYMPI_EMULATE": "1"})
        seen = re.findall(rf"^child: rank . of 2 on nb, ANYMPI_EMULATE=1, {TITLES[runtime.product]}", done.output, re.MULTILINE)
        crashes = runtime.name in CRASHES_AFTER_A_SPAWN
        expect((done.code == 0 or crashes) and len(seen) == 2, done)


def check_spawn_by_name(context: Context, runtime: Runtime, folder: Path) -> None:
    """The info key `path` also works if anympi passes on variables. With Open MPI 5, a missing program is an error of
    the call; Open MPI 4 ends the job, also without anympi.
    """
    host = SHARED.hosts()[:1]
    for abi in (abi for abi in ABIS if abi != runtime.family):
        given = program(context, abi, "spawns_missing")
        (folder / "started by name").symlink_to(given)
        done = start(context, runtime, host, given, "started by name", f"/nowhere:{folder}", on_each=1)
        crashes = runtime.name in CRASHES_AFTER_A_SPAWN
        expect((done.code == 0 or crashes) and not done.timed_out and "started\n" in done.output, done)
        (folder / "started by name").unlink()
        if runtime.name == "openmpi-5.0.11":
            done = start(context, runtime, host, given, "no-such-program", on_each=1)
            expect(not done.timed_out and "refused\n" in done.output, done)


def expect_end(done: process.Completed, *expected: str) -> None:
    """The job ends, with these messages and no others of anympi, and no process runs alone."""
    expect(done.code != 0 and not done.timed_out and "where: " not in done.output, done)
    said = messages(done)
    expect(len(said) == len(expected) and all(re.match(want, line) for want, line in zip(expected, said)), done)


def check_missing_anympi(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The launcher reports the file that is missing, and the host. Vendors' programs would find the vendor's own
    library there. MPICH's launchers do not end by themselves if a program is missing on one host: they get a short
    time, and more on a busy machine.
    """
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


def check_hosts_before_job(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The job does not begin, whatever the launcher would do."""
    with own_network() as hosts:
        done = start(context, runtime, hosts, "--check-hosts", program(context, STANDARD))
        expect_world(done, runtime, hosts)
        hosts[1].hide(context.build)
        expect_end(start(context, runtime, hosts, "--check-hosts", program(context, STANDARD)),
                   rf"anympi: on host nb: {re.escape(str(context.build))}/bin/anympi is missing$", "anympi: install the same anympi on all hosts")


def doctor(context: Context, runtime: Runtime, host: Host, names: str, *words, folder: Path | str = "/dev/shm") -> process.Completed:
    """Runs the doctor in a folder that only this host has, unless another is given."""
    command = ["env", "--chdir", folder, context.build / "bin" / "anympi", "doctor", "--hosts", names, *words]
    return host.run(*command, seconds=SECONDS, environment=variables(runtime, {"ANYMPI_MPI": str(runtime.library)}))


def findings(done: process.Completed) -> list[tuple[str, str, str]]:
    document = json.loads(done.output)
    expect(document["problems"] == sum(one["level"] == "problem" for one in document["findings"]), done)
    expect(done.code == (1 if document["problems"] else 0) and not done.timed_out, done)
    return [(one["level"], one["host"], one["text"]) for one in document["findings"]]


def expect_table(done: process.Completed, *texts: str) -> None:
    """Expects a table that fits the width of a terminal."""
    expect(all(len(line) <= 80 for line in done.output.splitlines()), done)
    joined = re.sub(r"\s+", "", done.output)
    expect(all(re.sub(r"\s+", "", text) in joined for text in texts), done)


def check_doctor(context: Context, runtime: Runtime, folder: Path) -> None:
    host = SHARED.hosts()[0]
    done = doctor(context, runtime, host, "na,nb", "--json", folder=folder)
    expect(findings(done) == [], done)
    facts = [one["facts"] for one in json.loads(done.output)["hosts"]]
    expect([one["host"] for one in facts] == ["na", "nb"] and facts[0]["file_time"] == facts[1]["file_time"] is not None, done)
    expect(list(folder.iterdir()) == [], done)
    expect_table(doctor(context, runtime, host, "na,nb", folder=folder), "na, nb, asked by ssh", str(runtime.library), "0 problems, 0 warnings")


def check_doctor_of_silent_hosts(context: Context, runtime: Runtime, _folder: Path) -> None:
    """One host has no shell daemon, one has a daemon that does nothing, one does not exist: each is a line, and none
    takes longer than the limit.
    """
    with own_network(3) as hosts:
        hosts[1].hide(context.build)
        with stopped(hosts[2].daemons[0]):
            begin = time.monotonic()
            done = doctor(context, runtime, hosts[0], "na,nb,nc,nz,nowhere.invalid", "--limit", "8", "--json")
            expect(time.monotonic() - begin < 40, done)
        seen = findings(done)
    told = {host: text for level, host, text in seen if level == "problem"}
    expect(sorted(told) == ["nb", "nc", "nowhere.invalid", "nz"], done)
    expect(told["nb"] == f"{context.build}/bin/anympi is missing", done)
    expect(re.search("timed out|does not answer within 8 seconds", told["nc"]), done)
    expect(re.search("No route to host|timed out|does not answer", told["nz"]) and "nowhere.invalid" in told["nowhere.invalid"], done)


@contextlib.contextmanager
def stopped(daemon: subprocess.Popen):
    """Stops a daemon. nsenter, the daemon's parent, stops with it, and must continue with it."""
    child = int(Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children").read_text().split()[0])
    os.kill(child, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in (child, daemon.pid):
            os.kill(number, signal.SIGCONT)


# Replaces the command on one host: the host's clock differs.
OTHER_CLOCK = """#!/bin/sh
"$(dirname "$0")/anympi.real" "$@" | sed 's/ clock=/ clock=1/; s/ file_time=/ file_time=1/'
"""


def check_doctor_of_differences(context: Context, runtime: Runtime, other: Runtime, folder: Path) -> None:
    with own_network() as hosts:
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        shutil.copy(context.build / "bin" / "anympi", bin_folder / "anympi.real")
        (bin_folder / "anympi").write_text(OTHER_CLOCK)
        (bin_folder / "anympi").chmod(0o755)
        hosts[1].replace(context.build / "bin", bin_folder)
        hosts[1].replace(runtime.library.resolve(), other.library.resolve())
        hosts[1].shell("mount -o remount,size=64m /dev/shm")
        (folder / "shared").mkdir()
        done = doctor(context, runtime, hosts[0], "na,nb", "--json", folder=folder / "shared")
        seen = findings(done)
        expect({host for _, host, _ in seen} == {"nb"}, done)
        here, there = title_of(runtime), title_of(other)
        version = rf"^{re.escape(there)}\b.*, not {re.escape(here)}\b"
        for how, text in [("problem", version), ("warning", r"[\d.]+ seconds ahead$"), ("warning", r"a file is [\d.]+ seconds newer than here"),
                          ("warning", "/dev/shm has 6. of 64 MiB free")]:
            expect(sum(level == how and bool(re.search(text, said)) for level, _, said in seen) == 1, f"{text}\n{done.describe()}")
        done = doctor(context, runtime, hosts[0], "na,nb", folder=folder / "shared")
        expect(done.code == 1, done)
        expect_table(done, "nb", "clock", "not " + TITLES[runtime.product], "remedy", "1 problem, ")
        done = doctor(context, runtime, hosts[0], "nb", "--json")  # in a folder that only this host has
        expect(("note", "nb", "does not see the files of this working directory") in findings(done), done)


def check_missing_library(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The processes of that host report the missing library before the program starts, once for all of them."""
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


def title_of(runtime: Runtime) -> str:
    """Returns the title with the part of the version that a file tells: "MPICH 4.3"."""
    return f"{TITLES[runtime.product]} {'.'.join(runtime.release.split('.')[:2])}"


def check_other_library(context: Context, runtime: Runtime, other: Runtime, _folder: Path) -> None:
    """A job with another library would hang, so it ends."""
    with own_network() as hosts:
        hosts[1].replace(runtime.library.resolve(), other.library.resolve())
        for abi in ABIS:
            here, there = title_of(other), title_of(runtime)
            expect_end(start(context, runtime, hosts, program(context, abi)),
                       rf"anympi: on host nb: \S+ is {re.escape(here)}\b.* on the host of `anympi run` it is {re.escape(there)}\b",
                       "anympi: install the same MPI")


def check_other_build(context: Context, runtime: Runtime, folder: Path) -> None:
    """A library with another build ID, or of another size if it has no build ID, is reported, and the job runs. Under
    the launcher itself, it is reported only if the user asks for the comparison.
    """
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
    """A program runs on its own library again, without a front, under a launcher of another library."""
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
