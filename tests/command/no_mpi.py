"""A machine without any MPI: every command prints the same message, which contains the command that installs an MPI."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from lib import process
from lib.checks import NotInstalled, expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of

ADVICE = "install one: `{}`; or load its module, or name its folder: ANYMPI_MPI=/path/of/the/installation"


def cases(context: Context):
    return cases_of(context, CHECKS)


def command_of_debian() -> str:
    return ("" if os.geteuid() == 0 else "sudo ") + "apt install mpich"


def program_in(folder: Path, context: Context) -> Path:
    """Makes a program that is linked with anympi's front and finds it by its RPATH."""
    library = context.build / "lib" / "libmpi_abi.so.1"
    source = folder / "program.c"
    source.write_text("int MPI_Init(int *, char ***);\nint main(int count, char **words) { return MPI_Init(&count, &words); }\n")
    program = folder / "program"
    subprocess.run(["cc", source, library, f"-Wl,-rpath,{library.parent}", "-o", program], check=True)
    return program


def expect_message(done: process.Completed, command: str) -> None:
    """Expects that the output has the message once, in two lines, and no other line of anympi."""
    lines = [line for line in done.output.splitlines() if line.startswith("anympi: ")]
    expect(done.code == 1 and len(lines) == 2, done)
    expect(lines[0].startswith("anympi: no MPI library was found on ") and lines[1] == f"anympi: {ADVICE.format(command)}", done)


def check_commands(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    machine.write("etc/os-release", "NAME=x\nID=debian\n")
    # An installation of anympi does not count as an MPI and is not mentioned.
    machine.copy(context.build / "lib" / "libmpi_abi.so.1", "usr/lib/libmpi_abi.so.1")
    (machine.root / "dev" / "shm").mkdir(parents=True)
    machine.add_libc()
    program = program_in(folder, context)
    for words in (["list"], ["run", program], ["run", "--mpi", "mpich", "-n", "2", program], ["run", "--mpi", "openmpi-5", "ls"],
                  ["run", "ls"], ["run", "--mpi", "mpcih", "ls"], ["run", "--mpi", "lam", "ls"]):
        expect_message(machine.run(*words), command_of_debian())
    expect_message(machine.run("run", "ls", ANYMPI_MPI="mpcih"), command_of_debian())
    done = machine.run("inspect", program)
    expect(done.code == 0 and ADVICE.format(command_of_debian()) in done.output, done)
    seen = machine.json("doctor", program, expected=1)["findings"]
    told = {one["check"]: one for one in seen}
    expect(told["choice"]["remedy"] == ADVICE.format(command_of_debian()) and not told["choice"]["details"], seen)
    expect(told["program"]["level"] == "problem" and "cannot start: no MPI can be chosen here" in told["program"]["text"], seen)
    machine.write("etc/os-release", "ID=unheard-of\n")
    expect_message(machine.run("list"), "pip install mpich")


def check_real_root(context: Context, folder: Path) -> None:
    """Starts a program directly, in a root folder that contains only the C library and anympi."""
    if not shutil.which("bwrap"):
        raise NotInstalled("bwrap")
    program = program_in(folder, context)
    release = folder / "os-release"
    release.write_text("ID=fedora\n")
    libraries = "/usr/lib/x86_64-linux-gnu"
    places = [(path, path) for path in ("/lib64/ld-linux-x86-64.so.2", *(f"{libraries}/{name}" for name in (
        "libc.so.6", "libdl.so.2", "libpthread.so.0", "libm.so.6")))] + [(context.build / "lib", context.build / "lib"),
                                                                       (context.build / "bin", context.build / "bin"), (program, "/program"), (release, "/etc/os-release")]
    words = ["bwrap", "--proc", "/proc", "--dev", "/dev"]
    for here, there in places:
        words += ["--ro-bind", here, there]
    words += ["--symlink", "usr/lib", "/lib", "--clearenv", "--setenv", "PATH", "/usr/bin"]
    for command in (["/program"], [context.build / "bin" / "anympi", "run", "/program"], [context.build / "bin" / "anympi", "list"]):
        done = subprocess.run([str(word) for word in (*words, *command)], capture_output=True, text=True, check=False, timeout=60)
        expect(not re.search("^bwrap: ", done.stderr), done.stderr)
        root = "" if os.geteuid() == 0 else "sudo "
        expect_message(process.Completed([str(word) for word in command], done.returncode, done.stdout + done.stderr, False),
                       root + "dnf install mpich")


CHECKS = {
    "commands": check_commands,
    "a root without any MPI": check_real_root,
}
