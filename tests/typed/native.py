"""The typed API with the mpi.h of a library, without anympi's library: every mpi.h of the machine compiles, and the tests
and examples run natively on Debian's libraries."""
from __future__ import annotations

import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lib import process
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime

from programs import programs

COMPILER = "clang++"  # the faster one
RANKS = {"mpich": [2], "openmpi": [2, 3]}
SECONDS = 120
LACKS = re.compile(r"^skip .*this mpi\.h lacks (MPI_\w+)", re.MULTILINE)


def native_cases(context: Context, units: dict[str, str], headers: list[Path]):
    """`units` are the parts of the test program: names and texts."""
    for compiler in ("g++", "clang++"):
        yield Case(f"every mpi.h with {compiler}", partial(compiles, context, compiler), is_serial=True, seconds=20)
    for runtime in context.available:
        if runtime.name not in RANKS:
            continue
        built = [Case(f"{unit} with the mpi.h of {runtime.name} compiles", partial(programs.builds, unit_of, context, runtime, unit, text, headers),
                      is_serial=True, seconds=10) for unit, text in units.items()]
        yield from built
        for ranks in RANKS[runtime.name]:
            yield Case(f"native tests on {runtime.name} with {ranks}", partial(run_tests, context, runtime, ranks, units, headers), after=built)
        yield Case(f"native examples on {runtime.name}", partial(run_examples, context, runtime, headers), is_serial=True, seconds=30)
        yield Case(f"a missing function with the mpi.h of {runtime.name}", partial(says_what_lacks, context, runtime))


def include_folder(runtime: Runtime) -> list[str]:
    """Returns the options of Debian's compiler for the library."""
    wrapper = shutil.which(f"mpicxx.{runtime.name}")
    if not wrapper:
        return []
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"-I\S+", shown)


def flags(context: Context, include: list[str]) -> list[str]:
    return ["-std=c++20", f"-I{context.root / 'include'}", *include, "-Wall", "-Wextra", "-Werror"]


def compiles(context: Context, compiler: str) -> Result:
    """All headers of the API compile with each mpi.h of MPI 3.1 or newer."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    names = [header.name for header in sorted((context.root / "include" / "anympi").glob("*.hpp")) if header.name != "small_counts.hpp"]
    text = "".join(f"#include <anympi/{name}>\n" for name in names)
    folders = [[f"-I{header.parent}"] for header in sorted((context.root / "build" / "runtimes").glob("*/include/mpi.h"))]
    folders += [include_folder(runtime) for runtime in context.available if runtime.name in RANKS]
    wrong = []
    for folder in filter(None, folders):
        command = [compiler, "-x", "c++", "-fsyntax-only", *flags(context, folder), "-"]
        done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            wrong.append(f"{folder}:\n{done.stderr[:2000]}")
    if not folders:
        return context.absent("no mpi.h of a library is here")
    return failed("\n".join(wrong)) if wrong else passed()


def unit_of(context: Context, runtime: Runtime, unit: str, text: str, headers: list[Path]) -> Path:
    name = f"native-{runtime.name}-{unit.replace(' ', '_')}"
    source = context.work / "native" / f"{name}.cpp"
    with context.lock_of(source):
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
    tests = context.root / "tests" / "typed"
    options = [*flags(context, include_folder(runtime)), f"-I{tests}", "-DANYMPI_LACKING_FAILS", "-O0", "-c"]
    return context.compile(f"{name}.o", [source, *headers, *tests.glob("*.hpp")], options, COMPILER)


def run_tests(context: Context, runtime: Runtime, ranks: int, units: dict[str, str], headers: list[Path]) -> Result:
    """A function is only left out if the library lacks it too."""
    try:
        objects = [unit_of(context, runtime, unit, text, headers) for unit, text in units.items()]
        program = context.compile(f"native-{runtime.name}", objects, [str(runtime.library), "-lgtest", "-pthread"], COMPILER)
    except BuildError as error:
        return failed(str(error))
    environment = {**runtime.environment, "ANYMPI_TEST_SECONDS": str(SECONDS)}
    done = process.run([*runtime.launcher, "-n", str(ranks), program], SECONDS, environment)
    wrong = sorted(name for name in set(LACKS.findall(done.output)) if runtime.exports(name))
    if wrong:
        return failed(f"the library has these functions: {wrong}")
    return passed() if done.code == 0 and re.search(r"^ok \d+ checks", done.output, re.MULTILINE) else failed(done.describe())


def run_examples(context: Context, runtime: Runtime, headers: list[Path]) -> Result:
    """Each example is correct, or needs a function that the mpi.h lacks: then the compiler says so."""
    for source in sorted((context.root / "examples" / "typed").glob("*.cpp")):
        try:
            program = context.compile(f"native-{runtime.name}-{source.stem}", [source, *headers],
                                      [*flags(context, include_folder(runtime)), "-O0", str(runtime.library), "-pthread"], COMPILER)
        except BuildError as error:
            lacked = re.search(r"anympi: this mpi\.h lacks (MPI_\w+)", str(error))
            if not lacked or runtime.exports(lacked[1]):
                return failed(str(error))
            continue
        done = process.run([*runtime.launcher, "-n", "2", program], SECONDS, runtime.environment)
        if done.code != 0 or not re.search(r"^\w+: correct$", done.output, re.MULTILINE):
            return failed(f"{source.name}: {done.describe()}")
    return passed()


# A function of MPI 5.0 that no other mpi.h has, and one that all have.
CALLS = {"anympi::abi_version()": "MPI_Abi_get_version, which is part of MPI 5.0", "anympi::version()": ""}


def says_what_lacks(context: Context, runtime: Runtime) -> Result:
    """Only a call of a missing function is an error: one sentence with its name."""
    for compiler in ("g++", "clang++"):
        if not context.compiler_version(compiler):
            return not_installed(compiler)
        for call, lacked in CALLS.items():
            text = f"#include <anympi/anympi.hpp>\nint main() {{ static_cast<void>({call}); }}\n"
            command = [compiler, "-x", "c++", "-c", "-o", "/dev/null", *flags(context, include_folder(runtime)), "-"]
            done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
            errors = [line for line in done.stderr.splitlines() if "error: " in line]
            expected = f"anympi: this mpi.h lacks {lacked}" if lacked else ""
            if (done.returncode != 0) != bool(lacked) or (lacked and (len(errors) != 1 or expected not in errors[0])):
                return failed(f"{compiler}, {call}:\n{done.stderr[:2000]}")
    return passed()
