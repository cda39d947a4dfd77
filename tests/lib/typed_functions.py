#!/usr/bin/env python3
"""Which header of the typed API calls each function of MPI: the page docs/builder/typed-functions.md.

The compiler's preprocessor shows which functions the headers call, since macros make some of the names. A function is
reached if its form for small or for large counts is called. Each other function needs a reason in NOT_REACHED.

`python3 tests/lib/typed_functions.py BUILD` writes the page.
"""
from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/builder/typed-functions.md"

# Why no header calls a function: the reason, and patterns of names without MPI_.
NOT_REACHED = {
    "A newer function replaces these deprecated ones.": [
        "Attr_*", "Get_elements_x", "Info_get", "Info_get_valuelen", "Keyval_*", "Status_set_elements_x", "Type_get_extent_x",
        "Type_get_true_extent_x", "Type_size_x"],
    "These convert handles and statuses for Fortran. Pass them `handle()` and `raw()` of an object.": [
        "*_c2f", "*_f2c", "Status_c2f08", "Status_f082c", "Status_f082f", "Status_f2f08", "*_fromint", "*_toint"],
    "These are for Fortran libraries of MPI.": ["Abi_?et_fortran_*"],
    "`init` calls `MPI_Init_thread`, which does the same.": ["Init"],
    "`Status` and `StatusBuilder` use the members, whose names the standard defines.": [
        "Status_get_*", "Status_set_error", "Status_set_source", "Status_set_tag"],
    "Tools call these in C.": [
        "T_category_*", "T_enum_*", "T_event_callback_?et_info", "T_event_copy", "T_event_get_source", "T_event_handle_?et_info",
        "T_event_set_dropped_handler", "T_pvar_get_index", "T_pvar_handle_free", "T_pvar_readreset", "T_pvar_reset", "T_pvar_stop",
        "T_pvar_write", "T_source_*"],
    "MPICH and Open MPI use only the representations of MPI, whatever a program registers.": ["Register_datarep"],
}
STAND_INS = "small_counts.hpp"  # not used with this mpi.h
HEAD = """# The typed API: which function of MPI is where

The headers of the [typed API](typed-api.md) call {many} of the {all} functions of MPI. A function and
its form with `_c` count as one. The last table has the other functions with the reasons.

`python3 tests/lib/typed_functions.py build/release` writes this page. A test compares the page with
the headers.
"""


def called_in_headers(root: Path, build: Path) -> dict[str, set[str]]:
    """Returns the identifiers MPI_… in the preprocessed headers, outside of strings, each with the headers that have it."""
    headers = [header for header in sorted((root / "include" / "anympi").glob("*.hpp")) if header.name != STAND_INS]
    source = "".join(f"#include <anympi/{header.name}>\n" for header in headers)
    command = ["g++", "-x", "c++", "-std=c++20", "-E", f"-I{root / 'include'}", f"-I{build / 'include'}", "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    found: dict[str, set[str]] = {}
    header = ""
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            path = Path(marker[1])
            header = path.name if path.parent.name == "anympi" else ""
        elif header:
            for name in re.findall(r"\bMPI_\w+", re.sub(r'"(\\.|[^"\\])*"', "", line)):
                found.setdefault(name, set()).add(header)
    return found


def functions(root: Path) -> dict[str, list[str]]:
    """Returns the functions of each chapter of api/functions.api, without the forms for large counts."""
    sys.path.insert(0, str(root))
    from generator.core import model
    chapters: dict[str, list[str]] = {}
    for function in model.read(root / "api").functions:
        if not function.large:
            chapters.setdefault(function.chapter, []).append(function.name)
    return chapters


def page(root: Path, build: Path) -> tuple[str, list[str]]:
    """Returns the text of the page, and what is wrong: functions that are both called and have a reason against it, or neither,
    or several reasons; patterns that match no function."""
    called = called_in_headers(root, build)
    chapters = functions(root)
    everything = [name for names in chapters.values() for name in names]
    matches = {pattern: [name for name in everything if fnmatchcase(name, pattern)] for patterns in NOT_REACHED.values() for pattern in patterns}
    against = [name for names in matches.values() for name in names]
    wrong = [f"no function is called {pattern}" for pattern, names in matches.items() if not names]
    tables, many = [], 0
    for chapter, names in chapters.items():
        rows = []
        for name in names:
            headers = sorted(called.get(f"MPI_{name}", set()) | called.get(f"MPI_{name}_c", set()))
            if len(headers) > 0:
                rows.append((f"`MPI_{name}`", ", ".join(f"`{header}`" for header in headers)))
            if bool(headers) + against.count(name) != 1:
                wrong.append(f"MPI_{name} is called in {headers}, and has {against.count(name)} reasons against it")
        many += len(rows)
        tables.append(table(chapter[0].upper() + chapter[1:], "headers in `anympi/`", rows))
    others = [(", ".join(f"`MPI_{name}`" for pattern in patterns for name in matches[pattern]), reason)
              for reason, patterns in NOT_REACHED.items()]
    tables.append(table("Functions that no header calls", "reason", others))
    return HEAD.format(many=many, all=len(everything)) + "".join(tables), wrong


def table(title: str, column: str, rows: list[tuple[str, str]]) -> str:
    lines = "".join(f"| {left} | {right} |\n" for left, right in rows)
    return f"\n## {title}\n\n| function | {column} |\n|---|---|\n{lines}" if rows else ""


def main() -> None:
    text, wrong = page(ROOT, Path(sys.argv[1]))
    (ROOT / PAGE).write_text(text)
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
