"""Segments in /dev/shm that tests left behind: a rank that aborts or is killed cannot remove its own."""
from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path("/dev/shm")
MADE_BY_MPI = re.compile(r"mpich_|vader_segment|sm_segment|osc_rdma|ucx_")


def names() -> set[str]:
    return {entry.name for entry in os.scandir(FOLDER)} if FOLDER.exists() else set()


def in_use() -> set[str]:
    """Names that some process has mapped; other jobs on the machine make segments too."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/maps"):
        try:
            found.update(re.findall(rf"{FOLDER}/(\S+)", path.read_text()))
        except OSError:  # ended meanwhile, or not ours
            continue
    return found


def remove_new(before: set[str]) -> None:
    """Removes what came since `before` and nobody uses."""
    for name in names() - before - in_use():
        if MADE_BY_MPI.match(name):
            try:
                (FOLDER / name).unlink()
            except OSError:  # somebody else's, or already gone
                continue
