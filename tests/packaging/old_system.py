"""The installation on Debian 11, whose glibc (2.31) has dlopen in libdl.so.2. Only with --full, since the image must be
downloaded.
"""
from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

from lib import process, roots
from lib.anympi import SECONDS, TITLES
from lib.checks import expect, guarded
from lib.context import Context
from lib.results import Case, skipped

LIBRARIES = {"mpich": ["-I/usr/include/x86_64-linux-gnu/mpich", "-lmpich"],
             "openmpi": ["-I/usr/lib/x86_64-linux-gnu/openmpi/include", "-L/usr/lib/x86_64-linux-gnu/openmpi/lib", "-lmpi"]}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/root", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader"}
# It hides the chosen library, as start scripts of programs do.
SCRIPT = "#!/bin/bash\nexport LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu:$LD_LIBRARY_PATH\n\"$@\"\n"


def cases(context: Context):
    if not context.full:
        yield Case("Debian 11", partial(skipped, "fetches an image: --full"))
        return
    yield Case("Debian 11", partial(guarded, check_debian_11, context))


class OldSystem:
    """The image with an installation at /opt/anympi and a folder for programs at /work."""

    def __init__(self, context: Context, folder: Path):
        self.command = [*roots.entry(roots.image_of(context, roots.DEBIAN_11), (folder / "prefix", "/opt/anympi"), (folder, "/work")),
                        "--tmpfs", "/tmp", "--chdir", "/work", "--clearenv"]
        self.command += [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
        done = process.run(["cmake", "--install", context.build, "--prefix", folder / "prefix"], SECONDS)
        expect(done.code == 0, done)

    def run(self, *words) -> process.Completed:
        done = process.run([*self.command, *words], SECONDS)
        expect(done.code == 0, done)
        return done


def check_debian_11(context: Context, folder: Path) -> None:
    shutil.copy(context.root / "tests" / "command" / "report.c", folder)
    (folder / "script").write_text(SCRIPT)
    (folder / "script").chmod(0o755)
    system = OldSystem(context, folder)
    for vendor, words in LIBRARIES.items():
        system.run("gcc", "report.c", "-o", vendor, *words)
    system.run("gcc", "report.c", "-o", "standard", "-I/opt/anympi/include", "-L/opt/anympi/lib", "-lmpi_abi")
    for program in ("mpich", "openmpi", "standard"):
        needed = process.run(["readelf", "-d", folder / program], SECONDS)
        expect("libdl" not in needed.output, needed)
        for mpi in LIBRARIES:
            for words in ([f"./{program}"], ["./script", f"./{program}"]):
                done = system.run("/opt/anympi/bin/anympi", "run", "--mpi", mpi, "-n", "2", *words)
                expect("size=2\n" in done.output and f"\nlibrary={TITLES[mpi]}" in done.output, done)
    listed = system.run("/opt/anympi/bin/anympi", "list").output
    expect(re.search(r"MPICH +3\.4\.1", listed) and re.search(r"Open MPI +4\.1\.0", listed), listed)
