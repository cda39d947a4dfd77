"""The `anympi` command with the real launchers."""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS, anympi, expect_report, needs_built, report_program, run_words, wrapper
from lib.checks import Mismatch, NotInstalled, Unavailable, case_on, expect, guarded, waited
from lib.context import Context
from lib.results import Case
from lib.runtimes import OPEN_MPI_ENVIRONMENT, Runtime


@needs_built("anympi")
def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))
    for runtime in context.runtimes:
        if runtime.name in NAMES or runtime.usual:
            checks = {**RUNTIME_CHECKS, **(NAMED_RUNTIME_CHECKS if runtime.name in NAMES else {}),
                      **(OPENMPI_CHECKS if runtime.product == "openmpi" else {})}
            for title, check in checks.items():
                yield case_on(context, runtime, title, check)


# anympi run, on each MPI


def check_run_by_file(context: Context, runtime: Runtime, _folder: Path) -> None:
    done = anympi(context, *run_words(runtime, runtime.library, 2), report_program(context),
                  environment=runtime.environment)
    expect_report(done, runtime)
    expect(f"chosen={runtime.library}\n" in done.output, done)


def check_run_by_name_or_prefix(context: Context, runtime: Runtime, _folder: Path) -> None:
    mpi = runtime.name if runtime.name in NAMES else runtime.library.parent.parent
    done = anympi(context, *run_words(runtime, mpi, 1), "--", report_program(context), environment=runtime.environment)
    expect_report(done, runtime, ranks=1)
    expect(re.search(r"^chosen=/.*\.so\.\d+$", done.output, re.MULTILINE), f"no file is named\n{done.describe()}")


def check_variable_without_option(context: Context, runtime: Runtime, _folder: Path) -> None:
    done = anympi(context, "run", "-n", "2", *runtime.launcher[1:], report_program(context),
                  environment={**runtime.environment, "ANYMPI_MPI": str(runtime.library)})
    expect_report(done, runtime)


def check_exit_code(context: Context, runtime: Runtime, _folder: Path) -> None:
    done = anympi(context, *run_words(runtime, runtime.library, 2), report_program(context), "7",
                  environment=runtime.environment)
    expect(done.code == 7, done)


def check_arguments(context: Context, runtime: Runtime, _folder: Path) -> None:
    words = ["two words", "it's", 'a "quote"', "$HOME", "--mpi", "x", "--dry-run", "--", "-n"]
    done = anympi(context, *run_words(runtime, runtime.library, 1), report_program(context), "0", *words,
                  environment=runtime.environment)
    expect(re.findall(r"^word=\[(.*)\]$", done.output, re.MULTILINE) == words, done)


def check_names(context: Context, runtime: Runtime, folder: Path) -> None:
    """The program gets the same argv[0] and the same arguments as without anympi. The launcher finds the program in the
    same place as without anympi.
    """
    script = folder / "script"
    script.write_text("#!/bin/sh\necho name=$0 count=$#\nenv | grep -E '^OMPI_(COMMAND|ARGV)=' | sort\n")
    script.chmod(0o755)
    chosen = {"ANYMPI_MPI": "", **runtime.environment}
    for words in (["./script"], ["script", "/bin/cat", "two words"], ["sh", "./script", "x"]):
        alone, ours = (process.run([*command, *words], SECONDS, {**chosen, "PATH": os.environ["PATH"]}, folder) for command in (
            [*runtime.launcher, "-n", "1"], [context.build / "bin" / "anympi", *run_words(runtime, runtime.library, 1)]))
        expect(ours.code == alone.code and (alone.code != 0 or ours.output == alone.output), f"{alone.describe()}\n{ours.describe()}")


def check_spawned_name(context: Context, runtime: Runtime, _folder: Path) -> None:
    """Open MPI also starts programs in the working directory."""
    sources = [context.root / "tests" / "hosts" / "spawns.c", context.build / "include" / "mpi.h"]
    program = context.compile("spawns", sources, context.program_flags())
    words = [*run_words(runtime, runtime.library, 1), program.name, socket.gethostname(), "ANYMPI_MPI"]
    done = process.run([context.build / "bin" / "anympi", *words], SECONDS, {"ANYMPI_MPI": "", **runtime.environment}, program.parent)
    expect(done.output.count("child: rank") == 2, done)


def check_dry_run(context: Context, runtime: Runtime, _folder: Path) -> None:
    """--dry-run prints a shell command that does the same as the run itself."""
    words = [*run_words(runtime, runtime.library, 2), report_program(context), "3", "it's two words"]
    shown = anympi(context, words[0], "--dry-run", *words[1:], environment=runtime.environment)
    expect(shown.code == 0 and shown.output.count("\n") == 1, shown)
    expect(shown.output.startswith(f"ANYMPI_MPI={runtime.library} "), shown)
    done = process.run(["sh", "-c", shown.output], SECONDS, {**runtime.environment, "ANYMPI_MPI": ""})
    expect(done.code == 3 and "word=[it's two words]\n" in done.output and f"chosen={runtime.library}\n" in done.output, done)


def check_interrupt(context: Context, runtime: Runtime, folder: Path) -> None:
    """The command replaces itself with the launcher by exec. A signal therefore reaches the launcher and ends the job,
    and the exit code is the same as without anympi. Hydra's own exit code varies: it is 0 in one of four to twelve
    tries, and 2 in the others. So the codes are compared more than once.
    """
    program = ["sh", "-c", f"echo $$ >'{folder}/'$$; exec sleep 100"]
    seen = []
    for _ in range(8):
        seen.append((interrupted([context.build / "bin" / "anympi", *run_words(runtime, runtime.library, 2), *program], runtime, folder),
                     interrupted([*runtime.launcher, "-n", 2, *program], runtime, folder)))
        if seen[-1][0] == seen[-1][1]:
            return
    raise Mismatch(f"exit codes with and without anympi: {seen}")


def interrupted(words: list, runtime: Runtime, folder: Path) -> int:
    """Starts a job of two processes, interrupts it by SIGINT and returns its exit code. Each process makes a file in the
    folder, whose name is the process's number.
    """
    job = subprocess.Popen([str(word) for word in words], env=process.variables(runtime.environment),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # background jobs ignore it
    try:
        expect(waited(lambda: len(os.listdir(folder)) == 2), f"{words} has not started two processes")
        job.send_signal(signal.SIGINT)
        job.wait(timeout=20)
        for pid in os.listdir(folder):
            expect(waited(lambda: not Path(f"/proc/{pid}").exists()), f"process {pid} of {words} goes on")
            (folder / pid).unlink()
    except subprocess.TimeoutExpired:
        raise Mismatch(f"{words} goes on after SIGINT") from None
    finally:
        if job.poll() is None:
            process.stop(job)
    return job.returncode


def check_killed_rank(context: Context, runtime: Runtime, _folder: Path) -> None:
    """If a rank is killed, the job has the launcher's own exit code for this case."""
    program = context.compile("die", [context.root / "tests" / "command" / "die.c", context.build / "include" / "mpi.h"],
                              context.program_flags())
    done = anympi(context, *run_words(runtime, runtime.library, 2), program, environment=runtime.environment)
    expect(not done.timed_out and done.code not in (0, 1), done)


def check_standard_input(context: Context, runtime: Runtime, _folder: Path) -> None:
    # Not `cat`, because prterun 3 (Open MPI 5.0.11) does not close the program's input, with or without anympi.
    words = [context.build / "bin" / "anympi", *run_words(runtime, runtime.library, 1), "head", "-n", "1"]
    done = subprocess.run([str(word) for word in words], input="a line\n", capture_output=True, text=True,
                          env=process.variables(runtime.environment), timeout=SECONDS, check=False)
    expect(done.stdout == "a line\n", done)


def check_static_mode(context: Context, runtime: Runtime, folder: Path) -> None:
    program = folder / "report"
    wrapper(context, "mpicc", "-static-mpi", context.root / "tests" / "command" / "report.c", "-o", program)
    needed = process.run(["readelf", "--dynamic", program], SECONDS)
    expect("NEEDED" in needed.output and "libmpi_abi" not in needed.output, needed)
    expect_report(anympi(context, *run_words(runtime, runtime.library, 2), program, environment=runtime.environment),
                  runtime)


def check_examples(context: Context, runtime: Runtime, folder: Path) -> None:
    for name, result in (("pi", "pi = 3.1415926536, computed by {} processes"), ("ring", "around {} processes .*: correct")):
        source = context.root / "examples" / f"{name}.c"
        wrapper(context, "mpicc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", source, "-o", folder / name)
        for ranks in (1, 2):
            done = anympi(context, *run_words(runtime, runtime.library, ranks), folder / name,
                          environment=runtime.environment)
            expect(done.code == 0 and re.search(result.format(ranks), done.output), done)


# anympi run, without starting anything


def first_name(context: Context) -> str:
    names = [runtime.name for runtime in context.available if runtime.name in NAMES]
    if not names:
        raise Unavailable("neither Debian's MPICH nor its Open MPI is among the runtimes")
    return names[0]


# The arguments that `run` adds for the front.
OWN_WORDS = (r" -x (ANYMPI_MPI|ANYMPI_JOB_LIBRARY)\b| -x (ANYMPI_STARTER|ANYMPI_HANDED_ON)=\S+| (-x|-genv) (LD_LIBRARY_PATH|ANYMPI_LIBRARY_PATH|MPI4PY_LIBMPI|LD_PRELOAD|ASAN_OPTIONS)[ =]\S+"
             r"| ANYMPI_JOB_LIBRARY='[^']*'| \S+/anympi/start_program\b")


def check_words(context: Context, _folder: Path) -> None:
    """Tests which arguments belong to the launcher, and in which order the launcher gets them."""
    name = first_name(context)
    for given, passed_on in [
            (["-n", "3", "ls"], ["-n", "3", "ls"]),
            (["-np", "3", "ls"], ["-n", "3", "ls"]),
            (["-n3", "ls", "-n4"], ["-n", "3", "ls", "-n4"]),
            (["--np=3", "ls", "-n", "4"], ["-n", "3", "ls", "-n", "4"]),
            (["-verbose", "-n", "3", "ls"], ["-n", "3", "-verbose", "ls"]),
            (["-host", "a", "-n", "3", "ls"], ["-n", "3", "-host", "a", "ls"]),
            (["-hosts", "a", "-np", "3", "-verbose", "ls", "-n", "4"], ["-n", "3", "-hosts", "a", "-verbose", "ls", "-n", "4"]),
            (["--", "--mip", "ls"], ["--mip", "ls"]),
            (["--unknown", "no-program", "-n", "3", "ls"], ["-n", "3", "--unknown", "no-program", "ls"]),
            (["-host", "a", "--", "ls", "--", "x"], ["-host", "a", "ls", "--", "x"]),
            (["-verbose", "ls", "--", "x"], ["-verbose", "ls", "--", "x"]),
            (["ls", "--", "x"], ["ls", "--", "x"]),
            (["--", "ls", "--", "x"], ["ls", "--", "x"]),
            (["-n", "1", "ls", ":", "-n", "2", "true"], ["-n", "1", "ls", ":", "-n", "2", "true"])]:
        done = anympi(context, "run", "--mpi", name, "--dry-run", *given)
        seen = re.sub(OWN_WORDS, "", done.output).split()[2:]
        expect(done.code == 0 and seen == passed_on, f"{done.describe()}\nexpected: {passed_on}")


def check_forwarding(context: Context, _folder: Path) -> None:
    """Open MPI's launchers pass variables on to other machines only if an option says so; hydra has no such option."""
    for runtime in context.available:
        if runtime.name in NAMES:
            done = anympi(context, "run", "--mpi", runtime.name, "--dry-run", "ls", environment={"ANYMPI_VERBOSE": "1", **OPEN_MPI_ENVIRONMENT})
            shown = re.sub(r" ANYMPI_JOB_LIBRARY='[^']*'| /\S+/start_program\b| -x ANYMPI_(STARTER|HANDED_ON)=\S+", "", done.output.splitlines()[-1])
            options = re.sub(r"((LD_|ANYMPI_|MPI4PY_)\w+)[ =]/\S+|(ASAN_OPTIONS)[ =]\S+", r"\1\3", shown).split()[2:-1]
            option, names = "-genv", ["LD_LIBRARY_PATH", "ANYMPI_LIBRARY_PATH", "MPI4PY_LIBMPI", "LD_PRELOAD", "ASAN_OPTIONS"]
            if runtime.name == "openmpi":
                option, names = "-x", ["ANYMPI_MPI", "ANYMPI_JOB_LIBRARY", "ANYMPI_VERBOSE", *names[:2], "ANYMPI_USERS_PATH", *names[2:]]
            expected = [word for name in names for word in (option, name)]
            expect(options == expected, done)


def check_forwarding_of_documented(context: Context, folder: Path) -> None:
    """Every documented variable that a front reads reaches the processes on other hosts."""
    table = (context.root / "docs" / "user" / "using.md").read_text().partition("## Variables")[2].partition("\n## ")[0]
    documented = set(re.findall(r"^\| `(ANYMPI_\w+)", table, re.MULTILINE)) | {"XDG_CONFIG_HOME"}
    expect(len(documented) > 4, documented)
    openmpi = next((runtime for runtime in context.available if runtime.name == "openmpi"), None)
    if not openmpi:
        raise Unavailable("Debian's Open MPI is not among the runtimes")
    done = anympi(context, "run", "--mpi", openmpi.library, "--dry-run", "ls", environment={**dict.fromkeys(documented, "1"), "XDG_CONFIG_HOME": str(folder)})
    forwarded = set(re.findall(r" -x (\w+)", done.output))
    expect(done.code == 0 and documented <= forwarded, f"{done.describe()}\nnot forwarded: {documented - forwarded}")


def check_no_additions(context: Context, _folder: Path) -> None:
    done = anympi(context, "run", "--mpi", first_name(context), "--dry-run", "-n", "99", "ls")
    expect("root" not in done.output and "oversubscribe" not in done.output, done)


# Each entry is a mistyped option, the option that was meant, and for some options a value.
MISTYPED = [("--mip", "--mpi", "mpich"), ("--pmi", "--mpi", "mpich"), ("-mpi", "--mpi", "mpich"), ("--MPI", "--mpi", "mpich"), ("--dryrun", "--dry-run"), ("--dry_run", "--dry-run"),
            ("-dry-run", "--dry-run"), ("--chek-hosts", "--check-hosts"), ("--check-host", "--check-hosts"), ("--verbos", "--verbose")]


def check_options_of_launchers(context: Context, _folder: Path) -> None:
    """Options of launchers that look like options of anympi are passed to the launcher."""
    name = first_name(context)
    for option in ["-verbose", "-v", "-mps", "-help", "-hnp", "--mem", "--mca", "-map-by", "-n", "-np", "-ppn", "--nice", "--no-such-option", "-check_mpi"]:
        values = ["1"] * (option not in ("-verbose", "-v", "-mps", "-help", "--no-such-option", "-check_mpi")) + ["1"] * (option == "--mca")
        done = anympi(context, "run", "--mpi", name, "--dry-run", option, *values, "ls")
        expect(done.code == 0, done)


def check_late_mpi(context: Context, _folder: Path) -> None:
    """--mpi after the program belongs to the program."""
    name = first_name(context)
    for words in (["--mpi", name], [f"--mpi={name}"], ["-x", "--mpi", "/some/mpi"]):
        done = anympi(context, "run", "--dry-run", "ls", *words)
        expect(done.code == 0 and f"comes after the program: it is an argument of {shutil.which('ls')}" in done.output, done)
    for words in (["--mpi", "on"], ["--mpi"], ["mpi", name]):
        expect("after the program" not in anympi(context, "run", "--dry-run", "ls", *words).output, words)
    expect("after the program" not in anympi(context, "run", "--mpi", name, "--dry-run", "ls", "--mpi", name).output, "the user has chosen an MPI")


def check_verbose(context: Context, _folder: Path) -> None:
    done = anympi(context, "run", "--mpi", first_name(context), "--verbose", "--dry-run", "ls", environment={"ANYMPI_VERBOSE": "0"})
    expect(" ANYMPI_VERBOSE=1 " in done.output and "anympi: chose " in done.output, done)


def check_explain(context: Context, _folder: Path) -> None:
    """--explain prints one line about the job. The job runs afterwards."""
    runtime = next(runtime for runtime in context.available if runtime.name == first_name(context))
    done = anympi(context, *run_words(runtime, runtime.name, 2), "--explain", report_program(context), environment=runtime.environment)
    expect_report(done, runtime)
    lines = [line for line in done.output.splitlines() if line.startswith("anympi: ")]
    library = re.search("^chosen=(.*)$", done.output, re.MULTILINE)[1]
    expect(len(lines) == 1 and re.fullmatch(rf"anympi: the job runs on .* at {re.escape(library)}, because of --mpi {runtime.name}", lines[0]), done)


def check_wrong_usage(context: Context, _folder: Path) -> None:
    for words, message in [
            ([], "a command is needed: run, list, "),
            (["walk"], "there is no command `walk`; there are run, list, "),
            (["runn"], r"there is no command `runn`; did you mean `run`\?"),
            (["run"], "a program to run is needed"),
            (["run", "-n", "2"], "a program to run is needed"),
            (["run", "-hosts", "a"], "a program to run is needed"),
            (["run", "-n", "9" * 30, "ls"], "the number of processes is too large"),
            (["run", "-n"], "a value is missing after --np"),
            (["run", "-n", "none", "ls"], "must be 1 or more, not `none`"),
            (["run", "-n", "0", "ls"], "must be 1 or more, not `0`"),
            (["run", "--mpi"], "a value is missing after --mpi"),
            (["run", "--mpi", "mpich", "--mpi", "openmpi", "ls"], "--mpi is given twice"),
            (["run", "-n", "2", "-np", "3", "ls"], "--np is given twice"),
            (["run", "--mpi", "lam", "ls"], "anympi knows no MPI of the name `lam`"),
            *((["run", option, *words, "ls"], rf"there is no option `{option}`; did you mean `{meant}`\?") for option, meant, *words in MISTYPED),
            (["inspect"], "a FILE is needed"),
            (["adopt"], "a FILE is needed"),
            (["adopt", "x"], "the name of the copy is needed: -o COPY"),
            (["adopt", "x", "y", "-o", "z"], "`y` is too much"),
            (["list", "--yaml"], "there is no option `--yaml`$"),
            (["list", "--jsn"], r"there is no option `--jsn`; did you mean `--json`\?")]:
        expect_complaint(anympi(context, *words), 2, message)


def check_bad_mpi(context: Context, folder: Path) -> None:
    text = folder / "libmpi.so.12"
    text.write_text("GROUP ( libmpi.so.12.2 )\n")
    for mpi, message in [(folder / "nothing", "does not exist"), (text, "is not a shared library"),
                         (context.build / "lib" / "libmpi_abi.so.1", "anympi's own library"),
                         (context.root / "docs", "there is no MPI library in this folder")]:
        expect_complaint(anympi(context, "run", "--mpi", mpi, "ls"), 1, message)


def expect_complaint(done: process.Completed, code: int, message: str) -> None:
    expect(done.code == code and re.search(message, done.output, re.MULTILINE), done)
    expect(all(line.startswith("anympi: ") for line in done.output.splitlines()), done)


def copied_library(context: Context, folder: Path) -> Path:
    """Returns a library in a separate installation, without any launcher."""
    source = next(runtime.library for runtime in context.available if runtime.name == first_name(context))
    copy = folder / "alone" / "lib" / source.name
    copy.parent.mkdir(parents=True)
    shutil.copy(source, copy)
    return copy


def check_launcher_of_another(context: Context, folder: Path) -> None:
    """anympi does not use a launcher in PATH for a library of another installation."""
    library = copied_library(context, folder)
    done = anympi(context, "run", "--mpi", library, "-n", "2", "ls")
    expect_complaint(done, 1, "no launcher of .* was found")
    expect("looked in: " in done.output and "left out: " in done.output and str(library) in done.output, done)


def check_launcher_of_its_own(context: Context, folder: Path) -> None:
    """anympi uses the mpiexec in the library's installation. There are two exceptions: the mpiexec belongs to another
    family, or libraries of two families share the folder and nothing shows to which of them the mpiexec belongs.
    """
    library = copied_library(context, folder)
    launcher = library.parent.parent / "bin" / "mpiexec"
    launcher.parent.mkdir()
    foreign = launcher.with_name("orterun" if first_name(context) == "mpich" else "mpiexec.gforker")
    for script in (launcher, foreign):
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
    done = anympi(context, "run", "--mpi", library.parent.parent, "--dry-run", "ls")
    expect(done.code == 0 and str(launcher) in done.output, done)
    launcher.rename(launcher.with_name("kept"))
    launcher.symlink_to(foreign)
    expect_complaint(anympi(context, "run", "--mpi", library, "ls"), 1, f"left out: .*{launcher}")
    launcher.with_name("kept").replace(launcher)
    others = [runtime.library for runtime in context.available
              if runtime.name in NAMES and runtime.name != first_name(context)]
    if others:
        (library.parent / others[0].name).symlink_to(others[0])
        expect_complaint(anympi(context, "run", "--mpi", library, "ls"), 1, f"left out: .*{launcher}")


def check_help(context: Context, _folder: Path) -> None:
    for words in ([], ["run"], ["list"], ["inspect"], ["doctor"], ["adopt"], ["config"]):
        done = anympi(context, *words, "--help")
        expect(done.code == 0 and "Usage: anympi" in done.output, done)
        expect(re.search(rf"Examples:\n.*\banympi {' '.join(words)}", done.output, re.DOTALL), done)
        if words:
            expect(anympi(context, "help", *words).output == done.output, f"help {words}")
    expect(anympi(context, "help").output == anympi(context, "--help").output, "help")
    expect_complaint(anympi(context, "help", "runn"), 2, r"there is no command `runn`; did you mean `run`\?")
    for words in (["version"], ["--version"]):
        expect(re.fullmatch(r"anympi \d+\.\d+\.\d+\n", anympi(context, *words).output), words)


# anympi list


def listed(context: Context, environment: dict[str, str] | None = None, expected: int = 0) -> dict:
    words = [str(context.build / "bin" / "anympi"), "list", "--json"]
    done = subprocess.run(words, env={**os.environ, "ANYMPI_MPI": "", **(environment or {})}, capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    expect(done.returncode == expected, done)
    return json.loads(done.stdout)


def check_list(context: Context, _folder: Path) -> None:
    document = listed(context)
    paths = [os.path.realpath(library["path"]) for library in document["libraries"]]
    expect(len(set(paths)) == len(paths), f"twice in {paths}")
    for runtime in context.available:
        if runtime.name in NAMES:
            mine, = [entry for entry, path in zip(document["libraries"], paths) if path == os.path.realpath(runtime.library)]
            expect(mine["abi"] == runtime.family and re.split("[-:]", mine["name"])[0] == runtime.name, mine)
            expect(os.path.realpath(mine["launcher"]) == os.path.realpath(runtime.launcher[0]), mine)
    expect(sum(library["chosen"] for library in document["libraries"]) == 1 and document["reason"], document)
    table = anympi(context, "list").output
    expect(all(library["path"] in table for library in document["libraries"]), table)
    expect(document["reason"] in table and "\033" not in table, table)


def check_names_in_list(context: Context, _folder: Path) -> None:
    """Each name in the list chooses exactly one library. A version in the name is the version that the library reports."""
    folders = {str(runtime.library.parent) for runtime in context.available}
    environment = {"LD_LIBRARY_PATH": ":".join(sorted(folders))}
    libraries = [library for library in listed(context, environment)["libraries"] if library["name"]]
    names = [library["name"] for library in libraries]
    expect(len(set(names)) == len(names), names)
    for library in libraries:
        version = re.fullmatch(r"\w+-([\w.]+)(:\w+)?", library["name"])
        expect(not version or library["version"] == version[1], library)
        chosen = [one["path"] for one in listed(context, {**environment, "ANYMPI_MPI": library["name"]})["libraries"] if one["chosen"]]
        expect(chosen == [library["path"]], f"{library['name']} chooses {chosen}, not {library['path']}")


def check_list_follows_choice(context: Context, folder: Path) -> None:
    """The list marks the chosen library, even if the library is in a folder that anympi does not search."""
    library = copied_library(context, folder)
    document = listed(context, {"ANYMPI_MPI": str(library)})
    chosen, = [entry for entry in document["libraries"] if entry["chosen"]]
    expect(chosen["path"] == str(library) and chosen["launcher"] is None, chosen)
    expect(document["reason"] == f"ANYMPI_MPI={library}", document)


def check_list_without_choice(context: Context, _folder: Path) -> None:
    """A wrong ANYMPI_MPI is reported, and the list is printed nevertheless."""
    document = listed(context, {"ANYMPI_MPI": "/nowhere"}, expected=1)
    expect(document["libraries"] and not any(entry["chosen"] for entry in document["libraries"]), document)
    expect(document["reason"] is None, document)
    done = anympi(context, "list", environment={"ANYMPI_MPI": "/nowhere"})
    expect(done.code == 1 and "anympi: ANYMPI_MPI=/nowhere does not exist" in done.output, done)


def check_full_disk(context: Context, _folder: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([str(context.build / "bin" / "anympi"), "version"], stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=SECONDS, check=False)
    expect(done.returncode == 1 and done.stderr.startswith("anympi: the output could not be written"), done)


def check_closed_output(context: Context, _folder: Path) -> None:
    """If the output is closed, or if its reader has ended, the exit code reports this, and the command does not hang. If
    standard streams are closed, no file that the command opens takes their place.
    """
    command = context.build / "bin" / "anympi"
    program = report_program(context)
    for words in (["list"], ["config"], ["inspect", program], ["doctor"], ["version"], ["--help"], ["run", "--dry-run", "ls"]):
        done = process.run(["bash", "-c", '"$@" >&-', "bash", command, *words], SECONDS)
        expect(done.code == 1 and "anympi: the output could not be written" in done.output, done)
        done = process.run(["bash", "-c", '"$@" <&- 2>&- >&- || exit 3', "bash", command, *words], SECONDS)
        expect(done.code == 3, done)
        done = process.run(["bash", "-c", 'set -o pipefail; { sleep 0.2; "$@"; } | true', "bash", command, *words], SECONDS)
        expect(done.code == 128 + signal.SIGPIPE, done)
    usual = anympi(context, "list", "--json")
    done = process.run(["bash", "-c", '"$@" <&- 2>&-', "bash", command, "list", "--json"], SECONDS, {"ANYMPI_MPI": ""})
    expect(done.output == usual.output, f"{done.describe()}\ninstead of\n{usual.output}")


def check_closed_streams_of_program(context: Context, folder: Path) -> None:
    """The launcher gets the standard streams unchanged: a closed stream stays closed."""
    name = first_name(context)
    launcher = folder / "mpiexec"
    launcher.write_text('#!/bin/sh\nls -l /proc/self/fd >"$OUT"\n')
    launcher.chmod(0o755)
    (folder / "anympi").mkdir()
    (folder / "anympi" / "config.toml").write_text(f"[launcher]\n{name} = '{launcher}'\n")
    done = process.run(["bash", "-c", '"$@" <&-', "bash", context.build / "bin" / "anympi", "run", "--mpi", name, "ls"], SECONDS,
                       {"XDG_CONFIG_HOME": str(folder), "OUT": str(folder / "out"), "ANYMPI_MPI": ""})
    expect(done.code == 0 and "/dev/null" not in (folder / "out").read_text(), (folder / "out").read_text())


def check_unreadable(context: Context, folder: Path) -> None:
    """Tests a user who may not read a program, a library or a configuration."""
    if os.geteuid() != 0:
        raise Unavailable("needs root, to become somebody else")
    name = first_name(context)
    shared = Path(tempfile.mkdtemp(prefix="anympi-test-"))  # a folder that every user can reach
    try:
        command = shared / "bin" / "anympi"
        command.parent.mkdir()
        shutil.copy(context.build / "bin" / "anympi", command)
        secret = shutil.copy(report_program(context), shared / "program")
        library = copied_library(context, shared)
        for file in (secret, library):
            os.chmod(file, 0)
        shared.chmod(0o755)
        settings = shared / "anympi" / "config.toml"
        settings.parent.mkdir()
        settings.write_text("mpi = 'mpich'\n")

        def as_nobody(*words) -> process.Completed:
            done = subprocess.run([str(word) for word in (command, *words)], user="nobody", group=65534, extra_groups=[],
                                  cwd="/", env={"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(shared)}, text=True,
                                  capture_output=True, timeout=SECONDS, check=False)
            return process.Completed([str(word) for word in words], done.returncode, done.stderr, False)

        expect_complaint(as_nobody("inspect", secret), 1, "program cannot be read")
        expect_complaint(as_nobody("run", "--mpi", library, "ls"), 1, "cannot be (read|opened)")
        settings.chmod(0)
        for words in (["run", "--mpi", name, "--dry-run", "ls"], ["list"], ["config"]):
            expect("config.toml is ignored: it cannot be read (Permission denied)\n" in as_nobody(*words).output, words)
    finally:
        shutil.rmtree(shared, ignore_errors=True)


def check_interpreter(context: Context, runtime: Runtime, folder: Path) -> None:
    """A script loads a library that needs libmpi_abi.so.1. The library gets the front, even if the library path leads to
    another libmpi_abi.so.1.
    """
    script = folder / "script.py"
    script.write_text("import ctypes\nmpi = ctypes.CDLL('libmpi_abi.so.1')\nmpi.MPI_Init(None, None)\nmpi.MPI_Finalize()\n"
                      "print({line.split()[-1] for line in open('/proc/self/maps') if 'libmpi_abi.so' in line})\n")
    done = anympi(context, *run_words(runtime, runtime.library, 1), "python3", script,
                  environment={**runtime.environment, "LD_LIBRARY_PATH": str(runtime.library.parent)})
    expect(done.code == 0 and str(context.build / "lib" / "libmpi_abi.so.1") in done.output, done)


def check_vendor_program(context: Context, runtime: Runtime, folder: Path) -> None:
    """A program of the runtime's own ABI runs on the runtime without a front."""
    compiler = shutil.which(f"mpicc.{runtime.name}")
    if not compiler:
        raise NotInstalled(f"mpicc.{runtime.name}")
    program = folder / "report"
    done = process.run([compiler, context.root / "tests" / "command" / "report.c", "-o", program], SECONDS)
    expect(done.code == 0, done)
    expect_report(anympi(context, *run_words(runtime, runtime.name, 2), program, environment=runtime.environment), runtime)


RUNTIME_CHECKS = {
    "run by file": check_run_by_file,
    "run by name or prefix": check_run_by_name_or_prefix,
    "run by variable": check_variable_without_option,
    "exit code": check_exit_code,
    "arguments": check_arguments,
    "names": check_names,
    "dry run": check_dry_run,
    "interrupt": check_interrupt,
    "killed rank": check_killed_rank,
    "standard input": check_standard_input,
    "static mode": check_static_mode,
    "examples": check_examples,
    "interpreter": check_interpreter,
}
# Checks that need the MPI's own compiler wrapper.
NAMED_RUNTIME_CHECKS = {
    "vendor program": check_vendor_program,
}
OPENMPI_CHECKS = {
    "program in the working directory that MPI starts": check_spawned_name,
}
CHECKS = {
    "words for the launcher": check_words,
    "forwarded are all variables of the documents": check_forwarding_of_documented,
    "forwarded variables": check_forwarding,
    "no options of our own": check_no_additions,
    "wrong usage": check_wrong_usage,
    "options of launchers": check_options_of_launchers,
    "--mpi after the program": check_late_mpi,
    "--verbose": check_verbose,
    "--explain": check_explain,
    "bad --mpi": check_bad_mpi,
    "launcher of another MPI": check_launcher_of_another,
    "launcher of its own": check_launcher_of_its_own,
    "help and version": check_help,
    "list": check_list,
    "names of real libraries": check_names_in_list,
    "list follows the choice": check_list_follows_choice,
    "list without a choice": check_list_without_choice,
    "full disk": check_full_disk,
    "closed output": check_closed_output,
    "closed streams of the launcher": check_closed_streams_of_program,
    "unreadable files": check_unreadable,
}
