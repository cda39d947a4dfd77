"""Finds memory that a test loses, with LeakSanitizer. LeakSanitizer is preloaded, so the programs need no change."""
from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Iterable

from .pairs import Side
from .running import run_test
from .testlists import Test

# A leak in LeakSanitizer's report. Frame 0 is malloc itself, and frame 1 is its caller. Indirect leaks do not count: only
# other lost memory points to them, so they belong to another leak.
LEAK = re.compile(r"Direct leak of \d+ byte\(s\) in (\d+) object\(s\) allocated from:\n"
                  r" +#0 .*\n +#1 \w+ +\((.*)\+0x\w+\)")
# Leaks do not change the exit code, since other libraries lose memory too. The reports show whose memory is lost.
OPTIONS = "exitcode=0:symbolize=0:log_path="


def sanitizer() -> Path:
    try:
        path = Path(subprocess.run(["gcc", "-print-file-name=liblsan.so"], capture_output=True, text=True,
                                   check=True).stdout.strip())
    except (OSError, subprocess.CalledProcessError):
        path = Path()
    if not path.is_absolute():
        raise SystemExit("anympi: --leaks needs gcc with its LeakSanitizer (liblsan.so)")
    return path.resolve()


def find(side: Side, test: Test, most_seconds: int) -> tuple[dict, Counter[str]]:
    """Returns the result of the test, and the number of objects that each library has lost in all ranks."""
    folder = Path(tempfile.mkdtemp(prefix="leaks-"))
    preloaded = [str(sanitizer()), side.environment.get("LD_PRELOAD", "")]
    environment = {**side.environment, "LD_PRELOAD": ":".join(filter(None, preloaded)),
                   "LSAN_OPTIONS": f"{OPTIONS}{folder / 'report'}"}
    try:
        result = run_test(replace(side, environment=environment), test, most_seconds)
        return result, count(report.read_text() for report in folder.iterdir())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def count(reports: Iterable[str]) -> Counter[str]:
    lost: Counter[str] = Counter()
    for report in reports:
        for objects, library in LEAK.findall(report):
            lost[Path(library).name] += int(objects)
    return lost
