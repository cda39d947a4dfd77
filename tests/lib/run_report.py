"""The end of a run: a table of programs and runtimes, what was left out and why, and the totals."""
from __future__ import annotations

from .context import Context
from .results import Outcome


def print_report(outcomes: list[Outcome], context: Context, slowest: int) -> None:
    print_table(outcomes, context)
    print_not_offered(outcomes)
    print_skipped(outcomes)
    print_hangs(outcomes)
    failures = [outcome for outcome in outcomes if outcome.failed]
    if failures:
        print("\nFailed:")
        for outcome in failures:
            print(f"  {outcome.case.name}")
    print_times(outcomes, slowest)
    counts = [sum(outcome.result.kind == kind for outcome in outcomes) for kind in ("passed", "failed", "skipped")]
    print(f"{counts[0]} passed, {counts[1]} failed, {counts[2]} skipped")


def cell(outcomes: list[Outcome]) -> str:
    if not outcomes:
        return "."
    bad = sum(outcome.failed for outcome in outcomes)
    if bad:
        return f"{bad} FAILED"
    good = sum(outcome.result.kind == "passed" for outcome in outcomes)
    return f"{good} ok" if good else "skip"


def print_table(outcomes: list[Outcome], context: Context) -> None:
    """Prints how many runs of each program passed on each runtime, and a point if no run was due."""
    placed = [outcome for outcome in outcomes if outcome.case.row]
    columns = [runtime.name for runtime in context.runtimes if any(o.case.column == runtime.name for o in placed)]
    rows = list(dict.fromkeys(outcome.case.row for outcome in placed))
    if not columns:
        return
    cells = [["", *columns]]
    for row in rows:
        cells.append([row] + [cell([o for o in placed if o.case.row == row and o.case.column == column])
                              for column in columns])
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    print()
    for line in cells:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


def print_not_offered(outcomes: list[Outcome]) -> None:
    """Prints the functions that programs left out because a runtime lacks them, in one line for each runtime."""
    lacking: dict[str, set[str]] = {}
    for outcome in outcomes:
        if outcome.result.not_offered:
            lacking.setdefault(outcome.case.column, set()).update(outcome.result.not_offered)
    if lacking:
        print("\nLeft out inside programs that passed, because the runtime lacks the function:")
    for runtime, names in lacking.items():
        shown = ", ".join(sorted(names)[:4])
        print(f"  {runtime}: {len(names)} functions ({shown}{', ...' if len(names) > 4 else ''})")


def print_skipped(outcomes: list[Outcome]) -> None:
    skipped = [outcome for outcome in outcomes if outcome.result.kind == "skipped"]
    if skipped:
        print("\nSkipped:")
    for outcome in skipped:
        print(f"  {outcome.case.name}: {outcome.result.text}")


def print_hangs(outcomes: list[Outcome]) -> None:
    hung = [outcome for outcome in outcomes if outcome.result.hangs]
    if hung:
        print("\nPassed after hangs of the library or its launcher:")
    for outcome in hung:
        print(f"  {outcome.case.name}: {outcome.result.hangs} of {outcome.result.hangs + 1} runs hung")


def print_times(outcomes: list[Outcome], slowest: int) -> None:
    """Prints the time of each suite, and the slowest cases."""
    by_suite: dict[str, float] = {}
    for outcome in outcomes:
        suite = outcome.case.name.partition("/")[0]
        by_suite[suite] = by_suite.get(suite, 0) + outcome.seconds
    suites = sorted(by_suite.items(), key=lambda item: -item[1])
    cases = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:slowest]
    print(f"\n{sum(by_suite.values()):.0f} s of tests: " + ", ".join(f"{name} {seconds:.0f}" for name, seconds in suites))
    print("Slowest: " + ", ".join(f"{outcome.case.name} {outcome.seconds:.1f} s" for outcome in cases))
