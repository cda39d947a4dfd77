"""Runs mpi4py's own tests on this rank, in a process of an MPI job. The last line is `OUTCOME` and the result as JSON.

    python run_mpi4py.py FOLDER SECONDS PATTERN...     FOLDER has mpi4py's test_*.py, a PATTERN names tests to leave out

A test that fails because the MPI library lacks a function counts as skipped, with the name of the function.
"""
import faulthandler
import fnmatch
import json
import os
import re
import sys
import unittest

NOT_OFFERED = re.compile(r"(MPI_\w+) is not offered by ")


def say(text):
    """Prints in one call, since the other ranks write into the same pipe."""
    os.write(1, f"\n{text}\n".encode())


class Outcome(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.lacking = set()

    def addError(self, test, err):
        self.judge(test, err)

    def addFailure(self, test, err):
        self.judge(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.judge(subtest, err)

    def judge(self, test, err):
        """Skips a test if the exception, or one of its causes, says that a function is not supported. Otherwise the
        test failed.
        """
        error = err[1]
        while error is not None:
            lacking = NOT_OFFERED.search(str(error))
            if lacking:
                self.lacking.add(lacking.group(1))
                self.addSkip(test, str(error))
                return
            error = error.__cause__ or error.__context__
        super().addError(test, err)
        say(f"FAILED {test.id()}\n{self.errors[-1][1]}")  # at once, since the next test may hang


def tests_of(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_of(item)
        else:
            yield item


def libraries():
    """Returns the files in this process that are named like an MPI library."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line.split()[-1] for line in maps if "/libmpi" in line})


def put_first(module):
    """Moves a module to the front: pickle looks for MPI's predefined handles in one module after the other, which takes
    half of the time of all tests.
    """
    for name in list(sys.modules):
        if name != module:
            sys.modules[name] = sys.modules.pop(name)


def main():
    folder, seconds, *patterns = sys.argv[1:]
    # A test that hangs is named before the job is ended from outside.
    faulthandler.dump_traceback_later(float(seconds), exit=True)
    sys.path.insert(0, folder)
    names = sorted(name[:-3] for name in os.listdir(folder) if name.startswith("test_") and name.endswith(".py"))
    found = unittest.defaultTestLoader.loadTestsFromNames(names)
    put_first("mpi4py.MPI")
    chosen = [test for test in tests_of(found) if not any(fnmatch.fnmatchcase(test.id(), pattern) for pattern in patterns)]
    outcome = Outcome()
    unittest.TestSuite(chosen).run(outcome)
    faulthandler.cancel_dump_traceback_later()
    say("OUTCOME " + json.dumps({"ran": outcome.testsRun, "failed": len(outcome.errors), "lacking": sorted(outcome.lacking),
                                 "libraries": libraries()}))
    return 1 if outcome.errors else 0


if __name__ == "__main__":
    sys.exit(main())
