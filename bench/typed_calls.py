#!/usr/bin/env python3
"""Instructions that the typed API adds to calls of C, counted by callgrind. The functions of MPI do nothing here."""

import re
import sys

import calls
import common
import limits

FLAGS = ["-std=c++20", "-O2", "-DNDEBUG", "-Wall", f"-I{common.REPOSITORY / 'include'}"]


def more_options(parser):
    pass


def measure(options, workshop, runtimes):
    """Returns the table. `runtimes` are not used: no library is called."""
    common.require_tool("valgrind", "valgrind")
    program = workshop.build("typed_calls.cpp", workshop.compiler.with_name("mpicxx"), "anympi", flags=FLAGS)
    listed = common.fields(common.run([program], env=common.environment()))
    chosen = {name: int(allocations[0]) for name, allocations in listed.items()
              if re.search(getattr(options, "only", None) or "", name)}
    if not chosen:
        raise common.BenchError(f"no case matches `{options.only}`; there are: {'; '.join(listed)}")
    common.note("counting instructions of the typed API")
    counted = calls.count(workshop, program, common.environment(), getattr(options, "iterations", calls.ITERATIONS), list(chosen)).all
    table = common.Table("Instructions of the typed API", ["call", "in C", "typed", "added", "allocations", "limit", "ok"])
    for name, allocations in chosen.items():
        if name not in limits.TYPED:
            raise common.BenchError(f"limits.py has no limit for `{name}` of typed_calls.cpp")
        limit, added = limits.TYPED[name], counted[name] - counted[f"{name} in C"]
        table.rows.append({"call": name, "in C": counted[f"{name} in C"], "typed": counted[name], "added": added,
                           "allocations": allocations, "limit": limit,
                           "ok": added <= limit and allocations <= limits.TYPED_ALLOCATIONS.get(name, 0)})
    return [table]


if __name__ == "__main__":
    sys.exit(common.main(__doc__, measure, more_options, needs_libraries=lambda options: False))
