"""`anympi doctor` on a fake machine: every finding, its remedy and the exit code. Nothing makes the doctor fail."""
from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from lib import process
from lib.checks import NotInstalled, Unavailable, expect, waited
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of

STANDARD = ["HAS_MAIN", "FUNCTION_NAME=use"]
WORKS = "echo 'check_ranks: 2 processes'"

IS_SERIAL = True


def cases(context: Context):
    return cases_of(context, CHECKS)


def healthy(context: Context, folder: Path, shape: str = "mpich") -> FakeMachine:
    """Returns a machine with one MPI, whose launcher seems to start two processes."""
    machine = FakeMachine(context, folder)
    machine.library(shape, "usr/lib")
    launcher(machine, WORKS)
    (machine.root / "dev" / "shm").mkdir(parents=True)
    machine.add_libc()
    return machine


def launcher(machine: FakeMachine, script: str, path: str = "usr/bin/mpiexec") -> Path:
    return machine.write(path, f"#!/bin/sh\n{script}\n", 0o755)


def findings(machine: FakeMachine, *programs, expected: int, **variables: str) -> list[dict]:
    return machine.json("doctor", *programs, expected=expected, **variables)["findings"]


def found(seen: list[dict], level: str, check: str, text: str, remedy: str = "") -> None:
    """Expects exactly one finding with this level, check, text and remedy."""
    fitting = [one for one in seen if (one["level"], one["check"]) == (level, check) and re.search(text, one["text"])]
    expect(len(fitting) == 1, f"expected one {level} of {check}: {text}\n{seen}")
    expect(re.search(remedy, fitting[0]["remedy"] or ""), f"expected the remedy: {remedy}\n{fitting[0]}")
    expect(bool(fitting[0]["remedy"]) == (level in ("warning", "problem")), f"remedy of a {level}: {fitting[0]}")


def check_healthy(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    document = machine.json("doctor")
    expect((document["problems"], document["warnings"]) == (0, 0), document)
    expect({one["level"] for one in document["findings"]} == {"ok"}, document)
    found(document["findings"], "ok", "start", r"MPICH 4.*/usr/lib/libmpi\.so\.12 starts two processes.* by .*/mpiexec")
    done = machine.run("doctor")
    expect(done.code == 0 and done.output.endswith("\n0 problems, 0 warnings\n"), done)


LAUNCHERS = {
    "exit 3": ("the launcher ends its process with code 3", "try it by hand: `anympi run --mpi "),
    "exit 0": ("the launcher ends its process with code 0", "try it by hand"),
    "kill -SEGV $$": (r"the launcher crashes \(Segmentation fault\)", "try it by hand"),
    "echo 'check_ranks: 1 processes'; echo 'check_ranks: 1 processes'": ("ends its process with code 0", "by hand"),
    "echo 'mpirun has detected an attempt to run as root.' >&2; exit 1": ("refuses to run as root", "set run.allow_root true"),
    "echo 'There are not enough slots available' >&2; exit 1": ("fewer than 2 cores", "set run.oversubscribe true"),
    "echo 'anympi: x is rank 0 of 2: 2 separate jobs would run.'; exit 1": ("belongs to another MPI", "launcher.NAME"),
    "echo 'unable to get host address for node1 (1)' >&2; exit 1": ("own name cannot be resolved", "/etc/hosts"),
}


def check_launchers(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    for script, (text, remedy) in LAUNCHERS.items():
        launcher(machine, script)
        found(findings(machine, expected=1), "problem", "start", f"does not start two processes: .*{text}", remedy)
    launcher(machine, "echo hopeless; exit 1")
    done = machine.run("doctor")
    expect(done.code == 1 and "| hopeless\n" in done.output and "1 problem, 0 warnings" in done.output, done)
    launcher(machine, "exit 0").write_bytes(b"\x7fELF no program")
    found(findings(machine, expected=1), "problem", "start", "does not start two processes", "try it by hand")


def check_time_limit(context: Context, folder: Path) -> None:
    """If a launcher hangs and ignores signals, the doctor ends the launcher and all processes that it has started."""
    machine = healthy(context, folder)
    mark = machine.root / "pids"
    launcher(machine, f"trap '' TERM; sh -c 'trap \"\" TERM; echo $$ >\"{mark}\"; sleep 300' & wait; sleep 300")
    machine.environment["PATH"] += f":{Path(shutil.which('sleep')).parent}"
    begin = time.monotonic()
    found(findings(machine, expected=1), "problem", "start", "does not answer within 15 seconds", "try it by hand")
    expect(time.monotonic() - begin < 40, "too long")
    pid = int(mark.read_text())
    expect(waited(lambda: is_gone(pid)), f"process {pid} goes on")


def check_interrupted(context: Context, folder: Path) -> None:
    """If a signal ends the doctor, the doctor first ends the launcher in the normal way, so that the launcher ends its
    processes.
    """
    machine = healthy(context, folder)
    machine.environment["PATH"] += f":{Path(shutil.which('sleep')).parent}"
    mark = machine.root / "pids"
    # The process runs in its own session, so that only the launcher can end it. The same holds for processes on other
    # hosts.
    launcher(machine, f"setsid sleep 300 & echo $! >\"{mark}.new\"; trap \"kill $!; exit 1\" TERM; mv \"{mark}.new\" \"{mark}\"; wait")
    for number in (signal.SIGINT, signal.SIGTERM):
        mark.unlink(missing_ok=True)
        # A shell's background jobs ignore SIGINT, and the tests may be such a job. A user's command does not ignore it.
        running = subprocess.Popen([machine.command, "doctor"], env=machine.environment, stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        expect(waited(mark.exists), "the launcher was not started")
        running.send_signal(number)
        expect(running.wait(timeout=20) == -number, f"{running.returncode} after signal {number}")
        pid = int(mark.read_text())
        expect(waited(lambda: is_gone(pid)), f"process {pid} goes on after signal {number}")


def is_gone(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().split()[2] == "Z"


def check_no_mpi(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    (machine.root / "dev" / "shm").mkdir(parents=True)
    found(findings(machine, expected=1), "problem", "choice", "no MPI library was found", "install one: `pip install mpich`")
    done = machine.run("doctor")
    expect(done.code == 1 and "anympi: " not in done.output, done)


def check_broken_library(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    for number, macro in enumerate(("FAKE_LOADING=abort()", "FAKE_ANSWERING=raise(SIGSEGV)", "FAKE_LOADING=_exit(0)")):
        library = machine.mpi("openmpi", f"apps/{number}", "mpirun", macro)
        seen = findings(machine, expected=1, OPENMPI_DIR=str(library.parents[1]))
        found(seen, "problem", "library", f"{re.escape(str(library))}: the library (crashes|ends)", "install this MPI")
        found(seen, "ok", "start", "/usr/lib/libmpi.so.12")


def check_missing_launcher(context: Context, folder: Path) -> None:
    """The missing launcher is a problem only if the library would be used."""
    machine = healthy(context, folder)
    library = machine.library("openmpi", "apps/openmpi/lib")
    variables = {"OPENMPI_DIR": str(library.parents[1])}
    for chosen, level, code in [("mpich", "warning", 0), ("openmpi", "problem", 1)]:
        machine.configure(f"mpi = '{chosen}'\n")
        seen = findings(machine, expected=code, **variables)
        found(seen, level, "launcher", "no launcher of Open MPI", "install the package")


def check_configuration(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    machine.configure("mip = 'mpich'\n")
    seen = findings(machine, expected=1)
    found(seen, "problem", "configuration", "config.toml:1 is ignored: mip: there is no such key; did you mean `mpi`", "config edit")
    found(seen, "ok", "start", "starts two processes")  # programs start in spite of the broken line
    machine.configure("")
    machine.configure("mip = 'mpich'\n", "etc")
    found(findings(machine, expected=1), "problem", "configuration", "etc/anympi/config.toml:1 is ignored", "config edit --site")
    machine.configure("", "etc")
    machine.configure("[launcher]\nmpich = '/nowhere/mpiexec'\n")
    found(findings(machine, expected=1), "problem", "launcher", "/nowhere/mpiexec.*is not a program", "correct the")
    orterun = launcher(machine, WORKS, "apps/openmpi/bin/orterun")
    machine.configure(f"[launcher]\nmpich = '{orterun}'\n")
    found(findings(machine, expected=1), "problem", "launcher", r"a launcher of another MPI \(orterun\)", "correct the")
    expect(machine.run("run", "ls").code == 1, "run takes it")


def check_environment(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    draft = machine.library("draft", "apps/draft/lib")
    final = machine.library("standard", "apps/final/lib")
    other = machine.copy(context.build / "lib" / "libmpi_abi.so.1", "apps/other anympi/lib/libmpi_abi.so.1")
    own = context.build / "lib" / "anympi" / "standard"
    launcher(machine, WORKS, "apps/final/bin/mpiexec")
    machine.configure(f"mpi = '{machine.root / 'usr/lib/libmpi.so.12'}'\n")
    for name, value, code, check, text, remedy in [
            ("LD_LIBRARY_PATH", "/no/such:/dev", 0, "library_path", "/no/such, which does not exist", "remove it"),
            ("LD_LIBRARY_PATH", str(draft.parent), 1, "library_path", "draft of the standard ABI", "anympi run"),
            ("LD_LIBRARY_PATH", str(final.parent), 0, "library_path", "programs run on that one", "remove"),
            ("LD_LIBRARY_PATH", str(other.parent), 0, "library_path", "of another anympi", "remove"),
            ("MPICH_DIR", "/no/such", 0, "environment", "MPICH_DIR=/no/such does not exist", "unset MPICH_DIR"),
            ("ANYMPI_ALLOW_SINGLETON", "1", 0, "environment", "N jobs of one", "unset")]:
        seen = findings(machine, expected=code, **{name: value})
        found(seen, "problem" if code else "warning", check, text, remedy)
        expect(sum(one["level"] in ("warning", "problem") for one in seen) == 1, seen)
    found(findings(machine, expected=0, LD_LIBRARY_PATH=str(own)), "ok", "environment", "nothing that is in the way")


def check_preload(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    with tempfile.TemporaryDirectory(prefix="anympi-test-") as plain:  # the name cannot have a space
        library = shutil.copy(machine.library("openmpi", "apps/openmpi/lib"), plain)
        found(findings(machine, expected=1, LD_PRELOAD=f"libm.so.6:{library}"), "problem", "preload",
              "LD_PRELOAD puts Open MPI .*two MPIs would be in one process", "unset LD_PRELOAD")


def check_launcher_in_path(context: Context, folder: Path) -> None:
    """With ANYMPI_MPI, the launcher in PATH no longer chooses the MPI. If this launcher belongs to another MPI, its jobs
    would stop with a message.
    """
    machine = healthy(context, folder)
    machine.library("openmpi", "apps/openmpi/lib")
    launcher(machine, WORKS, "apps/openmpi/bin/mpirun")
    launcher(machine, WORKS, "apps/openmpi/bin/mpiexec")
    machine.add_to_path("apps/openmpi/bin")
    seen = findings(machine, expected=0, ANYMPI_MPI="mpich")
    found(seen, "warning", "launcher", "apps/openmpi/bin/mpiexec does not belong to MPICH", "anympi run")
    for variables in ({}, {"ANYMPI_MPI": "openmpi"}):
        seen = findings(machine, expected=0, **variables)
        expect(not any(one["check"] == "launcher" for one in seen), seen)


def check_shared_memory(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    (machine.root / "dev" / "shm").rmdir()
    found(findings(machine, expected=1), "problem", "shared_memory", "cannot be used: No such file", "mount")
    machine.write("dev/shm", "a file")
    found(findings(machine, expected=1), "problem", "shared_memory", "is not a folder", "mount")


def check_small_shared_memory(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    shared = machine.root / "dev" / "shm"
    mounted = process.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", shared], 20)
    if mounted.code != 0:
        raise Unavailable("a file system of 64 MiB cannot be mounted here")
    try:
        found(findings(machine, expected=0), "warning", "shared_memory", "64 of 64 MiB free: .*bus error", "--shm-size")
    finally:
        process.run(["umount", shared], 20)


# Programs


def check_fortran(context: Context, folder: Path) -> None:
    """Tests a compiler that works, a compiler that cannot compile all modules, a missing folder for modules, and a
    missing compiler. (The machine of check_healthy has no compiler.)
    """
    if not shutil.which("gfortran"):
        raise NotInstalled("gfortran")
    machine = healthy(context, folder)
    for tool in "gfortran as ar chmod cksum cut dirname head id mkdir mktemp mv readlink rm sed stat tr".split():
        (machine.root / "tools" / tool).symlink_to(shutil.which(tool))
    places = {"ANYMPI_MODULES": str(machine.root / "my modules")}
    found(findings(machine, expected=0, **places), "ok", "fortran", r"compiles by gfortran; its modules are in /.*/my modules/GNU")
    machine.write("tools/poor", '#!/bin/sh\ncase $* in\n*/probe_mpi_f08*) exit 1 ;;\nesac\nexec gfortran "$@"\n', 0o755)
    seen = findings(machine, expected=0, ANYMPI_FC="poor", ANYMPI_MODULES=str(machine.root / "others"))
    found(seen, "warning", "fortran", "poor cannot have all modules", "name a newer compiler")
    seen = findings(machine, expected=0, ANYMPI_MODULES=str(machine.root / "tools" / "poor" / "nowhere"))
    found(seen, "warning", "fortran", "there is no place for the modules of MPI", "Set ANYMPI_MODULES to a folder that can")
    found(findings(machine, expected=0, ANYMPI_FC="nosuch"), "warning", "fortran", "nosuch was not found", "ANYMPI_FC")


def check_programs(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    front = context.build / "lib" / "libmpi_abi.so.1"
    bad = machine.write("cut off", "\x7fELF")
    script = machine.write("script.py", "#!/usr/bin/env python3\n", 0o755)
    plain = machine.program("plain", ["HAS_MAIN", "USES_NOTHING"], [])
    good = machine.program("good", STANDARD, [front], f"-Wl,-rpath,{front.parent}")
    for program, code, level, check, text in [
            (machine.root / "nothing", 1, "problem", "program", "nothing does not exist"),
            (bad, 1, "problem", "program", "cut off is "),
            (script, 0, "note", "program", "is a script for"),
            (plain, 0, "note", "program", "uses no MPI"),
            (good, 0, "ok", "program", "good can run on the MPI that is chosen")]:
        found(findings(machine, program, expected=code), level, check, text)
    seen = findings(machine, plain, good, script, expected=0)
    expect(sum(one["check"] == "program" for one in seen) == 3, seen)


def check_programs_libraries(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    front = context.build / "lib" / "libmpi_abi.so.1"
    needed = machine.compile("libneeded.so", "fake_program.c",
                             ["-shared", "-fPIC", "-w", "-DUSES_NOTHING", "-Wl,-soname,libneeded.so.7"])
    lonely = machine.program("lonely", STANDARD, [front, needed], f"-Wl,-rpath,{front.parent}", "-Wl,--no-as-needed")
    found(findings(machine, lonely, expected=1), "problem", "libraries", "needs libneeded.so.7, which", "LD_LIBRARY_PATH")
    openmpi = machine.library("openmpi", "apps/openmpi/lib")
    part = machine.program("part/libpart.so", ["FUNCTION_NAME=fake_part"], [openmpi], "-shared", "-fPIC",
                           "-Wl,-soname,libpart.so", f"-Wl,-rpath,{openmpi.parent}")
    both = machine.program("both", ["HAS_MAIN", "USES_LIBRARY", "FUNCTION_NAME=use"], [front, part],
                           f"-Wl,-rpath,{front.parent}:{part.parent}", "-Wl,--no-as-needed")
    found(findings(machine, both, expected=1), "problem", "two_mpis", "Two MPIs would be in one process", "inspect")


def check_rpath(context: Context, folder: Path) -> None:
    """Without `anympi run`, a program with an RPATH runs on the library that the RPATH finds. A RUNPATH is searched only
    after the library path.
    """
    machine = healthy(context, folder)
    for shape in ("draft", "standard", "openmpi"):
        library = machine.library(shape, f"apps/{shape}/lib")
        bound = machine.program("bound", STANDARD, [library], f"-Wl,--disable-new-dtags,-rpath,{library.parent}")
        found(findings(machine, bound, expected=0), "warning", "rpath", f"leads by RPATH to {re.escape(str(library))}: started "
              "without `anympi run` it runs on that one", "anympi adopt")
        free = machine.program("free", STANDARD, [library], f"-Wl,--enable-new-dtags,-rpath,{library.parent}")
        found(findings(machine, free, expected=0), "ok", "program", "can run")


def check_abi_of_program(context: Context, folder: Path) -> None:
    """A program needs an MPI library by a name that neither the chosen MPI nor anympi provides."""
    machine = healthy(context, folder, "openmpi")
    odd = machine.compile("libmpi_future.so.12", "fake_mpi.c",
                          ["-shared", "-fPIC", "-w", "-DFAKE_MPICH", "-Wl,-soname,libmpi_future.so.12"])
    program = machine.program("vendor", STANDARD, [odd])
    found(findings(machine, program, expected=1), "problem", "abi", "needs libmpi_future.so.12", "anympi adopt")
    for shape in ("openmpi", "mpich", "mpich-debian"):  # the chosen MPI's own ABI and the other ABI
        own = machine.program("own", STANDARD, [machine.library(shape, f"apps/{shape}/lib")])
        found(findings(machine, own, expected=0), "ok", "program", "can run")


def check_functions(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    more = machine.library("mpich", "apps/more/lib", "FAKE_MORE")
    front = context.build / "lib" / "libmpi_abi.so.1"
    source = machine.write("source.c", "int MPI_Get_count(void); int main(void) { return MPI_Get_count(); }")
    program = machine.root / "program"
    process.run(["cc", source, front, "-o", program, f"-Wl,-rpath,{front.parent}"], 60)
    found(findings(machine, program, expected=0), "warning", "functions", "uses MPI_Get_count that MPICH", "newer MPI")
    launcher(machine, WORKS, "apps/more/bin/mpiexec")
    machine.configure(f"mpi = '{machine.root / 'usr/lib/libmpi.so.12'}'\n")
    seen = findings(machine, program, expected=0, MPICH_DIR=str(more.parents[1]))
    found(seen, "warning", "functions", "uses MPI_Get_count", r"these have them: .*libmpi\.so\.12")
    machine.configure(f"mpi = '{more}'\n")
    found(findings(machine, program, expected=0), "ok", "program", "can run")


def check_terminal(context: Context, folder: Path) -> None:
    machine = healthy(context, folder)
    launcher(machine, "exit 1")

    def lasting(text: str) -> str:
        """Returns the text without colours, and without the parts that differ between runs."""
        return re.sub(r"\033\[\d+m|\(\d+\.\d s\)|\d+ of \d+ MiB", "", text)

    shown, piped = machine.run_in_terminal("doctor"), machine.run("doctor").output
    expect("\033[31m" in shown and "\033" not in piped, shown + piped)
    expect(lasting(shown) == lasting(piped), shown + piped)
    expect("\033" not in machine.run_in_terminal("doctor", NO_COLOR="1"), "colours with NO_COLOR")


def check_closed_output(context: Context, folder: Path) -> None:
    """Tests a reader that ends early, and a full disk."""
    machine = healthy(context, folder)
    launcher(machine, "exit 1")
    environment = {**machine.environment, "PATH": os.environ["PATH"]}
    words = f'"{machine.command}" doctor'
    # The reader ends before the first line arrives. SIGPIPE then ends the doctor before its last check.
    done = process.run(["bash", "-c", f"set -o pipefail; {{ sleep 0.3; {words}; }} | true"], 60, environment)
    expect(done.code == 128 + signal.SIGPIPE, done)
    for output in (">/dev/full", ">&-"):
        done = process.run(["bash", "-c", f"{words} {output}"], 60, environment)
        expect(done.code == 1 and "anympi: the output could not be written" in done.output, done)


CHECKS = {
    "a healthy machine": check_healthy,
    "launchers": check_launchers,
    "time limit": check_time_limit,
    "interrupted": check_interrupted,
    "no MPI at all": check_no_mpi,
    "broken libraries": check_broken_library,
    "missing launcher": check_missing_launcher,
    "configuration": check_configuration,
    "environment": check_environment,
    "LD_PRELOAD": check_preload,
    "launcher in PATH": check_launcher_in_path,
    "no shared memory": check_shared_memory,
    "little shared memory": check_small_shared_memory,
    "Fortran": check_fortran,
    "programs": check_programs,
    "libraries of programs": check_programs_libraries,
    "RPATH": check_rpath,
    "ABI of programs": check_abi_of_program,
    "functions": check_functions,
    "terminal": check_terminal,
    "closed output": check_closed_output,
}
