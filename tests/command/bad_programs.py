"""The messages of `anympi run` about programs that cannot be started, or should not be started in this way, before a
launcher starts.
"""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

from lib.checks import expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of
from lib.process import Completed

IS_SERIAL = True


def cases(context: Context):
    return cases_of(context, CHECKS)


def machine_with_mpi(context: Context, folder: Path, family: str = "mpich") -> FakeMachine:
    machine = FakeMachine(context, folder)
    machine.mpi(family, "usr")
    return machine


def started(machine: FakeMachine, *words, **variables: str) -> Completed:
    """Runs the command in the machine's folder, so that `./name` is a program there."""
    done = subprocess.run([str(word) for word in (machine.command, "run", *words)], env={**machine.environment, **variables},
                          cwd=machine.root, capture_output=True, text=True, timeout=60, check=False)
    return Completed([str(word) for word in words], done.returncode, done.stdout + done.stderr, False)


def expect_refused(done: Completed, *texts: str) -> None:
    """Expects one sentence of anympi with a remedy, and no output of a launcher."""
    lines = done.output.splitlines()
    expect(done.code == 1 and 1 <= len(lines) <= 2 and all(line.startswith("anympi: ") for line in lines), done)
    expect(all(re.search(text, done.output) for text in texts), f"{texts}\n{done.describe()}")


def expect_warning(done: Completed, *texts: str) -> None:
    expect(done.code == 0 and all(re.search(text, done.output) for text in texts), f"{texts}\n{done.describe()}")
    expect(re.search("^(?!anympi: )", done.output, re.MULTILINE), f"the launcher was not started\n{done.describe()}")


def expect_silence(done: Completed) -> None:
    expect(done.code == 0 and "anympi: " not in done.output, done)


def serial_program(machine: FakeMachine, name: str, source: str = "int main(void) { return 0; }", *flags: str) -> Path:
    file = machine.root / name
    subprocess.run(["cc", "-w", "-x", "c", "-", "-o", file, *flags], input=source, text=True, check=True)
    return file


def check_missing(context: Context, folder: Path) -> None:
    machine = machine_with_mpi(context, folder)
    machine.write("hello", "#!/bin/sh\n", 0o755)
    expect_refused(started(machine, "-n", "2", "./helo"), r"\./helo does not exist; did you mean `\./hello`\?")
    expect_refused(started(machine, "./quite-another"), r"\./quite-another does not exist\n.*build the program first")
    expect_refused(started(machine, "hello"), r"there is no program `hello` in PATH; did you mean `\./hello`\?")
    expect_refused(started(machine, "quite-another"), "there is no program `quite-another` in PATH\n")
    expect_refused(started(machine, "-wdir", machine.root / "home", "./hello"), "home/./hello does not exist")
    expect_refused(started(machine, "./hello", ":", "./helo"), r"\./helo does not exist")
    # anympi leaves these to the launcher: programs that may exist on another host, and options that only the launcher
    # knows.
    for words in (["-hosts", "na", "./helo"], ["-f", "hosts", "helo"], ["--some-option", "value", "more", "./hello"], ["-path", "/x", "helo"],
                  ["-genv", "PATH", "/x", "helo"], ["-configfile", "x"], ["--container-image=image", "/helo"]):
        expect_silence(started(machine, "--dry-run", *words))
    machine.write("other", "#!/interpreter/of/other/hosts\n", 0o755)
    for program in ("./helo", "./other"):
        expect_silence(started(machine, "--dry-run", program, SLURM_JOB_ID="7"))  # on a login node
        expect_refused(started(machine, "--dry-run", program, SLURM_JOB_ID="7", SLURMD_NODENAME="na"))
        expect_silence(started(machine, "--dry-run", "-hosts", "na", program))
    expect_silence(started(machine, "--dry-run", "helo", PATH=f"relative:{machine.environment['PATH']}"))


def check_current_folder(context: Context, folder: Path) -> None:
    """Open MPI's launchers also search in the current folder."""
    machine = machine_with_mpi(context, folder, "openmpi")
    machine.write("hello", "#!/bin/sh\n", 0o755)
    expect_silence(started(machine, "--dry-run", "hello"))
    expect_refused(started(machine, "helo"), r"there is no program `helo` in PATH; did you mean `\./hello`\?")
    expect_silence(started(machine, "--dry-run", "--wdir", "home", "hello-of-home"))


def check_permission(context: Context, folder: Path) -> None:
    machine = machine_with_mpi(context, folder)
    serial_program(machine, "program").chmod(0o644)
    machine.write("script", "#!/bin/sh\n")
    machine.write("script.py", "print()\n")
    machine.write("program.c", "int main;\n")
    for name in ("program", "script"):
        expect_refused(started(machine, f"./{name}"), rf"\./{name} has no permission to be executed\n.*`chmod \+x \./{name}`")
    expect_refused(started(machine, "./script.py"), r"without permission to be executed\n.*`anympi run … python3 \./script\.py`")
    expect_refused(started(machine, "./program.c"), r"\./program\.c is not a program")
    expect_refused(started(machine, "./home"), r"\./home is a folder")


def check_damage(context: Context, folder: Path) -> None:
    machine = machine_with_mpi(context, folder)
    whole = serial_program(machine, "whole").read_bytes()
    static = serial_program(machine, "static", "int main(void) { return 0; }", "-static").read_bytes()
    other_processor = whole[:18] + (b"\xf3\0" if whole[18] != 0xf3 else b"\xb7\0") + whole[20:]
    for name, content, text in [
            ("cut", whole[:600], "is damaged"), ("end", whole[:len(whole) * 3 // 4], "is damaged"), ("static", static[:len(static) // 2], "is damaged"),
            ("other", other_processor, "was built for RISC-V"), ("empty", b"", "is empty"), ("data", b"\0\1\2", "is neither a program nor a script")]:
        file = machine.root / name
        file.write_bytes(content)
        file.chmod(0o755)
        expect_refused(started(machine, f"./{name}"), rf"\./{name} {text}")
    serial_program(machine, "object", "int a;", "-c").chmod(0o755)
    expect_refused(started(machine, "./object"), r"\./object is an object file")
    serial_program(machine, "library", "int a;", "-shared", "-fPIC")
    expect_refused(started(machine, "./library"), r"\./library is a shared library and not a program")
    serial_program(machine, "elsewhere", "int main(void) { return 0; }", "-Wl,--dynamic-linker=/nowhere/ld.so")
    expect_refused(started(machine, "./elsewhere"), "the dynamic linker that it names, /nowhere/ld.so, does not exist")
    done = started(machine, "/bin/cat", "/dev/null")  # as on a real machine
    expect(done.code == 0, done)


def check_registered_formats(context: Context, folder: Path) -> None:
    """The kernel starts files of some formats with an interpreter that is registered in /proc/sys/fs/binfmt_misc."""
    machine = machine_with_mpi(context, folder)
    whole = serial_program(machine, "whole").read_bytes()
    machine_type = 0xf3 if whole[18] != 0xf3 else 0xb7
    for name, content in (("other", whole[:18] + bytes([machine_type, 0]) + whole[20:]), ("tool.jar", b"PK\0\3"), ("tool.exe", b"MZ\0\0PE")):
        (machine.root / name).write_bytes(content)
        (machine.root / name).chmod(0o755)
    programs = ("./other", "./tool.jar", "./tool.exe")
    entries = machine.root / "proc" / "sys" / "fs" / "binfmt_misc"

    def expect_started(entry: str, *good: str) -> None:
        machine.write("proc/sys/fs/binfmt_misc/entry", entry)
        for program in programs:
            done = started(machine, "--dry-run", program)
            expect((" was built for " in done.output or " is neither a program " in done.output) == (program not in good), f"{entry}\n{done.describe()}")

    begin = "enabled\ninterpreter /usr/bin/qemu\nflags: OCF\n"
    elf = f"offset 0\nmagic 7f454c4602010100{'0' * 16}0200{machine_type:02x}00\n"
    machine.write("proc/sys/fs/binfmt_misc/register", "enabled\nextension .exe\n")
    expect_started(f"{begin}{elf}mask fffffffffffffe00{'f' * 16}fcffffff\n", "./other")
    expect_started(f"{begin}offset 18\nmagic {machine_type:02x}00\n", "./other")
    expect_started(f"{begin}extension .jar\n", "./tool.jar")
    expect_started(f"{begin}offset 0\nmagic 4d5a\n", "./tool.exe")
    for wrong in (f"disabled\n{begin[8:]}extension .jar\n", f"{begin}offset 19\nmagic {machine_type:02x}00\n", f"{begin}offset 0\nmagic 4d5\n",
                  f"{begin}offset 0\nmagic 4d5x\n", f"{begin}offset 0\nmagic 4d5a\nmask ff\n", f"{begin}offset -1\nmagic 4d5a\n",
                  f"{begin}offset 99999999\nmagic 4d5a\n", f"{begin}offset 0\nmagic \n", f"{begin}offset 0\nmagic {'4d5a0000' * 200}\n", begin, "", "\n \n"):
        expect_started(wrong)
    machine.write("proc/sys/fs/binfmt_misc/status", "disabled\n")
    expect_started(f"{begin}extension .jar\n")
    machine.write("proc/sys/fs/binfmt_misc/status", "enabled\n")
    expect_started(f"{begin}extension .jar\n", "./tool.jar")
    (entries / "entry").unlink()
    (entries / "entry").mkdir()
    expect(started(machine, "--dry-run", "./tool.jar").code != 0, "a folder is not an entry")


def check_scripts(context: Context, folder: Path) -> None:
    machine = machine_with_mpi(context, folder)
    for name, text, message in [
            ("gone", "#!/no/such/shell\n", "its first line names /no/such/shell"), ("unknown", "#!/usr/bin/env no-such-python\n", "names no-such-python, which is not in PATH"),
            ("windows", "#!/bin/sh\r\necho\r\n", "has line ends of Windows")]:
        machine.write(name, text, 0o755)
        expect_refused(started(machine, f"./{name}"), message)
    machine.write("plain", "#!/bin/sh\necho mpirun\n", 0o755)
    machine.write("words", "echo no first line\n", 0o755)
    for name in ("plain", "words"):
        expect_silence(started(machine, f"./{name}"))


def check_nested_launchers(context: Context, folder: Path) -> None:
    """A script that starts a launcher gets a warning that names the program."""
    machine = machine_with_mpi(context, folder)
    machine.write("real", "#!/bin/sh\n", 0o755)
    machine.write("job.sh", f"#!/bin/sh\n\nif true; then\n  mpirun -np 4 '{machine.root}/real'\nfi\n", 0o755)
    warning = r"job\.sh starts `mpirun` itself \(line 4\): each process of this job would start a job of its own\n.*" + re.escape(f"`anympi run … {machine.root}/real`")
    expect_warning(started(machine, "--dry-run", "./job.sh"), warning)
    expect_warning(started(machine, "--dry-run", "sh", "-e", "job.sh"), warning)
    expect_silence(started(machine, "--dry-run", "sh", "-c", "job.sh"))
    machine.write("mpirun", "#!/bin/sh\n", 0o755)
    expect_warning(started(machine, "--dry-run", "-n", "2", "./mpirun", "-np", "4", machine.root / "real"),
                   r"`mpirun` is a launcher itself: each process .*\n.*" + re.escape(f"`anympi run … {machine.root}/real`"))
    expect_silence(started(machine, "--dry-run", "-n", "2", "./mpirun", "--version"))
    machine.write("job.sh", "#!/usr/bin/env cat\nmpirun x\n", 0o755)
    expect_silence(started(machine, "--dry-run", "./job.sh"))


def check_serial(context: Context, folder: Path) -> None:
    """A program without MPI gets a warning. Programs of the system get no warning, and neither do programs that may load
    or start another program that uses MPI.
    """
    machine = machine_with_mpi(context, folder)
    machine.add_libc()
    serial_program(machine, "serial")
    expect_warning(started(machine, "--dry-run", "-n", "2", "./serial"), r"\./serial does not use MPI")
    expect_silence(started(machine, "--dry-run", "-n", "1", "./serial"))
    for name, call in (("opens", "dlopen(0, 1)"), ("starts", "execl(0, 0)"), ("asks", "system(0)")):
        serial_program(machine, name, f"int main(void) {{ {call}; }}", "-ldl")
        expect_silence(started(machine, "--dry-run", "-n", "2", f"./{name}"))
    expect_silence(started(machine, "--dry-run", "-n", "2", "/bin/cat"))
    library = machine.library("mpich", "usr/lib")
    expect_silence(started(machine, "--dry-run", "-n", "2", machine.program("parallel", ["HAS_MAIN", "FUNCTION_NAME=use"], [library])))


CHECKS = {
    "missing programs": check_missing,
    "programs of the current folder": check_current_folder,
    "programs without permission": check_permission,
    "damaged programs": check_damage,
    "programs of registered formats": check_registered_formats,
    "scripts": check_scripts,
    "scripts that start a launcher": check_nested_launchers,
    "programs without MPI": check_serial,
}
