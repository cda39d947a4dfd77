"""Shared by the measurements: the libraries compared, building and running programs, tables, messages."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
REPOSITORY = SOURCES.parent

# Both sides get the same settings: transports within one machine, and no plug-in for network cards.
SETTINGS = {
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "self,vader",
    "UCX_TLS": "self,sm",
    # Open MPI refuses to start as root, as in a container, unless two variables allow it. The PRTE names belong to 5.0.
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_ALLOW_RUN_AS_ROOT": "1",
    "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
# GCC 12 takes MPICH's MPI_STATUSES_IGNORE, which is the address 1, for an array of no bytes.
COMPILER_FLAGS = ["-O2", "-Wall", "-Wno-stringop-overflow"]


class BenchError(Exception):
    """A measurement is not possible; the text says what to do."""


@dataclass
class Runtime:
    """An MPI library of this machine: the native side of every comparison."""

    key: str  # mpich, openmpi or standard; decides which limits apply
    launcher: str
    compiler: str = ""  # the library's own wrapper; empty for a standard-ABI library, which runs the program built for
                        # anympi
    library: Path = None
    title: str = ""
    others: dict = field(default_factory=dict)  # libraries with compilers whose programs can run on this one, by key


@dataclass
class Table:
    title: str
    columns: list
    rows: list = field(default_factory=list)  # dictionaries by column; "ok" is True, False or None (no limit)
    notes: list = field(default_factory=list)

    def failures(self):
        return [row for row in self.rows if row.get("ok") is False]


def add_options(parser):
    parser.add_argument("--build-dir", type=Path, default=REPOSITORY / "build/release",
                        help="build tree with bin/mpicc (default: build/release)")
    parser.add_argument("--mpich-cc", default="mpicc.mpich", metavar="MPICC",
                        help="MPICH's compiler (default: %(default)s)")
    parser.add_argument("--openmpi-cc", default="mpicc.openmpi", metavar="MPICC",
                        help="Open MPI's compiler (default: %(default)s)")
    parser.add_argument("--abi-prefix", type=Path, metavar="PREFIX",
                        help="a library with the standard ABI, such as PyPI's mpich 5.0.x")
    parser.add_argument("--runtime", action="append", choices=["mpich", "openmpi", "standard"],
                        help="measure over this library only (repeatable)")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument("--markdown", action="store_true", help="print Markdown tables")


def environment(**changes):
    """Returns the settings and the caller's environment, without variables that would lead either side to another library."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANYMPI_", "LD_"))}
    return {**kept, **SETTINGS, **changes}


def require_tool(name, package):
    if not shutil.which(name):
        raise BenchError(f"`{name}` is not installed; install it (Debian: apt install {package})")


def run(command, env=None, cwd=None, timeout=300):
    """Runs a command to its end and returns its standard output. The error contains the end of the output."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        raise BenchError(f"no end after {timeout} s: {' '.join(command)}") from None
    if done.returncode:
        last_lines = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise BenchError(f"exit status {done.returncode}: {' '.join(command)}\n{last_lines}")
    return done.stdout


def fields(text):
    """Returns lines `name|value` as a dictionary of lists."""
    found = {}
    for line in text.splitlines():
        name, bar, value = line.partition("|")
        if bar:
            found.setdefault(name, []).append(value)
    return found


def note(text):
    """Prints progress to stderr, since stdout is the result."""
    print(f"anympi: bench: {text}", file=sys.stderr, flush=True)


class Workshop:
    """Builds the programs of one build tree, once for anympi and once for each library."""

    def __init__(self, build_dir):
        self.compiler = build_dir.resolve() / "bin/mpicc"
        self.front = build_dir.resolve() / "lib/libmpi_abi.so.1"
        self.folder = build_dir.resolve() / "bench"
        for needed in (self.compiler, self.front):
            if not needed.exists():
                raise BenchError(f"{needed} does not exist; build first:"
                                 " cmake --preset release && cmake --build --preset release")
        self.folder.mkdir(exist_ok=True)
        self.built = set()

    def build(self, source, compiler, suffix, more=(), flags=COMPILER_FLAGS):
        program = self.folder / f"{Path(source).stem}-{suffix}"
        if program not in self.built:
            # Another measurement may be running the old file or building the same file.
            new = program.with_name(f"{program.name}.{os.getpid()}")
            with tempfile.TemporaryDirectory(dir=self.folder) as place:  # a folder of its own, since Fortran writes
                                                                         # module files into the current folder
                run([compiler, *flags, *(SOURCES / name for name in (source, *more)), "-o", new], cwd=place)
            new.replace(program)
            self.built.add(program)
        return program

    def ours(self, source):
        return self.build(source, self.compiler, "anympi")

    def has_fortran(self):
        return shutil.which("gfortran") is not None and self.compiler.with_name("mpifort").exists()

    def fortran(self):
        return self.build("fortran.f90", self.compiler.with_name("mpifort"), "anympi", ["fortran_counting.c"])

    def vendor_front(self, program):
        """Returns the front for another vendor's programs, under the name that these programs ask for."""
        soname = {"mpich": "libmpi.so.12", "openmpi": "libmpi.so.40"}[program]
        return self.front.parent / "anympi" / program / soname

    def even_malloc(self):
        return self.build("even_malloc.c", "gcc", "preload.so", flags=[*COMPILER_FLAGS, "-fno-builtin", "-fPIC", "-shared"])

    def native(self, source, runtime):
        return self.build(source, runtime.compiler, runtime.key) if runtime.compiler else self.ours(source)


def native_environment(runtime, **changes):
    """A standard-ABI library has anympi's soname, so the search path makes the same program use the library directly."""
    if not runtime.compiler:
        changes["LD_LIBRARY_PATH"] = str(runtime.library.parent)
    return environment(**changes)


def our_environment(runtime, **changes):
    return environment(ANYMPI_MPI=str(runtime.library), **changes)


def find_runtimes(options, workshop):
    """Returns the libraries to compare with, and the reasons why others are left out."""
    wanted = options.runtime or ["mpich", "openmpi", "standard"]
    vendors, left_out = [], []
    for key, compiler in (("mpich", options.mpich_cc), ("openmpi", options.openmpi_cc)):
        path = shutil.which(compiler)
        if path:
            vendors.append(Runtime(key, launcher_beside(path), compiler=path))
        elif key in wanted:
            left_out.append(f"{key}: no compiler `{compiler}` (--{key}-cc)")
    found = [vendor for vendor in vendors if vendor.key in wanted]
    if "standard" in wanted:
        if options.abi_prefix:
            prefix = options.abi_prefix.resolve()
            found.append(Runtime("standard", str(prefix / "bin/mpiexec"), library=prefix / "lib/libmpi_abi.so.1"))
        else:
            left_out.append("standard: no library with the standard ABI given (--abi-prefix)")
    if not found:
        raise BenchError("no MPI library to compare with: " + "; ".join(left_out))
    for runtime in {id(each): each for each in found + vendors}.values():
        identify(runtime, workshop)
    for runtime in found:  # also vendors' programs whose own library is not measured
        runtime.others = {other.key: other for other in vendors if other is not runtime}
    return found, left_out


def launcher_beside(compiler):
    path = Path(compiler)
    return str(path.with_name(path.name.replace("mpicc", "mpiexec")))


def identify(runtime, workshop):
    """Fills in the library's file, and the name and version that the library reports."""
    program = workshop.native("calls.c", runtime)
    if runtime.compiler:
        loaded = re.findall(r"^\s*libmpi\S* => (\S+)", run(["ldd", program]), re.M)
        if not loaded:
            raise BenchError(f"{runtime.compiler} links no shared MPI library into {program}")
        runtime.library = Path(loaded[0])
    if not runtime.library.exists():
        raise BenchError(f"{runtime.library} does not exist (--abi-prefix names a folder with lib/libmpi_abi.so.1)")
    said = fields(run([program, "0"], env=native_environment(runtime)))
    number = re.search(r"\d+\.\d+(\.\d+)?", said["version"][0])
    family = "Open MPI" if "Open MPI" in said["version"][0] else "MPICH"
    runtime.title = f"{family} {number.group() if number else ''}" + (" (standard ABI)" if not runtime.compiler else "")


def check_library(program, env, expected, what):
    """Refuses to compare a library with itself, a mistake that looks like a perfect result."""
    used = fields(run([program, "0"], env=env))["library"][0]
    if Path(used).resolve() != Path(expected).resolve():
        raise BenchError(f"{what} of {program.name} uses {used}, not {expected}")


def cells(table, row):
    return [shown(column, row.get(column)) for column in table.columns]


def shown(column, value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "ok" if value else "OVER"
    if column in ("added", "by the program"):
        return f"{value:+d}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def print_tables(tables, left_out, options):
    if options.json:
        print(json.dumps({"tables": [vars(t) for t in tables], "left_out": left_out}, indent=1))
        return
    for table in tables:
        (print_markdown if options.markdown else print_text)(table)
    for reason in left_out:
        print(f"left out: {reason}")


def print_markdown(table):
    print(f"### {table.title}\n")
    print("| " + " | ".join(table.columns) + " |")
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(table.columns))) + "|")
    for row in table.rows:
        print("| " + " | ".join(cells(table, row)) + " |")
    print("".join(f"\n{text}\n" for text in table.notes))


def print_text(table):
    lines = [table.columns] + [cells(table, row) for row in table.rows]
    first, *others = (max(map(len, column)) for column in zip(*lines))
    print(table.title)
    for line in lines:
        numbers = "".join("  " + cell.rjust(width) for cell, width in zip(line[1:], others))
        print(f"  {line[0].ljust(first)}{numbers}".rstrip())
    print("".join(f"  {text}\n" for text in table.notes))


def main(description, measure, more_options=lambda parser: None, needs_libraries=lambda options: True):
    """The command line of every script here: measures and prints. Returns the exit status: 0 if all limits hold."""
    parser = argparse.ArgumentParser(description=description)
    add_options(parser)
    more_options(parser)
    options = parser.parse_args()
    try:
        workshop = Workshop(options.build_dir)
        runtimes, left_out = find_runtimes(options, workshop) if needs_libraries(options) else ([], [])
        tables = measure(options, workshop, runtimes)
    except BenchError as error:
        note(str(error))
        return 2
    print_tables(tables, left_out, options)
    over = [f"{table.title}: {row[table.columns[0]]}" for table in tables for row in table.failures()]
    for name in over:
        note(f"over its limit: {name}")
    return 1 if over else 0
