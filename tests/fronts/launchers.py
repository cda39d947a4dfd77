"""The choice of the MPI and the messages about it: by the launcher, under a wrong launcher, with a bad ANYMPI_MPI, in a
set-user-ID program."""
from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import with_programs
from lib.context import Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime

SECONDS = 60
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI"}
LAUNCHERS = {"mpich": "MPICH's mpiexec", "openmpi": "Open MPI's mpirun"}


def cases(context: Context):
    families = {runtime.name: runtime for runtime in context.available if runtime.name in TITLES}
    if len(families) == len(TITLES):
        for chosen, started in (("mpich", "openmpi"), ("openmpi", "mpich")):
            pair = families[chosen], families[started]
            what = f"{TITLES[chosen]} under the launcher of {TITLES[started]}"
            yield Case(f"{what}: two ranks are stopped", partial(with_programs, stopped, context, *pair))
            yield Case(f"{what}: ANYMPI_ALLOW_SINGLETON", partial(with_programs, allowed, context, *pair))
            yield Case(f"{what}: one rank runs", partial(with_programs, alone, context, *pair))
    else:
        yield Case("the wrong launcher", partial(skipped, "needs Debian's MPICH and Open MPI"))
    for runtime in context.available:
        if runtime.usual or context.full:
            yield Case(f"silent on {runtime.name}", partial(with_programs, silent, context, runtime))
            yield Case(f"ANYMPI_VERBOSE on {runtime.name}", partial(with_programs, verbose, context, runtime))
            yield Case(f"chosen by the launcher of {runtime.name}", partial(with_programs, by_launcher, context, runtime))
    for name, make in BAD_VALUES.items():
        yield Case(f"ANYMPI_MPI names {name}", partial(with_programs, bad_value, context, make))
    yield Case("ANYMPI_MPI in a set-user-ID program", partial(with_programs, set_user_id, context))


def world(context: Context) -> Path:
    return context.compile("world", [context.root / "tests" / "fronts" / "tools" / "world.c"], context.program_flags())


# Two jobs of one process that start Open MPI at the same time create the same folder below TMPDIR, and one of them
# fails.
WITH_OWN_FOLDER = ["sh", "-c", 'TMPDIR=$(mktemp -d) exec "$0"']


def launch(context: Context, launcher: Runtime, ranks: int, *prefix: str, **environment: str) -> process.Completed:
    """Starts a program with the launcher of one MPI while the environment chooses another MPI. An empty variable counts
    as unset."""
    variables = {**launcher.environment, "ANYMPI_MPI": "", "ANYMPI_VERBOSE": "", **environment}
    return process.run([*launcher.launcher, "-n", str(ranks), *prefix, world(context)], SECONDS, variables)


def lines(done: process.Completed, beginning: str) -> list[str]:
    return [line for line in done.output.splitlines() if line.startswith(beginning)]


# ---- the wrong launcher ---------------------------------------------------------------------------------------------

def stopped(context: Context, chosen: Runtime, started: Runtime) -> Result:
    """The message must appear once for the whole job, and no rank may continue."""
    done = launch(context, started, 2, ANYMPI_MPI=chosen.name)
    library = re.escape(chosen.library.name.split(".so")[0])
    expected = [rf"anympi: this process is rank 0 of 2 of {re.escape(LAUNCHERS[started.name])}, but the MPI chosen is "
                rf"{TITLES[chosen.name]} [\d.]+ \({library}\.so[\d.]*\): 2 separate jobs would run\.",
                rf"anympi: start it with `anympi run --mpi {chosen.name} -n 2 \S*{world(context).name}`, or choose "
                rf"{TITLES[started.name]}: `ANYMPI_MPI={started.name}`\. \(ANYMPI_ALLOW_SINGLETON=1 allows that\.\)"]
    said = lines(done, "anympi: ")
    matches = len(said) == len(expected) and all(re.fullmatch(want, have) for want, have in zip(expected, said))
    if not matches or done.code == 0 or lines(done, "world: "):
        return failed("\n".join([done.describe(), "expected, and nothing else of anympi or the program:", *expected]))
    return passed()


def allowed(context: Context, chosen: Runtime, started: Runtime) -> Result:
    done = launch(context, started, 2, *WITH_OWN_FOLDER, ANYMPI_MPI=chosen.name, ANYMPI_ALLOW_SINGLETON="1")
    good = done.code == 0 and len(lines(done, f"world: rank 0 of 1 on {TITLES[chosen.name]}")) == 2
    return passed() if good and not lines(done, "anympi: ") else failed(done.describe())


def alone(context: Context, chosen: Runtime, started: Runtime) -> Result:
    done = launch(context, started, 1, ANYMPI_MPI=chosen.name)
    good = done.code == 0 and len(lines(done, f"world: rank 0 of 1 on {TITLES[chosen.name]}")) == 1
    return passed() if good and not lines(done, "anympi: ") else failed(done.describe())


# ---- messages, and the choice ---------------------------------------------------------------------------------------

def silent(context: Context, runtime: Runtime) -> Result:
    done = launch(context, runtime, 2, ANYMPI_MPI=str(runtime.library))
    good = done.code == 0 and len(lines(done, "world: rank ")) == 2 and "anympi" not in done.output
    return passed() if good else failed(done.describe())


def verbose(context: Context, runtime: Runtime) -> Result:
    """The message must name the chosen MPI, its file, and the reason for the choice."""
    done = launch(context, runtime, 1, ANYMPI_MPI=str(runtime.library), ANYMPI_VERBOSE="1")
    said = [line for line in lines(done, "anympi: chose ")
            if str(runtime.library) in line and f"ANYMPI_MPI={runtime.library}" in line]
    return passed() if done.code == 0 and len(said) == 1 else failed(done.describe())


def by_launcher(context: Context, runtime: Runtime) -> Result:
    """Without ANYMPI_MPI the launcher's own library is used. This MPI may have a second library with the standard
    ABI."""
    done = launch(context, runtime, 2, ANYMPI_VERBOSE="1")
    chosen = [Path(path) for path in re.findall(r"^anympi: chose .* at (/\S+): ", done.output, re.MULTILINE)]
    expected = runtime.library.resolve().parent
    good = (done.code == 0 and len(chosen) == 2 and all(path.resolve().parent == expected for path in chosen)
            and len(lines(done, "world: rank 0 of 2")) == len(lines(done, "world: rank 1 of 2")) == 1)
    return passed() if good else failed(f"{done.describe()}\nexpected: a library in {expected}")


# ---- a bad ANYMPI_MPI -----------------------------------------------------------------------------------------------

def missing_file(_: Context, folder: Path) -> Path:
    return folder / "libmpi.so.12"


def text_file(_: Context, folder: Path) -> Path:
    path = folder / "libmpi.so"
    path.write_text("INPUT(libmpi.so.12)\n")
    return path


def other_library(_: Context, folder: Path) -> Path:
    """An ELF library that is not MPI: the C library of this process."""
    maps = Path("/proc/self/maps").read_text()
    return Path(re.search(r"(/\S*/libc\.so\.6|/\S*/libc-\S+\.so)$", maps, re.MULTILINE).group(1))


def truncated_library(context: Context, folder: Path) -> Path:
    """The beginning of a real library, as after an interrupted copy."""
    source = next((runtime.library for runtime in context.available), context.build / "lib" / "libmpi_abi.so.1")
    path = folder / "libmpi.so.12"
    path.write_bytes(source.read_bytes()[:5000])
    return path


def front_itself(context: Context, _: Path) -> Path:
    return context.build / "lib" / "libmpi_abi.so.1"


def empty_folder(_: Context, folder: Path) -> Path:
    return folder


def unknown_name(_: Context, __: Path) -> str:
    return "lam"


BAD_VALUES = {"a file that is not there": missing_file, "a text file": text_file, "another library": other_library,
              "a truncated library": truncated_library, "our own front": front_itself,
              "a folder without MPI": empty_folder, "an unknown MPI": unknown_name}


def bad_value(context: Context, make) -> Result:
    """Exit code 1 and a message with the bad value and the remedy; never a crash."""
    with tempfile.TemporaryDirectory(prefix="anympi-test-") as folder:
        value = str(make(context, Path(folder)))
        done = process.run([world(context)], SECONDS, {"ANYMPI_MPI": value})
    said = done.output.splitlines()
    good = (done.code == 1 and len(said) >= 2 and all(line.startswith("anympi: ") for line in said)
            and said[0].startswith(f"anympi: ANYMPI_MPI={value}") and "give a name" in said[-1])
    return passed() if good else failed(f"{done.describe()}\nexpected: a message about ANYMPI_MPI={value}")


# ---- set-user-ID ----------------------------------------------------------------------------------------------------

def set_user_id(context: Context) -> Result:
    """A program with more rights than its user must not open files that the user names."""
    if os.geteuid() != 0:
        return skipped("needs root, to make a set-user-ID program")
    folder = Path(tempfile.mkdtemp(prefix="anympi-test-"))
    try:
        return run_with_more_rights(context, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_with_more_rights(context: Context, folder: Path) -> Result:
    # Another user may be unable to reach the build tree, so all files are in one folder.
    front = folder / "libmpi_abi.so.1"
    shutil.copy(context.build / "lib" / "libmpi_abi.so.1", front)
    program = folder / "world"
    built = process.run(["cc", context.root / "tests" / "fronts" / "tools" / "world.c", f"-I{context.build / 'include'}", front,
                         f"-Wl,-rpath,{folder}", "-o", program], SECONDS)
    if built.code != 0:
        return failed(built.describe())
    folder.chmod(0o755)
    program.chmod(0o755 | stat.S_ISUID)
    done = subprocess.run([program, "--version"], user="nobody", group=65534, extra_groups=[], cwd="/",
                          env={**os.environ, "ANYMPI_MPI": "/nonexistent", "ANYMPI_VERBOSE": "1"},
                          capture_output=True, text=True, timeout=SECONDS, check=False)
    seen = f"{done.stdout}{done.stderr}(exit code {done.returncode})"
    if done.stdout.startswith("secure 0"):
        return skipped("this file system ignores the set-user-ID bit")
    # ANYMPI_VERBOSE must have no effect either.
    good = done.returncode == 0 and done.stdout.startswith("secure 1, ") and not done.stderr
    return passed() if good else failed(f"{seen}\nexpected: ANYMPI_MPI and ANYMPI_VERBOSE have no effect")
