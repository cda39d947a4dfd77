"""A Slurm of one machine on loopback, for as long as the tests run: munged, slurmctld and slurmd."""
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

from . import process
from .checks import Mismatch, NotInstalled, Unavailable

SECONDS = 30

# Allocations share the node: it has more processors than the tests ask for at the same time, and none takes all of its memory.
CONFIGURATION = """ClusterName=anympi
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={daemon_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmdSpoolDir={folder}/spool
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
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
NodeName={host} NodeAddr=127.0.0.1 CPUs=64 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES OverSubscribe=FORCE MaxTime=INFINITE State=UP
"""


def find(name: str) -> str:
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or ""


class Cluster:
    """Starts what is not started yet; the first failure counts for all who ask. The one machine on which the cases are skipped is
    one where the tests are not run by root: whatever else keeps Slurm from running fails them."""

    def __init__(self, program=find, seconds: float = SECONDS) -> None:
        self.program = program  # the path of a program of Slurm
        self.seconds = seconds
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
            return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def start(self) -> None:
        absent = [name for name in ("munged", "slurmctld", "slurmd", "srun", "salloc") if not self.program(name)]
        if absent:
            raise NotInstalled(f"Slurm ({', '.join(absent)})")
        if os.geteuid() != 0:
            raise Unavailable("slurmd must be started by root")
        self.folder = Path(tempfile.mkdtemp(prefix="anympi-slurm-"))
        atexit.register(self.stop)
        for name in ("spool", "state"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.folder.chmod(0o755)
        host = socket.gethostname().split(".")[0]
        controller_port, daemon_port = free_ports()
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=host, folder=self.folder, controller_port=controller_port, daemon_port=daemon_port))
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                    f"--pid-file={self.folder}/munge.pid", f"--seed-file={self.folder}/munge.seed",
                    f"--log-file={self.folder}/munge.log")
        configured = ["-D", "-f", str(self.folder / "slurm.conf")]
        self.daemon("slurmctld", "-i", *configured)
        self.daemon("slurmd", *configured)
        self.failure = self.wait_until_idle()

    def daemon(self, name: str, *words: str) -> None:
        with open(self.folder / f"{name}.out", "wb") as output:
            self.daemons.append(subprocess.Popen([self.program(name), *words], stdin=subprocess.DEVNULL, stdout=output,
                                                 stderr=subprocess.STDOUT, start_new_session=True))

    def wait_until_idle(self) -> str:
        """What has happened if the node does not come up, else nothing."""
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            seen = process.run([self.program("sinfo"), "--noheader", "--format=%t"], 10,
                               {"SLURM_CONF": str(self.folder / "slurm.conf")})
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
