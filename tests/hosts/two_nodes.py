"""Jobs over two nodes of a Slurm: srun, the launchers of MPIs inside an allocation, and `anympi run`."""
from __future__ import annotations

import os
import re
from pathlib import Path

from lib import process
from lib.anympi import TITLES
from lib.checks import expect
from lib.context import Context
from lib.host_jobs import ABIS, RUNTIMES, SECONDS, case, expect_local_ranks, expect_world, program, variables
from lib.hosts import SHARED, find
from lib.runtimes import Runtime
from lib.slurm_cluster import TWO_NODES
from lib.vendor_table import STANDARD, TITLE_OF_ABI

PAGE = "docs/cluster/launchers.md"  # its batch scripts are run
# The interface that srun must offer for Debian's libraries.
OFFERED = {"mpich": "pmi2", "openmpi": "pmix"}


def cases(context: Context):
    for runtime in context.runtimes:
        if runtime.name not in RUNTIMES:
            continue
        for abi in ABIS:
            yield case(context, runtime, f"anympi run, program of {TITLE_OF_ABI[abi]}", check_run, abi)
        yield case(context, runtime, "the launcher inside an allocation", check_launcher)
        yield case(context, runtime, "a host without the library, by srun", check_missing_library)
        if runtime.name in ("mpich-5.0.2", "openmpi"):
            yield case(context, runtime, "anympi doctor and --check-hosts in an allocation", check_doctor)
    for runtime in context.runtimes:
        if runtime.name == "mpich-5.0.2":
            for number, script in enumerate(scripts_of_the_page(context), 1):
                yield case(context, runtime, f"batch script {number} of {PAGE}", check_script, script)
        if runtime.product == "intel" and runtime.usual:
            yield case(context, runtime, "anympi run, three processes on one node and one on the other", check_uneven)
        if runtime.name in OFFERED:
            yield case(context, runtime, "chosen by what srun offers", check_choice)


def on_nodes(runtime: Runtime, *words, environment: dict[str, str] | None = None):
    own = variables(runtime, {"I_MPI_FABRICS": "shm:ofi", **TWO_NODES.environment(), **(environment or {})})
    return SHARED.hosts()[0].run(*words, seconds=SECONDS, environment=own)


def allocate(runtime: Runtime, *words, environment: dict[str, str] | None = None):
    """Runs a command in an allocation of two processes on each node."""
    return on_nodes(runtime, find("salloc"), "--quiet", "-N", "2", "--ntasks-per-node", "2", *words, environment=environment)


def check_run(context: Context, runtime: Runtime, abi: str, _folder: Path) -> None:
    words = [context.build / "bin" / "anympi", "run", "--mpi", runtime.library, "-n", "4"]
    done = allocate(runtime, *words, program(context, abi))
    expect_world(done, runtime, SHARED.hosts())


def check_uneven(context: Context, runtime: Runtime, _folder: Path) -> None:
    """Intel MPI takes part in such a step of srun only with a PMI library of the site, which does not exist here."""
    command = [find("salloc"), "--quiet", "-N", "2", "-n", "4", context.build / "bin" / "anympi", "run", "--mpi", runtime.library, "-n", "4"]
    for abi in ABIS:
        done = on_nodes(runtime, *command, program(context, abi))
        hosts = re.findall(rf"^where: rank . of 4 on (n.), .* sum 6, {TITLES[runtime.product]}", done.output, re.MULTILINE)
        expect(done.code == 0 and len(hosts) == 4 and len(set(hosts)) == 2, done)


def check_launcher(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The library is the launcher's, although srun has started the launcher's daemons."""
    launcher = [*runtime.launcher[:1], "-n", "4", *runtime.launcher[1:]]
    done = allocate(runtime, *launcher, program(context, STANDARD))
    expect_world(done, runtime, SHARED.hosts())
    done = allocate(runtime, *launcher, program(context, "openmpi"),
                    environment={"LD_LIBRARY_PATH": str(context.build / "lib" / "anympi" / "openmpi")})
    expect_world(done, runtime, SHARED.hosts())
    expect_local_ranks(done, SHARED.hosts())


def check_choice(context: Context, runtime: Runtime, _folder: Path) -> None:
    """Both of Debian's libraries are installed, and srun belongs to neither of them."""
    done = on_nodes(runtime, find("srun"), f"--mpi={OFFERED[runtime.name]}", "-N", "1", "-n", "2", program(context, STANDARD))
    seen = re.findall(rf"^where: rank . of 2 on n., .* {TITLES[runtime.product]}", done.output, re.MULTILINE)
    expect(done.code == 0 and len(seen) == 2, done)


def check_missing_library(context: Context, runtime: Runtime, folder: Path) -> None:
    """srun lets the other processes continue, and these wait for the stopped ones."""
    prefix = Path("/dev/shm") / folder.name.replace(" ", "-")  # each host has its own
    library = prefix / runtime.library.relative_to(runtime.library.parents[1])
    SHARED.hosts()[0].shell(f"ln -s '{runtime.library.parents[1]}' {prefix}")
    offered = "pmix" if runtime.product == "openmpi" else "pmi2"
    done = on_nodes(runtime, find("srun"), f"--mpi={offered}", "-N", "2", "-n", "4", program(context, STANDARD),
                    environment={"ANYMPI_MPI": str(library)})
    said = [line for line in done.output.splitlines() if line.startswith("anympi: ")]
    expect(done.code != 0 and not done.timed_out and "where: " not in done.output, done)
    expect(len(said) == 2 and said[0].startswith(f"anympi: on host nb: ANYMPI_MPI={library} "), done)


def check_doctor(context: Context, runtime: Runtime, folder: Path) -> None:
    """The doctor looks at the nodes of the allocation, by srun."""
    anympi = context.build / "bin" / "anympi"
    done = allocate(runtime, anympi, "doctor", "--hosts", environment={"ANYMPI_MPI": str(runtime.library)})
    expect(done.code == 0 and "na, nb, asked by srun" in done.output and done.output.endswith("0 problems, 0 warnings\n"), done)
    run = [anympi, "run", "--check-hosts", "--mpi"]
    done = allocate(runtime, *run, runtime.library, program(context, STANDARD))
    expect_world(done, runtime, SHARED.hosts())
    prefix = Path("/dev/shm") / f"{folder.name.replace(' ', '-')}-doctor"  # each host has its own
    library = prefix / runtime.library.relative_to(runtime.library.parents[1])
    SHARED.hosts()[0].shell(f"ln -s '{runtime.library.parents[1]}' {prefix}")
    done = allocate(runtime, *run, library, program(context, STANDARD))
    expect(done.code != 0 and not done.timed_out and "where: " not in done.output, done)
    expect(f"anympi: on host nb: {library} does not exist\n" in done.output and "on host na" not in done.output, done)


def scripts_of_the_page(context: Context) -> list[str]:
    page = (context.root / PAGE).read_text()
    scripts = re.findall(r"^```sh elsewhere\n(#!/bin/bash\n#SBATCH .*?)^```$", page, re.MULTILINE | re.DOTALL)
    expect(0 < len(scripts) == page.count("#SBATCH --nodes"), f"{PAGE}: scripts are not found")
    return scripts


def check_script(context: Context, runtime: Runtime, script: str, folder: Path) -> None:
    (folder / "solver").symlink_to(program(context, STANDARD))
    (folder / "script").write_text(script.replace("/opt/mpich", str(runtime.library.parents[1])))
    path = f"{context.build / 'bin'}:{os.environ['PATH']}"
    done = on_nodes(runtime, find("sbatch"), "--wait", "--chdir", folder, folder / "script", environment={"PATH": path})
    output = (folder / "solver.out").read_text()
    expect_world(process.Completed(done.command, done.code, output, done.timed_out), runtime, SHARED.hosts())
