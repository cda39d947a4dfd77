"""Bounded runs of the fuzz targets (tests/fuzz/), with clang's libFuzzer and sanitizers.

For a longer one: build/tests/built/fuzz-binary-* -max_total_time=600 some-folder tests/fuzz/corpus/binary
"""
from __future__ import annotations

import hashlib
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed, skipped

SECONDS = 20
TARGETS = {
    "binary": ["command/binary.cpp", "command/mpi_names.cpp", "command/printable.cpp", "runtime/elf_file.cpp",
               "runtime/mapped_file.cpp"],
    "settings": ["command/settings.cpp", "command/printable.cpp", "runtime/configuration.cpp",
                 "runtime/environment.cpp", "runtime/message.cpp", "runtime/launcher.cpp"],
}
# toml++ with both takes minutes to compile.
SANITIZERS = {"binary": "address,undefined", "settings": "address"}


def cases(context: Context):
    for name in TARGETS:
        yield Case(name, partial(fuzz, context, name))


def headers_digest(context: Context) -> str:
    """What the cache of built programs cannot see."""
    digest = hashlib.sha256()
    for folder in ("command", "runtime", "abi"):
        for header in sorted((context.root / "src" / folder).glob("*.hpp")):
            digest.update(header.read_bytes())
    return digest.hexdigest()[:12]


def fuzz(context: Context, name: str) -> Result:
    if not shutil.which("clang++"):
        return skipped("clang++ is not installed")
    sources = [context.root / "tests" / "fuzz" / f"{name}.cpp",
               *(context.root / "src" / part for part in TARGETS[name])]
    flags = ["-std=c++20", "-O1", "-g1", f"-fsanitize=fuzzer,{SANITIZERS[name]}", "-fno-sanitize-recover=all",
             "-DFMT_HEADER_ONLY", f"-DHEADERS_{headers_digest(context)}", f"-I{context.root / 'src'}"]
    try:
        target = context.compile(f"fuzz-{name}", sources, flags, "clang++")
    except BuildError as error:
        return failed(str(error))
    # New inputs go to a folder of the tests, never into the corpus.
    found = context.work / "fuzz" / name
    shutil.rmtree(found, ignore_errors=True)
    found.mkdir(parents=True)
    done = process.run([target, f"-max_total_time={SECONDS}", "-timeout=5", "-rss_limit_mb=1024", "-max_len=8192",
                        "-seed=1", "-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={found}/", found,
                        context.root / "tests" / "fuzz" / "corpus" / name], SECONDS * 4)
    if done.code != 0:
        return failed(done.describe(most_lines=60))
    return passed()
