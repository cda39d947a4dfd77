#!/usr/bin/env python3
"""Wall-clock time of 8-byte messages between two ranks, ours over native, in interleaved runs."""

import statistics
import sys
import time

import common
import limits

# For each library, however fast it starts; a busy machine gets its rounds all the same.
SECONDS = 15
LEAST_ROUNDS = 5
# A shared machine disturbs single runs by half their time. More rounds only sharpen the best of both sides, so an
# apparent regression gets them before it is believed.
SECONDS_BEFORE_FAILURE = 60


def more_options(parser):
    parser.add_argument("--seconds", type=float, default=SECONDS,
                        help="time for each library's interleaved runs (default: %(default)s)")


def nanoseconds(runtime, program, env):
    """One run of two ranks: time per message for each of the two patterns."""
    said = common.fields(common.run([runtime.launcher, "-n", "2", program], env=env, timeout=60))
    return {name: float(values[0]) for name, values in said.items()}


def limit_of(runtime, pattern):
    return limits.MESSAGE_RATE_RATIO.get(runtime.key) if pattern == "message rate" else None


def row_of(runtime, pattern, native, ours):
    native_times, our_times = ([run[pattern] for run in runs] for runs in (native, ours))
    best = min(our_times) / min(native_times)
    median = statistics.median(our_times) / statistics.median(native_times)
    limit = limit_of(runtime, pattern)
    return {"8-byte messages": pattern, "native best, ns": round(min(native_times), 1),
            "ours best, ns": round(min(our_times), 1), "best ratio": round(best, 3), "median ratio": round(median, 3),
            "limit": limit, "ok": None if limit is None else best <= limit}


def compare(runtime, workshop, seconds):
    common.note(f"timing messages over {runtime.title}")
    sides = [(workshop.native("pingpong.c", runtime), common.native_environment(runtime), []),
             (workshop.ours("pingpong.c"), common.our_environment(runtime), [])]
    native, ours = sides[0][2], sides[1][2]
    table = common.Table(f"Time per message over {runtime.title}, 2 ranks", [])
    start = time.monotonic()
    while len(native) < LEAST_ROUNDS or time.monotonic() - start < (SECONDS_BEFORE_FAILURE if table.failures() else seconds):
        for program, env, results in sides:
            results.append(nanoseconds(runtime, program, env))
        table.rows = [row_of(runtime, pattern, native, ours) for pattern in native[0]]
    table.columns = list(table.rows[0])
    table.notes = [f"{len(native)} interleaved runs of each side; the limit is for the best."]
    return table


def measure(options, workshop, runtimes):
    return [compare(runtime, workshop, options.seconds) for runtime in runtimes]


if __name__ == "__main__":
    sys.exit(common.main(__doc__, measure, more_options))
