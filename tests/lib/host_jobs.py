"""Jobs over the hosts of the tests: command lines, and the checks of what the program where.c prints."""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from . import process
from .anympi import TITLES
from .checks import NotInstalled, case_on, expect
from .context import Context
from .hosts import Host, find
from .runtimes import Runtime
from .vendor_table import STANDARD, VENDOR_OF

SECONDS = 60
ABIS = (STANDARD, *VENDOR_OF)
# Debian's MPICH 4.0.2 hangs in MPI_Finalize over several hosts, also without anympi.
RUNTIMES = ("openmpi", "mpich-5.0.2", "mpich-4.3.2", "openmpi-5.0.11")
# Libraries that first look for fast networks lose time, since this machine lacks them.
QUICK = {"FI_PROVIDER": "tcp"}


case = partial(case_on, ranks=4)


def program(context: Context, abi: str, name: str = "where") -> Path:
    """Compiles the program as users do: for a vendor's ABI with Debian's wrapper."""
    source = [context.root / "tests" / "hosts" / f"{name}.c"]
    if abi == STANDARD:
        return context.compile(name, [*source, context.build / "include" / "mpi.h"], context.program_flags())
    wrapper = VENDOR_OF[abi].wrapper
    if not find(wrapper):
        raise NotInstalled(wrapper)
    return context.compile(f"{name}-{abi}", source, [], wrapper)


def hosts_option(runtime: Runtime, hosts: list[Host], on_each: int) -> list[str]:
    """Returns the option for the MPI's own launcher."""
    if runtime.product == "openmpi":
        return ["--host", ",".join(f"{host.name}:{on_each}" for host in hosts)]
    return ["-ppn", str(on_each), "-hosts", ",".join(host.name for host in hosts)]


def start(context: Context, runtime: Runtime, hosts: list[Host], *words, on_each: int = 2,
          environment: dict[str, str] | None = None, seconds: float = SECONDS) -> process.Completed:
    """Starts a job with `anympi run` on the first of the hosts."""
    command = [context.build / "bin" / "anympi", "run", "--mpi", runtime.library, "-n", on_each * len(hosts),
               *hosts_option(runtime, hosts, on_each), *runtime.launcher[1:], *words]
    return hosts[0].run(*command, seconds=seconds, environment=variables(runtime, environment))


def start_by_launcher(runtime: Runtime, hosts: list[Host], *words, on_each: int = 2,
                      environment: dict[str, str] | None = None) -> process.Completed:
    """Starts a job with the launcher itself."""
    command = [*runtime.launcher[:1], "-n", on_each * len(hosts), *hosts_option(runtime, hosts, on_each), *runtime.launcher[1:], *words]
    return hosts[0].run(*command, seconds=SECONDS, environment=variables(runtime, environment))


def variables(runtime: Runtime, environment: dict[str, str] | None = None) -> dict[str, str]:
    return {"ANYMPI_MPI": "", **QUICK, **runtime.environment, **(environment or {})}


def expect_world(done: process.Completed, runtime: Runtime, hosts: list[Host], on_each: int = 2, silent: bool = True) -> None:
    """Expects one job of all processes, on the chosen library. Each process is on its host and knows its number there."""
    size = on_each * len(hosts)
    seen = re.findall(r"^where: rank (\d+) of (\d+) on (\w+), local (\w+) by the environment, sum (\d+), (.*)$", done.output, re.MULTILINE)
    expect(done.code == 0 and not done.timed_out and len(seen) == size, done)
    expect(sorted(int(rank) for rank, *_ in seen) == list(range(size)), done)
    title = TITLES[runtime.product]
    expect(all(int(of) == size and int(total) == size * (size - 1) // 2 and library.startswith(title)
               for _, of, _, _, total, library in seen), done)
    expect(sorted(host for _, _, host, *_ in seen) == sorted(host.name for host in hosts for _ in range(on_each)), done)
    expect(not silent or "anympi" not in done.output, done)


def expect_local_ranks(done: process.Completed, hosts: list[Host], on_each: int = 2) -> None:
    """Expects on every host the variable that Open MPI's launchers set."""
    numbers = sorted(re.findall(r" on (\w+), local (\w+) by the environment", done.output))
    expect(numbers == sorted((host.name, str(number)) for host in hosts for number in range(on_each)), done)
