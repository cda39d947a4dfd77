"""No line of the command's output is wider than the terminal. In a pipe, the limit is 80 columns. A path that fits on a
line is not broken.
"""
from __future__ import annotations

import re
import shlex
import unicodedata
from pathlib import Path

from lib.checks import expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of

IS_SERIAL = True

COMMANDS = ("run", "list", "inspect", "doctor", "adopt", "config", "version")
SSH = "#!/bin/sh\necho 'ssh: a message that is longer than a line of the terminal, as messages of ssh often are: no route' >&2\nexit 255\n"


def cases(context: Context):
    return cases_of(context, CHECKS)


def crowded_machine(context: Context, folder: Path) -> tuple[FakeMachine, Path]:
    """Makes a machine with more MPIs than a table has room for, long paths, wide characters, and mistakes everywhere."""
    machine = FakeMachine(context, folder)
    machine.mpi("mpich", "usr")
    machine.mpi("openmpi", "opt/openmpi-5.0.7-with-a-long-name-as-site-administrators-like-it/計算機/x86_64")
    for number in range(4):
        machine.mpi("mpich-debian", f"opt/mpich-{number}")
    searched = ", ".join(f"'{machine.root}/opt/mpich-{number}'" for number in range(4))
    machine.configure(f"search = [{searched}]\n")
    machine.write("tools/ssh", SSH, 0o755)
    library = machine.root / "usr/lib/libmpi.so.12"
    program = machine.program("bin/a-program-with-a-long-name", ["HAS_MAIN", "FUNCTION_NAME=use"], [library],
                              "-Wl,--disable-new-dtags,-rpath,/nowhere")
    return machine, program


def outputs(program: Path) -> list[list]:
    return [["--help"], *([name, "--help"] for name in COMMANDS), ["list"], ["inspect", program], ["inspect", "--functions"],
            ["inspect", "--functions", "MPI_Bsend", "MPI_Wait", "MPI_Psend_init"], ["doctor", program], ["config"],
            ["doctor", "--hosts", "a-host-with-a-long-name.example.org,b,c"]]


def width_of(line: str) -> int:
    plain = re.sub(r"\033\[\d*m", "", line)
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in plain)


def commands_in(shown: str) -> set[str]:
    """Returns those lines of the commands in backquotes that consist of a single word. Such a word is never broken, so
    its line may be too wide.
    """
    lines = {line for command in re.findall(r"`([^`]*)`", shown) for line in command.splitlines()}
    return {line.strip() for line in lines if len(shlex.split(line.removesuffix("\\"))) == 1}


def expect_narrow(shown: str, words: list, columns: int) -> None:
    lines = [line for line in shown.splitlines() if not line.startswith("anympi: ")]  # messages are not wrapped
    expect(len(lines) > 0, f"{words}: no output")
    words_of_commands = commands_in(re.sub(r"\033\[\d*m", "", shown))
    wide = [line for line in lines if width_of(line) > columns and line.strip().rstrip("`") not in words_of_commands]
    expect(not wide, f"{words} in {columns} columns:\n" + "\n".join(wide))


def check_pipe(context: Context, folder: Path) -> None:
    machine, program = crowded_machine(context, folder)
    for words in outputs(program):
        expect_narrow(machine.start(*words, COLUMNS="").stdout, words, 80)
    for words in outputs(program)[len(COMMANDS) + 1:]:
        expect_narrow(machine.start(*words, COLUMNS="60").stdout, words, 60)


def check_terminal(context: Context, folder: Path) -> None:
    """The width of the terminal is used, even if COLUMNS has another value."""
    machine, program = crowded_machine(context, folder)
    for columns in (80, 120):
        for words in outputs(program):
            shown = machine.run_in_terminal(*words, columns=columns, COLUMNS="1000")
            expect("\033[" in shown or "--help" in words, f"{words}: no colours")
            expect_narrow(shown, words, columns)


def check_paths_stay_whole(context: Context, folder: Path) -> None:
    """A path that fits on a line is not broken, whatever column it is in."""
    machine, program = crowded_machine(context, folder)
    prefix = f"opt/{'x' * (50 - len(str(machine.root)))}"
    libraries = [machine.library("mpich", prefix), machine.library("mpich", f"{prefix}/too/long")]
    machine.configure(f"search = {[str(library.parent) for library in libraries]}\n")
    for words in (["list"], ["inspect", program]):
        shown = machine.start(*words, COLUMNS="").stdout
        expect(re.search(rf"^ *{re.escape(str(libraries[0]))}$", shown, re.MULTILINE), f"{libraries[0]}\n{shown}")
        expect(re.search(r"^ */tmp/\S.*….*/libmpi.so.12$", shown, re.MULTILINE), f"both ends of {libraries[1]}\n{shown}")


def check_left_out(context: Context, folder: Path) -> None:
    """A line names the columns for which the terminal is too narrow. A wide terminal shows all columns."""
    machine = FakeMachine(context, folder)
    machine.mpi("mpich", "usr")
    shown = machine.start("list", COLUMNS="").stdout
    expect("THREADS" not in shown.splitlines()[0] and re.search(r"^\(Not shown .*THREADS", shown, re.MULTILINE), shown)
    shown = machine.start("list").stdout
    expect("THREADS" in shown.splitlines()[0] and "Not shown" not in shown, shown)


CHECKS = {
    "pipe": check_pipe,
    "terminal": check_terminal,
    "paths stay whole": check_paths_stay_whole,
    "columns without room": check_left_out,
}
