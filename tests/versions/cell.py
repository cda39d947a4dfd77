"""One cell: a program of a kind that was built for one version runs on another with `anympi run`, and reports what it has seen."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lib import process
from lib.context import BuildError, Context
from lib.runtimes import exported_names

from .installations import HERE, Place, Version
from .kinds import Kind, build, why_not_built

RANKS = 2
SECONDS = 60
RIGHT, REFUSED, NOT_BUILT, WRONG = "right", "refused", "not built", "WRONG"
CRASHED = re.compile(r"symbol lookup error|[Ss]egmentation|signal \d+|KILLED BY SIGNAL")
TOLD = re.compile(r"CELL rank=(\d+) size=(\d+) right=(\d) library=\[(.*?)\] called=\[(.*?)\] mapped=(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    kind: Kind
    built_for: Version
    run_on: Version

    @property
    def name(self) -> str:
        return f"{self.kind.name} for {self.built_for.name} on {self.run_on.name}"

    @property
    def place(self) -> Place:
        """Returns the place where the program runs: a distribution's MPI runs on that distribution, a wheel's MPI where
        the program was built.
        """
        return self.run_on.place or self.built_for.place or HERE


@dataclass(frozen=True)
class Answer:
    kind: str        # one of the four above
    text: str = ""   # the refusal, the reason, or the unexpected result
    seconds: float = 0


def fill(context: Context, cell: Cell) -> Answer:
    reason = why_not_built(cell.kind, cell.built_for)
    if reason:
        return Answer(NOT_BUILT, reason)
    try:
        program = build(context, cell.kind, cell.built_for)
    except BuildError as error:
        return Answer(WRONG, str(error))
    return judge(context, cell, run(context, cell, program))


def run(context: Context, cell: Cell, program: Path, preloaded: tuple[Path, ...] = ()) -> process.Completed:
    runtime = cell.run_on.runtime
    environment = {**runtime.environment, "ANYMPI_MPI": ""}
    library = cell.place.outside(str(runtime.library))
    if runtime.environment.get("MPIR_CVAR_CH4_NETMOD") == "ucx" or b"--with-device=ch4:ucx" in library.read_bytes():
        preloaded += (context.yield_shim(),)
    if preloaded:
        environment["LD_PRELOAD"] = ":".join(map(str, preloaded))
    launcher = runtime.launcher
    if cell.kind.is_by_launcher:
        environment["ANYMPI_MPI"] = str(runtime.library)
    else:
        launcher = [context.build / "bin" / "anympi", "run", "--mpi", runtime.library, *launcher[1:]]
    command = [*cell.place.entry, *launcher, "-n", RANKS, program]
    return process.run(command, SECONDS, environment)


def judge(context: Context, cell: Cell, done: process.Completed) -> Answer:
    told = TOLD.findall(done.output)
    # each process may print it
    sentences = list(dict.fromkeys(line for line in done.output.splitlines() if line.startswith("anympi: ")))
    if sentences and not told and done.code != 0 and not done.timed_out and not CRASHED.search(done.output):
        return Answer(REFUSED, "\n".join(sentences))
    mistakes = [mistake for mistake in find_mistakes(context, cell, done, told) if mistake]
    return Answer(WRONG, "\n".join([*mistakes, done.describe(most_lines=40)])) if mistakes else Answer(RIGHT)


def find_mistakes(context: Context, cell: Cell, done: process.Completed, told: list[tuple]) -> list[str]:
    libraries = {library for *_, mapped in told for library in mpi_libraries(context, cell.place, mapped.split())}
    chosen = cell.place.outside(str(cell.run_on.runtime.library)).resolve()
    return ["" if done.code == 0 else "it failed",
            "" if sorted((rank, size) for rank, size, *_ in told) == [(str(rank), str(RANKS)) for rank in range(RANKS)]
            else f"the processes are not the ranks of one job of {RANKS}",
            "" if all(right == "1" for _, _, right, *_ in told) else "the result is wrong",
            "" if not is_replaced(context, cell, told) else "anympi's libraries have replaced the version's own",
            "" if libraries == {chosen} else f"it has loaded {', '.join(map(str, sorted(libraries))) or 'no MPI library'} instead of {chosen}",
            *sorted({f"it calls {called or 'no MPI library'}, which comes before the right one" for *_, called, _ in told
                     if not may_be_called(context, cell, called)}),
            "" if all(is_text_of(cell.run_on, text) for *_, text, _, _ in told) else "the library says that it is another one"]


def may_be_called(context: Context, cell: Cell, called: str) -> bool:
    """Returns True if the program may call that library: the chosen one, or an interposer before it, if it has the ABI
    of the program; otherwise anympi's front for that ABI.
    """
    file = cell.place.outside(called).resolve()
    ours, abi = context.build.resolve() / "lib" / "anympi", cell.built_for.abi
    if abi != cell.run_on.abi:
        return ours / abi in file.parents
    return file == cell.place.outside(str(cell.run_on.runtime.library)).resolve() or ours / "interposers" / abi in file.parents


def is_replaced(context: Context, cell: Cell, told: list[tuple]) -> bool:
    """Returns True if anympi's libraries replace the version's own. A program on the version for which it was built
    gets that version's own libraries for Fortran and C++, since anympi's need the front. An adopted copy always names
    the front.
    """
    ours = re.compile(rf"{re.escape(str(context.build))}/lib/anympi/(mpich|openmpi)/")
    return cell.built_for is cell.run_on and not cell.kind.is_by_launcher and any(ours.search(mapped) for *_, mapped in told)


def is_text_of(version: Version, text: str) -> bool:
    """Compares with MPI_Get_library_version: "MPICH Version:      4.2.1", "Open MPI v4.1.4, package …"."""
    return version.text in re.sub(r" v(?=\d)| Version:\s*", " ", text)


def mpi_libraries(context: Context, place: Place, mapped: list[str]) -> set[Path]:
    """Returns the files that have MPI's functions themselves, without the files of anympi."""
    found = {place.outside(path).resolve() for path in mapped if not path.startswith(f"{context.build}/")}
    return {path for path in found if is_elf(path) and "PMPI_Init" in exported_names(path)}


def is_elf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
