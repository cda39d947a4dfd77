"""Command line: python3 -m generator --source DIR --out DIR [--freeze]."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Iterable

from .core import abi_values, data_objects, front_entries, fronts, header, homes, interposers, large, model, older, overrides, processor, report, sonames, support, synonyms, tables
from .fortran import compiler_descriptors, entries, fast_path, methods, sections, vendors
from .fortran.procedures import Procedure, read_procedures


def _banner(path: Path) -> str:
    if path.suffix in (".txt", ".md", ".s"):
        return ""
    if path.suffix == ".F90" or path.name == "mpif.h":
        return "! Written by `python3 -m generator` from api/.\n"
    return "/* Written by `python3 -m generator` from api/. */\n" if path.suffix in (".h", ".map") else "// Written by `python3 -m generator` from api/.\n"


def _write(path: Path, text: str) -> None:
    """Writes a file only if its text has changed, so that unchanged files are not compiled again."""
    text = _banner(path) + text
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _write_front(out: Path, api: model.Api, app: str, others: list[synonyms.Synonym], written: list[str]) -> None:
    mine = [s for s in others if app in s.abis]
    names = [f"MPI_{f.name}" for f in api.functions] + [s.name for s in mine]
    _write(out / f"generated/entries_{app}.cpp", front_entries.entries(api, app, mine))
    _write(out / f"generated/exports_{app}.map", front_entries.symbol_map(names, written))


def _write_interposers(out: Path, api: model.Api, before: list[interposers.Interposer], where: dict[str, homes.Home], register: overrides.Register,
                       others: list[synonyms.Synonym]) -> None:
    for app in model.FAMILIES:
        for one in before:
            _write(out / f"generated/interposer_{app}_{one.name}.cpp", interposers.library(api, app, one, where, register, others))
    _write(out / "generated/interposers.hpp", interposers.table(api, before, register))
    _write(out / "generated/native_calls.hpp", interposers.native_calls(api, where))
    _write(out / "generated/interposers.txt", interposers.listing(before, register))


def _write_fortran(source: Path, out: Path, api: model.Api, others: list[synonyms.Synonym], where: dict[str, homes.Home],
                   procedures: list[Procedure], written: dict[str, homes.Home], apps: Iterable[str]) -> None:
    fast = fast_path.FastPaths(procedures, where)
    _write(out / "generated/fast_path_list.hpp", fast.list((source / "src/convert/fortran_side.hpp").read_text()))
    _write(out / "generated/fast_path_procedures.hpp", fast_path.procedures(fast))
    for run in fast_path.RUNTIMES:
        _write(out / f"generated/fast_path_{run}.cpp", fast_path.pair(run))
    _write(out / "generated/fortran_calls.hpp", entries.calls(api, procedures))
    _write(out / "generated/fortran_procedures.hpp", entries.procedures_file(procedures, written))
    names_of_vendors = vendors.read(source / "api/fortran_vendors.api")
    for app in apps:
        names = names_of_vendors.get(app, {})
        texts = [entries.exports_file(procedures, app, others, vendors.aliases(names), written, fast.by_address if app == "standard" else [])]
        _write(out / f"generated/fortran_{app}.cpp", texts[0])
        if names:
            texts.append(compiler_descriptors.exports_file(procedures, app, vendors.aliases(names)))
            _write(out / f"generated/fortran_compiler_descriptors_{app}.cpp", texts[1])
            _write(out / f"generated/fortran_modules_{app}.cpp", vendors.write(api, app, names))
            vendors.check_aliases(app, names, texts)
    _write(out / "generated/fortran_sections.hpp", sections.procedures_file(procedures))
    _write(out / "generated/fortran_sections.cpp", sections.exports_file(procedures, fast.by_descriptor))
    for path, text in methods.files(api, procedures).items():
        _write(out / path, text)


def generate(source: Path, out: Path) -> None:
    api = model.read(source / "api")
    where = homes.read(source / "src/bridge/homes.txt", api)
    procedures = read_procedures(source / "api", api)
    written = homes.read_written(source / "src/fortran/homes.txt", {p.name for p in procedures}, "procedure")
    register = overrides.read(source / "api/overrides.api", api)
    register = overrides.complete(register, large.overrides(api, register.absent))
    others = synonyms.read(source / "api/synonyms.api", api)
    extensions = [s for s in others if s.is_extension]
    libraries = support.read(source / "api/support.api", api, extensions)
    objects = data_objects.read(source / "api/openmpi_data.api", api)
    names = sonames.read(source / "api/sonames.api")
    before = interposers.read(source / "api/interposers.api", register)
    exported = fronts.read(source / "api/fronts.api", api)
    _write(out / "include/mpi.h", header.write(api))
    for path, text in abi_values.files(api).items():
        _write(out / path, text)
    _write(out / "generated/sonames.inc", sonames.write(names))
    _write(out / "generated/older_functions.hpp", older.functions(api))
    _write(out / "generated/functions.hpp", tables.functions(api))
    _write(out / "generated/categories.hpp", tables.categories(api))
    _write(out / "generated/predefined.hpp", tables.predefined(api))
    _write(out / "generated/bridges.hpp", front_entries.generated_bridges(api, where))
    _write(out / "generated/bridge_table.hpp", front_entries.bridge_table(api, where))
    _write(out / f"generated/emulate/{large.FILE}", large.forms(api, register.absent))
    _write(out / "generated/moments.hpp", overrides.moments(register))
    _write(out / "generated/override_rules.hpp", overrides.rules(api, register))
    _write(out / "generated/install_overrides.hpp", overrides.installation(api, register))
    _write(out / "generated/direct_bridges.hpp", overrides.direct_bridges(api, where, register))
    _write(out / "generated/overrides.txt", overrides.listing(api, register))
    _write(out / "generated/directory.cpp", front_entries.directory(api, where, extensions))
    _write(out / "generated/data_openmpi.cpp", data_objects.write(objects))
    data = {"openmpi": [name for name, _ in objects]}
    for app, names in exported.items():
        _write_front(out, api, app, others if app != "standard" else [], names.all + data.get(app, []))
    _write_interposers(out, api, before, where, register, others)
    _write_fortran(source, out, api, others, where, procedures, written, exported)
    _write(out / "generated/report.txt", report.write(api, where, register, extensions))
    _write(out / "generated/names.txt", report.names(api, where, register))
    _write(out / "generated/support.md", support.write(api, where, register, libraries))


def freeze(source: Path, out: Path) -> None:
    """Copies the generated files that are also kept in the repository. The test suite `generator` compares the copies with
    the generated files.
    """
    names = source / "tests/data/names.txt"
    about = names.read_text().splitlines(keepends=True)[:2]
    names.write_text("".join(about) + (out / "generated/names.txt").read_text())
    (source / "docs/evidence/support.md").write_text((out / "generated/support.md").read_text())


def main() -> int:
    parser = argparse.ArgumentParser(prog="generator", description=__doc__)
    parser.add_argument("--source", type=Path, required=True, help="the root of the repository")
    parser.add_argument("--out", type=Path, required=True, help="where to write; include/ and generated/ are made there")
    parser.add_argument("--argument-registers", type=int, default=processor.argument_registers,
                        help="how many arguments the processor passes in registers (default: %(default)s, as on x86_64)")
    parser.add_argument("--freeze", action="store_true", help="write tests/data/names.txt and docs/evidence/support.md, too: the home of each function")
    arguments = parser.parse_args()
    processor.argument_registers = arguments.argument_registers
    try:
        generate(arguments.source, arguments.out)
        if arguments.freeze:
            freeze(arguments.source, arguments.out)
    except model.ApiError as error:
        print(f"generator: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
