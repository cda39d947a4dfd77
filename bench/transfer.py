#!/usr/bin/env python3
"""Wall-clock time of 4 GiB between two ranks: one message through anympi, divided by int-sized pieces sent natively, in interleaved runs."""

import re
import sys
from pathlib import Path

import common
import limits
from ratio import Race

NEEDED_GIB = 10
TRANSFER = Race("transfer.c", "Time of 4 GiB", "4 GiB", "ms", {"one message": limits.TRANSFER_RATIO},
                native_arguments=("pieces",), our_arguments=("whole",))


def more_options(parser):
    pass


def available_gib():
    return int(re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.M)[1]) / 2**20


def measure(options, workshop, runtimes):
    if available_gib() < NEEDED_GIB:
        raise common.BenchError(f"transfers of 4 GiB need {NEEDED_GIB} GiB of free memory; {available_gib():.1f} GiB are free")
    return [TRANSFER.run(runtime, workshop, seconds=0) for runtime in runtimes]


if __name__ == "__main__":
    sys.exit(common.main(__doc__, measure, more_options))
