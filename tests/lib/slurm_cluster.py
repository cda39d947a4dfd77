"""Runs Slurm (munged, slurmctld and slurmd) for the duration of the tests, on one machine with loopback or on the two
hosts of the tests.
"""
from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from . import hosts, process
from .checks import Mismatch, NotInstalled, Unavailable
from .hosts import Host, find

SECONDS = 90  # normally two seconds

# Allocations share a node: it has more processors than the tests need at the same time, and no allocation takes all of
# its memory.
CONFIGURATION = """ClusterName=anympi
SlurmctldHost={first}({address})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={daemon_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
TmpFS=/dev/shm
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=3
{nodes}
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE MaxTime=INFINITE State=UP
"""

NODE = "NodeName={name} NodeAddr={address} CPUs=64 State=UNKNOWN"
# The folder of PMIx's files; each host has its own.
PMIX = "PMIxCliTmpDirBase=/dev/shm\n"


class Cluster:
    """Starts the parts that do not run yet. If that fails, all cases that ask fail with the same message. The cases are
    skipped only if the tests do not run as root: anything else that prevents Slurm from running fails them.
    """

    def __init__(self, program=find, seconds: float = SECONDS, nodes=lambda: []) -> None:
        self.program = program  # the path of a program of Slurm
        self.seconds = seconds
        self.nodes = nodes      # the hosts of the tests; empty for this machine
        self.hosts: list[Host] = []
        self.lock = threading.Lock()
        self.folder: Path | None = None
        self.daemons: list[subprocess.Popen] = []
        self.failure = ""

    def environment(self) -> dict[str, str]:
        with self.lock:
            if not self.folder:
                self.start()
            if self.failure:
                raise Mismatch(self.failure)
            return self.variables()

    def variables(self) -> dict[str, str]:
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def start(self) -> None:
        absent = [name for name in ("munged", "slurmctld", "slurmd", "srun", "salloc") if not self.program(name)]
        if absent:
            raise NotInstalled(f"Slurm ({', '.join(absent)})")
        if os.geteuid() != 0:
            raise Unavailable("slurmd must be started by root")
        self.hosts = self.nodes()
        self.folder = Path(tempfile.mkdtemp(prefix="anympi-slurm-"))
        atexit.register(self.stop)
        self.configure()
        first, *others = self.hosts or [None]
        self.daemon(first, "munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                    f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munge.log")
        configured = ["-D", "-f", str(self.folder / "slurm.conf")]
        self.daemon(first, "slurmctld", "-i", *configured)
        for host in (first, *others):
            self.daemon(host, "slurmd", *configured)
        self.failure = self.wait_until_idle()

    def configure(self) -> None:
        named = [(host.name, host.address) for host in self.hosts] or [(socket.gethostname().split(".")[0], "127.0.0.1")]
        (self.folder / "state").mkdir()
        for name, _ in named:
            (self.folder / f"spool-{name}").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.folder.chmod(0o755)
        controller_port, daemon_port = free_ports()
        (self.folder / "mpi.conf").write_text(PMIX)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            first=named[0][0], address=named[0][1], folder=self.folder, controller_port=controller_port, daemon_port=daemon_port,
            nodes="\n".join(NODE.format(name=name, address=address) for name, address in named)))

    def daemon(self, host: Host | None, name: str, *words: str) -> None:
        command = [self.program(name), *words]
        with open(self.folder / f"{name}{f'-{host.name}' if host else ''}.out", "wb") as output:
            self.daemons.append(subprocess.Popen(host.words(*command) if host else command, stdin=subprocess.DEVNULL,
                                                 stdout=output, stderr=subprocess.STDOUT, start_new_session=True))

    def wait_until_idle(self) -> str:
        """Returns what has happened if a node does not start; otherwise an empty text."""
        run = self.hosts[0].run if self.hosts else lambda *command, **how: process.run(list(command), **how)
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            seen = run(self.program("sinfo"), "--noheader", "--format=%t", seconds=10, environment=self.variables())
            if seen.output.strip() == "idle":
                return ""
            time.sleep(0.3)
        ends = [f"{path.name}: {lines[-1]}" for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out"))
                if (lines := path.read_text(errors="replace").splitlines())]
        return "\n".join([f"Slurm does not come up: {' '.join(seen.output.split())}", *ends])

    def stop(self) -> None:
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_ports() -> list[int]:
    sockets = [socket.socket() for _ in range(2)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


CLUSTER = Cluster()
TWO_NODES = Cluster(nodes=hosts.SHARED.hosts)
