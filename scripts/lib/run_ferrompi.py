"""The second half of scripts/ferrompi: builds ferrompi and runs its test programs."""
from __future__ import annotations

import argparse
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from lib import process, runtimes  # noqa: E402
from lib.context import Context  # noqa: E402

BUILD = ROOT / "build" / "release"
WORK = ROOT / "build" / "ferrompi"
CRATES = Path("/usr/share/cargo/registry")  # of Debian's packages
NATIVE = ("mpich", "openmpi")
USUAL_RANKS = 4
SECONDS = 120


@dataclass
class Program:
    name: str
    ranks: int


@dataclass
class Outcome:
    program: Program
    runtime: str
    done: process.Completed

    @property
    def word(self) -> str:
        return "timeout" if self.done.timed_out else "pass" if self.done.code == 0 else f"code {self.done.code}"


def step(text: str) -> None:
    print(f"== {text}", flush=True)


def copy_sources(source: Path) -> Path:
    """Copies the sources. The copy asks for no crates that only benchmarks and one example need, and takes the releases
    of the other crates that Debian has."""
    copy = WORK / "source"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns(".git", "target", "Cargo.lock", "benches", "pi_monte_carlo.rs"))
    sections = re.split(r"^(?=\[)", (copy / "Cargo.toml").read_text(), flags=re.MULTILINE)
    kept = [section for section in sections
            if not section.startswith(("[dev-dependencies]", "[[bench]]")) and "pi_monte_carlo" not in section]
    text = re.sub(r'^(cc|pkg-config) = .*$', r'\1 = "*"', "".join(kept), flags=re.MULTILINE)
    (copy / "Cargo.toml").write_text(text.replace("[package]\n", "[package]\nautobenches = false\n"))
    return copy


def build(source: Path, mpicc: Path, target: Path) -> Path:
    """Builds the library and all examples with a wrapper, which also names the folders and libraries. Returns the
    folder of the examples."""
    environment = {"MPICC": str(mpicc), "CC": str(mpicc), "PKG_CONFIG": "/nonexistent",  # so that it asks the wrapper
                   "CARGO_TARGET_DIR": str(target)}
    command = ["cargo", "build", "--offline", "--examples", "--features", "numa", "--config", 'source.crates-io.replace-with="debian"',
               "--config", f'source.debian.directory="{CRATES}"']
    done = process.run(command, 600, environment, source)
    if done.code != 0:
        raise SystemExit(f"anympi: ferrompi could not be built with {mpicc}:\n{done.describe()}")
    return target / "debug" / "examples"


def programs_of(source: Path, only: str) -> list[Program]:
    """Returns all examples, with the numbers of processes that ferrompi's own script gives them."""
    text = (source / "tests" / "run_mpi_tests.sh").read_text()
    ranks = dict(re.findall(r"^ *run_test (\w+) (\d+)$", text, re.MULTILINE))
    names = sorted(example.stem for example in (source / "examples").glob("*.rs"))
    return [Program(name, int(ranks.get(name, USUAL_RANKS))) for name in names if only in name]


def run_on(context: Context, runtime: runtimes.Runtime, folder: Path, programs: list[Program]) -> list[Outcome]:
    step(f"Running {len(programs)} programs on {runtime.name}")
    return [Outcome(program, runtime.name, context.run_mpi(runtime, program.ranks, folder / program.name, seconds=SECONDS))
            for program in programs]


def print_table(names: list[str], outcomes: list[Outcome]) -> None:
    words = {(outcome.program.name, outcome.runtime): outcome.word for outcome in outcomes}
    programs = list(dict.fromkeys((outcome.program.name, outcome.program.ranks) for outcome in outcomes))
    lines = [["program", "processes", *names]]
    lines += [[name, str(ranks), *(words[name, runtime] for runtime in names)] for name, ranks in programs]
    passed = [sum(outcome.word == "pass" for outcome in outcomes if outcome.runtime == name) for name in names]
    lines.append(["passed", "", *(f"{count} of {len(programs)}" for count in passed)])
    widths = [max(map(len, column)) for column in zip(*lines)]
    print()
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    for outcome in outcomes:
        if outcome.word != "pass":
            print(f"\n{outcome.program.name} on {outcome.runtime}:\n{outcome.done.describe()}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/ferrompi")
    parser.add_argument("source", type=Path)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("runtime", nargs="*")
    options = parser.parse_args()
    source = copy_sources(options.source)
    programs = programs_of(source, options.only)
    if not programs:
        raise SystemExit("anympi: no program has such a name")
    found = runtimes.find(ROOT, options.runtime or (list(NATIVE) if options.native else []), install=True)
    context = Context(ROOT, BUILD, runtimes=found)
    outcomes = []
    if options.native:
        for runtime in context.available:
            step(f"Building ferrompi with mpicc.{runtime.name}")
            folder = build(source, Path(f"/usr/bin/mpicc.{runtime.name}"), WORK / runtime.name)
            outcomes += run_on(context, runtime, folder, programs)
    else:
        step("Building ferrompi, once")
        folder = build(source, BUILD / "bin" / "mpicc", WORK / "anympi")
        for runtime in context.available:
            outcomes += run_on(context, runtime, folder, programs)
    print_table([runtime.name for runtime in context.available], outcomes)
    for runtime in found:
        if runtime.missing:
            print(f"left out: {runtime.name}: {runtime.missing}")
    return 0 if outcomes and all(outcome.word == "pass" for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
