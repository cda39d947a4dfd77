#!/usr/bin/env python3
"""Wall-clock time of 8-byte messages between two ranks: anympi's divided by native, in interleaved runs."""

import statistics
import sys
import time
from dataclasses import dataclass

import common
import limits

# Seconds for each library, however fast it starts. A busy machine runs the least number of rounds nevertheless.
SECONDS = 15
LEAST_ROUNDS = 5
# A shared machine disturbs single runs by half their time. More rounds improve the best run of both sides, so an
# apparent regression is measured in more rounds before it counts.
SECONDS_BEFORE_FAILURE = 60


def more_options(parser):
    parser.add_argument("--seconds", type=float, default=SECONDS,
                        help="time for each library's interleaved runs (default: %(default)s)")


@dataclass
class Race:
    """A program that prints the time of each of its patterns. It runs natively and through anympi in turn."""

    source: str
    title: str
    what: str  # heading of the patterns
    unit: str
    limits: dict  # by pattern, then by the library's key: anympi's time divided by native time, of the best runs
    native_arguments: tuple = ()
    our_arguments: tuple = ()

    def row(self, runtime, pattern, native, ours):
        native_times, our_times = ([run[pattern] for run in runs] for runs in (native, ours))
        best = min(our_times) / min(native_times)
        median = statistics.median(our_times) / statistics.median(native_times)
        limit = self.limits.get(pattern, {}).get(runtime.key)
        return {self.what: pattern, f"native best, {self.unit}": round(min(native_times), 1),
                f"ours best, {self.unit}": round(min(our_times), 1), "best ratio": round(best, 3),
                "median ratio": round(median, 3), "limit": limit, "ok": None if limit is None else best <= limit}

    def run(self, runtime, workshop, seconds):
        common.note(f"timing {self.what} over {runtime.title}")
        sides = [(workshop.native(self.source, runtime), self.native_arguments, common.native_environment(runtime), []),
                 (workshop.ours(self.source), self.our_arguments, common.our_environment(runtime), [])]
        native, ours = sides[0][-1], sides[1][-1]
        table = common.Table(f"{self.title} over {runtime.title}, 2 ranks", [])
        start = time.monotonic()
        while (len(native) < LEAST_ROUNDS
               or time.monotonic() - start < (SECONDS_BEFORE_FAILURE if table.failures() else seconds)):
            for program, arguments, env, results in sides:
                results.append(times(runtime, program, arguments, env))
            table.rows = [self.row(runtime, pattern, native, ours) for pattern in native[0]]
        table.columns = list(table.rows[0])
        table.notes = [f"{len(native)} interleaved runs of each side; the limit is for the best."]
        return table


MESSAGES = Race("pingpong.c", "Time per message", "8-byte messages", "ns", {"message rate": limits.MESSAGE_RATE_RATIO})


def times(runtime, program, arguments, env):
    """Runs two ranks and returns the time of each pattern."""
    said = common.fields(common.run([runtime.launcher, "-n", "2", program, *arguments], env=env))
    return {name: float(values[0]) for name, values in said.items()}


def measure(options, workshop, runtimes):
    return [MESSAGES.run(runtime, workshop, options.seconds) for runtime in runtimes]


if __name__ == "__main__":
    sys.exit(common.main(__doc__, measure, more_options))
