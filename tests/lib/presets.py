"""Builds of other presets next to the tree under test, for suites that need another front."""
from __future__ import annotations

import dataclasses
import os
from functools import lru_cache
from pathlib import Path

from lib import process
from lib.context import BuildError, Context
from lib.results import Result, failed

def built(context: Context, preset: str, targets: tuple[str, ...], test, *arguments) -> Result:
    """Runs a test with the tree of a preset instead of the tree under test."""
    tree = context.build.parent / preset
    with context.lock_of(tree):
        error = build(context.root, tree, preset, targets)
    if error:
        return failed(error)
    try:
        return test(dataclasses.replace(context, build=tree), *arguments)
    except BuildError as error:
        return failed(str(error))


@lru_cache(maxsize=None)
def build(root: Path, tree: Path, preset: str, targets: tuple[str, ...]) -> str:
    """Builds these targets once, on half of the cores. Returns the error, or an empty text."""
    cores = max(1, (os.cpu_count() or 1) // 2)
    for command in (["cmake", "--preset", preset, "-B", tree, "--log-level=WARNING"],
                    ["cmake", "--build", tree, "--parallel", cores, "--target", *targets]):
        done = process.run(command, 1800, directory=root)
        if done.code != 0:
            return done.describe(most_lines=40)
    return ""
