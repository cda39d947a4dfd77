"""A machine in a folder, for the `anympi` command: installations with small libraries of each family's shape,
launchers, configuration files, and an environment without any variables of the caller.
"""
from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import termios
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from .anympi import WIDE, needs_built
from .checks import guarded
from .context import Context
from .process import Completed
from .results import Case
from .runtimes import system_library

SECONDS = 60
# The properties of each family's library: soname and macros of fake_mpi.c.
SHAPES = {
    "openmpi": ("libmpi.so.40", ['FAKE_OPENMPI="5.0.7"', 'FAKE_TEXT="Open MPI v5.0.7, package: fake, ident: 5.0.7"']),
    "mpich": ("libmpi.so.12", ["FAKE_MPICH", 'FAKE_VERSION="4.2.3"',
                               'FAKE_TEXT="MPICH Version:      4.2.3\\nMPICH configure: --enable-fast\\n"']),
    "mpich-debian": ("libmpich.so.12", ["FAKE_MPICH", 'FAKE_VERSION="4.0.2"',
                                      'FAKE_TEXT="MPICH Version:\\t4.0.2\\nMPICH configure: \\n"']),
    "mpich-serial": ("libmpi.so.12", ["FAKE_MPICH",
                                      'FAKE_TEXT="MPICH Version: 4.1\\nMPICH configure: --enable-threads=funneled"']),
    "intel": ("libmpi.so.12", ["FAKE_INTEL", 'FAKE_HIDDEN="2021.19.0"',
                               'FAKE_TEXT="Intel(R) MPI Library 2021.19.0 for Linux* OS\\n"']),
    "intel-2018": ("libmpi.so.12", ["FAKE_INTEL", 'FAKE_TEXT="Intel(R) MPI Library 2018 Update 3 for Linux* OS\\n"']),
    "standard": ("libmpi_abi.so.1", ["FAKE_STANDARD", 'FAKE_HIDDEN="5.0.2"',
                                     'FAKE_TEXT="MPICH Version: 5.0.2\\nMPICH configure: \\n"']),
    "draft": ("libmpi_abi.so.1", ['FAKE_TEXT="MPICH Version: 4.3.2"']),
}


@dataclass
class FakeMachine:
    context: Context
    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root = self.root.resolve()
        self.environment = {"FAKE_ROOT": str(self.root), "HOME": str(self.root / "home"),
                            "PATH": str(self.root / "tools"),
                            # As root, tests of other things could not use Open MPI's launcher otherwise.
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "COLUMNS": WIDE, **self.environment}
        (self.root / "home").mkdir(parents=True, exist_ok=True)
        # Not the real /usr/bin, which may have the launchers of real MPIs.
        (self.root / "tools").mkdir(exist_ok=True)
        for tool in ("sh", "ls", "cat", "ldd"):
            (self.root / "tools" / tool).symlink_to(shutil.which(tool))

    @property
    def command(self) -> Path:
        return self.context.build / "bin" / "anympi_on_fake_machine"

    # building the machine

    def compile(self, name: str, source: str, flags: list[str]) -> Path:
        folder = self.context.root / "tests" / "command"
        return self.context.compile(name, [folder / source], flags)

    def library(self, shape: str, folder: str, *macros: str, linked: tuple[str, ...] = ()) -> Path:
        """Makes a library of a family's shape in a folder of the machine. Further macros make it misbehave."""
        soname, basis = SHAPES[shape]
        named = [macro.split("=")[0] for macro in macros]
        flags = [f"-D{macro}" for macro in [*(m for m in basis if m.split("=")[0] not in named), *macros]] + [*linked]
        digest = hashlib.sha256(" ".join(flags).encode()).hexdigest()[:8]  # unique, so that no other case replaces it
                                                                           # meanwhile
        built = self.compile(f"fake-{shape}-{digest}.so", "fake_mpi.c",
                             ["-shared", "-fPIC", "-w", f"-Wl,-soname,{soname}", *flags])
        return self.copy(built, f"{folder}/{soname}")

    def launcher(self, path: str) -> Path:
        return self.copy(self.context.root / "tests" / "command" / "fake_launcher.sh", path)

    def mpi(self, shape: str, prefix: str, launcher: str = "mpiexec", *macros: str) -> Path:
        """Makes a whole installation and returns its library."""
        self.launcher(f"{prefix}/bin/{launcher}")
        return self.library(shape, f"{prefix}/lib", *macros)

    def program(self, path: str, macros: list[str], libraries: list[Path], *flags: str) -> Path:
        """Makes a program that is linked with these libraries, in the folders where they are now."""
        needs = [str(library) for library in libraries]
        name = "fake-program-" + "-".join([*macros, *(library.name for library in libraries), *flags]).replace("/", "_")
        built = self.root / "built" / name[:200]
        # A plug-in may need names that no library has yet. For a program, the linker would silently drop such names.
        lenient = "-z,undefs" if "-shared" in flags else "--unresolved-symbols=ignore-in-shared-libs"
        built.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", "-w", self.context.root / "tests" / "command" / "fake_program.c", "-o", built,
                        *(f"-D{macro}" for macro in macros), *flags, *needs, f"-Wl,{lenient}"],
                       check=True)
        return self.copy(built, path)

    def copy(self, source: Path, path: str) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        return target

    def write(self, path: str, text: str, mode: int = 0o644) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)
        return target

    def configure(self, text: str, whose: str = "home/.config") -> Path:
        return self.write(f"{whose}/anympi/config.toml", text)

    def add_to_path(self, folder: str) -> None:
        self.environment["PATH"] = f"{self.root / folder}:{self.environment['PATH']}"

    def add_libc(self) -> None:
        """Adds the real C library, in the place where this machine's dynamic linker finds it."""
        (self.root / "lib").mkdir(exist_ok=True)
        for name in ("libc.so.6", "ld-linux-x86-64.so.2"):
            (self.root / "lib" / name).symlink_to(system_library(name))

    # using it

    def run(self, *words, stdin: str | None = None, **variables: str) -> Completed:
        """Runs the command. The result has the output and then the errors, so that a test can look at either."""
        done = self.start(*words, stdin=stdin, **variables)
        return Completed([str(word) for word in words], done.returncode, done.stdout + done.stderr, False)

    def start(self, *words, stdin: str | None = None, **variables: str) -> subprocess.CompletedProcess:
        return subprocess.run([str(word) for word in (self.command, *words)], env={**self.environment, **variables},
                              capture_output=True, text=True, input=stdin, timeout=SECONDS, check=False)

    def json(self, *words, expected: int = 0, **variables: str) -> dict:
        done = self.start(*words, "--json", **variables)
        if done.returncode != expected:
            raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def run_in_terminal(self, *words, columns: int = 0, **variables: str) -> str:
        """Returns what appears on a terminal. The terminal may have a given number of columns."""
        environment = {"TERM": "xterm", **self.environment, **variables}
        main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen([str(word) for word in (self.command, *words)], env=environment, stdin=side,
                                 stdout=side, stderr=side, start_new_session=True)
        os.close(side)
        shown = b""
        deadline = time.monotonic() + SECONDS
        try:
            while time.monotonic() < deadline:
                if not select.select([main], [], [], 1)[0]:
                    continue
                try:
                    piece = os.read(main, 65536)
                except OSError:  # the other end is closed
                    break
                if not piece:
                    break
                shown += piece
            child.wait(timeout=5)
        finally:
            child.kill()
            os.close(main)
        return shown.decode(errors="replace").replace("\r\n", "\n")


@needs_built("anympi_on_fake_machine")
def cases_of(context: Context, checks: dict):
    """Yields the cases of a suite whose checks (title: function) use a fake machine."""
    for title, check in checks.items():
        yield Case(title, partial(guarded, check, context))
