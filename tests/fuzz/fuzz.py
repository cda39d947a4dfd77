"""The fuzz targets (tests/fuzz/), with clang's libFuzzer and sanitizers. Each tries a fixed number of inputs on every
machine, and ten times as many with --full.

For more: build/tests/built/release/fuzz-binary-* -max_total_time=600 some-folder tests/fuzz/corpus/binary
"""
from __future__ import annotations

import hashlib
import re
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed

SECONDS = 300  # the limit for the inputs; ten times as long with --full
TARGETS = {
    "binary": ["command/inspect/binary.cpp", "command/cli/split_join.cpp", "command/inspect/mpi_names.cpp", "command/cli/printable.cpp",
               "runtime/identify/elf_file.cpp", "runtime/identify/library.cpp", "base/foreign_text.cpp", "runtime/identify/mapped_file.cpp"],
    # These use a binary's content: the search for its libraries, and the verdict.
    "examination": ["command/inspect/binary.cpp", "command/inspect/examination.cpp", "command/inspect/shared_names.cpp", "command/cli/files.cpp", "command/cli/split_join.cpp",
                    "command/cli/this_machine.cpp", "command/inspect/loader.cpp", "command/inspect/mpi_names.cpp", "command/cli/printable.cpp", "runtime/identify/elf_file.cpp",
                    "runtime/environment.cpp", "base/foreign_text.cpp", "runtime/identify/identify.cpp", "runtime/identify/library.cpp",
                    "runtime/identify/mapped_file.cpp"],
    "settings": ["command/cli/split_join.cpp", "command/cli/this_machine.cpp", "command/cli/nearest.cpp", "command/config/settings.cpp", "command/config/edit_text.cpp", "command/cli/printable.cpp",
                 "runtime/find/configuration.cpp", "runtime/find/configuration_text.cpp", "runtime/find/requested_name.cpp",
                 "runtime/identify/exact_version.cpp", "runtime/identify/mapped_file.cpp", "runtime/identify/elf_file.cpp", "runtime/environment.cpp", "base/foreign_text.cpp", "runtime/identify/library.cpp",
                 "runtime/message.cpp", "runtime/launch/end_job.cpp", "runtime/launch/launcher.cpp", "runtime/find/trust.cpp"],
    "objects": [],  # the headers of the typed API
}
# The number of inputs that each target tries, which takes some seconds. The inputs depend on the compiler and its
# libraries, too.
INPUTS = {"binary": 40000, "examination": 20000, "settings": 10000, "objects": 40000}
# Programs and libraries from which the fuzzer of binaries starts, in addition to the corpus: linked as small as
# possible.
SMALL = ["-s", "-fPIC", "-nostdlib", "-Wl,-z,noseparate-code", "-Wl,-z,max-page-size=16", "-Wl,--build-id=none"]
SEEDS = {
    "library": ["-shared", "-DLIBRARY", "-Wl,-soname,libmpi.so.40"],
    "old-hash": ["-shared", "-DLIBRARY", "-Wl,--hash-style=sysv"],
    "plug-in": ["-shared"],
    "program": ["-pie", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-e,main", "-Wl,-rpath,/nowhere"],
    "static": ["-static", "-DLIBRARY", "-Wl,-e,main"],
}
LONGEST = 8192
SANITIZERS = {"binary": "address,undefined", "examination": "address,undefined", "settings": "address,undefined", "objects": "address,undefined"}
CORPUS = {"examination": "binary"}  # for a target that uses another target's corpus
OF_BINARIES = ("binary", "examination")

IS_SERIAL = True


def cases(context: Context):
    for name in TARGETS:
        yield Case(name, partial(fuzz, context, name), seconds=30)


def headers_digest(context: Context) -> str:
    """Returns a digest of the files that the cache of built programs does not see."""
    digest = hashlib.sha256()
    for folder in ("src/command", "src/runtime", "src/abi", "src/base", "src/arch", "include"):
        for header in sorted((context.root / folder).rglob("*.hpp")):
            digest.update(header.read_bytes())
    return digest.hexdigest()[:12]


def add_seeds(context: Context, folder: Path) -> None:
    source = context.root / "tests" / "fuzz" / "seed.c"
    for name, flags in SEEDS.items():
        seed = context.compile(f"fuzz-seed-{name}", [source], [*SMALL, *flags])
        if seed.stat().st_size > LONGEST:
            raise BuildError(f"the seed {name} has {seed.stat().st_size} bytes; the fuzzer would cut it off at {LONGEST}")
        shutil.copy(seed, folder / name)


def build(context: Context, name: str) -> Path:
    """Builds a target. Targets with the same source and sanitizers share the object. It is not optimised: with the
    sanitizers, that would take longer than the inputs.
    """
    flags = ["-std=c++20", "-O0", "-g1", f"-fsanitize=fuzzer-no-link,{SANITIZERS[name]}", "-fno-sanitize-recover=all",
             f"-DHEADERS_{headers_digest(context)}", f"-I{context.root / 'src'}", f"-I{context.root / 'src' / 'arch' / 'portable'}",
             f"-I{context.build / 'generated'}", f"-I{context.root / 'include'}", f"-I{context.build / 'include'}"]
    sources = [context.root / "tests" / "fuzz" / f"{name}_fuzz.cpp",
               *(context.root / "src" / part for part in [*TARGETS[name], "command/cli/fmt.cpp"])]
    objects = [context.compile(f"fuzz-{SANITIZERS[name]}-{source.stem}.o", [source], [*flags, "-c"], "clang++") for source in sources]
    return context.compile(f"fuzz-{name}", objects, [f"-fsanitize=fuzzer,{SANITIZERS[name]}"], "clang++")


def fuzz(context: Context, name: str) -> Result:
    if not shutil.which("clang++"):
        return not_installed("clang++")
    # New inputs go to a folder of the tests, never into the corpus.
    found = context.work / "fuzz" / name
    shutil.rmtree(found, ignore_errors=True)
    found.mkdir(parents=True)
    try:
        target = build(context, name)
        if name in OF_BINARIES:
            add_seeds(context, found)
    except BuildError as error:
        return failed(str(error))
    times = 10 if context.full else 1
    done = process.run([target, f"-runs={times * INPUTS[name]}", "-timeout=5", "-rss_limit_mb=1024", f"-max_len={LONGEST}",
                        "-seed=1", "-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={found}/", found,
                        context.root / "tests" / "fuzz" / "corpus" / CORPUS.get(name, name)], times * SECONDS)
    tried = re.search(r"stat::number_of_executed_units: *(\d+)", done.output)
    if done.code != 0 or not tried or int(tried.group(1)) < times * INPUTS[name]:
        return failed(done.describe(most_lines=60))
    return passed()
