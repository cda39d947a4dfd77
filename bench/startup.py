#!/usr/bin/env python3
"""The cost that anympi adds between exec and the end of MPI_Init, compared with a program that opens the same library."""

import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import common
import limits

SAME = 1.01  # a third count is needed only if two counts differ by more
# Each of these calls may ask the server of a shared file system. A stat of an open file (fstat, or newfstatat with an
# empty path) is counted with the others.
FILE_CALLS = ["open", "openat", "openat2", "creat", "stat", "lstat", "fstat", "newfstatat", "statx", "readlink",
              "readlinkat", "access", "faccessat", "faccessat2", "getdents", "getdents64"]


class Side:
    """A program with its arguments and environment."""

    def __init__(self, runtime, program, arguments, env):
        self.launcher, self.program, self.arguments, self.env = runtime.launcher, program, arguments, env

    def start(self, *tool, env=None):
        return common.run([self.launcher, "-n", "1", *tool, self.program, *self.arguments], env=env or self.env)


def more_options(parser):
    parser.add_argument("--show-files", action="store_true", help="list the file-system calls that only anympi makes")


def file_calls(side, folder):
    """Returns the file-system calls before main, which the loader makes, and the calls from main to the end of MPI_Init."""
    trace = Path(folder) / "strace.out"
    trace.unlink(missing_ok=True)
    # -D makes the launcher the program's parent. The tracer may therefore finish writing after the launcher has ended.
    side.start("strace", "-D", "-f", "-o", trace, "-e", "trace=" + ",".join("?" + name for name in FILE_CALLS))
    lines = read_until(trace, "/anympi-bench/initialized")
    # strace writes a call twice if another thread interrupts it, the second time as "<... openat resumed>".
    calls = [found[1] for found in map(re.compile(r"^\d+ +([a-z]\w*\(.*)").match, lines) if found]
    marks = [i for i, call in enumerate(calls) if "/anympi-bench/" in call]
    return calls[:marks[0]], calls[marks[0] + 1:marks[1]]


def read_until(path, mark, patience=10):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        text = path.read_text(errors="replace") if path.exists() else ""
        if mark in text:
            return text.splitlines()
        time.sleep(0.05)
    raise common.BenchError(f"{mark} did not appear in strace's output; can strace trace here (ptrace)?")


def instructions(side, folder):
    """Counts from exec, since the loader's work on the front belongs to start-up."""
    for old in Path(folder).glob("callgrind.out*"):
        old.unlink()
    side.start("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out")
    dumps = [path.read_text(errors="replace") for path in Path(folder).glob("callgrind.out.*")]
    parts = {re.search(r"Client Request: (\w+)", text)[1]: int(re.search(r"^(?:summary|totals): (\d+)", text, re.M)[1])
             for text in dumps if "Client Request:" in text}
    return parts["main"] + parts["initialized"]


def private_kib(side, *kinds):
    said = common.fields(side.start())
    return sum(int(said[kind][0]) for kind in kinds)


def objects(side):
    """Returns the loaded files except the program. hwloc's plug-ins, which other measurements hide, are included."""
    env = {name: value for name, value in side.env.items() if name != "HWLOC_PLUGINS_PATH"}
    loaded = common.fields(side.start(env=env))["object"]
    return {str(Path(path).resolve()) for path in loaded} - {str(side.program.resolve())}


def median(measurement, sides):
    """Returns the median of interleaved repetitions for each side: two repetitions, or three if the first two differ."""
    runs = [[measurement(side) for side in sides] for _ in range(2)]
    if any(max(column) > SAME * min(column) for column in zip(*runs)):
        runs.append([measurement(side) for side in sides])
    return [int(statistics.median(column)) for column in zip(*runs)]


def least(measurement, sides):
    """Returns the minimum of interleaved repetitions for each side. Open MPI waits by the clock while it starts, so a busy machine adds polls."""
    return [min(column) for column in zip(*([measurement(side) for side in sides] for _ in range(3)))]


def row(runtime, what, native, ours):
    added, limit = ours - native, limits.of_startup(runtime.key).get(what)
    return {"start-up": what, "native": native, "ours": ours, "added": added, "limit": limit,
            "ok": None if limit is None else added <= limit}


def object_row(native, named, front, notes):
    """Compares sets, not numbers: anympi must load the native program's objects and the front."""
    added, missing = named - native - {str(front.resolve())}, native - named
    notes += [f"also loaded: {path}" for path in sorted(added)] + [f"not loaded: {path}" for path in sorted(missing)]
    return {"start-up": "objects loaded (the same and the front)", "native": len(native), "ours": len(named),
            "added": len(named) - len(native), "limit": 1, "ok": not added and not missing}


def own_calls(native, ours):
    """Returns anympi's calls that the native program does not make, in order, without files whose names are chosen at run time."""
    remaining = [essence(call) for call in native]
    own = []
    for call in ours:
        if essence(call) in remaining:
            remaining.remove(essence(call))
        elif not re.search(r'"/(tmp|dev/shm)/', call):
            own.append(call)
    return own


def essence(call):
    """Returns the call's name and path, without addresses, descriptors and process numbers."""
    path = re.search(r'"[^"]*"', call)
    return call.split("(")[0], re.sub(r"\d{2,}", "#", path[0]) if path else ""


def compare(runtime, workshop, show_files, folder):
    common.note(f"measuring start-up over {runtime.title}")
    hidden = {"HWLOC_PLUGINS_PATH": str(folder / "empty")}
    program = workshop.ours("startup.c")
    opener = workshop.build("startup_native.c", "cc", "native")
    native = Side(runtime, opener, [runtime.library], common.environment(**hidden))
    named = Side(runtime, program, [], common.our_environment(runtime, **hidden))
    searched = Side(runtime, program, [], common.environment(**hidden))

    table = common.Table(f"Start-up over {runtime.title}, 1 rank under its launcher",
                         ["start-up", "native", "ours", "added", "limit", "ok"])

    def add(what, before, after):
        table.rows.append(row(runtime, what, before, after))

    native_loader, native_calls = file_calls(native, folder)
    for side, how in ((named, "file named"), (searched, "searched")):
        loader, calls = file_calls(side, folder)
        add(f"file-system calls, {how}", len(native_calls), len(calls))
        if show_files:
            table.notes += [f"own call, {how}: {call}" for call in own_calls(native_calls, calls)]
    add("file-system calls of the loader, before main", len(native_loader), len(loader))
    counted = least(lambda side: instructions(side, folder), [native, named, searched])
    add("instructions, file named", counted[0], counted[1])
    add("instructions, searched", counted[0], counted[2])
    add("private memory, KiB", *median(lambda side: private_kib(side, "private_dirty"), [native, named]))
    add("the same with files nobody else has mapped", *median(lambda side: private_kib(side, "private_dirty", "private_clean"), [native, named]))
    table.rows.append(object_row(objects(native), objects(named), workshop.front, table.notes))
    return table


def measure(options, workshop, runtimes):
    common.require_tool("strace", "strace")
    common.require_tool("valgrind", "valgrind")
    with tempfile.TemporaryDirectory(prefix="anympi-bench-") as folder:
        (Path(folder) / "empty").mkdir()
        return [compare(runtime, workshop, options.show_files, Path(folder)) for runtime in runtimes]


if __name__ == "__main__":
    sys.exit(common.main(__doc__, measure, more_options))
