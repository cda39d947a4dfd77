"""Roots of other releases of Debian, made by mmdebstrap, and commands that run in them."""
from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import process
from .checks import NotInstalled, Unavailable, expect
from .context import Context

MOST_SECONDS = 600


@dataclass(frozen=True)
class Root:
    name: str    # name of its folder
    suite: str
    packages: str


DEBIAN_11 = Root("debian-11", "bullseye", "bash,coreutils,gcc,libc6-dev,mpich,libmpich-dev,openmpi-bin,libopenmpi-dev")
DEBIAN_13 = Root("debian-13", "trixie", "bash,coreutils,g++,gfortran,libc6-dev,mpich,libmpich-dev,openmpi-bin,libopenmpi-dev,python3")


def why_impossible() -> str:
    """Returns the reason why this machine cannot make a root; empty if it can."""
    return "" if os.geteuid() == 0 else "a root of another Debian is made as root"


def is_made(context: Context, root: Root) -> bool:
    return (context.work / root.name).exists()


def image_of(context: Context, root: Root) -> Path:
    """Returns its folder, which is made once."""
    for tool in ("mmdebstrap", "bwrap"):
        if not shutil.which(tool):
            raise NotInstalled(tool)
    if why_impossible():
        raise Unavailable(why_impossible())
    image = context.work / root.name
    with context.lock_of(image):
        if not image.exists():
            unfinished = image.with_name(f"{image.name}.new")
            image.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(unfinished, ignore_errors=True)
            print(f"unpacking Debian's {root.suite} into {image}; it takes about a minute", flush=True)
            done = process.run(["mmdebstrap", "--variant=extract", f"--include={root.packages}", root.suite, unfinished,
                                "http://deb.debian.org/debian"], MOST_SECONDS)
            expect(done.code == 0, done)
            unfinished.rename(image)
    configure(image)
    return image


def configure(image: Path) -> None:
    """Does the configuration of its packages, as far as MPI programs need it."""
    (image / "etc" / "nsswitch.conf").write_text("hosts: files\n")
    (image / "etc" / "hosts").write_text(f"127.0.0.1 localhost {os.uname().nodename}\n")
    if not os.path.lexists(image / "bin" / "sh"):
        (image / "bin" / "sh").symlink_to("bash")


def entry(image: Path, *binds: tuple[Path, Path]) -> list:
    """Returns the words before a command that runs in the root. Each bind is a folder of this machine, and its place in
    the root.
    """
    words = ["bwrap", "--bind", image, "/", "--proc", "/proc", "--dev", "/dev", "--ro-bind", "/sys", "/sys"]
    return words + [word for here, there in binds for word in ("--bind", here, there)]


def write_entry(script: Path, words: list) -> Path:
    """Writes a script that runs its arguments after these words, for callers that need the name of one program."""
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f"#!/bin/sh\nexec {shlex.join(map(str, words))} \"$@\"\n")
    script.chmod(0o755)
    return script
