"""`anympi run` inside an allocation of a real Slurm, which runs on the loopback interface during the tests."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import SECONDS, WIDE, expect_report, report_program, run_words
from lib.checks import Mismatch, Unavailable, case_on, expect, guarded
from lib.context import Context
from lib.results import Case
from lib.runtimes import Runtime
from lib.slurm_cluster import CLUSTER, Cluster, find


def cases(context: Context):
    yield Case("a Slurm that does not come up fails", partial(guarded, check_broken_slurm))
    for runtime in context.runtimes:
        if runtime.usual and runtime.name != "impi":  # Intel MPI needs a PMI library of the site
            for title, check in CHECKS.items():
                yield case_on(context, runtime, title, check)


def check_broken_slurm(_folder: Path) -> None:
    """The daemons of a broken Slurm end at once."""
    broken = Cluster(lambda name: find("true"), 0.1)
    for _ in range(2):
        try:
            broken.environment()
        except Unavailable as reason:
            expect("root" in str(reason), f"skipped: {reason}")
        except Mismatch as failure:
            expect("does not come up" in str(failure), failure)
        else:
            raise Mismatch("taken for a Slurm that runs")


def allocate(context: Context, runtime: Runtime, *words, environment: dict[str, str] | None = None) -> process.Completed:
    """Runs a command of anympi in a separate allocation."""
    variables = {**runtime.environment, **CLUSTER.environment(), "ANYMPI_MPI": "", "COLUMNS": WIDE, **(environment or {})}
    allocation = [find("salloc"), "--quiet", "-n", "2"]
    return process.run([*allocation, context.build / "bin" / "anympi", *words], SECONDS, variables)


def plain_words(runtime: Runtime) -> list:
    """Returns the words without the options of the MPI's own launcher, because srun does not support them."""
    return run_words(Runtime(runtime.name, runtime.family, runtime.library, runtime.launcher[:1]), runtime.library, 2)


def check_run(context: Context, runtime: Runtime, _folder: Path) -> None:
    words = plain_words(runtime)
    shown = allocate(context, runtime, words[0], "--dry-run", *words[1:], "ls")
    offered = "pmix" if runtime.family == "openmpi" else "pmi2"
    # `ls` may be a script that starts the program later: keep_path.so is preloaded for the program.
    command = rf"{re.escape(str(find('srun')))} -n 2 --export=ALL,LD_PRELOAD=\S*keep_path\.so --mpi={offered} \S*/start_program ls"
    expect(shown.code == 0 and re.search(command, shown.output), shown)
    done = allocate(context, runtime, *words, report_program(context))
    expect_report(done, runtime)
    expect(f"chosen={runtime.library}\n" in done.output, done)


def check_end(context: Context, runtime: Runtime, _folder: Path) -> None:
    """srun must return the exit code, also of a killed process, and must not hang."""
    expect(allocate(context, runtime, *plain_words(runtime), report_program(context), "7").code == 7, "exit code")
    done = allocate(context, runtime, *plain_words(runtime), "sh", "-c", "kill -9 $$")
    expect(not done.timed_out and done.code == 137, done)


def check_wrong_start(context: Context, runtime: Runtime, _folder: Path) -> None:
    """An srun that offers no PMI would start two jobs of one process."""
    done = allocate(context, runtime, *plain_words(runtime), report_program(context),
                    environment={"SLURM_MPI_TYPE": "none"})
    expect(done.code != 0 and "size=" not in done.output, done)
    # Open MPI 4 stops without anympi's check.
    expect(re.search(r"anympi: .*2 separate jobs would run|OMPI was not built with SLURM's PMI", done.output), done)


def check_doctor(context: Context, runtime: Runtime, _folder: Path) -> None:
    done = allocate(context, runtime, "doctor", environment={"ANYMPI_MPI": str(runtime.library)})
    good = rf"^ok .*{re.escape(str(runtime.library))} starts two processes .* by {find('srun')}"
    expect(re.search(good, done.output, re.MULTILINE), done)


CHECKS = {"srun": check_run, "end of a job": check_end, "srun without PMI": check_wrong_start, "doctor": check_doctor}
