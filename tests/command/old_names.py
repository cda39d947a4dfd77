"""Programs of older releases, which anympi recognises by their symbols and by the names of the libraries that they
need. They are compiled with headers and linked with stubs in the form of those releases, since no such library can be
installed here.
"""
from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from lib import process
from lib.anympi import NAMES, anympi, needs_built, run_words
from lib.checks import case_on, expect
from lib.context import Context
from lib.runtimes import Runtime
from lib.vendor_table import VENDOR_OF

from .placement import PART

SIZES = {"comm": 1024, "request": 256, "op": 2048, "errors": 1024}  # of Open MPI's objects, up to 1.10; all other
                                                                    # objects have 512 bytes
OPENMPI_2 = {**SIZES, "comm": 1536}


@dataclass(frozen=True)
class Release:
    family: str
    needed: tuple[str, ...]  # the C library comes last
    flags: tuple[str, ...] = ()
    sizes: tuple = tuple(SIZES.items())
    is_adopted: bool = True  # a copy is tested as well


# The programs of these releases are run on each MPI.
SERVED = {
    "Open MPI 1.6": Release("openmpi", ("libopen-rte.so.4", "libopen-pal.so.4", "libmpi.so.1"), is_adopted=False),
    "Open MPI 1.10": Release("openmpi", ("libmpi.so.12",)),
    "Open MPI 2": Release("openmpi", ("libopen-rte.so.20", "libmpi_cxx.so.20", "libmpi.so.20"), sizes=tuple(OPENMPI_2.items()), is_adopted=False),
    "MPICH2 1.4": Release("mpich", ("libopa.so.1", "libmpl.so.1", "libmpichcxx.so.3", "libmpich.so.3"), is_adopted=False),
    "MPICH2 1.5": Release("mpich", ("libmpich.so.8",), ("-DWITH_SHIFTED_COMBINERS",), is_adopted=False),
    "MPICH 3.0": Release("mpich", ("libmpl.so.1", "libmpich.so.10"), ("-DWITH_LONG_STATUS", "-DWITH_SHIFTED_COMBINERS")),
    "Open MPI 1.4": Release("openmpi", ("libopen-pal.so.0", "libmpi.so.0"), ("-DWITH_SHORT_STATUS",)),
    "Intel MPI 4": Release("mpich", ("libmpigf.so.4", "libmpi_mt.so.4"), is_adopted=False),
    "Cray MPT 7": Release("mpich", ("libmpich_gnu_51.so.3",), is_adopted=False),
}
CONVERTED = ("MPICH2 1.5", "MPICH 3.0", "Open MPI 1.4")  # by a library of anympi (src/preload/older)
# Further names. They are tested only by `anympi run --dry-run`.
NAMES_ALONE = {
    "openmpi": ("libmpi_ibm.so.3",),
    "mpich": ("libmpi.so.4", "libmpich.so.2", "libmpi_gnu_141.so.12", "libmpich_cray.so.3"),
}


@dataclass(frozen=True)
class Refused:
    release: Release
    words: str


REFUSED = {
    "MPICH 3.0, tools": Refused(Release("mpich", ("libmpich.so.10",), ("-DWITH_LONG_STATUS", "-DWITH_TOOLS")), "calls MPI_T_pvar_get_index"),
    "Cray MPT 6": Refused(Release("mpich", ("libmpich_gnu_48.so.2",)), "Cray MPT before release 7"),
    "MPICH 1": Refused(Release("mpich", ("libmpich.so.1.0",)), "built for MPICH 1"),
    "MPC": Refused(Release("mpich", ("libmpcframework.so.0",)), "built for MPC"),
    "Platform MPI": Refused(Release("mpich", ("libpcmpi.so.1",)), "built for HP MPI or Platform MPI"),
    "libmpi.so.1 of nobody": Refused(Release("mpich", ("libmpi.so.1",)), "HP MPI, Platform MPI or Open MPI"),
    "libmpi.so of nobody": Refused(Release("mpich", ("libmpi.so",)), "SGI MPT or another MPI"),
}


@needs_built("anympi")
def cases(context: Context):
    for runtime in context.runtimes:
        if runtime.name not in NAMES:
            continue
        for title, release in SERVED.items():
            yield case_on(context, runtime, title, check_served, release)
        for title in (title for title in CONVERTED if SERVED[title].family == runtime.family):
            yield case_on(context, runtime, f"{title} is converted", check_converted, SERVED[title])
        yield case_on(context, runtime, "module of a script", check_module)
    for runtime in (runtime for runtime in context.runtimes if runtime.name == NAMES[0]):
        yield case_on(context, runtime, "further names", check_names)
        yield case_on(context, runtime, "refused", check_refused)


def linked(context: Context, folder: Path, release: Release) -> Path:
    """Returns the program of an old release. It has copies of Open MPI's objects, in the sizes of that release."""
    source = context.root / "tests" / "command" / "old"
    header = source / f"old_{release.family}.h"
    unit = context.compile("of-old-release.o", [source / "of_old_release.c", header],
                           ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fno-pie", "-c", "-include", str(header), *release.flags])
    undefined = process.run(["nm", "-u", unit], 60).output
    sizes = dict(release.sizes)
    objects = [f"char {name}[{next((size for part, size in sizes.items() if f'_{part}_' in name), 512)}];"
               for name in re.findall(r"\b(ompi_\w+)", undefined)]
    functions = [f"void {name}(void) {{}}" for name in re.findall(r"\b(MPI_\w+)", undefined)]
    for name in release.needed:
        (folder / "stub.c").write_text("\n".join(objects + functions) if name == release.needed[-1] else "")
        subprocess.run(["cc", "-w", "-shared", "-fPIC", folder / "stub.c", f"-Wl,-soname,{name}", "-o", folder / name], check=True)
    program = folder / "program"
    subprocess.run(["cc", "-no-pie", "-o", program, unit, "-Wl,--no-as-needed", *[folder / name for name in release.needed]], check=True)
    for name in release.needed:
        (folder / name).unlink()
    return program


def expect_right(done: process.Completed) -> None:
    expect(done.code == 0 and done.output.count("old release: right") == 1 and "different size" not in done.output, done)


def started(context: Context, runtime: Runtime, program: Path, **environment: str) -> process.Completed:
    return anympi(context, *run_words(runtime, runtime.library, 2), program, environment={**runtime.environment, **environment})


def check_served(context: Context, runtime: Runtime, release: Release, folder: Path) -> None:
    """The program runs as it is, and as an adopted copy."""
    program, copy = linked(context, folder, release), folder / "copy"
    expect_right(started(context, runtime, program))
    if release.is_adopted:
        expect(anympi(context, "adopt", program, "-o", copy).code == 0, "adopt")
        expect_right(started(context, runtime, copy))
    shown = anympi(context, "inspect", program).output
    expect(f"for the {release.family} ABI" in shown and " no " not in shown, shown)


def check_converted(context: Context, runtime: Runtime, release: Release, folder: Path) -> None:
    """The library that converts statuses and constants of the release is loaded before interposers. It is also loaded if
    a symbolic link with the old name leads to the MPI library.
    """
    program = linked(context, folder, release)
    expect_right(started(context, runtime, program, ANYMPI_EMULATE="all"))
    links = folder / "links"
    links.mkdir()
    (links / release.needed[-1]).symlink_to(runtime.library)
    paths = [str(links), runtime.environment.get("LD_LIBRARY_PATH", os.environ.get("LD_LIBRARY_PATH", ""))]
    expect_right(started(context, runtime, program, LD_LIBRARY_PATH=":".join(filter(None, paths))))


def check_module(context: Context, runtime: Runtime, folder: Path) -> None:
    """A script opens a module that needs an MPI library by an older name. On an MPI of the same family, the chosen library
    is loaded for this name. On other MPIs, the front is loaded.
    """
    (folder / "part.c").write_text(PART)
    for vendor, name in (("openmpi", "libmpi.so.20"), ("openmpi", "libmpi.so.12"), ("mpich", "libmpich.so.3")):
        module, script = folder / f"{vendor}.so", folder / f"{vendor}.py"
        wrapper, present = VENDOR_OF[vendor].wrapper, VENDOR_OF[vendor].system_soname
        subprocess.run([wrapper, "-shared", "-fPIC", folder / "part.c", "-o", module], check=True)
        subprocess.run(["patchelf", "--replace-needed", present, name, module], check=True)
        script.write_text(f"import ctypes; ctypes.CDLL({str(module)!r}).part()\n")
        done = anympi(context, *run_words(runtime, runtime.library, 2), "python3", script, environment=runtime.environment)
        expect(done.code == 0 and "size=2\n" in done.output, done)


def check_names(context: Context, runtime: Runtime, folder: Path) -> None:
    for family, names in NAMES_ALONE.items():
        for name in names:
            program = linked(context, folder, Release(family, (name,)))
            done = anympi(context, "run", "--mpi", runtime.library, "--dry-run", program, environment=runtime.environment)
            expect(done.code == 0, done)


def check_refused(context: Context, runtime: Runtime, folder: Path) -> None:
    """The program is refused before the start, with a sentence; `inspect` and `adopt` report the same."""
    for title, refused in REFUSED.items():
        program = linked(context, folder, refused.release)
        for words in (["run", "--mpi", runtime.library, program], ["adopt", program, "-o", folder / "copy"]):
            done = anympi(context, *words, environment=runtime.environment)
            expect(done.code == 1 and refused.words in done.output, f"{title}: {done}")
        shown = anympi(context, "inspect", program).output
        expect("by anympi" not in shown and "directly" not in shown, f"{title}: {shown}")
