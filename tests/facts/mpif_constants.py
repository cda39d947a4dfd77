"""Compares the constants of a vendor's mpif.h with api/constants.api: Fortran programs were compiled with the former,
and the Fortran layer expects the latter.
"""
from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

from lib.checks import NotInstalled
from lib.context import Context
from lib.vendor_table import VENDOR_OF

from .library_header import NoHeader

# Their values belong to Fortran, or matter only to the compiler.
NOT_COMPARED = {"version", "fortran_status", "callback", "buffer_address", "empty_address"}


def constants(abi: str) -> dict[str, int]:
    """Returns the constants of mpif.h and of the files that it includes."""
    wrapper = VENDOR_OF[abi].fortran_wrapper
    if not shutil.which(wrapper):
        raise NotInstalled(wrapper)
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout
    folders = [Path(word[2:]) for word in shlex.split(shown) if word.startswith("-I")]
    texts = [file.read_text() for folder in folders for file in sorted(folder.glob("mpif*.h"))]
    if not texts:
        raise NoHeader(f"no mpif.h in {', '.join(map(str, folders))}")
    pattern = re.compile(r"^ *parameter *\( *(MPI_\w+) *= *(-?\d+)(-1)? *\)", re.MULTILINE | re.IGNORECASE)
    return {name: int(value) - bool(less) for text in texts for name, value, less in pattern.findall(text)}


def _keyval_shift(context: Context, abi: str) -> int:
    text = (context.root / "src" / "abi" / f"{abi}.hpp").read_text()
    return int(re.search(r"fortran_keyvals = (\d+);", text)[1])


def expected(context: Context, api, abi: str) -> dict[str, int]:
    """Returns the value that api/constants.api gives each constant of the ABI."""
    found = {}
    for constant in [*api.constants, *api.vendor_constants]:
        value = constant.fortran_number(abi)
        if constant.category in NOT_COMPARED or value is None:
            continue
        if constant.category == "string_size":
            value -= 1
        elif constant.category == "keyval" and constant.name != "MPI_KEYVAL_INVALID":
            value += _keyval_shift(context, abi)
        found[constant.name] = _signed(value)
    return found


def _signed(value: int) -> int:
    return value - (1 << 32) if 1 << 31 <= value < 1 << 32 else value


def differences(context: Context, api, abi: str) -> tuple[int, list[str]]:
    """Returns the number of compared constants, and the differences."""
    theirs, ours = constants(abi), expected(context, api, abi)
    common = sorted(theirs.keys() & ours.keys())
    return len(common), [f"{name} is {theirs[name]} there, {ours[name]} here" for name in common if theirs[name] != ours[name]]
