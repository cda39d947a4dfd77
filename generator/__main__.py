"""Command line: python3 -m generator --source DIR --out DIR."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import front, header, homes, model, report, support, tables


def _banner(path: Path) -> str:
    if path.suffix in (".txt", ".md"):
        return ""
    return "/* Written by `python3 -m generator` from api/. */\n" if path.suffix in (".h", ".map") else "// Written by `python3 -m generator` from api/.\n"


def _write(path: Path, text: str) -> None:
    """Leaves a file that is up to date alone, so that nothing is compiled again for it."""
    text = _banner(path) + text
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def generate(source: Path, out: Path) -> None:
    api = model.read(source / "api")
    where = homes.read(source / "src/bridge/homes.txt", api)
    libraries = support.read(source / "api/support.api", api)
    _write(out / "include/mpi.h", header.write(api))
    _write(out / "generated/functions.hpp", tables.functions(api))
    _write(out / "generated/categories.hpp", tables.categories(api))
    _write(out / "generated/predefined.hpp", tables.predefined(api))
    _write(out / "generated/bridges.hpp", front.generated_bridges(api, where))
    _write(out / "generated/bridge_table.hpp", front.bridge_table(api, where))
    _write(out / "generated/directory.cpp", front.directory(api, where))
    _write(out / "generated/entries_standard.cpp", front.entries(api, "standard"))
    _write(out / "generated/mpi_abi.map", front.symbol_map(api))
    _write(out / "generated/report.txt", report.write(api, where))
    _write(out / "generated/support.md", support.write(api, where, libraries))


def main() -> int:
    parser = argparse.ArgumentParser(prog="generator", description=__doc__)
    parser.add_argument("--source", type=Path, required=True, help="the root of the repository")
    parser.add_argument("--out", type=Path, required=True, help="where to write; include/ and generated/ are made there")
    arguments = parser.parse_args()
    try:
        generate(arguments.source, arguments.out)
    except model.ApiError as error:
        print(f"generator: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
