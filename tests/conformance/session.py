"""One call of the command: the builds, the tests to run on both sides of each pair, and their comparison."""
from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Callable

from lib import results as test_results
from lib import runtimes
from lib.context import Context
from lib.results import Case

from . import differences, fortran_build, leaks, pairs, source, testlists
from .building import Build
from .differences import Lists
from .fortran_build import FortranBuild
from .pairs import Pair, Side
from .running import ended_too_early, run_test
from .stored_results import Results
from .testlists import Test
from .verdict import NOT_BUILT, PASSED

HERE = Path(__file__).resolve().parent
# A test with one of these native results also runs through the front. A test that fails natively cannot show a fault of
# anympi, and many such tests hang. A test that cannot be built natively may need functions that the library lacks. The
# front may have these functions.
TRIED = (PASSED, NOT_BUILT)


@dataclass
class Comparison:
    """A pair, ready to run: its two sides with the known results, and its tests."""
    pair: Pair
    native: Side
    through: Side
    stores: tuple[Results, Results]
    lists: Lists
    tests: list[Test]
    most_seconds: int

    def run(self, test: Test) -> test_results.Result:
        """Runs the test on each side that has no stored result. Fails if the sides differ and this difference is neither
        expected nor flaky.
        """
        native = self.run_side(self.native, self.stores[0], test)
        if native["verdict"] in TRIED:
            self.run_side(self.through, self.stores[1], test)
        outcome = self.outcome(test)
        text = differences.OUTCOMES[outcome]
        if outcome in differences.WRONG:
            return test_results.failed(f"{text}\n{differences.describe(*self.known(test))}")
        return test_results.skipped(text) if outcome == differences.NATIVE_FAILS else test_results.passed()

    def run_side(self, side: Side, store: Results, test: Test) -> dict:
        known = store.get(test)
        if not known or ended_too_early(known, test, self.most_seconds):
            known = run_test(side, test, self.most_seconds)
            store.put(test, known)
        return known

    def known(self, test: Test) -> tuple[dict, dict | None]:
        native, through = self.stores[0].get(test), self.stores[1].get(test)
        # For a vendor's ABI, the programs are built with the vendor's compiler. A program that it cannot build is not
        # compared.
        can_be_none = self.pair.app != "standard" or native["verdict"] == NOT_BUILT
        is_no_program = through is not None and through["verdict"] == NOT_BUILT and can_be_none
        return native, through if native["verdict"] in TRIED and not is_no_program else None

    def outcome(self, test: Test) -> str:
        return differences.outcome(test.name, *self.known(test), self.lists)

    def outcomes(self) -> dict[str, dict[str, str]]:
        """Returns the outcome of every test, by folder."""
        folders: dict[str, dict[str, str]] = {}
        for test in self.tests:
            folders.setdefault(test.folder, {})[test.name] = self.outcome(test)
        return folders

    def case(self, test: Test, run: Callable[[Test], test_results.Result]) -> Case:
        """Returns a serial case for the test. The number of tests at the same time is then exactly the number of `--jobs`."""
        return Case(f"{self.pair.name} {test.name}", partial(run, test), is_serial=True)

    def cases(self) -> list[Case]:
        return [self.case(test, self.run) for test in self.tests]

    def leak_cases(self) -> list[Case]:
        """Returns cases for tests that should pass and end normally. (Tests that end abnormally lose all memory.)"""
        return [self.case(test, self.find_leaks) for test in self.tests if not test.judge and test.name not in self.lists.expected]

    def find_leaks(self, test: Test) -> test_results.Result:
        """Reports memory that the front loses. Also reports memory that the library loses, if the library loses less of it
        natively. Stores no result.
        """
        native, lost_natively = leaks.find(self.native, test, self.most_seconds)
        if native["verdict"] != PASSED:
            return test_results.skipped(differences.OUTCOMES[differences.NATIVE_FAILS])
        through, lost = leaks.find(self.through, test, self.most_seconds)
        judged = {Path(pairs.FRONTS[self.pair.app]).name, *pairs.FORTRAN_FRONTS[self.pair.app], self.pair.runtime.library.name}
        more = {name: number for name, number in (lost - lost_natively).items() if name in judged}
        if through["verdict"] != PASSED or more:
            lines = [f"{name}: {number} more objects are lost than natively" for name, number in more.items()]
            return test_results.failed("\n".join([*lines, differences.describe(native, through)]))
        return test_results.passed()

    def repeat(self, test: Test, times: int) -> str:
        """Counts how often a test passes on each side. Stores nothing."""
        counts = []
        for side in (self.native, self.through):
            passed = [run_test(side, test, self.most_seconds)["verdict"] == PASSED for _ in range(times)]
            counts.append(f"{side.name} {sum(passed)} of {times}")
        return f"{test.name}: {', '.join(counts)}"


class Session:
    """Finds, builds and makes everything that the options ask for."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.context = Context(root=HERE.parents[1], build=options.build.resolve())
        self.work = options.work.resolve()
        self.stores: dict[tuple[str, str], Results] = {}

    def comparisons(self) -> list[Comparison]:
        """Returns for each pair a comparison of the C programs and one of the Fortran programs."""
        return [comparison for name in self.options.pair for pair in self.find_pairs(name) for comparison in self.prepare(pair)]

    def find_pairs(self, name: str) -> list[Pair]:
        """Returns the pair of that name. With --full, also adds the runtime's other plug-ins."""
        app, _, label = name.partition(":")
        if app not in pairs.FRONTS or not label:
            raise SystemExit(f"anympi: a pair is APP:RUNTIME, where APP is one of {', '.join(pairs.FRONTS)}; not {name}")
        name_of_runtime, plus, plugins = label.partition("+")
        runtime = self.find_runtime(name_of_runtime)
        found = [Pair(app, runtime, variant) for variant in (pairs.DEFAULT_VARIANT, *pairs.VARIANTS.get(runtime.family, []))]
        chosen = [pair for pair in found if pair.variant.name == plugins or self.options.full and not plus]
        if not chosen:
            raise SystemExit(f"anympi: there is no pair {name}; there are: {', '.join(pair.name for pair in found)}")
        return [pair for pair in chosen if any(map(pair.covers, self.options.dir))]

    def find_runtime(self, name: str) -> runtimes.Runtime:
        if "/" in name:
            return pairs.installed(Path(name).resolve())
        runtime = runtimes.find(self.context.root, [name], install=True)[0]
        if runtime.missing:
            raise SystemExit(f"anympi: {name}: {runtime.missing}")
        return runtime

    @cached_property
    def suite(self) -> Path:
        given = self.options.source
        return source.copy(given.resolve(), self.work) if given else source.fetch(self.work)

    def fronts(self, app: str, further: list[str]) -> list[Path]:
        """Returns the library under test and further libraries. anympi's libraries are copied, so that a build during the
        run does not change them.
        """
        front = self.context.build / "lib" / pairs.FRONTS[app]
        ours, given = [front, *(front.with_name(name) for name in further)], self.options.library
        missing = [library for library in ([given, *ours[1:]] if given else ours) if not library.exists()]
        if missing:
            raise SystemExit(f"anympi: there is no {missing[0]}; " + ("--library names a libmpi_abi.so.1" if given in missing else
                             "build anympi first: cmake --preset release && cmake --build --preset release"))
        if not given:
            return pairs.keep_copies(app, ours, self.work)
        # anympi's Fortran library comes last, since another project's library may have its own Fortran library in its
        # folder.
        return [pairs.use_in_place(given.absolute(), self.work), *pairs.keep_copies(app, ours, self.work)[1:]]

    def prepare(self, pair: Pair) -> list[Comparison]:
        """Returns a comparison for the C folders. If Fortran compilers are installed, also returns one for the Fortran
        folders.
        """
        folders = [folder for folder in self.options.dir if pair.covers(folder)]
        in_c = [folder for folder in folders if folder in testlists.C_FOLDERS]
        in_fortran = [folder for folder in folders if folder in testlists.FORTRAN_FOLDERS]
        lacking = next(filter(None, map(fortran_build.why_not, self.fortran_compilers(pair))), "") if in_fortran else ""
        if lacking:
            print(f"{pair.name}: the Fortran folders are left out: {lacking}", flush=True)
            in_fortran = []
        return ([self.compare(pair, in_c, ("", ""), [])] if in_c else []) + (
            [self.compare(pair, in_fortran, self.fortran_compilers(pair), pairs.FORTRAN_FRONTS[pair.app])] if in_fortran else [])

    def fortran_compilers(self, pair: Pair) -> tuple[str, str]:
        """Returns the Fortran compilers for both sides: the library's own compiler, and the compiler of the programs' ABI."""
        ours = str(self.context.build / "bin" / "mpifort")
        return pairs.native_fortran_compiler(pair.runtime), pairs.FORTRAN_COMPILERS.get(pair.app, ours)

    def compare(self, pair: Pair, folders: list[str], fortran_compilers: tuple[str, str], further: list[str]) -> Comparison:
        native, through = self.sides(pair, folders, fortran_compilers, self.fronts(pair.app, further))
        lists = differences.read_lists(HERE, pair, enforced=not self.options.library)
        tests = [test for folder in folders for test in self.tests_of(folder, through)]
        stores = (self.store(native), self.store(through))
        if self.options.fresh:
            for store in stores:
                store.forget(tests)
        return Comparison(pair, native, through, stores, lists, tests, self.options.seconds)

    def sides(self, pair: Pair, folders: list[str], fortran_compilers: tuple[str, str], fronts: list[Path]) -> tuple[Side, Side]:
        """Returns both sides: natively and through the front, with the same launcher, plug-ins and environment."""
        runtime, label = pair.runtime, pair.label
        options, library = pair.variant.launcher_options, pairs.hash_of(runtime.library)
        native = self.build(runtime.name, pairs.native_compiler(runtime), runtime.family, fortran_compilers[0], folders)
        compiler = pairs.COMPILERS.get(pair.app, str(self.context.build / "bin" / "mpicc"))
        program = self.build(pair.app, compiler, pair.app, fortran_compilers[1], folders)
        environment = dict(pairs.SETTINGS.get(runtime.family, {}))
        if runtime.spins:
            environment["LD_PRELOAD"] = str(self.context.yield_shim())
        places = dict.fromkeys(str(front.parent) for front in fronts)
        path = os.pathsep.join(filter(None, [*places, os.environ.get("LD_LIBRARY_PATH")]))
        through = {**environment, "ANYMPI_MPI": str(runtime.library), "LD_LIBRARY_PATH": path}
        return (Side(f"native-{label}", runtime, native.folder, f"{native.fingerprint} {library}", environment, options),
                Side(f"{pair.app}-{label}" + ("-other" if self.options.library else ""), runtime, program.folder,
                     f"{program.fingerprint} {library} {pairs.hash_of(*fronts)}", through, options))

    def build(self, name: str, compiler: str, abi: str, fortran_compiler: str, folders: list[str]) -> Build:
        """Builds the C programs, or with a Fortran compiler the Fortran programs."""
        built = self.work / "built"
        build = (FortranBuild(self.suite, built / f"{name}-fortran", compiler, abi, fortran_compiler) if fortran_compiler else
                 Build(self.suite, built / name, compiler, abi))
        build.make(folders, self.options.jobs)
        return build

    def tests_of(self, folder: str, side: Side) -> list[Test]:
        lists = ["testlist", "testlist.dtp"] if self.options.full else ["testlist"]
        tests = testlists.read_folder(self.suite, side.programs, folder, lists, self.options.ranks)
        only = self.options.only
        return [test for test in tests if not only or any(text in test.name for text in only)]

    def store(self, side: Side) -> Results:
        """Returns the stored results of a side. Several pairs with the same native side share its results. Each language
        has separate results, since its programs differ.
        """
        key = (side.name, side.fingerprint)
        if key not in self.stores:
            self.stores[key] = Results(self.work / "results" / side.name, side.fingerprint)
        return self.stores[key]
