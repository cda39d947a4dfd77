"""Removes segments in /dev/shm that tests left behind: a rank that aborts or is killed cannot remove its own."""
from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path("/dev/shm")
MADE_BY_MPI = re.compile(r"mpich_|vader_segment|sm_segment|osc_rdma|ucx_")


def names() -> set[str]:
    return {entry.name for entry in os.scandir(FOLDER)} if FOLDER.exists() else set()


def in_use() -> set[str]:
    """Returns the names of all segments that a process has mapped. Other jobs on the machine may use segments too."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/maps"):
        try:
            found.update(re.findall(rf"{FOLDER}/(\S+)", path.read_text()))
        except OSError:  # ended meanwhile, or owned by another user
            continue
    return found


def remove_new(before: set[str]) -> None:
    """Removes segments that are newer than `before` and that no process uses."""
    for name in names() - before - in_use():
        if MADE_BY_MPI.match(name):
            try:
                (FOLDER / name).unlink()
            except OSError:  # owned by another user, or removed already
                continue
