"""The header of an MPI library: its place, its MPI, and its names."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from lib import wheels
from lib.checks import NotInstalled
from lib.runtimes import Runtime
from lib.vendor_table import VENDOR_OF

ROOT = Path(__file__).parents[2]
# The C++ bindings in some headers need their own library.
C_PART_ONLY = ["-DMPICH_SKIP_MPICXX", "-DOMPI_SKIP_MPICXX", "-DANYMPI_NO_DEPRECATION_WARNINGS"]


class NoHeader(Exception):
    """The reason why there is no header to compare with."""


@dataclass(frozen=True)
class Header:
    file: str                # as in #include
    flags: tuple[str, ...]   # for the preprocessor
    macros: dict[str, str]
    text: str                # preprocessed, without the macros

    @cached_property
    def names(self) -> set[str]:
        """All names of MPI that a program can use with the header."""
        return set(re.findall(r"\bP?MPIX?_\w+", self.text)) | set(self.macros)

    @property
    def constants(self) -> set[str]:
        """The names in capitals: constants, and fields of a status."""
        return {name for name in self.names if re.fullmatch(r"MPIX?_[A-Z0-9_]+", name)}

    @cached_property
    def functions(self) -> dict[str, str]:
        """The prototypes of functions, by name."""
        found = (re.fullmatch(r"(?!typedef|return)[\w *]+\b(P?MPI_\w+)\(.*\);", text) for text in self.declarations)
        return {match.group(1): match.group() for match in found if match}

    @cached_property
    def types(self) -> dict[str, str]:
        """The definitions of types that have no members of their own (handles, integers, functions), by name."""
        found = (re.fullmatch(r"typedef [\w *(]*?\b(MPI_\w+)\)?(?:\(.*\))?;", text) for text in self.declarations)
        return {match.group(1): match.group() for match in found if match}

    @cached_property
    def declarations(self) -> list[str]:
        """The text, divided into declarations without attributes, which may follow a prototype."""
        text = re.sub(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)", "", self.text)
        text = re.sub(r"\b(extern|__extension__)\b", "", text)
        return [re.sub(r"\s*([(),;])\s*", r"\1", " ".join(part.split())) for part in re.split(r"(?<=[;{}])", text)]

    @property
    def title(self) -> str:
        """The library and its version, as in `MPICH 4.0.2`."""
        if "I_MPI_VERSION" in self.macros:
            return "Intel MPI " + self.macros["I_MPI_VERSION"].strip('"')
        if "MPICH_VERSION" in self.macros:
            return "MPICH " + self.macros["MPICH_VERSION"].strip('"')
        if "OMPI_MAJOR_VERSION" in self.macros:
            return "Open MPI " + ".".join(self.macros[f"OMPI_{part}_VERSION"] for part in ("MAJOR", "MINOR", "RELEASE"))
        return f"standard ABI, {self.file}"


def of_runtime(runtime: Runtime) -> Header:
    if runtime.name in VENDOR_OF:
        return read("mpi.h", wrapper_flags(VENDOR_OF[runtime.name].wrapper))
    folder = prefix_of_headers(runtime) / "include"
    file = "mpi_abi.h" if runtime.family == "standard" else "mpi.h"
    if not (folder / file).exists():
        raise NoHeader(f"{runtime.name} came without {file}")
    return read(file, (f"-I{folder}",))


def prefix_of_headers(runtime: Runtime) -> Path:
    """Returns the folder of the headers. Intel MPI has its headers in a separate wheel."""
    wheel = next((wheel for wheel in wheels.HEADERS_OF_INTEL if runtime.product == "intel" and wheel.release == runtime.release), None)
    if wheel is None:
        return runtime.library.parent.parent
    prefix, reason = wheels.install(ROOT, wheel, not runtime.may_be_missing)
    if prefix is None:
        raise NoHeader(reason)
    return prefix


def wrapper_flags(wrapper: str) -> tuple[str, ...]:
    if not shutil.which(wrapper):
        raise NotInstalled(wrapper)
    command = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout
    return tuple(word for word in shlex.split(command) if word.startswith("-I"))


@lru_cache(maxsize=None)
def read(file: str, flags: tuple[str, ...]) -> Header:
    flags += tuple(C_PART_ONLY)
    defined = re.findall(r"^#define (\w+)(?:\([^)]*\))? ?(.*)$", preprocess(file, [*flags, "-dM"]), re.MULTILINE)
    return Header(file, flags, dict(defined), preprocess(file, [*flags, "-P"]))


def preprocess(file: str, flags: list[str]) -> str:
    command = [*shlex.split(os.environ.get("CC", "cc")), "-E", *flags, "-x", "c", "-"]
    done = subprocess.run(command, input=f"#include <{file}>\n", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoHeader(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout
