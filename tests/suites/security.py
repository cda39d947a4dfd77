"""Doors that another user could come in by: files that anympi writes beside those of others, modules and configurations of
others. Another user is `nobody` here, so most checks need root."""
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
from lib.anympi import SECONDS
from lib.checks import Unavailable, expect, guarded, waited
from lib.context import Context
from lib.results import Case, failed

IS_SERIAL = True
NOBODY = 65534


def cases(context: Context):
    if not os.access(context.build / "bin" / "anympi", os.X_OK):
        yield Case("anympi", partial(failed, f"no bin/anympi in {context.build}: build the tree first"))
        return
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, in_public_folder, check, context))


def in_public_folder(check, context: Context, _folder: Path) -> None:
    """Everybody can reach this folder, as opposed to those of other tests."""
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
    """As another user where one is given. Output and errors one after the other."""
    identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    done = subprocess.run([str(word) for word in words], env={"PATH": os.environ["PATH"], **variables}, cwd=folder or "/",
                          capture_output=True, timeout=SECONDS, check=False, umask=umask, **identity)
    return process.Completed([str(word) for word in words], done.returncode,
                             (done.stdout + done.stderr).decode(errors="replace"), False)


# ---- anympi adopt ----

def adopt(context: Context, *words, **variables: str) -> process.Completed:
    return run(context.build / "bin" / "anympi", "adopt", *words, **variables)


def vendor_program(context: Context, folder: Path) -> Path:
    """A program that can be adopted, as a file of its own."""
    if not shutil.which("patchelf"):
        raise Unavailable("patchelf is not installed")
    for compiler in ("mpicc.openmpi", "mpicc.mpich"):
        if shutil.which(compiler):
            built = context.compile(f"report-{compiler}", [context.root / "tests" / "command" / "report.c"], [], compiler)
            return Path(shutil.copy(built, folder / "program"))
    raise Unavailable("no compiler of a vendor is installed")


def check_adopt_follows_no_link(context: Context, folder: Path) -> None:
    """Links beside the copy, and in its place, lead to a file that must stay as it is."""
    program, shared, victim = vendor_program(context, folder), folder / "shared", folder / "victim"
    victim.write_text("precious")
    shared.mkdir(mode=0o777)
    copy = shared / "copy"
    (shared / "copy.anympi-new").symlink_to(victim)
    copy.symlink_to(victim)
    done = adopt(context, program, "-o", copy)
    expect(done.code == 0 and victim.read_text() == "precious", f"{victim.read_bytes()[:20]}\n{done.describe()}")
    expect(copy.is_file() and not copy.is_symlink(), "the link is still there")


def check_adopt_makes_own_file(context: Context, folder: Path) -> None:
    """A file of another user, beside the copy and in its place, does not become the copy."""
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
    """The copy loads other libraries than the original: it does not get its privileges."""
    program, copy = vendor_program(context, folder), folder / "copy"
    program.chmod(0o6755)
    done = adopt(context, program, "-o", copy)
    expect(done.code == 0 and stat.S_IMODE(copy.stat().st_mode) == 0o755, f"{oct(copy.stat().st_mode)}\n{done.describe()}")
    expect("without" in done.output and "set-user-ID" in done.output, done)


def check_adopt_leaves_nothing(context: Context, folder: Path) -> None:
    """Nothing stays behind when patchelf fails, when the disk is full, and after an interruption."""
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


CHECKS = {
    "adopt follows no link": check_adopt_follows_no_link,
    "adopt makes a file of its own": check_adopt_makes_own_file,
    "adopt drops set-ID bits": check_adopt_drops_set_id,
    "adopt leaves nothing behind": check_adopt_leaves_nothing,
}
