"""Text from outside with control characters: words of the command line, variables, configurations, names of files,
strings in ELF files, the output of other programs. No control character may reach the terminal, and no such text may
look like a message of anympi.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lib.checks import NotInstalled, expect, guarded
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of
from lib.results import Case, skipped

IS_SERIAL = True
SECONDS = 120
# This text contains ESC, BEL, DEL, CSI as U+009B and as a single byte, and an override of the writing direction.
BAD = b"\033]0;t\007\033[31m\177\xc2\x9b31m\x9b31m\xe2\x80\xae"
FORGED = b"x\nanympi: forged\nmpifort: forged"
BAD_TEXTS = (BAD, FORGED)
COMMANDS = ("run", "list", "inspect", "doctor", "adopt", "config")


def cases(context: Context):
    yield from cases_of(context, CHECKS)
    runtimes = [runtime for runtime in context.available if runtime.name in ("mpich", "openmpi")]
    for title, check in PROGRAM_CHECKS.items():
        yield Case(title, partial(guarded, check, context, runtimes[0]) if runtimes else
                   partial(skipped, "neither MPI of the distribution is here"))


def expect_harmless(words, output: bytes) -> None:
    """Expects no control character except line ends, and no line that begins with foreign text. Bytes that are not UTF-8
    are allowed only in the wrappers' output: a UTF-8 terminal does not interpret such bytes.
    """
    text = output.decode(errors="replace" if Path(os.fsdecode(words[0])).name.startswith("mpi") else "surrogateescape")
    harmful = re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\udc80-\udcff]|^anympi: forged|^mpi\w+: forged",
                        text, re.MULTILINE)
    expect(not harmful, f"{words!r} shows {harmful and harmful.group()!r}:\n{output!r}")


def shown(words, environment: dict, directory: Path | None = None, name: bytes | None = None, output: bool = True) -> bytes:
    """Runs a command, whose words may be bytes, and checks its output. Without `output`, only its messages are checked."""
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    done = subprocess.run([name, *words[1:]] if name else words, executable=words[0], env=environment, cwd=directory,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT if output else subprocess.PIPE,
                          timeout=SECONDS, check=False)
    said = done.stdout if output else done.stderr
    expect_harmless(words, said)
    return said


def machine_with_mpi(context: Context, folder: Path) -> FakeMachine:
    """Makes a machine whose launcher writes its last argument into a file, and prints nothing."""
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    machine.write("usr/bin/mpiexec", '#!/bin/sh\nfor word; do last=$word; done\nprintf %s "$last" >"${OUT:-/dev/null}"\n', 0o755)
    return machine


# ---- the command ----

def check_command_line(context: Context, folder: Path) -> None:
    """Tests every option of every command, with its value in the next argument and after an equals sign. Also tests
    arguments that are not options, and unknown options.
    """
    machine = machine_with_mpi(context, folder)
    for bad in BAD_TEXTS:
        folder_of_it = os.fsencode(folder) + b"/folder" + bad
        os.mkdir(folder_of_it)
        file = folder_of_it + b"/file"
        Path(os.fsdecode(file)).write_bytes(b"#!/bin/" + bad + b"\n")
        os.chmod(file, 0o755)
        texts = (bad, b"./" + bad, folder_of_it, file)
        for command in COMMANDS:
            options = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", machine.run(command, "--help").output)) - {"--help"}
            expect(options, f"{command} has no options")
            for text in texts:
                shown([machine.command, command, text], machine.environment, folder)
            for option in sorted(options):
                for text in texts[:3:2]:
                    shown([machine.command, command, option, text, "ls"], machine.environment, folder)
                shown([machine.command, command, option.encode() + b"=" + bad, "ls"], machine.environment, folder)
            shown([machine.command, command, b"--" + bad], machine.environment, folder)
        shown([machine.command, bad], machine.environment, folder)
        shown([machine.command, b"-" + bad], machine.environment, folder)


def check_dry_run(context: Context, folder: Path) -> None:
    """The printed command is harmless, and a shell parses it into the same words."""
    machine = machine_with_mpi(context, folder)
    out = folder / "out"
    for word in (b"it's" + BAD + b"\nend", FORGED, b"\n" + BAD + b"\n\n'x\n", b"\n\n", b"\n'\n\xc3\xa9"):
        printed = shown([machine.command, "run", "--dry-run", "ls", word], machine.environment, folder)
        subprocess.run(["sh", "-c", printed], env={**machine.environment, "OUT": str(out)}, timeout=SECONDS, check=True)
        expect(out.read_bytes() == word, f"{out.read_bytes()!r} instead of {word!r}, of\n{printed!r}")


def check_variables(context: Context, folder: Path) -> None:
    """Tests every environment variable that the sources of anympi name."""
    machine = machine_with_mpi(context, folder)
    sources = [path for part in ("command", "runtime", "front") for path in (context.root / "src" / part).rglob("*.[ch]*")]
    names = set(re.findall(r'"([A-Z][A-Z0-9]*_[A-Z0-9_]*|HOME|PATH|TERM)"', "".join(path.read_text() for path in sources)))
    expect({"ANYMPI_MPI", "HOME", "XDG_CONFIG_HOME", "LD_LIBRARY_PATH"} <= names, names)
    for name in sorted(names - {"LD_PRELOAD", "FAKE_ROOT"}):
        for bad in BAD_TEXTS:
            environment = {**{key: value.encode() for key, value in machine.environment.items()}, name: b"/folder/" + bad}
            for words in (["list"], ["run", "--dry-run", "/bin/ls"]):
                shown([machine.command, *words], environment)
            if name in ("ANYMPI_MPI", "HOME", "LD_LIBRARY_PATH", "MPI_ROOT"):
                for words in (["doctor"], ["config"], ["list", "--json"], ["config", "--json"]):
                    shown([machine.command, *words], environment)


def check_configuration(context: Context, folder: Path) -> None:
    """Tests every key, with values that contain control characters directly and as TOML escapes. Also tests a key that
    contains such characters, and a launcher.
    """
    machine = machine_with_mpi(context, folder)
    file = machine.configure("")
    keys = machine.json("config")["settings"]
    escaped = BAD.replace(b"\x9b31m", b"").replace(b"\xc2\x9b", b"").replace(b"\xc2", b"").decode()
    escaped = "".join(f"\\u{ord(character):04x}" for character in escaped + "\n")
    for key in [*keys, "unknown"]:
        for value in (b"'" + BAD + b"'", f'"/{escaped}"'.encode(), f'["{escaped}"]'.encode(), BAD):
            table, _, name = key.rpartition(".")
            file.write_bytes((f"[{table}]\n" if table else "").encode() + f"{name} = ".encode() + value + b"\n")
            for words in (["config"], ["run", "--dry-run", "ls"], ["list"]):
                shown([machine.command, *words], machine.environment)
            shown([machine.command, "config", "--json"], machine.environment)
    for text in (BAD + b" = 1\n", b"[" + BAD + b"]\n", f'"{escaped}" = 1\n'.encode(), b"mpi = 'mpich'" + BAD):
        file.write_bytes(text)
        shown([machine.command, "config"], machine.environment)
        shown([machine.command, "doctor"], machine.environment)


def check_files(context: Context, folder: Path) -> None:
    """Tests libraries, programs and launchers in folders with such names, sonames and texts inside ELF files, and the
    output of probed programs.
    """
    bad = os.fsdecode(BAD)
    machine = FakeMachine(context, folder)
    text = "".join(f"\\\\x{byte:02x}" for byte in BAD).replace("\\\\", "\\")
    text = re.sub(r"\\x(..)", lambda found: f"\\{int(found.group(1), 16):03o}", text)
    machine.mpi("mpich", f"opt/mpich{bad}", "mpiexec", f'FAKE_TEXT="MPICH Version: 4.2{text}"')
    library = machine.mpi("openmpi", "usr", "mpirun", f'FAKE_OPENMPI="5.0.7{text}"', f'FAKE_TEXT="Open MPI v5.0.7{text}"')
    (machine.root / "opt" / f"mpich{bad}" / "bin" / "mpiexec").write_text("#!/bin/sh\n")
    (machine.root / "usr" / "bin" / "mpirun").write_bytes(b"#!/bin/sh\nprintf '%s' '" + BAD + b"' >&2\nexit 1\n")
    source = folder / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    odd = os.fsencode(folder) + b"/lib" + BAD + b".so"
    subprocess.run([b"cc", b"-shared", b"-x", b"c", b"/dev/null", b"-Wl,-soname,lib" + BAD, b"-o", odd], check=True)
    program = os.fsencode(folder) + b"/program" + BAD
    subprocess.run([b"cc", os.fsencode(source), b"-Wl,--no-as-needed", odd, os.fsencode(library), b"-Wl,-rpath,/" + BAD,
                    b"-Wl,--unresolved-symbols=ignore-all", b"-o", program], check=True)
    machine.configure(f"search = ['{machine.root}/opt/mpich']\n")
    environment = {**machine.environment, "MPI_ROOT": str(machine.root / f"opt/mpich{bad}")}
    for words in (["list"], ["list", "--json"], ["inspect", program, odd], ["inspect", "--json", program, odd],
                  ["run", "--dry-run", program], ["run", "-n", "1", program], ["doctor", program], ["doctor", "--json", program],
                  ["adopt", program, "-o", odd]):
        shown([machine.command, *words], environment, folder)
    tools = machine.root / "tools"
    (tools / "patchelf").write_bytes(b"#!/bin/sh\nprintf '%s' '" + BAD + b"' >&2\nexit 1\n")
    (tools / "patchelf").chmod(0o755)
    vendors = folder / "vendors"
    built = context.compile("report-mpicc.openmpi", [context.root / "tests" / "command" / "report.c"], [], "mpicc.openmpi")
    shutil.copy(built, vendors)
    said = shown([context.build / "bin" / "anympi", "adopt", vendors, "-o", os.fsencode(folder) + b"/copy" + BAD],
                 {**environment, "PATH": f"{tools}:{os.environ['PATH']}"}, folder)
    expect(b"patchelf" in said, said)


# ---- fronts ----

def check_front(context: Context, runtime, folder: Path) -> None:
    """Tests the messages that the front prints in a program about variables, the program's name, the configuration, and
    libraries that cannot be opened.
    """
    program = context.compile("report", [context.root / "tests" / "command" / "report.c", context.build / "include" / "mpi.h"],
                              context.program_flags())
    usual = {"PATH": os.environ["PATH"], "HOME": str(folder), **{key: value for key, value in runtime.environment.items()},
             "ANYMPI_VERBOSE": "1"}

    def say(environment: dict, **how) -> None:
        said = shown([program], environment, output=False, **how)
        expect(b"anympi: " in said, said)

    for bad in BAD_TEXTS:
        broken = os.fsencode(folder) + b"/lib" + bad
        os.mkdir(broken)
        shutil.copy(runtime.library, os.fsdecode(broken + b"/" + os.fsencode(runtime.library.name)))
        needed = os.fsencode(folder) + b"/needed" + bad
        subprocess.run([b"cc", b"-shared", b"-x", b"c", b"/dev/null", b"-o", needed], check=True)
        for mpi in (bad, b"/" + bad, broken, needed):
            say({**usual, "ANYMPI_MPI": mpi})
        # The variables look like a launcher that does not belong to the MPI. The front's message names the program.
        launch = {**usual, "ANYMPI_MPI": str(runtime.library)}
        launch |= {"PMI_RANK": "0", "PMI_SIZE": "2", "PMI_FD": "9"} if runtime.name == "openmpi" else \
            {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "PMIX_RANK": "0", "PMIX_NAMESPACE": "x"}
        say(launch, name=bad)
        home = os.fsencode(folder) + b"/home" + bad
        os.makedirs(home + b"/.config/anympi")
        Path(os.fsdecode(home + b"/.config/anympi/config.toml")).write_bytes(b"mpi = '" + bad)
        say({**usual, "HOME": home})
        Path(os.fsdecode(home + b"/.config/anympi/config.toml")).write_bytes(b"mpi = '" + b"/\xc2\x9b" + b"'\n")
        say({**usual, "HOME": home})
        say({**usual, "XDG_CONFIG_HOME": bad})


def check_preloaded(context: Context, folder: Path) -> None:
    """A program changes its library path again and again. The preloaded library prints a message that names the program."""
    bash = shutil.which("bash")
    if not bash:
        raise NotInstalled("bash")
    script = 'N=x$N; export N; LD_LIBRARY_PATH=/other; export LD_LIBRARY_PATH; [ $N = xxx ] || exec -a "$NAME" "$BASH" -c "$SCRIPT"'
    for bad in BAD_TEXTS:
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": str(context.build / "lib" / "anympi" / "keep_path.so"),
                       "ANYMPI_LIBRARY_PATH": str(folder), "LD_LIBRARY_PATH": "/other", "SCRIPT": script, "NAME": bad}
        said = shown([bash, "-c", script], environment, name=bad)
        expect(b"has changed it again" in said, said)


# ---- wrappers ----

def check_wrappers(context: Context, folder: Path) -> None:
    """Tests compilers, options, names of files and folders, and what a compiler prints about itself."""
    usual = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    for bad in BAD_TEXTS:
        for name, variable, option in (("mpicc", "ANYMPI_CC", "-cc="), ("mpicxx", "ANYMPI_CXX", "-cc="), ("mpifort", "ANYMPI_FC", "-fc=")):
            wrapper = context.build / "bin" / name
            for words in ([option.encode() + bad, "x"], [b"-showme:" + bad], [b"-showme:command", option.encode() + bad]):
                shown([wrapper, *words], usual)
            for words in (["x"], ["--help"], ["-show", "x"], ["-showme:command"]):
                shown([wrapper, *words], {**usual, variable: bad})
            if name != "mpifort":
                printed = shown([wrapper, "-show", BAD + b".c"], usual)
                again = subprocess.run(["sh", "-c", b"for word in " + printed.rstrip() + b'; do printf "%s\\n" "$word"; done'], capture_output=True,
                                       check=True, timeout=SECONDS).stdout
                expect(BAD + b".c\n" in again, f"{printed!r} is read as {again!r}")
        compiler = folder / "compiler"
        for script in (b"printf '%s' '" + bad + b"'; exit 1", b"case $* in *version*) printf '%s' '" + bad + b"' ;; *) printf '%s' '" + bad +
                       b"' >&2; exit 1 ;; esac"):
            compiler.write_bytes(b"#!/bin/sh\n" + script + b"\n")
            compiler.chmod(0o755)
            for places in ({}, {"ANYMPI_MODULES": os.fsencode(folder) + b"/modules" + bad}):
                shown([context.build / "bin" / "mpifort", "-showme:compile"], {**usual, "ANYMPI_FC": str(compiler), **places})


def check_modules(context: Context, folder: Path) -> None:
    """Tests a folder of modules whose name contains control characters."""
    places = {"PATH": os.environ["PATH"], "ANYMPI_MODULES": os.fsencode(folder) + b"/" + BAD,
              "ANYMPI_FC": str(context.root / "tests" / "command" / "fake_fortran.sh")}
    said = shown([context.build / "bin" / "mpifort", "-c", "program.f90", "-o", "program.o"], places, folder)
    expect(b"compiling the modules" in said and (folder / "program.o").exists(), said)
    shown([context.build / "bin" / "mpifort", "-show", "program.f90"], places, folder)


# ---- the sources ----

def check_sources(context: Context, _folder: Path) -> None:
    """In the command, only output.cpp prints. Format strings of messages use only the conversions that message.cpp
    implements.
    """
    sources = {path: path.read_text() for part in ("command", "runtime", "front") for path in (context.root / "src" / part).rglob("*.cpp")}
    printing = [path.name for path, text in sources.items() if path.is_relative_to(context.root / "src" / "command")
                and re.search(r"fmt::print|\bprintf\(|std::(cout|cerr|puts|fputs)", text)]
    expect(printing == ["output.cpp"], printing)
    for path, text in sources.items():
        for message in re.findall(r'\b(?:say|say_for_job|stop|verbose)\(((?:\s*"(?:[^"\\]|\\.)*")+)', text):
            unknown = re.sub("%(s|d|u|zu|m)", "", message)
            expect("%" not in unknown, f"{path}: {message}")


CHECKS = {
    "sources": check_sources,
    "command line": check_command_line,
    "dry run": check_dry_run,
    "variables": check_variables,
    "configuration": check_configuration,
    "files": check_files,
    "preloaded library": check_preloaded,
    "wrappers": check_wrappers,
    "folder of modules": check_modules,
}
PROGRAM_CHECKS = {"messages of programs": check_front}
