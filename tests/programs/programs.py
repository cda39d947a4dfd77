"""The MPI programs of tests/programs: compiled once, run on every runtime with several numbers of ranks.

A file NAME.c is such a program if it has a line `// ranks: 1 2 4`. Other lines at its top have a meaning too: `//
seconds: 180` (time limit, default 120), `// flags: -pthread` (for the compiler), `// hangs natively: openmpi, 1 of
15` (a family of libraries on which the program hung without anympi, and how often: such a program gets more than one
try there).
"""
from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.process import Completed
from lib.register import Register
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime

ROOT = Path(__file__).parents[2]
VERDICT = re.compile(r"^ok (\d+) checks(?:, \d+ skipped)?$", re.MULTILINE)
TRIES = 5  # for a program that hangs natively: one that hangs in 4 of 15 runs fails 1 of 700 times

# Programs that also run on older releases without --full: together they use every conversion.
ON_OLDER_RUNTIMES = {"attributes", "coll_blocking", "datatypes", "errhandlers", "handlers_inside", "leaving", "pt2pt_modes",
                     "requests_arrays", "statuses", "user_ops"}


# Functions that must exist on every library for programs of an ABI; `operate` is a helper of a program.
PROMISED = [("MPI_Isendrecv", "standard"), ("MPI_Status_c2f", "standard"), ("operate", "standard"), ("MPI_Psend_init_c", "mpich")]


def cases(context: Context):
    for runtime in context.runtimes:
        if runtime.missing:
            yield Case(f"on {runtime.name}", runtime.absent)
        else:
            yield Case(f"refusals on {runtime.name} are judged", partial(check_judge, runtime))
    for source in sorted((context.root / "tests" / "programs").glob("*.c")):
        head = read_head(source)
        if head.get("ranks"):
            yield Case(f"{source.stem} builds", partial(builds, build_program, context, source, head), is_serial=True)
        for runtime in context.available:
            for ranks in chosen_ranks(context, source.stem, head, runtime):
                yield Case(f"{source.stem} on {runtime.name} with {ranks}",
                           partial(run_program, context, source, head, runtime, ranks),
                           row=source.stem, column=runtime.name, ranks=ranks)


def read_head(source: Path) -> dict[str, str]:
    """Returns the lines `// word: text` before the first line of code."""
    head = {}
    for line in source.read_text().splitlines():
        if line and not line.startswith(("//", "#include")):
            break
        match = re.match(r"// (ranks|seconds|flags|abi|hangs natively): (.+)", line)
        if match:
            head[match.group(1)] = match.group(2)
    return head


def possible_ranks(head: dict[str, str]) -> list[int]:
    return sorted(int(number) for number in head.get("ranks", "").split())


def usual_number(possible: list[int]) -> int:
    return 2 if 2 in possible else possible[0]


def wanted_ranks(context: Context, possible: list[int], usual: list[int]) -> list[int]:
    """Returns the numbers of --ranks, all numbers with --full, or the usual numbers."""
    if context.ranks:
        return [ranks for ranks in possible if ranks in context.ranks]
    return possible if context.full else usual


def chosen_ranks(context: Context, name: str, head: dict[str, str], runtime: Runtime) -> list[int]:
    possible = possible_ranks(head)
    usual: list[int] = []
    if possible and (runtime.usual or name in ON_OLDER_RUNTIMES):
        number = usual_number(possible)
        usual = sorted({possible[0], number, possible[-1]}) if runtime.many_ranks else [number]
    return wanted_ranks(context, possible, usual)


def builds(build, *arguments) -> Result:
    try:
        build(*arguments)
    except BuildError as error:
        return failed(str(error))
    return passed()


def build_program(context: Context, source: Path, head: dict[str, str]) -> Path:
    headers = sorted(source.parent.glob("*.h")) + [context.build / "include" / "mpi.h"]
    return context.compile(source.stem, [source, *headers], head.get("flags", "").split() + context.program_flags())


def run_program(context: Context, source: Path, head: dict[str, str], runtime: Runtime, ranks: int) -> Result:
    try:
        program = build_program(context, source, head)
    except BuildError as error:
        return failed(str(error))
    return judge(run_with_patience(context, head, runtime, ranks, program), runtime)


def run_with_patience(context: Context, head: dict[str, str], runtime: Runtime, ranks: int, program: Path, **how):
    """Runs the program again if the library or its launcher hung, and is known to hang without anympi. Any other
    failure counts at once."""
    tries = TRIES if head.get("hangs natively", "").startswith(runtime.family) else 1
    for hangs in range(tries):
        done = context.run_mpi(runtime, ranks, program, seconds=int(head.get("seconds", "120")), **how)
        done.hangs = hangs
        if not library_hung(done):
            break
    return done


def library_hung(done) -> bool:
    """Returns True if all processes whose time was up were inside the library (programs/hang.h). If no process reports
    that, the launcher hung, but only if the program has printed its last line: before its first line it has no alarm
    yet, so the front may hang."""
    hung = done.output.count(", signal 14")
    if hung == 0:
        return done.timed_out and bool(VERDICT.search(done.output))
    return done.output.count("the library hangs") == hung


def check_judge(runtime: Runtime) -> Result:
    """Tests `judge`: a mistake in it could hide missing functions, and so could a mistake that promises too few
    functions."""
    for function, program in PROMISED:
        done = Completed(["program"], 0, f"skip {function}: not offered by this MPI\nok 2 checks, 1 skipped\n", False)
        if judge(done, runtime, program).kind != "failed":
            return failed(f"{function} may be refused to a program of the ABI {program}")
    register = Register(ROOT, runtime)
    register.entries = replace(register.entries, absent={})
    refusable = [name for name in register.names if not register.promises(f"MPI_{name}")]
    return failed(f"may be refused without its line in the register: {', '.join(refusable)}") if refusable and not register.is_direct else passed()


def judge(done, runtime: Runtime, program: str = "standard") -> Result:
    """Passes if the program's last line says so, no check failed, and no rank lacks a promised function."""
    verdicts = VERDICT.findall(done.output)
    if done.timed_out or done.code != 0 or len(verdicts) != 1 or re.search(r"^FAILED", done.output, re.MULTILINE):
        return failed(done.describe())
    not_offered = sorted(set(re.findall(r"^skip (\w+): not offered by this MPI$", done.output, re.MULTILINE)))
    refused = list(filter(Register(ROOT, runtime, program).promises, not_offered)) if not_offered else []
    if refused:
        return failed(f"{done.describe()}\n{runtime.library} has {', '.join(refused)}, or anympi promises them, but they were refused")
    if verdicts == ["0"]:
        return skipped("; ".join(dict.fromkeys(re.findall(r"^skip (.+)$", done.output, re.MULTILINE))))
    return passed(not_offered, done.hangs)
