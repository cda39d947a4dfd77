#!/usr/bin/env python3
"""Instructions that anympi adds to each MPI call, counted by callgrind on one rank."""

import re
import sys
import tempfile
from pathlib import Path

import common
import limits

# So long that a library's occasional work (Open MPI polls some things every few calls) averages out.
ITERATIONS = 1000
CALLGRIND = ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--instr-atstart=no"]


def more_options(parser):
    parser.add_argument("--only", metavar="REGEX", help="measure only the calls whose name matches")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="loop length (default: %(default)s)")


class Counted:
    """Instructions per iteration of each loop: all instructions, and the part that is in the program itself."""

    def __init__(self, points):
        self.all = {name: slope([(length, every) for length, every, _ in found]) for name, found in points.items()}
        self.of_program = {name: slope([(length, own) for length, _, own in found]) for name, found in points.items()}


counted = {}


def count(workshop, program, env, iterations, names):
    """Counts once for a program in an environment. Several tables show the result."""
    key = (program, tuple(sorted(env.items())), iterations, tuple(names))
    if key not in counted:
        counted[key] = count_anew(workshop, program, env, iterations, names)
    return counted[key]


def count_anew(workshop, program, env, iterations, names):
    """Runs every case in one process, since MPI_Init under valgrind takes seconds, and reads one dump per loop."""
    loops = {}
    env = {**env, "LD_PRELOAD": str(workshop.even_malloc())}
    with tempfile.TemporaryDirectory(prefix="anympi-bench-") as folder:
        # Without LD_BIND_NOW, the first call of a function would count the loader's search for it.
        common.run([*CALLGRIND, program, iterations, *names], env={**env, "LD_BIND_NOW": "1"}, cwd=folder)
        for dump in Path(folder).glob("callgrind.out.*"):
            text = dump.read_text(errors="replace")
            trigger = re.search(r"^desc: Trigger: Client Request: (.*)\|(\d+)$", text, re.M)
            if trigger:
                total = re.search(r"^(?:summary|totals): (\d+)", text, re.M)
                loops.setdefault(trigger[1], []).append((int(trigger[2]), int(total[1]), inside(program, text)))
    return Counted(loops)


def inside(program, dump):
    """Returns the number of instructions of a dump that are in the file of the program.

    A dump contains the name of a file once and a number afterwards. The line after `calls=` is the cost of the called
    function."""
    files, current, found = {}, "", 0
    lines = iter(dump.splitlines())
    for line in lines:
        if named := re.match(r"ob=(\(\d+\))(?: (.*))?", line):
            current = files.setdefault(named[1], named[2])
        elif named := re.match(r"cob=(\(\d+\)) (.*)", line):
            files[named[1]] = named[2]
        elif line.startswith("calls="):
            next(lines)
        elif re.match(r"[-+*\d]", line) and current and Path(current) == Path(program):
            found += int(line.split()[1])
    return found


def slope(points):
    """Returns the cost of one iteration, from two lengths of a loop. The difference removes the loop's fixed costs."""
    (short, few), (long, more) = sorted(points)
    return round((more - few) / (long - short))


def limit_of(program, runtime, name, calls):
    limit = limits.of_call(program, runtime.key, name, calls)
    if limit is None:
        raise common.BenchError(f"limits.py has no limit for `{name}` of calls.c")
    return limit


def sides(program, runtime, workshop):
    """Returns the program whose ABI is `program`, its environment, and the front that it loads."""
    if program == "standard":
        return workshop.ours("calls.c"), common.our_environment(runtime), workshop.front
    front = workshop.vendor_front(program)
    env = common.our_environment(runtime, LD_LIBRARY_PATH=str(front.parent))
    return workshop.native("calls.c", runtime.others[program]), env, front


def compare(program, runtime, workshop, cases, iterations):
    native, native_env = workshop.native("calls.c", runtime), common.native_environment(runtime)
    ours, our_env, front = sides(program, runtime, workshop)
    whose = "" if program == "standard" else f", program of {runtime.others[program].title}"
    common.check_library(native, native_env, runtime.library, f"the native side over {runtime.title}")
    common.check_library(ours, our_env, front, "our side")
    common.note(f"counting instructions over {runtime.title}{whose}")
    # Copies, since a call may be counted again, which must not change what other tables show.
    before = dict(count(workshop, native, native_env, iterations, cases).all)
    after = dict(count(workshop, ours, our_env, iterations, cases).all)
    table = common.Table(f"Instructions per iteration over {runtime.title}{whose}",
                         ["call", "native", "ours", "added", "limit", "ok"])
    for name, calls in cases.items():
        limit = limit_of(program, runtime, name, calls)
        if after[name] - before[name] > limit and name in limits.BY_THE_CLOCK:
            before[name] = count_anew(workshop, native, native_env, iterations, [name]).all[name]
            after[name] = count_anew(workshop, ours, our_env, iterations, [name]).all[name]
        added = after[name] - before[name]
        table.rows.append({"call": name, "native": before[name], "ours": after[name], "added": added,
                           "limit": limit, "ok": added <= limit})
    return table


def fortran(runtime, workshop, names, iterations):
    """Compares the calls of fortran.f90 with the same calls in C, both through anympi."""
    program, env = workshop.fortran(), common.our_environment(runtime)
    common.note(f"counting instructions in Fortran over {runtime.title}")
    in_c = count(workshop, workshop.ours("calls.c"), env, iterations, names)
    measured = count(workshop, program, env, iterations, [])
    table = common.Table(f"Instructions per iteration in Fortran over {runtime.title}",
                         ["call", "in C", "in Fortran", "by the program", "added", "limit", "ok"])
    for name in names:
        for method in ("mpif.h", "mpi_f08"):
            case = f"{name} in {method}"
            found, limit = measured.all[case], limits.in_fortran(runtime.key, name, method)
            table.rows.append({"call": case, "in C": in_c.all[name], "in Fortran": found,
                               "by the program": measured.of_program[case] - in_c.of_program[name],
                               "added": found - in_c.all[name], "limit": limit, "ok": found - in_c.all[name] <= limit})
    return table


def measure(options, workshop, runtimes):
    common.require_tool("valgrind", "valgrind")
    listed = common.fields(common.run([workshop.ours("calls.c")], env=common.environment()))
    cases = {name: int(calls[0]) for name, calls in listed.items() if re.search(options.only or "", name)}
    if not cases:
        raise common.BenchError(f"no call matches `{options.only}`; there are: {'; '.join(listed)}")
    pairs = [("standard", runtime) for runtime in runtimes]
    pairs += [(program, runtime) for runtime in runtimes if runtime.key != "standard" for program in runtime.others]
    tables = [compare(program, runtime, workshop, cases, options.iterations) for program, runtime in pairs]
    if workshop.has_fortran():
        listed = common.fields(common.run([workshop.fortran()], env=common.environment()))
        chosen = [name for name in listed if name in cases]
        tables += [fortran(runtime, workshop, chosen, options.iterations) for runtime in runtimes if chosen]
    return tables


if __name__ == "__main__":
    sys.exit(common.main(__doc__, measure, more_options))
