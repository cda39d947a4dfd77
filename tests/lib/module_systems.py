"""The two module systems. Their packages exclude each other, so the system that is not installed is unpacked into a folder."""
from __future__ import annotations

import shutil
from pathlib import Path

from . import process
from .checks import NotInstalled, expect
from .context import Context

SECONDS = 60


def unpacked(package: str, context: Context) -> Path:
    """Unpacks a Debian package without running its scripts. The folder stays for the next run."""
    target = context.work / "packages" / package
    with context.lock_of(target):
        if not target.exists():
            download(package, target)
    return target


def download(package: str, target: Path) -> None:
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise NotInstalled(package)
    target.parent.mkdir(parents=True, exist_ok=True)
    done = process.run(["apt-get", "download", package], SECONDS, directory=target.parent)
    files = list(target.parent.glob(f"{package}_*.deb"))
    expect(files, done)
    done = process.run(["dpkg-deb", "-x", files[0], target], SECONDS)
    expect(done.code == 0, done)


def needs_interpreter(name: str) -> None:
    if not shutil.which(name):
        raise NotInstalled(name)


def environment_modules(context: Context) -> str:
    """Returns the command for a shell's `module`. The name of the shell must follow."""
    needs_interpreter("tclsh")
    installed = Path("/usr/lib/x86_64-linux-gnu/modulecmd.tcl")
    command = installed if installed.exists() else next(unpacked("environment-modules", context).rglob("modulecmd.tcl"))
    return f'tclsh "{command}"'


def lmod(context: Context) -> tuple[str, dict[str, str]]:
    """Returns the same for Lmod, with the environment that it needs in its folder."""
    needs_interpreter("lua5.3")
    installed = Path("/usr/share/lmod/lmod/libexec/lmod")
    command = installed if installed.exists() else next(unpacked("lmod", context).rglob("libexec/lmod"))
    return f'lua5.3 "{command}"', {"LUA_PATH": f"{command.parent}/../tools/?.lua;{command.parent}/?.lua;;"}
