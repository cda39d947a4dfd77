"""The limits of bench/: instructions per call and start-up over each library; times only with --full."""
from __future__ import annotations

import re
import shutil
from functools import partial

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed, skipped
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS

# The name of the runtime here, its name in bench/, and the compiler that builds the native side.
COMPARED = {**{vendor.abi: (vendor.abi, vendor.wrapper) for vendor in VENDORS}, "mpich-5.0.2": ("standard", "")}
TOOLS = {"calls": ["valgrind"], "startup": ["valgrind", "strace"], "ratio": [], "transfer": []}
TIMED = ("ratio", "transfer")


def cases(context: Context):
    for part in TOOLS:
        if part in TIMED and not context.full:
            yield Case(part, partial(skipped, f"times need a quiet machine: bench/run --part {part}, or --full"))
            continue
        for runtime in context.runtimes:
            if runtime.name in COMPARED:
                yield Case(f"{part} on {runtime.name}", partial(measure, context, part, runtime),
                           is_serial=part not in TIMED, is_alone=part in TIMED, seconds=30)


def measure(context: Context, part: str, runtime: Runtime) -> Result:
    key, compiler = COMPARED[runtime.name]
    lacking = [tool for tool in (*TOOLS[part], compiler) if tool and not shutil.which(tool)]
    if runtime.missing:
        return runtime.absent()
    if lacking:
        return not_installed(", ".join(lacking))
    if not is_optimised(context):
        return skipped("the limits are for release builds")
    command = [context.root / "bench" / "run", "--build-dir", context.build, "--part", part, "--runtime", key]
    if key == "standard":
        command += ["--abi-prefix", runtime.library.parent.parent]
    done = process.run(command, seconds=600)
    return passed() if done.code == 0 else failed(done.describe())


def is_optimised(context: Context) -> bool:
    """Returns True for a release build. The limits apply only to it; other presets are slower on purpose."""
    cache = context.build / "CMakeCache.txt"
    values = dict(re.findall(r"^(\w+):\w+=(.+)$", cache.read_text(), re.M)) if cache.exists() else {}
    return values.get("CMAKE_BUILD_TYPE", "Release") == "Release" and not values.get("ANYMPI_SANITIZER")
