"""Decides whether a test passed, by the rules of the suite's own driver."""
from __future__ import annotations

import re

from lib.process import Completed

PASSED, FAILED, HANGS, NOT_BUILT = "passed", "failed", "hangs", "not built"


def says_no_errors(run: Completed) -> bool:
    """Returns True if the exit code is 0 and the output is one line ` No Errors`. Lines ` Test Passed` are also allowed."""
    seen = 0
    for line in run.output.splitlines():
        if re.fullmatch(r"\s*No [Ee]rrors\s*", line):
            seen += 1
        elif not re.fullmatch(r"\s*Test Passed\s*", line):
            return False
    return seen == 1 and run.code == 0


def ends_with_failure(run: Completed) -> bool:
    """Returns True if the launcher reports a failure. Any output is allowed."""
    return run.code != 0


def ends_with_failure_but_no_errors(run: Completed) -> bool:
    return run.code != 0 and re.search(r"^\s*No [Ee]rrors\s*$", run.output, re.MULTILINE) is not None


RULES = {"": says_no_errors, "TestStatus": ends_with_failure, "TestErrFatal": ends_with_failure,
         "TestStatusNoErrors": ends_with_failure_but_no_errors}


def judge(rule: str, run: Completed) -> str:
    if run.timed_out:
        return HANGS
    if rule not in RULES:
        raise SystemExit(f"anympi: the suite judges a test by {rule}, which is not known here")
    return PASSED if RULES[rule](run) else FAILED
