"""Manual pages and completions: made at build time, complete, and understood by the programs that read them. Files that the documents name: there."""
from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import SECONDS, anympi
from lib.checks import expect, guarded, need
from lib.context import Context
from lib.installation import install_and_move
from lib.results import Case
from lib.vendor_table import STANDARD, VENDORS

COMMANDS = ["run", "list", "inspect", "doctor", "adopt", "config"]

IS_SERIAL = True


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))


def options_of(context: Context, *words: str) -> set[str]:
    """Returns the options that --help shows."""
    text = anympi(context, *words, "--help").output
    listed = re.findall(r"^  (-\S+)", text, re.MULTILINE)
    return {name for names in listed for name in names.split(",")}


# Manual pages


def shown(page: Path) -> str:
    done = process.run(["man", "--warnings", "--local-file", page], SECONDS,
                       {"MANPAGER": "cat", "MANWIDTH": "120", "LC_ALL": "C.UTF-8"})
    expect(done.code == 0 and ": warning" not in done.output, done)
    return re.sub(r".\x08", "", done.output).replace("\u2010", "-")


def check_manual(context: Context, folder: Path) -> None:
    need("man")
    pages = install_and_move(context, folder) / "share" / "man" / "man1"
    for name in ["", *COMMANDS]:
        words = [name] if name else []
        text = shown(pages / f"{'-'.join(['anympi', *words])}.1")
        expect(f"\n       {' '.join(['anympi', *words])} [" in text, f"the synopsis in\n{text}")
        for part in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"):
            expect(re.search(rf"^{part}$", text, re.MULTILINE), f"no {part} in\n{text}")
        missing = [option for option in options_of(context, *words) if option not in text]
        expect(not missing, f"{missing} not in\n{text}")
        _, _, examples = anympi(context, *words, "--help").output.partition("Examples:\n")
        expect(all(line.strip() in text for line in examples.splitlines()), text)
    text = shown(pages / "anympi.1")
    expect(all(re.search(rf"^ +{name}( |$)", text, re.MULTILINE) for name in COMMANDS), text)
    done = process.run(["man", "-M", pages.parent, "mpiexec"], SECONDS, {"MANPAGER": "cat", "MANWIDTH": "120"})
    expect("anympi run [" in done.output, done)


def check_manual_of_wrappers(context: Context, folder: Path) -> None:
    need("man")
    pages = install_and_move(context, folder) / "share" / "man" / "man1"
    for name in ("mpicc", "mpicxx"):
        text = shown(pages / f"{name}.1")
        for option in ("-static-mpi", "-cc=COMPILER", "-showme:WHAT", "-compile-info", "-link-info"):
            expect(option in text, f"{option} not in\n{text}")
        expect(f"{name} -O2 hello" in text and "anympi run" in text and "now:" not in text, text)
        for part in ("EXIT STATUS", "ENVIRONMENT", "FILES"):
            expect(re.search(rf"^{part}$", text, re.MULTILINE), f"no {part} in\n{text}")


# Variables by which processes of anympi communicate. Users neither set nor read them.
OF_ANYMPI_ITSELF = {"ANYMPI_BEFORE_", "ANYMPI_BOUND_EARLY", "ANYMPI_DOCTOR_FILE", "ANYMPI_HANDED_ON", "ANYMPI_JOB_LIBRARY",
                    "ANYMPI_LIBRARY_PATH", "ANYMPI_PATH_PUT_RIGHT", "ANYMPI_STARTED_WITH_CHOSEN", "ANYMPI_STARTER",
                    "ANYMPI_STEPPED_ASIDE", "ANYMPI_USERS_PATH"}


def read_variables(context: Context) -> set[str]:
    """Returns the variables that the sources name: in string literals of C++, and as ${...:-...} in the wrappers."""
    sources = [path for path in (context.root / "src").rglob("*") if path.suffix in (".cpp", ".hpp", ".c")]
    named = {name for path in sources for name in re.findall(r'"(ANYMPI_[A-Z_]+)"', path.read_text())}
    wrappers = "".join((context.build / "bin" / name).read_text() for name in ("mpicc", "mpicxx", "mpifort"))
    return named | set(re.findall(r"\$\{(ANYMPI_[A-Z_]+):-", wrappers))


def check_variables(context: Context, folder: Path) -> None:
    """Each manual page of the command has the variables of the documents' table. Each variable that the sources read is on a page."""
    need("man")
    table = (context.root / "docs" / "user" / "using.md").read_text()
    documented = set(re.findall(r"^\| `(ANYMPI_[A-Z_]+(?:=\w+)?)` \|", table, re.MULTILINE))
    expect(len(documented) > 5, f"only {documented} found: this test does not see what it should")
    pages = install_and_move(context, folder) / "share" / "man" / "man1"
    everywhere = set()
    for page in sorted(pages.glob("*.1")):
        if page.name == "mpiexec.1":
            continue
        variables = set(re.findall(r"^ +(ANYMPI_[A-Z_]+(?:=\w+)?)$", shown(page).partition("ENVIRONMENT")[2], re.MULTILINE))
        everywhere |= {name.split("=")[0] for name in variables}
        expect(not page.name.startswith("anympi") or variables == documented, f"{page.name}: {variables ^ documented}")
    read = read_variables(context) - OF_ANYMPI_ITSELF
    expect(read == everywhere, f"read, but on no page: {read - everywhere}; on a page, but not read: {everywhere - read}")


# Completions


def keys_of(context: Context) -> set[str]:
    """Returns the keys of the configuration."""
    return set(json.loads(anympi(context, "config", "--json").output)["settings"])


# bash

# compopt works only in a shell that completes.
HARNESS = """compopt() {{ :; }}
source "{script}"
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
$(complete -p "${{COMP_WORDS[0]}}" | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def bash_script(prefix: Path) -> Path:
    return prefix / "share" / "bash-completion" / "completions" / "anympi"


def completed(script: Path, folder: Path, *words: str) -> set[str]:
    text = HARNESS.format(script=script, words=" ".join(f"'{word}'" for word in words))
    done = process.run(["bash", "--norc", "-c", text], SECONDS, {"PATH": os.environ["PATH"]}, folder)
    expect(done.code == 0, done)
    return set(done.output.split("\n")) - {""}


def check_bash(context: Context, folder: Path) -> None:
    script = bash_script(install_and_move(context, folder))
    (folder / "a file").touch()
    (folder / "solver").touch()
    expect(completed(script, folder, "anympi", "") == {*COMMANDS, "version", "help", "-h", "--help", "--version"}, "commands")
    expect(completed(script, folder, "anympi", "ins") == {"inspect"}, "anympi ins")
    for name in COMMANDS:
        expect(completed(script, folder, "anympi", name, "-") == options_of(context, name), name)
    expect(completed(script, folder, "anympi", "run", "-n", "") == set(), "-n")
    expect("solver" in completed(script, folder, "anympi", "run", "-n", "2", "so"), "program")
    expect("ls" in completed(script, folder, "anympi", "run", "ls"), "program of PATH")
    # The program's own words follow it.
    expect(completed(script, folder, "anympi", "run", "--mpi", "mpich", "ls", "-") == set(), "options of the program")
    expect(completed(script, folder, "anympi", "run", "ls", "a") == {"a file"}, "files of the program")
    for name in ("inspect", "doctor", "adopt"):
        expect(completed(script, folder, "anympi", name, "a") == {"a file"}, name)
    expect(completed(script, folder, "anympi", "adopt", "x", "-o", "a") == {"a file"}, "adopt -o")
    # bash finds anympi's mpiexec by a file of that name.
    for file in (script, script.with_name("mpiexec")):
        expect("solver" in completed(file, folder, "mpiexec", "-n", "2", "so"), f"mpiexec by {file}")
    expect(completed(script, folder, "anympi", "list", "a") == set(), "list takes nothing")
    expect({"get", "set", "unset", "edit", "--json"} <= completed(script, folder, "anympi", "config", ""), "commands of config")
    keys = keys_of(context)
    for name in ("get", "set", "unset"):
        expect(keys < completed(script, folder, "anympi", "config", name, ""), f"config {name}")
    expect(completed(script, folder, "anympi", "config", "--site", "set", "ru") == {key for key in keys if key.startswith("run.")}, "ru")
    expect(completed(script, folder, "anympi", "config", "set", "mpi", "m") == set(), "the value")
    expect(not keys & completed(script, folder, "anympi", "config", "edit", ""), "config edit")


def type_into(words: list[str], folder: Path, *typed: tuple[bytes, bytes]) -> None:
    """Starts a shell in a terminal and uses the keys of a person. Waits for the second text after each line."""
    main, side = pty.openpty()
    shell = subprocess.Popen(words, stdin=side, stdout=side, stderr=side, cwd=folder,
                             env={"PATH": os.environ["PATH"], "TERM": "dumb", "PS1": "ready> ", "HOME": str(folder)},
                             start_new_session=True)
    os.close(side)

    seen = b""

    def wait_for(text: bytes) -> None:
        nonlocal seen
        deadline = time.monotonic() + 20
        while text not in seen:
            expect(time.monotonic() < deadline, f"expected: {text}\n{seen.decode(errors='replace')}")
            if select.select([main], [], [], 1)[0]:
                seen += os.read(main, 65536)
        seen = seen.partition(text)[2]

    try:
        for keys, answer in typed:
            wait_for(b"ready> ")
            os.write(main, keys)
            wait_for(answer)
    finally:
        shell.kill()
        shell.wait()
        os.close(main)


def check_bash_in_terminal(context: Context, folder: Path) -> None:
    script = bash_script(install_and_move(context, folder))
    type_into(["bash", "--norc", "--noprofile", "-i"], folder,
              (f"source '{script}'; anympi() {{ echo \"called=$*\"; }}; echo loa''ded\n".encode(), b"loaded"),
              (b"anympi ins\t--js\tx\n", b"called=inspect --json x"),
              (b"anympi conf\tse\trun.sl\ttrue\n", b"called=config set run.slurm true"),
              (b"timeout() { echo mpich-5.0.2:vendor; }; echo fa''ked\n", b"faked"),  # the script starts this for the names
              (b"anympi run --mpi mp\tx\n", b"called=run --mpi mpich-5.0.2:vendor x"))


def check_shellcheck(context: Context, folder: Path) -> None:
    need("shellcheck")
    done = process.run(["shellcheck", "--shell=bash", bash_script(install_and_move(context, folder))], SECONDS)
    expect(done.code == 0, done)


# zsh and fish


def check_zsh(context: Context, folder: Path) -> None:
    """zsh understands the completion, loads it by its own means, and completes everything."""
    need("zsh")
    functions = install_and_move(context, folder) / "share" / "zsh" / "site-functions"
    script = (f'fpath=("{functions}" $fpath); autoload -Uz compinit; compinit -u -d "{folder}/dump"; '
              'echo "for anympi: $_comps[anympi]"; autoload +X _anympi && functions _anympi')
    done = process.run(["zsh", "-f", "-c", script], SECONDS)
    expect(done.code == 0 and "for anympi: _anympi\n" in done.output, done)
    text = (functions / "_anympi").read_text()
    for name in COMMANDS:
        line = re.search(rf"^ +{name}\) (.*)$", text, re.MULTILINE).group(1)
        expect(options_of(context, name) == set(re.findall(r"\)(-[\w-]+)\[", line)), f"{name}: {line}")
    expect(process.run(["zsh", "-n", functions / "_anympi"], SECONDS).code == 0, "zsh -n")


def check_zsh_in_terminal(context: Context, folder: Path) -> None:
    need("zsh")
    functions = install_and_move(context, folder) / "share" / "zsh" / "site-functions"
    type_into(["zsh", "-f", "-i"], folder,
              (f"fpath=('{functions}' $fpath); autoload -Uz compinit; compinit -u -d '{folder}/dump'; echo loa''ded\n".encode(), b"loaded"),
              (b"anympi() { echo \"called=$*\"; }; echo defi''ned\n", b"defined"),
              (b"anympi ins\t--js\tx\n", b"called=inspect --json x"),
              (b"anympi config un\tlauncher.mpic\tx\n", b"called=config unset launcher.mpich x"),
              (b"anympi config --site se\trun.sl\ttrue\n", b"called=config --site set run.slurm true"))


def check_fish(context: Context, folder: Path) -> None:
    need("fish")
    script = install_and_move(context, folder) / "share" / "fish" / "vendor_completions.d" / "anympi.fish"
    (folder / "solver").touch(mode=0o755)

    def complete(line: str) -> set[str]:
        done = process.run(["fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'"], SECONDS,
                           {"HOME": str(folder)}, folder)
        expect(done.code == 0, done)
        return {found.split("\t")[0] for found in done.output.splitlines()}

    expect({*COMMANDS, "version", "help"} == complete("anympi "), complete("anympi "))
    expect(complete("anympi ins") == {"inspect"}, "anympi ins")
    for name in COMMANDS:
        options = {option for option in options_of(context, name) if option.startswith("--")}
        expect(options <= complete(f"anympi {name} --"), f"{name}: {complete(f'anympi {name} --')}")
    expect("solver" in complete("anympi inspect so"), "files")
    expect(complete("anympi config ") == {"get", "set", "unset", "edit"}, complete("anympi config "))
    expect(complete("anympi config set ru") == {key for key in keys_of(context) if key.startswith("run.")}, complete("anympi config set ru"))
    expect(complete("anympi config edit ru") == set(), "config edit")
    expect("solver" in complete("anympi run so"), "program")


# The names of MPIs

NAMES_HERE = ("mpich-5.0.2:standard", "mpich-5.0.2:vendor", "openmpi")
ZSH_HARNESS = """autoload -Uz compinit; compinit -u -d {folder}/dump; autoload +X _anympi; _anympi 2>/dev/null
compadd() {{ print -l -- $names; }}; _alternative() {{ compadd; }}
_anympi_mpi
"""


def check_names_offered(context: Context, folder: Path) -> None:
    """All shells offer what `anympi list --names` prints, and nothing if it prints nothing, fails or hangs."""
    need("zsh", "fish")
    prefix = install_and_move(context, folder)
    script, tools = bash_script(prefix), folder / "tools"
    tools.mkdir()
    command = tools / "anympi"
    path = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder)}

    def in_bash(*words: str) -> set[str]:
        text = HARNESS.format(script=script, words=" ".join(f"'{word}'" for word in words))
        done = process.run(["bash", "--norc", "-c", text], SECONDS, path, tools)
        expect(done.code == 0, done)
        return set(done.output.split("\n")) - {"", "anympi"}  # a file

    def in_fish(word: str) -> set[str]:
        fish_script = prefix / "share" / "fish" / "vendor_completions.d" / "anympi.fish"
        done = process.run(["fish", "--no-config", "-c", f"source '{fish_script}'; complete -C 'anympi run --mpi {word}'"], SECONDS, path, tools)
        return {line.split("\t")[0] for line in done.output.splitlines()} - {"anympi"}

    def in_zsh() -> set[str]:
        text = f'fpath=("{prefix}/share/zsh/site-functions" $fpath); ' + ZSH_HARNESS.format(folder=folder)
        return set(process.run(["zsh", "-f", "-c", text], SECONDS, path, tools).output.split("\n")) - {""}

    def write(body: str) -> None:
        command.write_text(f'#!/bin/sh\n[ "$*" = "list --names" ] || exit 9\n{body}\n')
        command.chmod(0o755)

    write(f"printf '%s\\n' {' '.join(NAMES_HERE)}; echo noise >&2")
    for first in (["anympi", "run"], ["mpiexec"]):
        expect(in_bash(*first, "--mpi", "") == set(NAMES_HERE), first)
        expect(in_bash(*first, "--mpi", "op") == {"openmpi"}, first)
        expect(in_bash(*first, "--mpi", "mpich-5.0.2", ":") == {"standard", "vendor"}, first)  # as bash breaks the word
        expect(in_bash(*first, "--mpi", "mpich-5.0.2", ":", "v") == {"vendor"}, first)
        expect("--dry-run" in in_bash(*first, "--mpi", "mpich-5.0.2", ":", "vendor", "--dr"), "options after a name with a colon")
    expect(in_fish("") == set(NAMES_HERE) and in_fish("op") == {"openmpi"}, in_fish(""))
    expect(in_zsh() == set(NAMES_HERE), in_zsh())
    for body in ("exit 1", "exec sleep 300"):
        write(body)
        begin = time.monotonic()
        expect(in_bash("anympi", "run", "--mpi", "") == set() and in_fish("") == set() and in_zsh() == set(), body)
        expect(time.monotonic() - begin < 30, f"{body}: the shells wait")


def check_list_of_names(context: Context, _folder: Path) -> None:
    """`anympi list --names` prints the names of the table."""
    names = [one["name"] for one in json.loads(anympi(context, "list", "--json").output)["libraries"]]
    done = anympi(context, "list", "--names")
    expect(done.code == 0 and done.output.splitlines() == [name for name in names if name], done)


# Files that documents name

READERS = ("README.md", "CONTRIBUTING.md", "src/README.md", "tests/README.md", "docs/**/*.md")
NAMED_FILE = re.compile(r"`((?:api|bench|docs|examples|generated|generator|include|packaging|scripts|src|tests)/[\w./-]*[\w-])(?=[`:])")


def check_named_files(context: Context, folder: Path) -> None:
    """Each path in backticks exists, from the root of the repository or, for generated files, in the build tree."""
    gone, found = [], 0
    for document in (path for pattern in READERS for path in sorted(context.root.glob(pattern))):
        for name in NAMED_FILE.findall(document.read_text()):
            found += 1
            root = context.build if name.startswith("generated/") else context.root
            if not (root / name).exists():
                gone.append(f"{document.relative_to(context.root)} names {name}")
    expect(found > 100, f"only {found} names found: this test does not see what it should")
    expect(not gone, "\n".join(gone))


def check_named_functions(context: Context, folder: Path) -> None:
    """Each name in backticks in docs/follow-a-call.md occurs in one of the files that the page names."""
    text = (context.root / "docs" / "follow-a-call.md").read_text()
    files = {(context.build if name.startswith("generated/") else context.root) / name for name in NAMED_FILE.findall(text)}
    code = {word for file in files if file.is_file() for word in re.findall(r"\w+", file.read_text())}
    named = {word for name in re.findall(r"`([\w:<>.]+)`", text) for word in re.findall(r"\w+", name)}
    named = {word for word in named if not word.lower().startswith(("mpi_", "pmpi_"))}
    expect(len(named) > 15, f"only {len(named)} names found: this test does not see what it should")
    expect(named <= code, f"docs/follow-a-call.md names what none of its files has: {sorted(named - code)}")


def check_installed_names(context: Context, folder: Path) -> None:
    """packaging.md names all files in lib/anympi of an installation, and no others."""
    there = {path.name for path in (install_and_move(context, folder) / "lib" / "anympi").iterdir()}
    named = set(re.findall(r"`P/lib/anympi/([\w.]+)`", (context.root / "docs" / "packager" / "packaging.md").read_text()))
    written_later = {"modules"}  # mpifort writes it
    expect(named == there | written_later, f"named alone: {named - there}, installed alone: {there - named}")


# README and the first page for users

MOST_LINES = {"README.md": 70, "docs/user/using.md": 80}


def check_short_pages(context: Context, _folder: Path) -> None:
    """The first pages that users read stay short."""
    lines = {name: len((context.root / name).read_text().splitlines()) for name in MOST_LINES}
    expect(all(count <= MOST_LINES[name] for name, count in lines.items()), f"{lines}, at most {MOST_LINES}")


# The names of MPIs


def check_names_of_mpis(context: Context, _folder: Path) -> None:
    """The documents list the names that the command accepts."""
    done = anympi(context, "run", "true", environment={"ANYMPI_MPI": "no-name-of-an-mpi"})
    told = re.search(r"give a name \((.+?)\)", done.output)
    expect(told, done)
    names = told[1].split(", ")
    *others, last = (name for name in names if name != STANDARD)
    for document, sentence in (("using.md", f"a name ({', '.join(f'`{name}`' for name in names)})"),
                               ("configuration.md", f"NAME is {', '.join(others)} or {last}")):
        text = " ".join((context.root / "docs" / "user" / document).read_text().split())
        expect(sentence in text, f"docs/user/{document} does not say: {sentence}")


# The tables of docs/evidence/speed.md


def calls_of_iterations(context: Context) -> dict[str, int]:
    """Returns the number of MPI calls in an iteration of bench/calls.c, by the iteration's name."""
    source = (context.root / "bench" / "calls.c").read_text()
    window = int(re.search(r"WINDOW = (\d+)", source)[1])
    found = re.findall(r'^ *\{"(.+)", \w+, (?:(\d+)|2 \* WINDOW \+ 1), \d+\},$', source, re.MULTILINE)
    return {name: int(calls or 2 * window + 1) for name, calls in found}


def limits_of_table(context: Context, title: str) -> dict[str, int]:
    """Returns the limit of each row in bench/limits.py."""
    sys.path.append(str(context.root / "bench"))
    import limits

    if title == "Instructions of the typed API":
        return limits.TYPED

    def named(words: str) -> str:
        return next(vendor.abi for vendor in VENDORS if f"{words} {vendor.title} " in title)

    library = STANDARD if "(standard ABI)" in title else named("over")
    program = named(", program of") if ", program of " in title else STANDARD
    if title.startswith("Start-up"):
        return limits.of_startup(library)
    if " in Fortran " in title:
        return {f"{name} in {method}": limits.in_fortran(library, name, method)
                for name in {**limits.ADDED_IN_FORTRAN, **limits.FAST_PATH_IN_FORTRAN[library]} for method in ("mpif.h", "mpi_f08")}
    return {name: limits.of_call(program, library, name, calls)
            for name, calls in calls_of_iterations(context).items()}


def check_limits(context: Context, _folder: Path) -> None:
    text = (context.root / "docs" / "evidence" / "speed.md").read_text()
    tables = re.findall(r"^### (.+)\n(?:(?!#|\|).*\n)*((?:\|.*\n)+)", text, re.MULTILINE)
    expect(len(tables) == 12, f"12 tables are due: {[title for title, _ in tables]}")
    for title, table in tables:
        rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
        shown_limits = {row[0]: int(row[-2]) for row in rows if row[-1] == "ok"}
        expected = limits_of_table(context, title)
        wrong = [f"{name}: {shown_limits.get(name)}, not {limit}" for name, limit in expected.items() if shown_limits.get(name) != limit]
        expect(not wrong and shown_limits.keys() == expected.keys(), f"{title}: otherwise than bench/limits.py says:\n" + "\n".join(wrong))


CHECKS = {
    "limits in speed.md": check_limits,
    "files that are named": check_named_files,
    "functions in follow-a-call.md": check_named_functions,
    "installed files in packaging.md": check_installed_names,
    "short pages": check_short_pages,
    "names of MPIs": check_names_of_mpis,
    "manual": check_manual,
    "manual of the wrappers": check_manual_of_wrappers,
    "variables in the manual": check_variables,
    "bash": check_bash,
    "bash in a terminal": check_bash_in_terminal,
    "shellcheck": check_shellcheck,
    "zsh": check_zsh,
    "zsh in a terminal": check_zsh_in_terminal,
    "fish": check_fish,
    "names of MPIs in completions": check_names_offered,
    "list of names": check_list_of_names,
}
