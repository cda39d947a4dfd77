"""`anympi doctor --hosts` and `anympi run --check-hosts` on a fake machine: the command lines of ssh and srun, and
answers with unexpected text.
"""
from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
from functools import partial
from pathlib import Path

from lib.checks import expect, waited
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of

IS_SERIAL = True

# A fake ssh. Its last two arguments are the host and the command. The file hosts/NAME is the script that it runs for a host.
SSH = """#!/bin/sh
echo "$5" >>"{root}/asked"
test $# = 6 && test "$1$3" = -o-o || exit 99
export FAKE_HOST="$5"
. "{root}/hosts/$5"
"""

# The reaction of each host to the command.
HOSTS = {
    # This host prints a text without a line end. The text is longer than the part that anympi keeps.
    "greets": 'i=0; while [ $i -lt 1000 ]; do echo "Welcome to this host, which belongs to all of us"; i=$((i+1)); done\nprintf "%s" "Hello. "\nexec sh -c "$6"',
    "terminal": 'sh -c "$6" | while IFS= read -r line; do printf "%s\\r\\n" "$line"; done',
    "warns": "echo \"Warning: Permanently added 'warns' to the list of known hosts.\" >&2\nexec sh -c \"$6\"",
    "old": "echo 'anympi: --this-host is not known here' >&2\necho 'anympi: `anympi doctor --help` lists the options' >&2\nexit 2",
    # This host prints a word of two-byte characters. The word is longer than a column of the output.
    "umlauts": f"printf '{chr(92)}303{chr(92)}251%.0s' {' '.join(['x'] * 70)} >&2\nexit 255",
    "silent": 'echo $$ >"{root}/silent.new"\nmv "{root}/silent.new" "{root}/silent"\nexec sleep 300',
}
# A fake launcher. It starts its last argument as the program.
LAUNCHER = '#!/bin/sh\nfor word; do :; done\nexec "$word"\n'
SRUN = """#!/bin/sh
export -p >"{variables}.$$"
while [ "$1" != env ] && [ $# -gt 1 ]; do shift; done
exec "$@"
"""
REFUSES = 'echo "no way to $5" >&2\nexit 255'


def cases(context: Context):
    return cases_of(context, CHECKS)


def machine_with_hosts(context: Context, folder: Path, *others: str) -> FakeMachine:
    """Makes a machine with hosts. `others` are hosts that refuse to answer."""
    machine = FakeMachine(context, folder)
    machine.library("mpich", "usr/lib")
    machine.write("usr/bin/mpiexec", LAUNCHER, 0o755)
    (machine.root / "dev" / "shm").mkdir(parents=True)
    for tool in ("env", "sleep", "mv"):
        (machine.root / "tools" / tool).symlink_to(shutil.which(tool))
    machine.write("tools/ssh", SSH.format(root=machine.root), 0o755)
    for name, script in {**HOSTS, **dict.fromkeys(others, REFUSES)}.items():
        machine.write(f"hosts/{name}", script.replace("{root}", str(machine.root)) + "\n")
    return machine


def asked(machine: FakeMachine) -> list[str]:
    file = machine.root / "asked"
    names = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return sorted(names)


def findings_of(document: dict) -> list[tuple[str, str, str]]:
    return [(one["host"], one["check"], one["text"]) for one in document["findings"] if one["level"] == "problem"]


def check_noise(context: Context, folder: Path) -> None:
    machine = machine_with_hosts(context, folder)
    names = ["greets", "terminal", "warns"]
    document = machine.json("doctor", "--hosts", ",".join(names), "--limit", "60")
    expect(findings_of(document) == [] and asked(machine) == names, document)
    own = document["here"]
    for one in document["hosts"]:
        same = [name for name in ("host", "anympi", "library", "mpi", "build") if one["facts"] and one["facts"][name] == own[name] is not None]
        expect(len(same) == 5, document)


def check_this_host(context: Context, folder: Path) -> None:
    """Launchers do not need ssh for their own host."""
    own = socket.gethostname()
    machine = machine_with_hosts(context, folder, "localhost", own, "far")
    program = machine.write("program", "#!/bin/sh\necho it runs\n", 0o755)
    expect(findings_of(machine.json("doctor", "--hosts", f"localhost,{own}", "--limit", "60")) == [] and not asked(machine), "this host")
    run = ["run", "--check-hosts", "-n", "1", "-hosts"]
    done = machine.run(*run, f"localhost,{own}", program)
    expect(done.code == 0 and "it runs" in done.output and not asked(machine), done)
    done = machine.run(*run, "localhost,far", program)
    expect(done.code == 1 and "it runs" not in done.output and asked(machine) == ["far"], done)
    expect("anympi: on host far: no way to far\n" in done.output and "localhost" not in done.output, done)


def check_many(context: Context, folder: Path) -> None:
    """anympi asks only some of the hosts at the same time. With more hosts, each host still has its own answer."""
    names = [f"n{number:03}" for number in range(70)]
    machine = machine_with_hosts(context, folder, *names)
    document = machine.json("doctor", "--hosts", ",".join([*names, *names]), "--limit", "60", expected=1)
    expect(findings_of(document) == [(name, "host", f"no way to {name}") for name in names], document)
    expect(asked(machine) == names and [one["name"] for one in document["hosts"]] == names, document)


def check_words(context: Context, folder: Path) -> None:
    """anympi refuses some names of hosts before it starts anything: names that ssh would parse as options, and names
    that a shell would split into several words.
    """
    machine = machine_with_hosts(context, folder)
    program = machine.write("program", "#!/bin/sh\necho it runs\n", 0o755)
    mark = machine.root / "mark"
    for name in (f"-oProxyCommand=touch {mark}", "-v", "a b", f"$(touch {mark})", f"`touch {mark}`", "a;b", "a'b", "a/b"):
        hostfile = machine.write("hosts.txt", f"{name.replace(' ', chr(92))}\n")
        for words in (["doctor", f"--hosts={name}"], ["run", "--check-hosts", "-n", "1", "-hosts", name, program],
                      ["run", "--check-hosts", "-n", "1", "-f", hostfile, program]):
            done = machine.run(*words)
            expect(done.code != 0 and "cannot be the name of a host" in done.output and "it runs" not in done.output, done)
    expect(not asked(machine) and not mark.exists(), "ssh was started")


def check_other_anympi(context: Context, folder: Path) -> None:
    """If anympi on the host prints an error, the doctor reports this error, and does not report a failure of ssh."""
    machine = machine_with_hosts(context, folder)
    document = machine.json("doctor", "--hosts", "old", expected=1)
    expect(findings_of(document) == [("old", "anympi", "--this-host is not known here")], document)
    expect("ssh" not in document["findings"][0]["remedy"], document)


def check_width(context: Context, folder: Path) -> None:
    """Lines are broken between characters, never inside a multi-byte character."""
    machine = machine_with_hosts(context, folder)
    done = machine.run("doctor", "--hosts", "umlauts", COLUMNS="")
    expect(done.code == 1 and done.output.count("é") == 70 and "?" not in done.output, done)
    expect(all(len(line) <= 80 for line in done.output.splitlines()), done)


def check_interrupted(context: Context, folder: Path) -> None:
    """If a signal ends the doctor, the doctor first ends ssh, and leaves no file."""
    machine = machine_with_hosts(context, folder)
    here = folder / "working directory"
    here.mkdir()
    mark = machine.root / "silent"
    for number in (signal.SIGINT, signal.SIGTERM):
        mark.unlink(missing_ok=True)
        running = subprocess.Popen([machine.command, "doctor", "--hosts", "silent,old", "--limit", "300"], env=machine.environment, cwd=here,
                                   stdout=subprocess.PIPE, preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL))
        expect(waited(mark.exists) and waited(lambda: any(here.iterdir())), "ssh was not started")
        running.send_signal(number)
        expect(running.communicate(timeout=60)[0] == b"" and running.returncode == -number, f"{running.returncode} after signal {number}")
        expect(list(here.iterdir()) == [], "a file is left")
        pid = int(mark.read_text())
        expect(waited(partial(is_gone, pid)), f"ssh goes on after signal {number}")


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except OSError:
        return True


def check_slurm(context: Context, folder: Path) -> None:
    """anympi starts srun once for each node, without the allocation's other requests. If the configuration disables
    srun, anympi asks all nodes by ssh.
    """
    machine = machine_with_hosts(context, folder, "na", "nb")
    program = machine.write("program", "#!/bin/sh\necho it runs\n", 0o755)
    variables = machine.root / "variables"
    machine.write("tools/scontrol", '#!/bin/sh\ntest "$*" = "show hostnames" || exit 1\necho na\necho nb\n', 0o755)
    machine.write("tools/srun", SRUN.format(variables=variables), 0o755)
    gpus = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "8", "SLURM_GPUS": "8", "SLURM_GPUS_PER_TASK": "4", "SLURM_NTASKS_PER_GPU": "2"}
    expect(findings_of(machine.json("doctor", "--hosts", **gpus)) == [] and not asked(machine), "by srun")
    exported = [path.read_text() for path in machine.root.glob("variables.*")]
    seen = [sorted(set(re.findall(r"\bSLURM_\w+", text))) for text in exported]
    expect(seen == [["SLURM_JOB_ID"]] * 2, exported)
    # -w with a file: all nodes of the allocation are checked
    done = machine.run("run", "--check-hosts", "-w", "./nodes", program, **gpus)
    expect("cannot be the name of a host" not in done.output and "it runs" in done.output, done)
    machine.configure("[run]\nslurm = false\n")
    done = machine.run("run", "--check-hosts", "-n", "2", program, **gpus)
    expect(done.code == 1 and "it runs" not in done.output and asked(machine) == ["na", "nb"], done)


CHECKS = {
    "what shells and ssh print besides the answer": check_noise,
    "this host": check_this_host,
    "more hosts than are asked at the same time": check_many,
    "words that are not names of hosts": check_words,
    "another anympi": check_other_anympi,
    "width": check_width,
    "interrupted": check_interrupted,
    "in an allocation of Slurm": check_slurm,
}
