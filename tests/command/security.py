"""Attacks by another user: files that anympi writes next to other users' files, and other users' modules and
configurations. The other user is `nobody` here, so most checks need root.
"""
from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import SECONDS, needs_built
from lib.checks import NotInstalled, Unavailable, expect, guarded, need, waited
from lib.context import Context
from lib.fake_machine import FakeMachine
from lib.results import Case

IS_SERIAL = True
NOBODY = 65534


@needs_built("anympi")
def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, in_public_folder, check, context))


def in_public_folder(check, context: Context, _folder: Path) -> None:
    """Runs a check in a folder that every user can reach, unlike the folders of other tests."""
    folder = Path(tempfile.mkdtemp(prefix="anympi-test-"))
    folder.chmod(0o755)
    try:
        check(context, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def need_root() -> None:
    if os.geteuid() != 0:
        raise Unavailable("needs root, to become another user")


def run(*words, user: int | None = None, folder: Path | None = None, umask: int = 0o022, **variables: str) -> process.Completed:
    """Runs a command, as another user if one is given. The result's output is stdout followed by stderr."""
    identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    done = subprocess.run([str(word) for word in words], env={"PATH": os.environ["PATH"], **variables}, cwd=folder or "/",
                          capture_output=True, timeout=SECONDS, check=False, umask=umask, **identity)
    return process.Completed([str(word) for word in words], done.returncode,
                             (done.stdout + done.stderr).decode(errors="replace"), False)


# ---- anympi adopt ----

def adopt(context: Context, *words, **variables: str) -> process.Completed:
    return run(context.build / "bin" / "anympi", "adopt", *words, **variables)


def vendor_program(context: Context, folder: Path) -> Path:
    """Makes a program that can be adopted, as a separate file."""
    need("patchelf")
    for compiler in ("mpicc.openmpi", "mpicc.mpich"):
        if shutil.which(compiler):
            built = context.compile(f"report-{compiler}", [context.root / "tests" / "command" / "report.c"], [], compiler)
            return Path(shutil.copy(built, folder / "program"))
    raise NotInstalled("mpicc.openmpi or mpicc.mpich")


def check_adopt_follows_no_link(context: Context, folder: Path) -> None:
    """Symbolic links at the copy's path and next to it lead to another file. This file must not change."""
    program, shared, victim = vendor_program(context, folder), folder / "shared", folder / "victim"
    victim.write_text("precious")
    shared.mkdir(mode=0o777)
    copy = shared / "copy"
    (shared / "copy.anympi-new").symlink_to(victim)
    copy.symlink_to(victim)
    done = adopt(context, program, "-o", copy)
    expect(done.code == 0 and victim.read_text() == "precious", f"{victim.read_bytes()[:20]}\n{done.describe()}")
    expect(copy.is_file() and not copy.is_symlink(), "the link still exists")


def check_adopt_makes_own_file(context: Context, folder: Path) -> None:
    """A file of another user, at the copy's path or next to it, does not become the copy."""
    need_root()
    program, shared = vendor_program(context, folder), folder / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    copy = shared / "copy"
    for trap in (shared / "copy.anympi-new", copy):
        trap.write_text("a trap")
        os.chown(trap, NOBODY, NOBODY)
        trap.chmod(0o666)
    done = adopt(context, program, "-o", copy)
    expect(done.code == 0, done)
    expect(copy.stat().st_uid == 0 and copy.stat().st_mode & 0o777 == program.stat().st_mode & 0o777, copy.stat())


def check_adopt_drops_set_id(context: Context, folder: Path) -> None:
    """The copy loads other libraries than the original, so it does not get the original's privileges."""
    program, copy = vendor_program(context, folder), folder / "copy"
    program.chmod(0o6755)
    done = adopt(context, program, "-o", copy)
    expect(done.code == 0 and stat.S_IMODE(copy.stat().st_mode) == 0o755, f"{oct(copy.stat().st_mode)}\n{done.describe()}")
    expect("without" in done.output and "set-user-ID" in done.output, done)


def check_adopt_leaves_nothing(context: Context, folder: Path) -> None:
    """No file is left if patchelf fails, if the disk is full, or after an interruption."""
    program, target, tools = vendor_program(context, folder), folder / "target", folder / "tools"
    target.mkdir()
    tools.mkdir()
    patchelf = tools / "patchelf"

    def fake_patchelf(script: str) -> str:
        patchelf.write_text(f"#!/bin/sh\n{script}\n")
        patchelf.chmod(0o755)
        return f"{tools}:{os.environ['PATH']}"

    done = adopt(context, program, "-o", target / "copy", PATH=fake_patchelf("echo no >&2; exit 1"))
    expect(done.code == 1 and "patchelf" in done.output and not os.listdir(target), f"{os.listdir(target)}\n{done.describe()}")

    full = ["bash", "-c", 'ulimit -f 1; trap "" XFSZ; exec "$@"', "bash", context.build / "bin" / "anympi", "adopt", program]
    done = run(*full, "-o", target / "copy")
    expect(done.code == 1 and "File too large" in done.output and not os.listdir(target), f"{os.listdir(target)}\n{done.describe()}")

    environment = {"PATH": fake_patchelf(f"echo >'{folder}/started'; sleep 100")}
    job = subprocess.Popen([context.build / "bin" / "anympi", "adopt", program, "-o", target / "copy"], env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        expect(waited((folder / "started").exists), "patchelf was not started")
        job.send_signal(signal.SIGINT)
        code = job.wait(timeout=SECONDS)
    finally:
        job.kill()
        job.wait()
    expect(code == -signal.SIGINT and not os.listdir(target), f"{code}, left behind: {os.listdir(target)}")


# ---- the configuration ----

def settings_in(home: Path, text: str) -> Path:
    file = home / ".config" / "anympi" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def expect_ignored(done: process.Completed, file: Path, reason: str) -> None:
    """Expects that a file is reported once and ignored."""
    said = f"anympi: {file} is ignored: it {reason}\n"
    expect(done.output.count(said) == 1 and done.output.count("is ignored") == 1, f"expected once: {said}{done.describe()}")
    expect("no-such-launcher" not in done.output and "no-such-mpi" not in done.output.replace(str(file), ""), done)


def check_configuration_of_command(context: Context, folder: Path) -> None:
    """The command ignores a configuration that another user could have written: a file of another user, a file in
    another user's folder, a file that everybody can write, and a file below a folder that everybody can write.
    """
    need_root()
    command = context.build / "bin" / "anympi"
    text = "mpi = '/no-such-mpi'\n"

    def check(home: Path, reason: str, prepare) -> None:
        file = settings_in(home, text)
        counted = run(command, "config", HOME=str(home))
        expect("no-such-mpi" in counted.output and "ignored" not in counted.output, counted)
        prepare(file)
        for words in (["config"], ["config", "--json"], ["list"], ["run", "--dry-run", "ls"]):
            expect_ignored(run(command, *words, HOME=str(home)), file, reason)

    check(folder / "theirs", "belongs to another user", lambda file: os.chown(file, NOBODY, NOBODY))
    check(folder / "swapped", "is in a folder of another user", lambda file: os.chown(file.parent, NOBODY, NOBODY))
    check(folder / "open", "can be written by everybody", lambda file: file.chmod(0o666))
    check(folder / "exposed", "is in or below a folder that everybody can write to", lambda file: file.parents[2].chmod(0o777))

    home = folder / "sticky"  # as in /tmp, where users cannot replace the files of others
    settings_in(home, text)
    home.chmod(0o1777)
    expect("no-such-mpi" in run(command, "config", HOME=str(home)).output, "a folder with the sticky bit")
    # Other users' commands also read files of root.
    expect("no-such-mpi" in run(command, "config", user=NOBODY, HOME=str(home)).output, "a file of root's")


def check_configuration_on_terminal(context: Context, folder: Path) -> None:
    """The configuration is a link to a terminal of another user, who could type a configuration there."""
    need_root()
    master, slave = os.openpty()
    os.chown(os.ttyname(slave), NOBODY, NOBODY)
    file = settings_in(folder / "home", "")
    file.unlink()
    file.symlink_to(os.ttyname(slave))
    os.write(master, b"mpi = '/no-such-mpi'\n\x04")
    done = run(context.build / "bin" / "anympi", "config", HOME=str(folder / "home"))
    os.close(slave)
    os.close(master)
    expect(done.code == 0 and "no-such-mpi" not in done.output, done)


def check_relative_folder(context: Context, folder: Path) -> None:
    """A relative XDG_CONFIG_HOME would make the configuration depend on the current folder."""
    command = context.build / "bin" / "anympi"
    settings_in(folder / "here", "mpi = '/no-such-mpi'\n")
    settings_in(folder / "home", "mpi = 'mpich'\n")
    for variables in ({"XDG_CONFIG_HOME": ".config", "HOME": str(folder / "home")}, {"HOME": "."}):
        done = run(command, "config", folder=folder / "here", **variables)
        name = next(iter(variables))
        expect(done.code == 0 and done.output.count(f"anympi: {name}={variables[name]} is ignored: it is not an absolute path\n") == 1, done)
        expect("no-such-mpi" not in done.output and ('"mpich"' in done.output) == ("XDG_CONFIG_HOME" in variables), done)


def check_configuration_of_program(context: Context, folder: Path) -> None:
    """If root starts a program with the HOME of another user, the program does not run on this user's library."""
    need_root()
    runtimes = [runtime for runtime in context.available if runtime.name in ("mpich", "openmpi")]
    if not runtimes:
        raise Unavailable("neither MPI of the distribution is here")
    program = context.compile("report", [context.root / "tests" / "command" / "report.c", context.build / "include" / "mpi.h"],
                              context.program_flags())
    file = settings_in(folder / "home", "mpi = '/no-such-mpi'\n")
    variables = {**runtimes[0].environment, "HOME": str(folder / "home")}
    done = run(program, **variables)
    expect(done.code == 1 and "no-such-mpi" in done.output, done)
    os.chown(file, NOBODY, NOBODY)
    done = run(program, **variables)
    expect(done.code == 0, done)
    expect_ignored(done, file, "belongs to another user")


def check_packages_of_another_user(context: Context, folder: Path) -> None:
    """Packages that pip has installed in the HOME of another user are not found."""
    need_root()
    machine = FakeMachine(context, folder)
    machine.mpi("mpich", "home/.local")
    expect(len(machine.json("list")["libraries"]) == 1, "the user's own")
    os.chown(machine.root / "home" / ".local", NOBODY, NOBODY)
    expect(not machine.json("list", expected=1)["libraries"], "another user's")
    # Another user has made a link in their HOME that leads to a folder of root.
    local = machine.root / "home" / ".local"
    os.chown(local, 0, 0)
    local.rename(machine.root / "elsewhere")
    local.symlink_to(machine.root / "elsewhere")
    expect(len(machine.json("list")["libraries"]) == 1, "a link of the user's own")
    os.chown(local.parent, NOBODY, NOBODY)
    expect(not machine.json("list", expected=1)["libraries"], "a link of another user's")


# ---- the modules of Fortran ----

def mpifort(context: Context, folder: Path, *words, **options) -> process.Completed:
    compiler = context.root / "tests" / "command" / "fake_fortran.sh"
    return run(context.build / "bin" / "mpifort", *words, folder=folder, ANYMPI_FC=str(compiler), **options)


def check_modules_of_another_user(context: Context, folder: Path) -> None:
    """In a folder that root and another user can write, each user has separate modules. Root does not link modules that
    another user has compiled. No other user uses root's modules, whatever root's umask was.
    """
    need_root()
    shared, work = folder / "shared", folder / "work"
    for place, mode in ((shared, 0o1777), (work, 0o777)):
        place.mkdir()
        place.chmod(mode)
    places = {"ANYMPI_MODULES": str(shared), "HOME": str(folder)}
    by_nobody = mpifort(context, work, "-showme:incdirs", user=NOBODY, **places)
    expect(by_nobody.code == 0 and len(os.listdir(shared)) == 1, by_nobody)
    theirs = shared / os.listdir(shared)[0]

    by_root = mpifort(context, work, "program.f90", "-o", "program", umask=0o077, **places)
    expect(by_root.code == 0 and f"mpifort: {theirs} is ignored: " in by_root.output, by_root)
    expect("compiling the modules" in by_root.output, by_root)
    own = Path(f"{theirs}-0")
    again = mpifort(context, work, "-show", "program.f90", **places)
    expect(str(own) in again.output and f"-L{theirs} " not in again.output and "ignored" not in again.output, again)

    shutil.rmtree(theirs)
    own.rename(theirs)  # as if root had come first
    by_nobody = mpifort(context, work, "-c", "program.f90", "-o", "theirs.o", user=NOBODY, **places)
    expect(by_nobody.code == 0 and not by_nobody.output and len(os.listdir(shared)) == 1, by_nobody)

    # A file that root's umask has made unreadable is ignored. It is not an error.
    (theirs / "libanympi_modules.a").chmod(0o600)
    by_nobody = mpifort(context, work, "-c", "program.f90", "-o", "theirs.o", user=NOBODY, **places)
    expect(by_nobody.code == 0 and "compiling the modules" in by_nobody.output, by_nobody)


def check_places_of_modules(context: Context, folder: Path) -> None:
    """No modules are written to, or read from, a folder that everybody can write, a folder of another user, or a link."""
    need_root()
    done = mpifort(context, folder, "-showme:incdirs", ANYMPI_MODULES=str(folder / "good"), HOME=str(folder))
    good = next((folder / "good").iterdir())
    expect(done.code == 0 and str(good) in done.output, done)

    def refused(place: Path) -> None:
        for _ in range(2):  # first without modules, then with some
            done = mpifort(context, folder, "-showme:incdirs", ANYMPI_MODULES=str(place), HOME=str(folder))
            expect(done.code == 1 and "is ignored: " in done.output and "Set ANYMPI_MODULES" in done.output, done)
            shutil.copytree(good, place / good.name, dirs_exist_ok=True)

    for name, prepare in (("open", lambda place: place.chmod(0o777)), ("theirs", lambda place: os.chown(place, NOBODY, NOBODY))):
        place = folder / name
        place.mkdir()
        prepare(place)
        refused(place)

    for name, prepare in (("open", lambda modules: modules.chmod(0o777)), ("theirs", lambda modules: os.chown(modules, NOBODY, NOBODY))):
        place = folder / f"modules that are {name}"
        shutil.copytree(good, place / good.name)
        prepare(place / good.name)
        done = mpifort(context, folder, "-showme:incdirs", ANYMPI_MODULES=str(place), HOME=str(folder))
        expect(done.code == 0 and f"{place / good.name}-0" in done.output, done)
    linked = folder / "linked"
    linked.mkdir()
    (linked / good.name).symlink_to(good)
    done = mpifort(context, folder, "-showme:incdirs", ANYMPI_MODULES=str(linked), HOME=str(folder))
    expect(done.code == 0 and f"{linked / good.name}-0" in done.output, done)


CHECKS = {
    "configuration of the command": check_configuration_of_command,
    "configuration on a terminal": check_configuration_on_terminal,
    "relative folder of the configuration": check_relative_folder,
    "configuration of a program": check_configuration_of_program,
    "packages of another user": check_packages_of_another_user,
    "modules of another user": check_modules_of_another_user,
    "places of modules": check_places_of_modules,
    "adopt follows no link": check_adopt_follows_no_link,
    "adopt makes a file of its own": check_adopt_makes_own_file,
    "adopt drops set-ID bits": check_adopt_drops_set_id,
    "adopt leaves nothing behind": check_adopt_leaves_nothing,
}
