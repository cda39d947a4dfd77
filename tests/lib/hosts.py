"""Hosts on one machine: each has its own namespaces, a network card, a secure shell daemon and a private /dev/shm."""
from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from . import process
from .checks import Mismatch, NotInstalled, Unavailable, waited

SECONDS = 30

# The first process of a namespace. It ends when the driver closes its standard input or is killed; the kernel then ends
# everything else in the namespace. Since SIGCHLD is ignored, the kernel removes orphaned processes that have ended.
KEEPER = """import signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("ready", flush=True)
sys.stdin.read()
"""

# Each host has its own folder for temporary files: hosts of two networks have the same names and process numbers, from
# which Open MPI's launchers make the names of their files.
TEMPORARY = "/run/temporary"

# The hosts share the machine's file systems, as on a cluster with a shared one. Each host has these of its own.
SET_UP = """
hostname {name}
ip link set lo up
ip link set eth0 up
ip address add {address}/24 dev eth0
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/sshd
mkdir -m 1777 {temporary}
mount --bind {folder}/hosts /etc/hosts
mount --bind {folder}/ssh_config /etc/ssh/ssh_config
if [ -d ~/.ssh ]; then mount -t tmpfs tmpfs ~/.ssh; fi
"""

SHELL_DAEMON = """HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
SetEnv TMPDIR={temporary}
"""

SHELL_CLIENT = """IdentityFile {folder}/key
UserKnownHostsFile /dev/null
StrictHostKeyChecking no
LogLevel ERROR
"""


def find(name: str) -> str:
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or ""


class Namespace:
    """New namespaces and the process that keeps them."""

    def __init__(self, *kinds: str) -> None:
        # The child of unshare is the first process of a namespace of process numbers, if that is one of the kinds.
        self.parent = subprocess.Popen([find("unshare"), *kinds, "--fork", "--kill-child", sys.executable, "-c", KEEPER],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        if self.parent.stdout.readline() != b"ready\n":
            raise Unavailable(f"namespaces cannot be made here: {self.parent.communicate()[1].decode().strip()}")
        self.keeper = int(Path(f"/proc/{self.parent.pid}/task/{self.parent.pid}/children").read_text())

    def end(self) -> None:
        self.parent.stdin.close()
        try:
            self.parent.wait(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.parent.kill()
            self.parent.wait()


class Host:
    """A host of a network. `run` runs commands there."""

    def __init__(self, network: Network, name: str, number: int) -> None:
        self.name, self.folder = name, network.folder
        self.address = network.address(number)
        self.daemons: list[subprocess.Popen] = []
        self.namespace = Namespace("-n", "-u", "-m", "-p", "-i", "--mount-proc")
        try:
            network.plug_in(self.namespace, number)
            self.shell(SET_UP.format(name=name, address=self.address, folder=self.folder, temporary=TEMPORARY))
            self.daemon(find("sshd"), "-D", "-e", "-f", self.folder / "sshd_config")
        except BaseException:
            self.end()
            raise

    def words(self, *command) -> list[str]:
        """Returns a command line that runs a command on this host."""
        return [find("nsenter"), "-t", str(self.namespace.keeper), "-n", "-u", "-m", "-p", "-i", *(str(word) for word in command)]

    def run(self, *command, seconds: float = SECONDS, environment: dict[str, str] | None = None,
            directory: Path | None = None) -> process.Completed:
        """Runs a command. `environment` is added to the driver's own."""
        return process.run(self.words("env", f"TMPDIR={TEMPORARY}", *command), seconds, environment, directory)

    def shell(self, script: str) -> None:
        done = self.run("sh", "-euc", script)
        if done.code != 0:
            raise Unavailable(f"a host cannot be set up here: {done.output.strip()}")

    def daemon(self, *command) -> None:
        """Starts a command that runs until the host ends."""
        with open(self.folder / f"{self.name}.{Path(command[0]).name}.out", "wb") as output:
            self.daemons.append(subprocess.Popen(self.words(*command), stdin=subprocess.DEVNULL, stdout=output,
                                                 stderr=subprocess.STDOUT, start_new_session=True))

    def hide(self, folder: Path) -> None:
        """Makes the folder empty on this host."""
        self.shell(f"mount -t tmpfs tmpfs '{folder}'")

    def replace(self, path: Path, other: Path) -> None:
        """Replaces a file or folder by another on this host."""
        self.shell(f"mount --bind '{other}' '{path}'")

    def answers(self) -> bool:
        return self.run(find("ssh"), self.name, "true", seconds=5).code == 0

    def end(self) -> None:
        self.namespace.end()
        for daemon in self.daemons:
            daemon.wait()


class Network:
    """A switch with its hosts. They reach no other network, so names and addresses may be the same in every run."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="anympi-hosts-"))
        self.hosts: list[Host] = []
        self.lock = threading.Lock()
        try:
            self.switch = Namespace("-n")
            self.configure()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def configure(self) -> None:
        self.folder.chmod(0o755)
        (self.folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(
            f"{self.address(number)} {name_of(number)}\n" for number in range(26)))
        made = process.run([find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "key"], SECONDS)
        if made.code != 0:
            raise Mismatch(made.describe())
        (self.folder / "sshd_config").write_text(SHELL_DAEMON.format(folder=self.folder, temporary=TEMPORARY))
        (self.folder / "ssh_config").write_text(SHELL_CLIENT.format(folder=self.folder))
        self.at_switch("link", "add", "switch", "type", "bridge")
        self.at_switch("link", "set", "switch", "up")

    def address(self, number: int) -> str:
        return f"10.1.1.{number + 1}"

    def at_switch(self, *words) -> None:
        done = process.run([find("nsenter"), "-t", self.switch.keeper, "-n", find("ip"), *words], SECONDS)
        if done.code != 0:
            raise Unavailable(f"a network cannot be made here: {done.output.strip()}")

    def plug_in(self, namespace: Namespace, number: int) -> None:
        port = f"port{number}"
        self.at_switch("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", namespace.keeper)
        self.at_switch("link", "set", port, "master", "switch", "up")

    def add(self, count: int = 1) -> list[Host]:
        """Returns new hosts, whose shells answer."""
        with self.lock:
            added = []
            for _ in range(count):
                number = len(self.hosts)
                self.hosts.append(Host(self, name_of(number), number))
                added.append(self.hosts[-1])
        for host in added:
            if not waited(host.answers, SECONDS):
                log = self.folder / f"{host.name}.sshd.out"
                raise Mismatch(f"the shell of a host does not answer: {log.read_text(errors='replace')}")
        return added

    def end(self) -> None:
        for host in self.hosts:
            host.end()
        self.switch.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def name_of(number: int) -> str:
    return f"n{chr(ord('a') + number)}"


class Shared:
    """Two complete hosts, for all cases that change nothing there. They are made when the first case asks."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.network: Network | None = None
        self.failure: Exception | None = None

    def hosts(self) -> list[Host]:
        with self.lock:
            if not self.network and not self.failure:
                try:
                    self.start()
                except (Unavailable, NotInstalled, Mismatch) as failure:
                    self.failure = failure
            if self.failure:
                raise self.failure
            return self.network.hosts[:2]

    def start(self) -> None:
        need_programs()
        self.network = Network()
        atexit.register(self.network.end)
        self.network.add(2)


def need_programs() -> None:
    absent = [name for name in ("unshare", "nsenter", "ip", "sshd", "ssh", "ssh-keygen") if not find(name)]
    if absent:
        raise NotInstalled(", ".join(absent))
    if os.geteuid() != 0:
        raise Unavailable("hosts with namespaces of their own are made by root only")


@contextlib.contextmanager
def own_network(count: int = 2):
    """Yields hosts for one case, which may remove something from them."""
    need_programs()
    network = Network()
    try:
        yield network.add(count)
    finally:
        network.end()


SHARED = Shared()
