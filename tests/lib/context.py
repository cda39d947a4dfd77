"""Everything that a suite needs: the build tree, the runtimes, a compiler with a cache, and running programs with ranks."""
from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

from . import process
from .results import Result, failed, skipped
from .runtimes import Runtime


class BuildError(Exception):
    """The compiler's message."""


@dataclass
class Context:
    root: Path
    build: Path                  # the tree under test: include/, lib/, bin/
    front: Path | None = None    # the folder of libmpi_abi.so.1 for run_mpi, if it differs from the tree's folder
    full: bool = False           # --full
    ranks: list[int] | None = None  # --ranks
    runtimes: list[Runtime] = field(default_factory=list)
    made: set[Path] = field(default_factory=set)    # programs that cases of this run may use
    broken: set[Path] = field(default_factory=set)  # programs that did not build
    locks: dict[object, threading.Lock] = field(default_factory=dict)

    @property
    def work(self) -> Path:
        """The folder for results of the tests, next to the tree under test."""
        return self.build.parent / "tests"

    @property
    def programs(self) -> Path:
        """The folder of the programs that the tests compile for the tree under test."""
        return self.work / "built" / self.build.name

    @property
    def available(self) -> list[Runtime]:
        return [runtime for runtime in self.runtimes if not runtime.missing]

    @property
    def may_install(self) -> bool:
        """False with --no-install. Otherwise everything that an installation brings must be present: a case that lacks
        it fails.
        """
        return not any(runtime.may_be_missing for runtime in self.runtimes)

    def absent(self, reason: object) -> Result:
        """Returns the result of a case that lacks something that an installation would bring."""
        return failed(str(reason)) if self.may_install else skipped(str(reason))

    def lock_of(self, thing: object) -> threading.Lock:
        """Returns the lock of a thing that several cases make or use, only one at a time."""
        return self.locks.setdefault(thing, threading.Lock())

    def compile(self, name: str, sources: list[Path], flags: list[str] | None = None, compiler: str = "") -> Path:
        """Builds `name` from `sources`, unless it exists already. The sources may include headers, which only count for
        the cache.

        The name of the result contains a hash of everything that was compiled, so a change makes another file.
        """
        command = shlex.split(compiler or os.environ.get("CC", "cc")) + (flags or [])
        digest = hashlib.sha256(" ".join(command).encode())
        for source in sorted(sources):
            digest.update(source.read_bytes())
        result = self.programs / f"{name}-{digest.hexdigest()[:12]}"
        self.remove_old(name, result)
        with self.lock_of(result):
            if result in self.broken:
                raise BuildError(f"{name} does not build (message above)")
            if not result.exists():
                result.parent.mkdir(parents=True, exist_ok=True)
                units = [str(source) for source in sources if source.suffix not in (".h", ".hpp")]
                done = process.run(command[:1] + units + command[1:] + ["-o", f"{result}.new"], seconds=300)
                if done.code != 0:
                    self.broken.add(result)
                    raise BuildError(done.describe(most_lines=40))
                os.replace(f"{result}.new", result)
        return result

    def remove_old(self, name: str, wanted: Path) -> None:
        """Removes the results that earlier runs built under this name, except the wanted one."""
        with self.lock_of(("builds of", name)):
            self.made.add(wanted)
            for old in set(wanted.parent.glob(f"{name}-????????????")) - self.made:
                old.unlink(missing_ok=True)

    def program_flags(self) -> list[str]:
        """The compiler flags of a C99 program that uses the tree under test, as a user's program does."""
        # Deprecated functions are tested like all others.
        return ["-std=c99", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations",
                f"-I{self.build / 'include'}", f"-L{self.build / 'lib'}", "-lmpi_abi",
                f"-Wl,-rpath,{self.build / 'lib'}"]

    def run_mpi(self, runtime: Runtime, ranks: int, program: Path, arguments: list[str] | None = None,
                environment: dict[str, str] | None = None, seconds: int = 120) -> process.Completed:
        """Runs a program with the launcher of a runtime, in its own empty folder."""
        variables = {**runtime.environment, "ANYMPI_MPI": str(runtime.library), "ANYMPI_TEST_RANKS": str(ranks),
                     "ANYMPI_TEST_SECONDS": str(seconds)}
        # Also with fewer ranks than cores: other cases run at the same time, and each rank would wait for a turn of
        # their processes.
        if runtime.spins and ranks > 1:
            variables["LD_PRELOAD"] = str(self.yield_shim())
        variables.update(environment or {})
        # First on the library path: it overrides the program's RUNPATH, and Intel MPI and MPICH 5 have their own
        # libmpi_abi.so.1 in the folder of the tested library.
        paths = [str(self.front or self.build / "lib"), variables.get("LD_LIBRARY_PATH", os.environ.get("LD_LIBRARY_PATH", ""))]
        variables["LD_LIBRARY_PATH"] = ":".join(path for path in paths if path)
        folder = Path(tempfile.mkdtemp(prefix="anympi-test-"))
        try:
            # The program's own alarm comes first, since it can report in which case the program hangs.
            return process.run([*runtime.launcher, "-n", str(ranks), str(program), *(arguments or [])],
                               seconds + 10, variables, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def yield_shim(self) -> Path:
        source = self.root / "tests" / "lib" / "yield_shim.c"
        return self.compile("yield_shim.so", [source], ["-O2", "-shared", "-fPIC", "-ldl"])

    def compiler_version(self, compiler: str) -> str | None:
        """Returns the first line of the compiler's version, or None if the compiler does not exist."""
        if not shutil.which(shlex.split(compiler)[0]):
            return None
        return subprocess.run(shlex.split(compiler) + ["--version"], capture_output=True, text=True,
                              check=True).stdout.splitlines()[0]
