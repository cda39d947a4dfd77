"""The `anympi` command with the real launchers, the compiler wrappers, and an installation that is moved."""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

from lib import process
from lib.checks import Mismatch, Unavailable, expect, guarded
from lib.context import Context
from lib.results import Case, Result, failed, skipped
from lib.runtimes import Runtime

NAMES = ("mpich", "openmpi")  # runtimes that go by their name on a machine with both
SECONDS = 120
# What each library says of itself.
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI", "impi": "Intel"}


def cases(context: Context):
    if not os.access(context.build / "bin" / "anympi", os.X_OK):
        yield Case("anympi", partial(failed, f"no bin/anympi in {context.build}: build the tree first"))
        return
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))
    for runtime in context.runtimes:
        if runtime.name in NAMES or runtime.usual:
            checks = {**RUNTIME_CHECKS, **(NAMED_RUNTIME_CHECKS if runtime.name in NAMES else {})}
            for title, check in checks.items():
                yield Case(f"{title} on {runtime.name}", partial(on_runtime, check, context, runtime))


def on_runtime(check, context: Context, runtime: Runtime) -> Result:
    return skipped(runtime.missing) if runtime.missing else guarded(check, context, runtime)


def anympi(context: Context, *words, environment: dict[str, str] | None = None, bin_folder: Path | None = None):
    """An empty ANYMPI_MPI counts as unset, whatever the caller's environment holds."""
    command = (bin_folder or context.build / "bin") / "anympi"
    return process.run([command, *words], SECONDS, {"ANYMPI_MPI": "", **(environment or {})})


def wrapper(context: Context, name: str, *words, environment: dict[str, str] | None = None, expected: int = 0):
    done = process.run([context.build / "bin" / name, *words], SECONDS, environment)
    expect(done.code == expected, done)
    return done.output.rstrip("\n")


def report_program(context: Context) -> Path:
    sources = [context.root / "tests" / "command" / "report.c", context.build / "include" / "mpi.h"]
    return context.compile("report", sources, context.program_flags())


def run_words(runtime: Runtime, mpi: object, ranks: int) -> list:
    return ["run", "--mpi", mpi, "-n", ranks, *runtime.launcher[1:]]


def expect_report(done: process.Completed, runtime: Runtime, ranks: int = 2) -> None:
    title = TITLES[runtime.name.split("-")[0]]
    expect(done.code == 0 and f"size={ranks}\n" in done.output, done)
    expect(re.search(rf"^library={title}", done.output, re.MULTILINE), done)


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


def check_dry_run(context: Context, runtime: Runtime, _folder: Path) -> None:
    """What it prints is a command for the shell, and does the same."""
    words = [*run_words(runtime, runtime.library, 2), report_program(context), "3", "it's two words"]
    shown = anympi(context, words[0], "--dry-run", *words[1:], environment=runtime.environment)
    expect(shown.code == 0 and shown.output.count("\n") == 1, shown)
    expect(shown.output.startswith(f"ANYMPI_MPI={runtime.library} "), shown)
    done = process.run(["sh", "-c", shown.output], SECONDS, {**runtime.environment, "ANYMPI_MPI": ""})
    expect(done.code == 3 and "word=[it's two words]\n" in done.output and f"chosen={runtime.library}\n" in done.output, done)


def check_interrupt(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The launcher has taken the command's place, so a signal reaches it and ends the job."""
    words = [context.build / "bin" / "anympi", *run_words(runtime, runtime.library, 2), "sleep", "100"]
    job = subprocess.Popen([str(word) for word in words], env={**os.environ, **runtime.environment},
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(2)
    try:
        expect(job.poll() is None, f"{words} ended at once with {job.returncode}")
        job.send_signal(signal.SIGINT)
        job.wait(timeout=20)
    except subprocess.TimeoutExpired:
        raise Mismatch(f"{words} goes on after SIGINT") from None
    finally:
        if job.poll() is None:
            process.stop(job)


def check_standard_input(context: Context, runtime: Runtime, _folder: Path) -> None:
    # Not `cat`: prterun 3 (Open MPI 5.0.11) does not close the program's input, with or without anympi.
    words = [context.build / "bin" / "anympi", *run_words(runtime, runtime.library, 1), "head", "-n", "1"]
    done = subprocess.run([str(word) for word in words], input="a line\n", capture_output=True, text=True,
                          env={**os.environ, **runtime.environment}, timeout=SECONDS, check=False)
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


# What `run` adds for the front.
OWN_WORDS = r" -x ANYMPI_MPI\b| -x LD_LIBRARY_PATH=\S+| -genv LD_LIBRARY_PATH \S+"


def check_words(context: Context, _folder: Path) -> None:
    """Which words are the launcher's, and in what order they reach it."""
    name = first_name(context)
    for given, passed_on in [
            (["-n", "3", "ls"], ["-n", "3", "ls"]),
            (["-np", "3", "ls"], ["-n", "3", "ls"]),
            (["--np=3", "ls", "-n", "4"], ["-n", "3", "ls", "-n", "4"]),
            (["--verbose", "-n", "3", "ls"], ["-n", "3", "--verbose", "ls"]),
            (["-host", "a", "-n", "3", "ls"], ["-host", "a", "-n", "3", "ls"]),
            (["-hosts", "a"], ["-hosts", "a"]),
            (["-host", "a", "--", "ls", "--", "x"], ["-host", "a", "ls", "--", "x"]),
            (["--verbose", "ls", "--", "x"], ["--verbose", "ls", "--", "x"]),
            (["ls", "--", "x"], ["ls", "--", "x"]),
            (["--", "ls", "--", "x"], ["ls", "--", "x"]),
            (["-n", "1", "a", ":", "-n", "2", "b"], ["-n", "1", "a", ":", "-n", "2", "b"])]:
        done = anympi(context, "run", "--mpi", name, "--dry-run", *given)
        seen = re.sub(OWN_WORDS, "", done.output).split()[2:]
        expect(done.code == 0 and seen == passed_on, f"{done.describe()}\nexpected: {passed_on}")


def check_forwarding(context: Context, _folder: Path) -> None:
    """Open MPI's launchers pass on to other machines what they are told to; hydra has no such option."""
    for runtime in context.available:
        if runtime.name in NAMES:
            done = anympi(context, "run", "--mpi", runtime.name, "--dry-run", "ls", environment={"ANYMPI_VERBOSE": "1"})
            options = re.sub(r"LD_LIBRARY_PATH[ =]\S+", "PATH", done.output.splitlines()[-1]).split()[2:-1]
            expected = (["-x", "ANYMPI_MPI", "-x", "ANYMPI_VERBOSE", "-x", "PATH"] if runtime.name == "openmpi"
                        else ["-genv", "PATH"])
            expect(options == expected, done)


def check_no_additions(context: Context, _folder: Path) -> None:
    done = anympi(context, "run", "--mpi", first_name(context), "--dry-run", "-n", "99", "ls")
    expect("root" not in done.output and "oversubscribe" not in done.output, done)


def check_wrong_usage(context: Context, _folder: Path) -> None:
    for words, message in [
            ([], "command .* is required"),
            (["walk"], "walk"),
            (["run"], "program to run is required"),
            (["run", "-n", "2"], "program to run is required"),
            (["run", "-n", "none", "ls"], "must be 1 or more, not `none`"),
            (["run", "-n", "0", "ls"], "must be 1 or more, not `0`"),
            (["run", "--mpi"], "--mpi"),
            (["run", "--mpi", "lam", "ls"], "no MPI goes by the name `lam`"),
            (["inspect"], "FILE"),
            (["list", "--yaml"], "--yaml")]:
        expect_complaint(anympi(context, *words), 2, message)


def check_bad_mpi(context: Context, folder: Path) -> None:
    text = folder / "libmpi.so.12"
    text.write_text("GROUP ( libmpi.so.12.2 )\n")
    for mpi, message in [(folder / "nothing", "does not exist"), (text, "is not a shared library"),
                         (context.build / "lib" / "libmpi_abi.so.1", "anympi's own library"),
                         (context.root / "docs", "no MPI library lies in this folder")]:
        expect_complaint(anympi(context, "run", "--mpi", mpi, "ls"), 1, message)


def expect_complaint(done: process.Completed, code: int, message: str) -> None:
    expect(done.code == code and re.search(message, done.output), done)
    expect(all(line.startswith("anympi: ") for line in done.output.splitlines()), done)


def copied_library(context: Context, folder: Path) -> Path:
    """A library in an installation of its own, without any launcher."""
    source = next(runtime.library for runtime in context.available if runtime.name == first_name(context))
    copy = folder / "alone" / "lib" / source.name
    copy.parent.mkdir(parents=True)
    shutil.copy(source, copy)
    return copy


def check_launcher_of_another(context: Context, folder: Path) -> None:
    """None of the launchers in PATH belongs to a library that lies elsewhere."""
    library = copied_library(context, folder)
    done = anympi(context, "run", "--mpi", library, "-n", "2", "ls")
    expect_complaint(done, 1, "no launcher of .* was found")
    expect("looked in: " in done.output and "left out: " in done.output and str(library) in done.output, done)


def check_launcher_of_its_own(context: Context, folder: Path) -> None:
    """Its own mpiexec is taken, but not one that is another family's in truth, nor where a second family shares the
    folder and nothing tells whose it is."""
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
    for words in ([], ["run"], ["list"], ["inspect"], ["config"]):
        done = anympi(context, *words, "--help")
        expect(done.code == 0 and "Usage: anympi" in done.output, done)
        expect(re.search(rf"Examples:\n.*\banympi {' '.join(words)}", done.output, re.DOTALL), done)
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
            expect(mine["abi"] == runtime.family and mine["name"] == runtime.name, mine)
            expect(os.path.realpath(mine["launcher"]) == os.path.realpath(runtime.launcher[0]), mine)
    expect(sum(library["chosen"] for library in document["libraries"]) == 1 and document["reason"], document)
    table = anympi(context, "list").output
    expect(all(library["path"] in table for library in document["libraries"]), table)
    expect(document["reason"] in table and "\033" not in table, table)


def check_list_follows_choice(context: Context, folder: Path) -> None:
    """Also for a library in a place where no search would come."""
    library = copied_library(context, folder)
    document = listed(context, {"ANYMPI_MPI": str(library)})
    chosen, = [entry for entry in document["libraries"] if entry["chosen"]]
    expect(chosen["path"] == str(library) and chosen["launcher"] is None, chosen)
    expect(document["reason"] == f"ANYMPI_MPI={library}", document)


def check_list_without_choice(context: Context, _folder: Path) -> None:
    """A wrong ANYMPI_MPI is told, and the list is shown all the same."""
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


def check_interpreter(context: Context, runtime: Runtime, folder: Path) -> None:
    """What a script loads finds the front, also where the library path leads to another libmpi_abi.so.1."""
    script = folder / "script.py"
    script.write_text("import ctypes\nmpi = ctypes.CDLL('libmpi_abi.so.1')\nmpi.MPI_Init(None, None)\nmpi.MPI_Finalize()\n"
                      "print({line.split()[-1] for line in open('/proc/self/maps') if 'libmpi_abi.so' in line})\n")
    done = anympi(context, *run_words(runtime, runtime.library, 1), "python3", script,
                  environment={**runtime.environment, "LD_LIBRARY_PATH": str(runtime.library.parent)})
    expect(done.code == 0 and str(context.build / "lib" / "libmpi_abi.so.1") in done.output, done)


def check_vendor_program(context: Context, runtime: Runtime, folder: Path) -> None:
    """A program of the runtime's own ABI runs on it without a front."""
    compiler = shutil.which(f"mpicc.{runtime.name}")
    if not compiler:
        raise Unavailable(f"no compiler for programs of {runtime.name}")
    program = folder / "report"
    done = process.run([compiler, context.root / "tests" / "command" / "report.c", "-o", program], SECONDS)
    expect(done.code == 0, done)
    expect_report(anympi(context, *run_words(runtime, runtime.name, 2), program, environment=runtime.environment), runtime)


# mpicc and mpicxx

C_PROGRAM = """#include <mpi.h>
int main(void) { int flag = 1; MPI_Initialized(&flag); return flag; }
"""
CXX_PROGRAM = """#include <mpi.h>
#include <vector>
int main() { std::vector<int> flag(1, 1); MPI_Initialized(flag.data()); return flag[0]; }
"""


def sources(folder: Path) -> tuple[Path, Path]:
    c_source, cxx_source = folder / "program.c", folder / "program.cpp"
    c_source.write_text(C_PROGRAM)
    cxx_source.write_text(CXX_PROGRAM)
    return c_source, cxx_source


def check_wrapper_stages(context: Context, folder: Path) -> None:
    for name, source in zip(("mpicc", "mpicxx"), sources(folder)):
        made, program, library = folder / "made.o", folder / "program", folder / "library.so"
        wrapper(context, name, "-c", source, "-o", made)
        wrapper(context, name, made, "-o", program)
        expect(process.run([program], SECONDS).code == 0, f"{name}: the program does not run")
        wrapper(context, name, "-shared", "-fPIC", source, "-o", library)
        expect("libmpi_abi.so.1" in process.run(["readelf", "-d", library], SECONDS).output, "not linked with -shared")
        expect("MPI_Init" in wrapper(context, name, "-E", source), f"{name} -E")
        expect("mpi.h" in wrapper(context, name, "-MM", source), f"{name} -MM")


def check_wrapper_without_files(context: Context, _folder: Path) -> None:
    for name, compiler in (("mpicc", "cc"), ("mpicxx", "c++")):
        for option in ("--version", "-dumpversion"):
            expect(wrapper(context, name, option) == process.run([compiler, option], SECONDS).output.rstrip("\n"),
                   f"{name} {option}")
        wrapper(context, name, "-v", "-D", "NAME")
        expect("Usage" in wrapper(context, name, "--help"), f"{name} --help")


def check_wrapper_show(context: Context, folder: Path) -> None:
    source, _ = sources(folder)
    include, lib = context.build / "include", context.build / "lib"
    for option in ("-show", "-showme", "--showme"):
        shown = wrapper(context, "mpicc", option, source, "-o", folder / "program", "-DTEXT=\"a $b\"")
        expect(process.run(["sh", "-c", shown], SECONDS).code == 0 and (folder / "program").exists(), shown)
        (folder / "program").unlink()
    link = f"-L{lib} -Wl,-rpath,{lib} -Wl,--enable-new-dtags -lmpi_abi -ldl"
    for option, text in [(":compile", f"-I{include}"), (":link", link), (":incdirs", include), (":libdirs", lib),
                         (":libs", "mpi_abi"), (":command", "cc")]:
        for dashes in ("-showme", "--showme"):
            expect(wrapper(context, "mpicc", dashes + option) == str(text), option)
    expect(re.fullmatch(r"mpicxx: anympi [\d.]+", wrapper(context, "mpicxx", "--showme:version")), "version")
    for dash in ("-", "_"):
        expect(wrapper(context, "mpicc", f"-compile{dash}info") == f"cc -I{include}", "compile info")
        expect(wrapper(context, "mpicxx", f"-link{dash}info") == f"c++ {link}", "link info")
    expect(wrapper(context, "mpicc", "-show") == f"cc -I{include} {link}", "-show without files")
    expect("-lmpi_abi" not in wrapper(context, "mpicc", "-show", "-c", source), "linked with -c")


def check_wrapper_compiler(context: Context, _folder: Path) -> None:
    chosen = wrapper(context, "mpicc", "-show", environment={"ANYMPI_CC": "gcc -m64"})
    expect(chosen.startswith("gcc -m64 -I"), chosen)
    expect(wrapper(context, "mpicxx", "-show", "-cxx=clang++").startswith("clang++ -I"), "-cxx=")
    expect(wrapper(context, "mpicc", "-cc=gcc", "-show", environment={"ANYMPI_CC": "clang"}).startswith("gcc "), "-cc=")


def check_wrapper_refuses_static(context: Context, folder: Path) -> None:
    source, _ = sources(folder)
    said = wrapper(context, "mpicc", "-static", source, "-o", folder / "program", expected=1)
    expect("-static cannot work" in said and "-static-mpi" in said and not (folder / "program").exists(), said)
    wrapper(context, "mpicc", "-static", "-c", source, "-o", folder / "made.o")


# The installation

INSTALLED = ["bin/anympi", "bin/mpicc", "bin/mpicxx", "include/mpi.h", "lib/libmpi_abi.so", "lib/libmpi_abi.so.1",
             "lib/libmpi_abi.a", "lib/anympi/standard/libmpi_abi.so.1",
             "lib/pkgconfig/mpi_abi.pc", "lib/cmake/anympi/anympiConfig.cmake",
             "share/doc/anympi/LICENSE"]


def install_and_move(context: Context, folder: Path) -> Path:
    first, moved = folder / "first place", folder / "moved here"
    done = process.run(["cmake", "--install", context.build, "--prefix", first], SECONDS)
    expect(done.code == 0, done)
    first.rename(moved)
    missing = [name for name in INSTALLED if not (moved / name).exists()]
    expect(not missing, f"not installed: {missing}")
    return moved


def check_installation(context: Context, folder: Path) -> None:
    """Installed into a path with spaces, moved, and linked to from elsewhere: it still finds itself."""
    moved = install_and_move(context, folder)
    (folder / "mpicc").symlink_to(moved / "bin" / "mpicc")
    source = context.root / "tests" / "command" / "report.c"
    for mode in ([], ["-static-mpi"]):
        program = folder / "a program"
        done = process.run([folder / "mpicc", *mode, source, "-o", program], SECONDS)
        expect(done.code == 0, done)
        for runtime in context.available:
            if runtime.name in NAMES:
                done = anympi(context, *run_words(runtime, runtime.name, 2), program, environment=runtime.environment,
                              bin_folder=moved / "bin")
                expect_report(done, runtime)


def check_nothing_names_the_build(context: Context, folder: Path) -> None:
    moved = install_and_move(context, folder)
    for name in INSTALLED:
        content = (moved / name).read_bytes()
        for place in (str(context.build), str(folder)):
            expect(place.encode() not in content, f"{name} holds {place}")


def check_pkg_config(context: Context, folder: Path) -> None:
    if not shutil.which("pkg-config"):
        raise Unavailable("pkg-config is not installed")
    moved, (source, _) = install_and_move(context, folder), sources(folder)
    environment = {"PKG_CONFIG_PATH": str(moved / "lib" / "pkgconfig"), "LD_LIBRARY_PATH": str(moved / "lib")}
    command = 'eval cc program.c $(pkg-config --cflags --libs mpi_abi) -o program && ./program'
    done = process.run(["sh", "-c", command], SECONDS, environment, source.parent)
    expect(done.code == 0, done)


CONSUMER = """cmake_minimum_required(VERSION 3.20)
project(consumer C CXX)
find_package({package} REQUIRED)
add_executable(c_program program.c)
target_link_libraries(c_program {c_target})
add_executable(cxx_program program.cpp)
target_link_libraries(cxx_program {cxx_target})
"""


def consume(folder: Path, package: str, c_target: str, cxx_target: str, options: list[str]) -> None:
    sources(folder)
    (folder / "CMakeLists.txt").write_text(CONSUMER.format(package=package, c_target=c_target, cxx_target=cxx_target))
    for command in (["cmake", "-S", folder, "-B", folder / "build", *options], ["cmake", "--build", folder / "build"],
                    [folder / "build" / "c_program"], [folder / "build" / "cxx_program"]):
        done = process.run(command, SECONDS)
        expect(done.code == 0, done)
    loaded = process.run(["ldd", folder / "build" / "c_program"], SECONDS)
    expect("libmpi_abi.so.1" in loaded.output, loaded)


def check_cmake_package(context: Context, folder: Path) -> None:
    moved = install_and_move(context, folder)
    consume(folder, "anympi", "anympi::mpi_abi", "anympi::mpi_abi", [f"-DCMAKE_PREFIX_PATH={moved}"])


def check_cmake_find_mpi(context: Context, folder: Path) -> None:
    """CMake's own FindMPI asks the wrappers. (MPI_HOME would not do: it takes the mpicc beside the first mpiexec.)"""
    bin_folder = install_and_move(context, folder) / "bin"
    consume(folder, "MPI", "MPI::MPI_C", "MPI::MPI_CXX",
            [f"-DMPI_C_COMPILER={bin_folder / 'mpicc'}", f"-DMPI_CXX_COMPILER={bin_folder / 'mpicxx'}"])


RUNTIME_CHECKS = {
    "run by file": check_run_by_file,
    "run by name or prefix": check_run_by_name_or_prefix,
    "run by variable": check_variable_without_option,
    "exit code": check_exit_code,
    "arguments": check_arguments,
    "dry run": check_dry_run,
    "interrupt": check_interrupt,
    "standard input": check_standard_input,
    "static mode": check_static_mode,
    "examples": check_examples,
    "interpreter": check_interpreter,
}
# Where the MPI's own compiler is at hand.
NAMED_RUNTIME_CHECKS = {
    "vendor program": check_vendor_program,
}
CHECKS = {
    "words for the launcher": check_words,
    "forwarded variables": check_forwarding,
    "no options of our own": check_no_additions,
    "wrong usage": check_wrong_usage,
    "bad --mpi": check_bad_mpi,
    "launcher of another MPI": check_launcher_of_another,
    "launcher of its own": check_launcher_of_its_own,
    "help and version": check_help,
    "list": check_list,
    "list follows the choice": check_list_follows_choice,
    "list without a choice": check_list_without_choice,
    "full disk": check_full_disk,
    "wrappers: stages": check_wrapper_stages,
    "wrappers: no files": check_wrapper_without_files,
    "wrappers: show": check_wrapper_show,
    "wrappers: compiler": check_wrapper_compiler,
    "wrappers: -static": check_wrapper_refuses_static,
    "installation moved": check_installation,
    "installation names no path": check_nothing_names_the_build,
    "pkg-config": check_pkg_config,
    "CMake package": check_cmake_package,
    "CMake FindMPI": check_cmake_find_mpi,
}
