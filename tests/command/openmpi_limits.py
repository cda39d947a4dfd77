"""Jobs that Open MPI's launcher refuses: jobs of root, and jobs with more processes than slots. `anympi run` reports
the remedy in one line.
"""
from __future__ import annotations

import os
from pathlib import Path

from lib.checks import Unavailable, expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of


def cases(context: Context):
    return cases_of(context, CHECKS)


def machine_with_openmpi(context: Context, folder: Path) -> FakeMachine:
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr", "mpirun")
    return machine


def file_of(machine: FakeMachine) -> Path:
    return machine.root / "home" / ".config" / "anympi" / "config.toml"


def check_root(context: Context, folder: Path) -> None:
    if os.geteuid() != 0:
        raise Unavailable("this is not root")
    machine = machine_with_openmpi(context, folder)
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        del machine.environment[name]
    option = " --allow-run-as-root "
    message = ("anympi: Open MPI's launcher does not run as root: `anympi config set run.allow_root true` allows it "
               f"(in {file_of(machine)})\n")

    def expect_start(start: bool, *words, has_option: bool = True, **variables) -> None:
        done = machine.run("run", *words, "-n", "2", "ls", **variables)
        expect((done.code == 0) == start and (done.output == message) != start, done)
        expect((option in done.output) == (start and has_option), done)

    expect_start(False)
    expect_start(False, OMPI_ALLOW_RUN_AS_ROOT="1")
    expect_start(True, "--allow-run-as-root")
    expect_start(True, has_option=False, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    expect_start(True, has_option=False, PRTE_ALLOW_RUN_AS_ROOT="1", PRTE_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    expect_start(True, container="lxc")
    for path, text, is_container in [(".dockerenv", "", True), ("run/.containerenv", "", True),
                                     ("proc/self/uid_map", "         0       1000          1\n", True),
                                     ("proc/self/uid_map", "         0          0 4294967295\n", False)]:
        file = machine.write(path, text)
        expect_start(is_container)
        file.unlink()
    expect(machine.run("config", "set", "run.allow_root", "true").code == 0, "what the message advises")
    expect_start(True)
    machine.run("config", "set", "run.allow_root", "false")
    expect_start(False, container="lxc")
    machine.mpi("mpich", "usr/local")
    expect(machine.run("run", "--mpi", "mpich", "ls").code == 0, "a launcher that runs as root")
    seen = machine.json("doctor", expected=1)["findings"]
    told = [one for one in seen if one["text"] == "Open MPI's launcher does not run as root"]
    expect(len(told) == 1 and told[0]["level"] == "problem" and "config set run.allow_root true" in told[0]["remedy"], seen)


def add_cpus(machine: FakeMachine, cores: int, threads: int) -> None:
    folder = "sys/devices/system/cpu"
    machine.write(f"{folder}/online", f"0-{cores * threads - 1}\n")
    for cpu in range(cores * threads):
        machine.write(f"{folder}/cpu{cpu}/topology/core_id", f"{cpu % cores}\n")
        machine.write(f"{folder}/cpu{cpu}/topology/physical_package_id", "0\n")


def expect_slots(machine: FakeMachine, slots: int | None, *words, **variables) -> None:
    """Expects that anympi starts a job of `slots` processes and refuses a job with one process more. If `slots` is None,
    anympi must leave the decision to the launcher.
    """
    if slots is None:
        done = machine.run("run", "--dry-run", *words, "-n", "99", "ls", **variables)
        expect(done.code == 0, done)
        return
    done = machine.run("run", "--dry-run", *words, "-n", slots, "ls", **variables)
    expect(done.code == 0, done)
    done = machine.run("run", "--dry-run", *words, "-n", slots + 1, "ls", **variables)
    several = "" if slots == 1 else "es"
    expect(done.code == 1 and done.output == (
        f"anympi: Open MPI's launcher starts at most {slots} process{several} here (its slots: cores, hostfile or allocation), "
        f"not {slots + 1}: add --oversubscribe, or allow it for all jobs with `anympi config set run.oversubscribe true` "
        f"(in {file_of(machine)})\n"), done)


def check_slots(context: Context, folder: Path) -> None:
    machine = machine_with_openmpi(context, folder)
    expect_slots(machine, None)  # the number of this machine's cores is unknown
    add_cpus(machine, cores=2, threads=2)
    expect_slots(machine, 2)
    expect_slots(machine, 3, "-H", "a:2,b")
    expect_slots(machine, 5, "--hostfile", machine.write("hosts", "# ours\na slots=3\nlocalhost # has 2\n"))
    expect_slots(machine, None, "--hostfile", machine.write("others", "a\n"))
    os.mkfifo(machine.root / "pipe")
    expect_slots(machine, None, "--hostfile", machine.root / "pipe")  # only the launcher may read the pipe
    for words in (["--oversubscribe"], ["--map-by", ":OVERSUBSCRIBE"], ["--use-hwthread-cpus"], ["-H", "a:*"],
                  ["--mca", "rmaps_base_oversubscribe", "1"]):
        expect_slots(machine, None, *words)
    expect_slots(machine, None, OMPI_MCA_rmaps_base_oversubscribe="1")
    expect_slots(machine, None, PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
    done = machine.run("run", "-n", "1", "ls", ":", "-n", "2", "ls")
    expect(done.code == 1 and "at most 2 processes here" in done.output and "not 3" in done.output, done)
    machine.write("sys/fs/cgroup/cpuset.cpus.effective", "0,2\n")  # two threads of one core
    expect_slots(machine, 1)


def check_slots_of_batch_systems(context: Context, folder: Path) -> None:
    machine = machine_with_openmpi(context, folder)
    add_cpus(machine, cores=1, threads=1)
    machine.configure("[run]\nslurm = false\n")
    expect_slots(machine, 7, SLURM_JOB_ID="1", SLURM_TASKS_PER_NODE="2(x3),1")
    expect_slots(machine, None, SLURM_JOB_ID="1")
    expect_slots(machine, 3, PBS_NODEFILE=str(machine.write("nodes", "a\na\nb\n")))
    expect_slots(machine, None, LSB_JOBID="1")


def check_settings(context: Context, folder: Path) -> None:
    machine = machine_with_openmpi(context, folder)
    add_cpus(machine, cores=1, threads=1)
    expect_slots(machine, 1)
    for path, text in (("etc/openmpi/openmpi-mca-params.conf", "rmaps_base_oversubscribe = 1\n"),
                       ("usr/etc/openmpi-default-hostfile", "a slots=4\n"),
                       ("home/.openmpi/mca-params.conf", "hwloc_base_use_hwthreads_as_cpus = 1\n")):
        file = machine.write(path, text)
        expect_slots(machine, None)
        machine.write(path, "# " + text)
        expect_slots(machine, 1)
        file.unlink()
    machine.configure("[options]\nopenmpi = ['--oversubscribe']\n")
    expect_slots(machine, None)
    machine.configure("")
    expect(machine.run("config", "set", "run.oversubscribe", "true").code == 0, "what the message advises")
    expect_slots(machine, None)


CHECKS = {
    "root": check_root,
    "slots": check_slots,
    "slots of batch systems": check_slots_of_batch_systems,
    "settings of Open MPI and of anympi": check_settings,
}
