"""Programs in a container with the host's MPI and anympi bound into it, as docs/cluster/containers.md describes.

bubblewrap makes the container: its own root with the system's folders, its own user and mount namespaces, and only
those parts of this machine that are bound. With one container for each process, the launcher runs outside.
"""
from __future__ import annotations

import tempfile
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS, anympi, expect_report, report_program, run_words
from lib.checks import case_on, expect, need
from lib.context import Context
from lib.roots import write_entry
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS

# UCX cannot open the memory of another process's user namespace through /proc.
ENVIRONMENT = {"UCX_POSIX_USE_PROC_LINK": "n"}


def cases(context: Context):
    for runtime in context.runtimes:
        if runtime.name in NAMES:
            yield case_on(context, runtime, "one container", check_one, ranks=2)
            yield case_on(context, runtime, "one container for each process", check_each, ranks=2)
            yield case_on(context, runtime, "one container for each process, by the MPI's launcher", check_launcher, ranks=2)
            yield case_on(context, runtime, "a library that is not bound", check_not_bound, ranks=2)


def container(context: Context, folder: Path, *binds: Path) -> Path:
    """Writes a script that executes its arguments in a container, in the present folder."""
    need("bwrap")
    words = ["bwrap", "--unshare-user", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--bind", "/tmp", "/tmp"]
    for place in ("/usr", "/etc", "/sys"):
        words += ["--ro-bind", place, place]
    for link in ("bin", "lib", "lib64"):
        words += ["--symlink", f"usr/{link}", f"/{link}"]
    for place in (context.build / "bin", context.build / "lib", context.programs, *binds):
        words += ["--ro-bind", place, place]
    return write_entry(folder / "container", words)


def programs(context: Context) -> list[Path]:
    """Returns the same program, compiled with anympi for MPICH and for Open MPI."""
    source = context.root / "tests" / "command" / "report.c"
    for vendor in VENDORS:
        need(vendor.wrapper)
    return [report_program(context), *(context.compile(f"report-{vendor.abi}", [source], [], vendor.wrapper) for vendor in VENDORS)]


def check_one(context: Context, runtime: Runtime, folder: Path) -> None:
    """The launcher runs in the container, too."""
    entry = container(context, folder)
    for program in programs(context):
        words = [entry, context.build / "bin" / "anympi", *run_words(runtime, runtime.name, 2), program]
        expect_report(process.run(words, SECONDS, {**runtime.environment, **ENVIRONMENT, "ANYMPI_MPI": ""}), runtime)


def check_each(context: Context, runtime: Runtime, folder: Path) -> None:
    entry = container(context, folder)
    for program in programs(context):
        done = anympi(context, *run_words(runtime, runtime.name, 2), entry, program, environment={**runtime.environment, **ENVIRONMENT})
        expect_report(done, runtime)


def check_launcher(context: Context, runtime: Runtime, folder: Path) -> None:
    words = [*runtime.launcher, "-n", "2", container(context, folder), programs(context)[0]]
    expect_report(process.run(words, SECONDS, {**runtime.environment, **ENVIRONMENT, "ANYMPI_MPI": str(runtime.library)}), runtime)


def check_not_bound(context: Context, runtime: Runtime, folder: Path) -> None:
    """The message names the path, which this machine has and the container lacks."""
    with tempfile.TemporaryDirectory(prefix="anympi-", dir="/var/tmp") as place:
        library = Path(place) / runtime.library.name
        library.symlink_to(runtime.library)
        words = [*runtime.launcher, "-n", "2", container(context, folder), programs(context)[0]]
        done = process.run(words, SECONDS, {**runtime.environment, **ENVIRONMENT, "ANYMPI_MPI": str(library)})
        expect(done.code != 0 and not done.timed_out and f"anympi: ANYMPI_MPI={library} does not exist\n" in done.output, done)
