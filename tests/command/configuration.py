"""The configuration on a fake machine: broken lines, and `anympi config get`, `set`, `unset` and `edit`."""
from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lib.checks import Unavailable, expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of

# Broken lines, each with a regular expression for the message about it. All commands and programs report each broken
# line and continue.
BROKEN = [
    ("mip = 'mpich'", r":1 is ignored: mip: there is no such key; did you mean `mpi`\?"),
    ("[run]\noversubscibe = true", r":2 is ignored: run.oversubscibe: there is no such key; did you mean `run.oversubscribe`\?"),
    ("oversubscribe = true", r":1 is ignored: oversubscribe: there is no such key; did you mean `run.oversubscribe`\?"),
    ("[launcher]\nopnmpi = '/x'", r":2 is ignored: launcher.opnmpi: .*; did you mean `launcher.openmpi`\?"),
    ("[launcher]\nfoo = '/x'", r":2 is ignored: launcher.foo: there is no such key; NAME in `launcher.NAME` is one of mpich, openmpi, intel, "),
    ("run = { verbose = true }", r":1 is ignored: run: inline tables are not read; write \[run\], and below it one line for each key"),
    ('mpi = """mpich"""', r":1 is ignored: mpi: strings in three quotes are not read; write the string in one pair of quotes"),
    ("options = 5", r":1 is ignored: options: there is no such key; `anympi config` shows all keys"),
    ("[colours]\nx = 1", r":1 is ignored: \[colours\]: there is no such table; `anympi config` shows all keys"),
    ("[run]\nallow_root = 'yes'", r":2 is ignored: run.allow_root: the value must be true or false"),
    ("mpi = mpich", r":1 is ignored: mpi: the value must be a string in quotes"),
    ("mpi = 'lam'", r":1 is ignored: mpi: no MPI goes by this name: `lam`; give a name \(mpich, openmpi, "),
    ("forbid = 'openmpi'", r":1 is ignored: forbid: this key counts in the site's file only"),
    ("search = ['/a' '/b']", r":1 is ignored: search: there is no comma between two strings"),
    ("[run\n", r":1 is ignored: \[run\]: expected \[table\]"),
    ("mpi = 'openmpi'\nmpi = 'mpich'", r":2 is ignored: mpi: it is set twice; the first line counts"),
    ("#" * 20000, r" is ignored: it is longer than 16383 bytes"),
]


def cases(context: Context):
    return cases_of(context, CHECKS)


def machine_with_both(context: Context, folder: Path) -> FakeMachine:
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr", "mpirun")
    machine.mpi("mpich", "usr/local")
    return machine


def report(machine: FakeMachine, **variables: str) -> subprocess.CompletedProcess:
    """Runs a program of the standard ABI without `anympi run`. The program calls MPI, so that the front chooses a library."""
    # The front does not support another root, so only the user's file and MPI_HOME lead it into the machine.
    program = machine.program("direct", ["HAS_MAIN", "FUNCTION_NAME=use"], [machine.context.build / "lib" / "libmpi_abi.so.1"],
                              f"-Wl,-rpath,{machine.context.build / 'lib'}")
    environment = {**machine.environment, "MPI_HOME": str(machine.root / "usr"), **variables}
    return subprocess.run([program], env=environment, capture_output=True, text=True, check=False)


def check_broken_lines(context: Context, folder: Path) -> None:
    machine = machine_with_both(context, folder)
    for text, message in BROKEN:
        file = machine.configure(text)
        for words, code in ((["config"], 0 if "longer" in message else 1), (["run", "--dry-run", "ls"], 0), (["list"], 0),
                            (["config", "get", "run.slurm"], 0)):
            done = machine.run(*words)
            expect(done.code == code, done)
            expect(len(re.findall(f"^anympi: {re.escape(str(file))}{message}", done.output, re.MULTILINE)) == 1, done)
            expect(done.output.count(" is ignored: ") == 1, f"told twice\n{done.describe()}")
        direct = report(machine)
        plain = re.split("; (?:did you mean|`anympi|give|NAME in) ", message)[0]  # without the command's advice
        expect(len(re.findall(f"^anympi: {re.escape(str(file))}{plain}", direct.stderr, re.MULTILINE)) == 1, direct)


def check_good_lines_count(context: Context, folder: Path) -> None:
    """A broken line of the site's file does not affect other lines of this file, or any line of the user's file."""
    machine = machine_with_both(context, folder)
    machine.configure("mip = 5\nsearch = ['/opt/site']\n", "etc")
    machine.configure("mpi = mpich\n[run]\nverbose = true\n[launcher\nslurm = false\n")
    seen = machine.json("config", expected=1)
    values = {key: one["value"] for key, one in seen["settings"].items()}
    expect(values["search"] == ["/opt/site"] and values["run.verbose"] and values["mpi"] is None, seen)
    expect([(Path(one["file"]).parts[-4], one["line"]) for one in seen["ignored"]] ==
           [(machine.root.name, 1), ("home", 1), ("home", 4)], seen["ignored"])


def check_set(context: Context, folder: Path) -> None:
    machine = machine_with_both(context, folder)
    file = machine.root / "home" / ".config" / "anympi" / "config.toml"
    done = machine.run("config", "set", "run.oversubscribe", "true")
    expect(done.code == 0 and done.output == f"run.oversubscribe is set in {file}\n", done)
    expect(stat.S_IMODE(file.stat().st_mode) == 0o644, oct(file.stat().st_mode))
    for words in (["mpi", "openmpi"], ["search", "/opt/a b", "/opt/c"], ["options.openmpi", "--", "--mca", "btl", "self"]):
        expect(machine.run("config", "set", *words).code == 0, words)
    expect(file.read_text() == 'mpi = "openmpi"\nsearch = ["/opt/a b", "/opt/c"]\n\n[run]\noversubscribe = true\n\n'
           '[options]\nopenmpi = ["--mca", "btl", "self"]\n', file.read_text())
    for key, text in (("mpi", "openmpi\n"), ("search", "/opt/a b\n/opt/c\n"), ("run.oversubscribe", "true\n"), ("run.slurm", "true\n")):
        done = machine.run("config", "get", key)
        expect(done.code == 0 and done.output == text, done)
    machine.configure("# of mine\nmpi = 'mpich'  # because\n[run] # how\noversubscribe = true\n").chmod(0o600)
    machine.run("config", "set", "mpi", "openmpi")
    machine.run("config", "unset", "run.oversubscribe")
    expect(file.read_text() == '# of mine\nmpi = "openmpi"  # because\n[run] # how\n', file.read_text())
    expect(stat.S_IMODE(file.stat().st_mode) == 0o600, oct(file.stat().st_mode))
    expect(sorted(path.name for path in file.parent.iterdir()) == ["config.toml"], "left behind")
    for words, code, message in [
            (["get", "search"], 1, "search is not set"), (["unset", "search"], 1, f"search is not set in {file}"),
            (["set", "mip", "x"], 1, "there is no key `mip`; did you mean `mpi`?"), (["get", "mip"], 1, "there is no key `mip`"),
            (["set", "mpi", "lam"], 1, "mpi: no MPI goes by this name: `lam`"), (["set", "forbid", "mpich"], 1, "in the site's file only"),
            (["set", "mpi"], 2, "VALUE is required"), (["sett", "mpi", "mpich"], 2, "there is no command `sett`; did you mean `set`?")]:
        done = machine.run("config", *words)
        expect(done.code == code and f"anympi: {message}" in done.output.replace("forbid: this key counts ", ""), done)
    expect(file.read_text() == '# of mine\nmpi = "openmpi"  # because\n[run] # how\n', file.read_text())


def check_set_at_the_same_time(context: Context, folder: Path) -> None:
    """If several processes set keys at the same time, no change is lost."""
    machine = machine_with_both(context, folder)
    keys = [f"options.{product}" for product in ("mpich", "openmpi", "intel", "mvapich", "cray", "spectrum")] * 5
    with ThreadPoolExecutor(max_workers=len(keys)) as pool:
        done = list(pool.map(lambda key: machine.run("config", "set", key, key), keys))
    expect(all(one.code == 0 for one in done), [one.output for one in done])
    values = {key: one["value"] for key, one in machine.json("config")["settings"].items()}
    expect(all(values[key] == [key] for key in keys), values)


def check_set_over_links_and_environment(context: Context, folder: Path) -> None:
    machine = machine_with_both(context, folder)
    real = machine.write("dotfiles/anympi.toml", "# linked\n")
    file = machine.configure("")
    file.unlink()
    file.symlink_to(real)
    done = machine.run("config", "set", "mpi", "mpich", ANYMPI_MPI="openmpi")
    expect(file.is_symlink() and real.read_text() == '# linked\nmpi = "mpich"\n', real.read_text())
    expect(done.code == 0 and "anympi: mpi of ANYMPI_MPI overrides it here" in done.output, done)
    done = machine.run("config", "get", "mpi")
    expect(done.output == "mpich\n", done)
    bare = machine.run("config", "set", "mpi", "mpich", HOME="")
    expect(bare.code == 1 and "there is no place for your configuration" in bare.output, bare)


def check_site(context: Context, folder: Path) -> None:
    machine = machine_with_both(context, folder)
    sites = machine.root / "etc" / "anympi" / "config.toml"
    machine.configure("mpi = 'mpich'\n")
    done = machine.run("config", "set", "--site", "mpi", "openmpi")
    expect(done.code == 0 and sites.read_text() == 'mpi = "openmpi"\n' and "overrides it here" in done.output, done)
    expect(machine.run("config", "--site", "set", "forbid", "mpich").code == 0, "--site before the command")
    expect(machine.run("config", "get", "--site", "mpi").output == "openmpi\n", "get --site")
    seen = machine.json("config", "--site")
    expect(seen["settings"]["mpi"]["origin"] == f"{sites}:1" and "user" not in seen["files"], seen)
    if os.geteuid() == 0 and shutil.which("setpriv"):
        machine.root.chmod(0o755)
        for folder_above in machine.root.parents:
            if not os.stat(folder_above).st_mode & stat.S_IXOTH:
                raise Unavailable(f"other users cannot enter {folder_above}")
        as_nobody = [shutil.which("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups", machine.command, "config", "set"]
        for options, file, is_sites in [(["--site"], sites, True), ([], machine.root / "home/.config/anympi/config.toml", False)]:
            done = subprocess.run([*as_nobody, *options, "mpi", "mpich"], env=machine.environment, capture_output=True, text=True,
                                  check=False)
            expect(done.returncode == 1 and f"{file} cannot be written: Permission denied" in done.stderr and
                   ("belongs to the administrator" in done.stderr) == is_sites, done)


def check_edit(context: Context, folder: Path) -> None:
    """An invalid text changes nothing and is not lost: the next call continues with it."""
    machine = machine_with_both(context, folder)
    file = machine.root / "home" / ".config" / "anympi" / "config.toml"
    draft = Path(f"{file}.draft")
    for tool in ("sed", "true"):
        (machine.root / "tools" / tool).symlink_to(shutil.which(tool))
    done = machine.run("config", "edit", EDITOR="true")
    expect(done.code == 0 and not file.exists() and not draft.exists() and f"{file} is unchanged" in done.output, done)
    editor = machine.write("tools/my editor", '#!/bin/sh\ncat >"$2" <<END\n$1\nEND\n', 0o755)
    edit = lambda text: machine.run("config", "edit", VISUAL=f"'{editor}' '{text}'", EDITOR="no such editor")
    done = edit('# mine\nmpi = "openmpi"')
    expect(done.code == 0 and file.read_text() == '# mine\nmpi = "openmpi"\n' and done.output == f"{file} is written\n", done)
    done = edit("mpi = mpich")
    expect(done.code == 1 and file.read_text() == '# mine\nmpi = "openmpi"\n' and draft.read_text() == "mpi = mpich\n", done)
    expect(f"{draft}:1: mpi: the value must be a string in quotes\n" in done.output and f"Your text is in {draft}" in done.output, done)
    done = machine.run("config", "edit", EDITOR="sed -i s/mpich/\\\"mpich\\\"/")
    expect(done.code == 0 and file.read_text() == 'mpi = "mpich"\n' and not draft.exists(), done)
    done = machine.run("config", "edit", EDITOR="kill -INT $PPID; kill -QUIT $PPID; true")
    expect(done.code == 0 and f"{file} is unchanged" in done.output, done)
    done = machine.run("config", "edit", EDITOR=f"echo \"mpi = 'intel'\" >'{file}'; echo \"mpi = 'openmpi'\" >")
    expect(done.code == 1 and f"{file} was changed by another program meanwhile" in done.output, done)
    expect(file.read_text() == "mpi = 'intel'\n" and draft.read_text() == "mpi = 'openmpi'\n", file.read_text())
    draft.unlink()
    file.write_text('mpi = "mpich"\n')
    file.chmod(0o600)
    done = machine.run("config", "edit", EDITOR="sh -c 'echo x >$1; exit 3' sh")
    expect(stat.S_IMODE(draft.stat().st_mode) == 0o600, oct(draft.stat().st_mode))
    expect(done.code == 1 and "ended with code 3" in done.output and file.read_text() == 'mpi = "mpich"\n', done)
    expect(draft.read_text() == "x\n", draft.read_text())
    done = machine.run("config", "edit", VISUAL="", EDITOR="")
    expect(done.code == 1 and "there is no editor here" in done.output, done)


def check_rules_of_the_site(context: Context, folder: Path) -> None:
    """`forbid` and `require` count for all commands, and no setting of a user overrides them."""
    machine = machine_with_both(context, folder)
    machine.configure("mpi = 'openmpi'\n")
    expect(machine.run("config", "set", "--site", "forbid", "openmpi", "/opt/old").code == 0, "not set")
    sites = machine.root / "etc" / "anympi" / "config.toml"
    message = f"usr/lib/libmpi.so.40 may not be used here: {sites}:1 forbids it\nanympi: it was chosen by: "
    for words, variables in ((["run", "ls"], {}), (["run", "--mpi", "openmpi", "ls"], {}), (["run", "ls"], {"ANYMPI_MPI": "openmpi"}),
                             (["run", "--mpi", machine.root / "usr", "ls"], {}), (["list"], {})):
        done = machine.run(*words, **variables)
        expect(done.code == 1 and message in done.output, done)
    done = machine.run("run", "--mpi", "mpich", "--dry-run", "ls")
    expect(done.code == 0 and "usr/local/bin/mpiexec" in done.output, done)
    machine.configure("")
    listed = machine.json("list")["libraries"]
    told = {one["name"]: (one["chosen"], one["problem"]) for one in listed}
    expect(told["mpich"] == (True, None) and told["openmpi"] == (False, f"may not be used here: {sites}:1 forbids it"), told)
    seen = machine.json("doctor", expected=1)["findings"]
    notes = [one for one in seen if one["check"] == "rules"]
    expect(len(notes) == 1 and notes[0]["level"] == "note" and "forbids it" in notes[0]["text"], seen)
    machine.configure("require = 'openmpi-5'\n", "etc")
    done = machine.run("run", "--mpi", "mpich", "ls")
    expect(done.code == 1 and f"may not be used here: {sites}:1 requires another MPI\n" in done.output, done)
    expect("usr/bin/mpirun" in machine.run("run", "--dry-run", "ls").output, "not the one that is required")


def check_missing_folder(context: Context, folder: Path) -> None:
    machine = machine_with_both(context, folder)
    file = machine.configure(f"search = ['/no/such', '{machine.root}/usr']\n")
    seen = machine.json("doctor", expected=1)["findings"]
    told = [one for one in seen if one["check"] == "configuration"]
    expect(len(told) == 1 and told[0]["level"] == "warning" and
           told[0]["text"] == f"`search` names /no/such, which does not exist ({file}:1)", seen)


CHECKS = {
    "broken lines": check_broken_lines,
    "good lines beside broken ones": check_good_lines_count,
    "get, set and unset": check_set,
    "set at the same time": check_set_at_the_same_time,
    "set over links and the environment": check_set_over_links_and_environment,
    "the site's file": check_site,
    "edit": check_edit,
    "rules of the site": check_rules_of_the_site,
    "missing folder": check_missing_folder,
}
