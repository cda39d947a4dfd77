"""`anympi list`, `run` and `config` on a fake machine: finding, choosing, launchers, misbehaving libraries,
settings."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from lib.anympi import report_program
from lib.checks import expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of
from lib.module_systems import environment_modules
from lib.process import Completed

STANDARD = ["HAS_MAIN", "FUNCTION_NAME=use"]
SECOND = "verify_asan_link_order=0"  # AddressSanitizer may be loaded after libraries of anympi

IS_SERIAL = True


def cases(context: Context):
    return cases_of(context, CHECKS)


def expect_complaint(done: Completed, message: str, code: int = 1) -> None:
    expect(done.code == code and re.search(message, done.output), f"{message}\n{done.describe()}")
    expect(all(line.startswith("anympi: ") for line in done.output.splitlines()), done)


def listed(machine: FakeMachine, expected: int = 0, **variables: str) -> dict[str, dict]:
    """Runs `anympi list`. Returns the libraries, by their paths on the machine."""
    libraries = machine.json("list", expected=expected, **variables)["libraries"]
    return {library["path"].removeprefix(str(machine.root) + "/"): library for library in libraries}


# Finding


def check_layouts(context: Context, folder: Path) -> None:
    """The layouts of distributions and vendors, each with its launcher."""
    machine = FakeMachine(context, folder)
    oneapi = "opt/intel/oneapi/mpi/latest"
    places = {
        "usr/lib/x86_64-linux-gnu/libmpich.so.12": ("mpich-debian", "usr/bin/mpiexec.hydra"),
        "usr/lib64/openmpi/lib/libmpi.so.40": ("openmpi", "usr/lib64/openmpi/bin/mpirun"),
        "usr/lib64/mpi/gcc/mpich/lib64/libmpi.so.12": ("mpich", "usr/lib64/mpi/gcc/mpich/bin/mpiexec"),
        "opt/openmpi5/lib/libmpi.so.40": ("openmpi", "opt/openmpi5/bin/mpirun"),
        f"{oneapi}/lib/release/libmpi.so.12": ("intel", f"{oneapi}/bin/mpiexec.hydra"),
    }
    for library, (shape, launcher) in places.items():
        machine.library(shape, str(Path(library).parent))
        machine.launcher(launcher)
    seen = listed(machine)
    expect(seen.keys() == places.keys(), seen)
    for library, (_, launcher) in places.items():
        expect(seen[library]["launcher"] == str(machine.root / launcher), seen[library])


def check_environments(context: Context, folder: Path) -> None:
    """Modules, EasyBuild, conda, Python's environments, Spack old and new, pip --user."""
    machine = FakeMachine(context, folder)
    for variable, value, prefix in [
            ("MPI_HOME", "apps/one", "apps/one"), ("EBROOTOPENMPI", "apps/one", "apps/one"),
            ("OPENMPI_ROOT", "apps/one", "apps/one"), ("CONDA_PREFIX", "conda/envs/a", "conda/envs/a"),
            ("VIRTUAL_ENV", "venv", "venv"),
            ("SPACK_ROOT", "spack", "spack/opt/spack/linux-x86_64_v3/openmpi-5.0.6-abcdef"),
            ("SPACK_ROOT", "spack", "spack/opt/spack/linux-debian12-skylake/gcc-12.2.0/mpich-4.2.1-abcdef"),
            ("PYTHONUSERBASE", "base", "base"), ("HOME", "home", "home/.local")]:
        shape = "mpich" if "mpich" in prefix else "openmpi"
        library = machine.mpi(shape, prefix)
        seen = listed(machine, **{variable: str(machine.root / value)})
        expect([entry["path"] for entry in seen.values()] == [str(library)], f"{variable}: {seen}")
        expect([entry["launcher"] for entry in seen.values()] == [str(machine.root / prefix / "bin/mpiexec")], seen)
        library.unlink()


def check_path(context: Context, folder: Path) -> None:
    """The installation of the first mpiexec in PATH comes first."""
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    machine.mpi("mpich", "apps/mpich")
    machine.add_to_path("apps/mpich/bin")
    document = machine.json("list")
    expect([library["name"] for library in document["libraries"]] == ["mpich", "openmpi"], document)
    expect([library["chosen"] for library in document["libraries"]] == [True, False], document)
    expect("apps/mpich/bin/mpiexec belongs to it" in document["reason"], document)


def check_configured_search(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    library = machine.mpi("mpich", "apps/my mpich")
    machine.configure(f"search = [\n  '{library.parents[1]}', # mine\n]\n")
    document = machine.json("list")
    expect([entry["name"] for entry in document["libraries"]] == ["mpich", "openmpi"], document)
    expect(document["libraries"][0]["chosen"] and "config.toml names it" in document["reason"], document)
    expect(machine.json("list", ANYMPI_MPI="mpich")["libraries"][0]["chosen"], "not found by its name")


def check_names(context: Context, folder: Path) -> None:
    """Each name that `list` prints chooses only the library of its line. The product and version in the same line choose
    this library, too.
    """
    machine = FakeMachine(context, folder)
    installed = {
        "usr/lib/libmpi.so.40": ("openmpi", "openmpi"), "usr/lib/x86_64-linux-gnu/libmpich.so.12": ("mpich-debian", "mpich-4.0.2"),
        "opt/mpich-5/lib/libmpi.so.12": ("mpich", "mpich-4.2.3"), "usr/local/lib/libmpi_abi.so.1": ("standard", "mpich-5.0.2")}
    for path, (shape, _) in installed.items():
        machine.library(shape, str(Path(path).parent))
    seen = listed(machine)
    expect({path: library["name"] for path, library in seen.items()} == {path: name for path, (_, name) in installed.items()}, seen)
    header, *rows = machine.start("list").stdout.splitlines()
    expect(header.split()[:2] == ["NAME", "MPI"], header)
    expect([name for _, name in installed.values() for row in rows if name in row.split()] == [name for _, name in installed.values()], rows)
    for path, library in seen.items():
        for typed in (library["name"], library["name"].upper(), f"{library['product']} {library['version']}"):
            expect_choice(machine, typed, path)
    expect_choice(machine, "Open MPI", "usr/lib/libmpi.so.40")


def expect_choice(machine: FakeMachine, name: str, path: str) -> None:
    chosen = [library["path"] for library in machine.json("list", ANYMPI_MPI=name)["libraries"] if library["chosen"]]
    expect(chosen == [str(machine.root / path)], f"{name}: {chosen}")


def check_same_names(context: Context, folder: Path) -> None:
    """If one installation has libraries of two ABIs, their names get a suffix. Other libraries that would have the same
    name are named by their paths.
    """
    machine = FakeMachine(context, folder)
    machine.library("standard", "usr/lib")
    machine.library("mpich", "usr/lib", 'FAKE_VERSION="5.0.2"', 'FAKE_TEXT="MPICH Version: 5.0.2"')
    names = {"usr/lib/libmpi_abi.so.1": "mpich:standard", "usr/lib/libmpi.so.12": "mpich:vendor"}
    seen = listed(machine)
    expect({path: library["name"] for path, library in seen.items()} == names, seen)
    machine.library("openmpi", "opt/openmpi/lib")
    machine.library("openmpi", "opt/openmpi-again/lib")
    machine.library("openmpi", "usr/lib64")
    machine.library("draft", "usr/local/lib")
    unsearched = machine.library("openmpi", "home/mine/lib")
    names |= {"opt/openmpi/lib/libmpi.so.40": str(machine.root / "opt/openmpi"),
              "opt/openmpi-again/lib/libmpi.so.40": str(machine.root / "opt/openmpi-again"),
              "usr/lib64/libmpi.so.40": str(machine.root / "usr/lib64/libmpi.so.40"),
              "usr/local/lib/libmpi_abi.so.1": None, "home/mine/lib/libmpi.so.40": str(machine.root / "home/mine")}
    seen = listed(machine, ANYMPI_MPI=str(unsearched))
    expect({path: library["name"] for path, library in seen.items()} == names, seen)
    for path, name in names.items():
        if name:
            expect_choice(machine, name, path)


def check_misspelled_names(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    machine.mpi("mpich", "usr")
    for words, variables in ((["run", "--mpi", "mpcih", "true"], {}), (["run", "true"], {"ANYMPI_MPI": "mpcih"})):
        expect_complaint(machine.run(*words, **variables), "did you mean `mpich`", code=1 if variables else 2)
    machine.configure("mpi = 'mpcih'")
    done = machine.run("config")
    expect(re.search(r"config\.toml:1 is ignored: .*did you mean `mpich`", done.output), done)


def check_explained(context: Context, folder: Path) -> None:
    """`run --explain` prints in the user's words why an MPI is chosen."""
    machine = FakeMachine(context, folder)
    library = machine.mpi("mpich", "opt/mpich")

    def expect_reason(reason: str, *words, **variables: str) -> None:
        done = machine.run("run", "--explain", *words, "ls", **variables)
        line = f"anympi: the job runs on MPICH 4.2.3 (libmpi.so.12) at {library}, because {reason}"
        expect(done.code == 0 and [line] == [said for said in done.output.splitlines() if said.startswith("anympi: ")], f"{line}\n{done.describe()}")

    expect_reason("it is the only MPI installed")
    machine.mpi("openmpi", "opt/openmpi")
    expect_reason(f"MPI_HOME names it", MPI_HOME=str(machine.root / "opt/mpich"))
    expect_reason("of --mpi MPICH", "--mpi", "MPICH")
    expect_reason("of ANYMPI_MPI=mpich-4", ANYMPI_MPI="mpich-4")
    machine.configure("mpi = 'mpich'")
    expect_reason('of mpi = "mpich" in ~/.config/anympi/config.toml')
    expect_reason(f'of mpi = "mpich" in {machine.root}/home/.config/anympi/config.toml',
                  HOME="/home", XDG_CONFIG_HOME=str(machine.root / "home/.config"))
    expect("because" not in machine.run("run", "ls").output, "said without --explain")


def check_nothing(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    done = machine.run("list")
    expect_complaint(done, "no MPI library was found")
    expect("looked in: " not in done.output and "looked in: " in machine.run("list", ANYMPI_VERBOSE="1").output, done)
    expect(listed(machine, expected=1) == {}, "not empty")


# Probing


def check_facts(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    for shape, family, version, level in [
            ("openmpi", "openmpi", "5.0.7", "multiple"), ("mpich", "mpich", "4.2.3", "multiple"),
            ("mpich-serial", "mpich", "4.1", "funneled"), ("intel", "mpich", "2021.19.0", "multiple"),
            ("intel-2018", "mpich", "2018.3", "multiple"), ("standard", "mpich", "5.0.2", "multiple")]:
        library = machine.mpi(shape, f"apps/{shape}")
        seen, = listed(machine, MPI_HOME=str(library.parents[1])).values()
        facts = (seen["family"], seen["version"], seen["thread_level"], seen["problem"])
        expect(facts == (family, version, level, None), seen)
        expect(seen["abi"] == ("standard" if shape == "standard" else family) and not seen["draft"], seen)
    seen, = listed(machine, 1, MPI_HOME=str(machine.mpi("draft", "apps/draft").parents[1])).values()  # there is nothing
                                                                                                      # to choose
    expect(seen["draft"] and seen["abi"] == "standard", seen)


MISDEEDS = {
    "crashes when opened": ("FAKE_LOADING=abort()", r"crashes \(Aborted\)"),
    "crashes when asked": ("FAKE_ANSWERING=raise(SIGSEGV)", r"crashes \(Segmentation fault\)"),
    "ends the process": ("FAKE_LOADING=_exit(3)", "ends its process with code 3"),
    "ends the process as if all were well": ("FAKE_LOADING=_exit(0)", "ends its process with code 0"),
    "fails": ("FAKE_ANSWERING=return 5", "PMPI_Get_library_version fails"),
    "calls what is nowhere": ("FAKE_LOADING=no_such_function()", "ends its process with code 127"),
    "needs what is nowhere": ("FAKE_LOADING=extern int no_such_thing; no_such_thing++",
                              "cannot be opened: .*undefined symbol: no_such_thing"),
    "closes everything and ends": ("FAKE_LOADING=for (int i = 0; i < 99; i++) close(i); exit(0)", "ends its process"),
}


def check_misdeeds(context: Context, folder: Path) -> None:
    """A broken library is listed with the reason why it cannot be used. The other libraries are listed as usual."""
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    for misdeed, (macro, message) in MISDEEDS.items():
        library = machine.mpi("mpich", "apps/broken", "mpiexec", macro)
        done = machine.start("list", MPI_HOME=str(library.parents[1]))
        expect(done.returncode == 0, f"{misdeed}: {done}")
        expect(re.search(f"{re.escape(str(library))} {message}", done.stdout), f"{misdeed}: {done.stdout}")
        expect("5.0.7" in done.stdout and done.stderr == "", f"{misdeed}: {done}")
        library.unlink()


def check_hanging(context: Context, folder: Path) -> None:
    """Several libraries that hang cost only one time limit in total. This also holds if a library closes the pipe to the
    command, or if another process keeps this pipe open.
    """
    machine = FakeMachine(context, folder)
    names = ["MPI_HOME", "MPI_ROOT", "MPICH_DIR"]
    macros = ["FAKE_LOADING=pause()", "FAKE_ANSWERING=for (int i = 0; i < 99; i++) close(i); pause()",
              "FAKE_LOADING=if (!fork()) for (;;) pause(); pause()"]
    variables = {}
    for number, (name, macro) in enumerate(zip(names, macros)):
        variables[name] = str(machine.mpi("mpich", f"apps/{number}", "mpiexec", macro).parents[1])
    begin = time.monotonic()
    seen = listed(machine, **variables)
    expect([entry["problem"] for entry in seen.values()] == ["does not answer within 5 seconds"] * 3, seen)
    expect(time.monotonic() - begin < 15, "one after the other")


def check_noise(context: Context, folder: Path) -> None:
    """Text that a library prints does not appear in the table. Control characters in text that a library returns do not
    reach the terminal.
    """
    machine = FakeMachine(context, folder)
    machine.mpi("mpich", "usr", "mpiexec", 'FAKE_LOADING=puts("noise")', 'FAKE_ANSWERING=fputs("noise",stderr)')
    done = machine.start("list")
    expect("noise" not in done.stdout and done.stderr == "" and "4.2.3" in done.stdout, done)
    machine.mpi("mpich", "usr", "mpiexec", 'FAKE_TEXT="MPICH Version: 4.2\\033[31m"')
    expect("\033" not in machine.start("list").stdout, "an escape came through")


# Running


def fronts(context: Context, *names: str) -> str:
    """Returns folders of fronts, in the form of LD_LIBRARY_PATH."""
    return ":".join(str(context.build / "lib" / "anympi" / name) for name in names)


def checker(context: Context) -> str:
    """Returns the library that is preloaded into all programs."""
    return str(context.build / "lib" / "anympi" / "check_library.so")


def keeper(context: Context) -> str:
    """Returns the library that is preloaded if a script may change the library path."""
    return f"{checker(context)}:{context.build / 'lib' / 'anympi' / 'keep_path.so'}"


def starter(context: Context) -> str:
    """Returns the program that the launcher starts instead of the user's program."""
    return f"{context.build / 'lib' / 'anympi' / 'start_program'}"


def check_launchers(context: Context, folder: Path) -> None:
    """Each MPI is started by its own launcher. The library path of the program begins with the fronts for programs of
    other ABIs, followed by the folder of the MPI's own library. The library path of the launcher does not change.
    """
    machine = FakeMachine(context, folder)
    for shape, others, launcher, words in [
            ("mpich", ("openmpi", "aliases/libmpi.so.12"), "mpiexec", "-genv LD_LIBRARY_PATH "),
            ("openmpi", ("mpich", "aliases/libmpi.so.40"), "mpirun", "-x LD_LIBRARY_PATH=")]:
        library = machine.mpi(shape, f"apps/{shape}", launcher)
        path = f"{fronts(context, 'standard', *others)}:{library.parent}"
        done = machine.run("run", "--mpi", library.parents[1], "-n", "2", "--map", "sh", "-c",
                           "echo program_library_path=$LD_LIBRARY_PATH mpi=$ANYMPI_MPI", LD_LIBRARY_PATH="/some/where")
        expect(done.code == 0 and f"launcher={library.parents[1]}/bin/{launcher}\n" in done.output, done)
        expect("launcher_library_path=/some/where\n" in done.output, done)
        expect(f"program_library_path={path}:/some/where mpi={library}\n" in done.output, done)
        expect(re.search(rf"^words=-n 2 .*{words}.* --map sh -c", done.output, re.MULTILINE), done)
    shown = machine.run("run", "--mpi", library, "--dry-run", "-n", "1", "ls", ":", "-n", "2", "ls").output
    expect(shown.count(f"-x 'LD_LIBRARY_PATH={path}'") == 2, shown)
    users = rf"-x 'ANYMPI_USERS_PATH={machine.environment['PATH']}'"
    kept = f"-x 'ANYMPI_LIBRARY_PATH={path}' {users} -x 'MPI4PY_LIBMPI={library}' -x LD_PRELOAD={keeper(context)} -x ASAN_OPTIONS={SECOND}"
    names = "ANYMPI_MPI:ANYMPI_JOB_LIBRARY:LD_LIBRARY_PATH:ANYMPI_LIBRARY_PATH:ANYMPI_USERS_PATH:MPI4PY_LIBMPI:LD_PRELOAD:ASAN_OPTIONS:ANYMPI_STARTER"
    spawning = f"-x ANYMPI_STARTER={starter(context)} -x ANYMPI_HANDED_ON={names}:ANYMPI_HANDED_ON"
    expect(f": -x ANYMPI_MPI -x ANYMPI_JOB_LIBRARY -x 'LD_LIBRARY_PATH={path}' {kept} {spawning} -n 2 {starter(context)} ls" in shown, shown)
    expect(sorted(os.listdir(fronts(context, "standard"))) == ["libmpi_abi.so.1", "libmpifort_abi.so.1"], "more than the front on the library path")


def check_name_for_openers(context: Context, folder: Path) -> None:
    """Some programs open the MPI library that an environment variable names (MPI4PY_LIBMPI). `anympi run` sets this
    variable to the chosen library, or to the front for the ABI of its family. A value of the user is kept.
    """
    machine = FakeMachine(context, folder)
    debian, standard = machine.mpi("mpich-debian", "usr"), machine.mpi("standard", "apps/mpich-5")
    front = fronts(context, "mpich") + "/libmpi.so.12"
    for library, expected in ((debian, debian), (standard, front)):
        done = machine.run("run", "--mpi", library, "sh", "-c", "echo open=$MPI4PY_LIBMPI")
        expect(f"open={expected}\n" in done.output, done)
    done = machine.run("run", "--mpi", debian, "sh", "-c", "echo open=$MPI4PY_LIBMPI", MPI4PY_LIBMPI="/own/libmpi.so")
    expect("open=/own/libmpi.so\n" in done.output, done)


def check_users_variables(context: Context, folder: Path) -> None:
    """Launcher options that set LD_LIBRARY_PATH or LD_PRELOAD are extended. Two different values are refused."""
    machine = FakeMachine(context, folder)
    mpich, openmpi = machine.mpi("mpich", "usr"), machine.mpi("openmpi", "apps/openmpi", "mpirun")
    script = "echo path=$LD_LIBRARY_PATH preload=$LD_PRELOAD"
    for words in (["-genv", "LD_LIBRARY_PATH", "/a b"], ["-env", "LD_LIBRARY_PATH", "/a b"]):
        done = machine.run("run", "--mpi", mpich, *words, "sh", "-c", script)
        expect(f"path={fronts(context, 'standard', 'openmpi', 'aliases/libmpi.so.12')}:/a b preload={keeper(context)}\n" in done.output, done)
    done = machine.run("run", "--mpi", openmpi, "-x", "LD_LIBRARY_PATH", "-x", "LD_PRELOAD=libm.so.6", "sh", "-c", script,
                       LD_LIBRARY_PATH="/c")
    expect(f"{openmpi.parent}:/c preload=libm.so.6:{keeper(context)}\n" in done.output, done)
    # The variable is passed on even if anympi adds nothing to it. Otherwise it would not reach other machines.
    own = machine.program("own", STANDARD, [openmpi], f"-Wl,-rpath,{openmpi.parent}")
    shown = machine.run("run", "--mpi", openmpi, "--dry-run", "-x", "LD_LIBRARY_PATH", own, LD_LIBRARY_PATH="/c")
    expect(" -x LD_LIBRARY_PATH=/c " in shown.output, shown)
    shown = machine.run("run", "--dry-run", "--mpi", mpich, "-n", "1", "-env", "LD_LIBRARY_PATH", "/a", "ls", ":", "-n", "1",
                        "-env", "LD_LIBRARY_PATH", "/a", "ls", "-env", "LD_LIBRARY_PATH", "mine")
    expect(":/a -genv ANYMPI_LIBRARY_PATH" in shown.output, shown)
    expect(shown.output.endswith(f"{keeper(context)} -genv ASAN_OPTIONS {SECOND} {starter(context)} ls : -n 1 {starter(context)} ls -env LD_LIBRARY_PATH mine\n"), shown)
    expect_complaint(machine.run("run", "--mpi", mpich, "-env", "LD_LIBRARY_PATH", "/a", "ls", ":", "-env", "LD_LIBRARY_PATH",
                                 "/b", "ls"), "LD_LIBRARY_PATH is given as /a and as /b")
    # The user's options of AddressSanitizer are kept after anympi's option. If programs of one job have different options,
    # the options do not change.
    script = "echo options=$ASAN_OPTIONS"
    for words, variables, options in ((["-env", "ASAN_OPTIONS", "a=1"], {}, f"{SECOND}:a=1"), ([], {"ASAN_OPTIONS": "b=2"}, f"{SECOND}:b=2")):
        done = machine.run("run", "--mpi", mpich, *words, "sh", "-c", script, **variables)
        expect(f"options={options}\n" in done.output, done)
    shown = machine.run("run", "--dry-run", "--mpi", mpich, "-env", "ASAN_OPTIONS", "a=1", "ls", ":", "-env", "ASAN_OPTIONS", "b=2", "ls").output
    expect(SECOND not in shown and "-env ASAN_OPTIONS a=1" in shown and "-env ASAN_OPTIONS b=2" in shown, shown)


def check_path_changed_by_scripts(context: Context, folder: Path) -> None:
    """If a script puts folders before the fronts in the library path, anympi moves them after the fronts. If the script
    changes the path again, its order is kept, so that the script does not loop.
    """
    machine = FakeMachine(context, folder)
    library = machine.mpi("mpich", "usr")
    path, show = fronts(context, "standard", "openmpi", "aliases/libmpi.so.12"), "exec sh -c 'echo path=$LD_LIBRARY_PATH words=$0,$1' 'a b' c"
    for change, rest in [("LD_LIBRARY_PATH=/first:$LD_LIBRARY_PATH", f":/first:{path}:/some/where"),
                         ("LD_LIBRARY_PATH=/first", ":/first"), ("LD_LIBRARY_PATH=", ""),
                         (f"LD_LIBRARY_PATH={path}more", f":{path}more"), (f"LD_LIBRARY_PATH={path}", "")]:
        done = machine.run("run", "--mpi", library, "sh", "-c", f"export {change}; {show}", LD_LIBRARY_PATH="/some/where")
        expect(f"\npath={path}{rest} words=a b,c\n" in done.output, done)
    for shell in ("sh", "bash"):
        insisting = machine.write("insisting", f"#!/bin/{shell}\ncase $LD_LIBRARY_PATH in /mine*) echo path=$LD_LIBRARY_PATH; exit;; esac\n"
                                  f'LD_LIBRARY_PATH=/mine exec /bin/{shell} "$0"\n', 0o755)
        done = machine.run("run", "--mpi", library, insisting)
        expect(done.code == 0 and "\npath=/mine\n" in done.output and "has changed it again\n" in done.output, done)
    linker = "/lib64/ld-linux-x86-64.so.2"
    if Path(linker).exists():
        done = machine.run("run", "--mpi", library, "sh", "-c", f"LD_LIBRARY_PATH=/first exec {linker} /bin/echo as it is")
        expect(done.code == 0 and "\nas it is\n" in done.output, done)


def check_libraries_of_the_mpi(context: Context, folder: Path) -> None:
    """The dynamic linker searches the library path before a RUNPATH. If a script changes the library path, the chosen
    MPI still finds its libraries by its RUNPATH. This does not apply if the user's own library path is searched first
    already.
    """
    machine = FakeMachine(context, folder)
    fabric = machine.compile("fake-fabric.so", "fake_program.c", ["-shared", "-fPIC", "-w", "-Wl,-soname,libfabric.so.1"])
    machine.copy(fabric, "apps/mpich/lib/own/libfabric.so.1")
    users = machine.copy(fabric, "users/libfabric.so.1").parent
    library = machine.library("mpich", "apps/mpich/lib", linked=(
        "-Wl,--no-as-needed,--enable-new-dtags,-rpath,$ORIGIN/none:$ORIGIN/own", str(fabric)))
    machine.launcher("apps/mpich/bin/mpiexec")
    path = f"{fronts(context, 'standard', 'openmpi', 'aliases/libmpi.so.12')}:{library.parent}"
    script = "LD_LIBRARY_PATH=/first:$LD_LIBRARY_PATH exec sh -c 'echo path=$LD_LIBRARY_PATH'"
    done = machine.run("run", "--mpi", library, "sh", "-c", script)
    expect(f"\npath={path}:{library.parent}/own:/first:" in done.output, done)
    done = machine.run("run", "--mpi", library, "sh", "-c", script, LD_LIBRARY_PATH=str(users))
    expect(f"\npath={path}:/first:{path}:{users}\n" in done.output, done)


def check_unknown_options(context: Context, folder: Path) -> None:
    """The value of an option that only the launcher knows may look like a program. anympi still finds the real program
    after this value.
    """
    machine = FakeMachine(context, folder)
    library, openmpi = machine.mpi("mpich", "usr"), machine.library("openmpi", "apps/openmpi/lib")
    bound = machine.program("bound", STANDARD, [openmpi], f"-Wl,--disable-new-dtags,-rpath,{openmpi.parent}")
    shown = machine.run("run", "--mpi", library, "--dry-run", "--some-option", "cat", bound).output
    expect(f"{fronts(context, 'openmpi')}/libmpi.so.40" in shown and shown.endswith(f" --some-option cat '{bound}'\n"), shown)
    # Some programs are left to the launcher: programs that only the launcher can find or name, and programs to which it
    # adds arguments.
    java = machine.write("java", "#!/bin/sh\n", 0o755)
    shown = machine.run("run", "--mpi", library, "--dry-run", java).output
    expect(starter(context) not in shown, shown)
    for words in (["-path", "/bin", "cat"], ["--bcast", "cat"], ["--multi-prog", "/bin/cat"], ["--some-option", "cat"], ["--some-option", "value", "more", "/bin/cat"]):
        shown = machine.run("run", "--mpi", library, "--dry-run", *words).output
        expect(starter(context) not in shown and shown.endswith(f" {' '.join(words)}\n"), shown)
    for words in (["--some-option", "/bin/cat"], ["--some-option=value", "cat"], ["-ppn", "1", "cat"], ["-verbose", "cat"],
                  ["--launch-agent", "/bin/ls", "cat"]):
        shown = machine.run("run", "--mpi", library, "--dry-run", *words).output
        expect(shown.endswith(f" {' '.join([*words[:-1], starter(context), words[-1]])}\n"), shown)


def check_several_programs(context: Context, folder: Path) -> None:
    """anympi refuses a job whose programs need different preloaded files. One launcher cannot start such a job."""
    machine = FakeMachine(context, folder)
    standard, openmpi = machine.library("standard", "apps/standard/lib"), machine.library("openmpi", "apps/openmpi/lib")
    mpich = machine.mpi("mpich", "usr")
    bound = [machine.program(library.parents[1].name, STANDARD, [library], f"-Wl,--disable-new-dtags,-rpath,{library.parent}")
             for library in (standard, openmpi)]
    expect_complaint(machine.run("run", "--mpi", mpich, bound[0], ":", bound[1]), "need different libraries preloaded")
    expect(machine.run("run", "--mpi", mpich, "--dry-run", bound[0], ":", bound[0]).code == 0, "twice the same")


def check_own_mpiexec(context: Context, folder: Path) -> None:
    """anympi's mpiexec is a name of the command and does the same as `anympi run`. It is never taken for the launcher of
    an MPI, even if it is in the MPI's folder.
    """
    machine = FakeMachine(context, folder)
    library = machine.library("mpich", "usr/lib")
    ours = machine.root / "usr" / "bin" / "mpiexec"
    ours.parent.mkdir()
    ours.symlink_to(machine.command)
    machine.add_to_path("usr/bin")
    expect_complaint(machine.run("run", "--mpi", library, "--dry-run", "ls"), f"no launcher .*\n.*\n.*\n.*left out: {ours}")
    machine.launcher("usr/bin/mpiexec.hydra")
    done = Completed([str(ours)], *subprocess_of(ours, machine, "-n", "2", "sh", "-c", "echo program"), False)
    expect(done.code == 0 and f"launcher={machine.root}/usr/bin/mpiexec.hydra\n" in done.output, done)
    expect(done.output.endswith("\nprogram\n"), done)


def subprocess_of(command: Path, machine: FakeMachine, *words: str) -> tuple[int, str]:
    done = subprocess.run([command, *words], env=machine.environment, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def check_loaded_module(context: Context, folder: Path) -> None:
    """An MPI that environment-modules loads is found and comes first. After it is unloaded, it is no longer found."""
    tool = environment_modules(context)
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    prefix = machine.mpi("mpich", "apps/mpich").parents[1]
    machine.write("modulefiles/mpich", f"#%Module1.0\nprepend-path PATH {{{prefix}/bin}}\n")
    script = (f'module() {{ eval "$({tool} bash "$@")"; }}; module use "$FAKE_ROOT/modulefiles"; module load mpich; '
              f'"{machine.command}" list --json; module unload mpich; "{machine.command}" list --json')
    (machine.root / "tools" / "tclsh").symlink_to(shutil.which("tclsh"))
    done = subprocess.run([shutil.which("bash"), "--norc", "-c", script], env=machine.environment, capture_output=True,
                          text=True, timeout=60, check=False)
    loaded, unloaded = (json.loads("{" + text) for text in ("\n" + done.stdout).split("\n{")[1:])
    expect([one["name"] for one in loaded["libraries"] if one["chosen"]] == ["mpich"], loaded)
    expect([one["name"] for one in unloaded["libraries"]] == ["openmpi"], unloaded)


def check_draft_on_the_path(context: Context, folder: Path) -> None:
    """Intel's folder on the library path has a libmpi_abi.so.1 with a draft's values, so anympi's folder must come first."""
    machine = FakeMachine(context, folder)
    intel = machine.mpi("intel", "apps/intel", "mpiexec.hydra")
    draft = machine.library("draft", "apps/intel/lib")
    program = machine.program("program", ["HAS_MAIN", "USES_NOTHING"], [draft], "-Wl,--no-as-needed")
    done = machine.run("run", "--mpi", intel, "ldd", program, LD_LIBRARY_PATH=str(intel.parent))
    front = context.build / "lib" / "anympi" / "standard" / "libmpi_abi.so.1"
    expect(f"libmpi_abi.so.1 => {front}" in done.output, done)


def check_vendor_programs(context: Context, folder: Path) -> None:
    """On an MPI of its own ABI, a program runs natively and on exactly the chosen library. On other MPIs it runs with a
    front.
    """
    machine = FakeMachine(context, folder)
    first, second = machine.mpi("openmpi", "apps/one", "mpirun"), machine.mpi("openmpi", "apps/two", "mpirun")
    mpich, debian = machine.mpi("mpich", "apps/mpich"), machine.mpi("mpich-debian", "usr", "mpiexec.hydra")
    program = machine.program("program", STANDARD, [first], f"-Wl,--enable-new-dtags,-rpath,{first.parent}")
    for library, path in [(first, ""), (second, str(second.parent))]:
        done = machine.run("run", "--mpi", library, "--dry-run", program)
        expect(done.code == 0 and ("LD_LIBRARY_PATH" in done.output) == bool(path) and path in done.output, done)
        expect("/anympi/" not in done.output.replace(checker(context), "").replace(starter(context), ""), done)
    done = machine.run("run", "--mpi", mpich, "--dry-run", program)
    expect(done.code == 0 and f"{fronts(context, 'standard', 'openmpi', 'aliases/libmpi.so.12')}:{mpich.parent}" in done.output, done)
    expect(f"LD_PRELOAD {checker(context)} " in done.output, done)
    other_name = machine.program("other", STANDARD, [mpich])
    done = machine.run("run", "--mpi", first, "--dry-run", other_name)
    expect(done.code == 0 and f"{fronts(context, 'standard', 'mpich', 'aliases/libmpi.so.40')}:{first.parent}" in done.output, done)
    done = machine.run("run", "--mpi", debian, "--dry-run", machine.program("debian", STANDARD, [debian]))
    expect(done.code == 0 and "LD_LIBRARY_PATH" not in done.output and f"LD_PRELOAD {checker(context)} " in done.output, done)


def check_preloads(context: Context, folder: Path) -> None:
    """The right library is preloaded if an RPATH would be searched first, or if the program needs the library by another
    name. A file with a space in its path cannot be preloaded.
    """
    plain = FakeMachine(context, Path(tempfile.mkdtemp(prefix="anympi-test-")))
    try:
        for machine, has_space in ((plain, False), (FakeMachine(context, folder), True)):
            first, second = machine.mpi("openmpi", "apps/one", "mpirun"), machine.mpi("openmpi", "apps/two", "mpirun")
            mpich, debian = machine.mpi("mpich", "apps/mpich"), machine.mpi("mpich-debian", "usr", "mpiexec.hydra")
            bound = machine.program("bound", STANDARD, [first], f"-Wl,--disable-new-dtags,-rpath,{first.parent}")
            done = machine.run("run", "--mpi", first, "--dry-run", bound)
            expect("LD_LIBRARY_PATH" not in done.output and f"LD_PRELOAD={checker(context)} " in done.output, "its own needs nothing")
            done = machine.run("run", "--mpi", mpich, "--dry-run", bound)
            expect(f"-genv LD_PRELOAD {fronts(context, 'openmpi')}/libmpi.so.40:{checker(context)} " in done.output, done)
            other_name = machine.program("other", STANDARD, [mpich])
            placeholder = f"{fronts(context, 'placeholders')}/libmpi.so.12"
            for library, preloaded, started in [(second, str(second), bound), (debian, f"{debian}:{placeholder}", other_name)]:
                done = machine.run("run", "--mpi", library, "--dry-run", started)
                if has_space:
                    expect_complaint(done, "cannot be preloaded")
                else:
                    expect(done.code == 0 and re.search(rf"LD_PRELOAD[ =]{re.escape(preloaded)}:{re.escape(checker(context))} ", done.output), done)
    finally:
        shutil.rmtree(plain.root, ignore_errors=True)


def check_names_of_cray(context: Context, folder: Path) -> None:
    """Cray's programs need libraries by names for which anympi has no library. For a known name, a placeholder is
    preloaded. A program that needs another such name is refused.
    """
    machine = FakeMachine(context, folder)
    openmpi = machine.mpi("openmpi", "usr", "mpirun")
    for name, code in [("libmpi_gnu_123.so.12", 0), ("libmpi_future.so.12", 1)]:
        library = machine.compile(name, "fake_mpi.c", ["-shared", "-fPIC", "-w", "-DFAKE_MPICH", f"-Wl,-soname,{name}"])
        done = machine.run("run", "--mpi", openmpi, "--dry-run", machine.program("program", STANDARD, [library]))
        expect(done.code == code, done)
        if code == 0:
            files = f"{fronts(context, 'mpich')}/libmpi.so.12:{fronts(context, 'placeholders')}/{name}"
            expect(f"-x LD_PRELOAD={files}:{checker(context)} " in done.output, done)
        else:
            expect("anympi adopt" in done.output, done)


def check_drafts_are_refused(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    mpich = machine.mpi("mpich", "usr")
    old = machine.compile("libmpi_abi_zero.so", "fake_mpi.c",
                          ["-shared", "-fPIC", "-w", "-DFAKE_STANDARD", "-Wl,-soname,libmpi_abi.so.0"])
    program = machine.program("old", STANDARD, [old])
    expect_complaint(machine.run("run", "--mpi", mpich, program), r"a draft of the standard ABI \(libmpi_abi.so.0\)")
    draft = machine.library("draft", "apps/draft/lib")
    for tags, needs_preload in [("--disable-new-dtags", True), ("--enable-new-dtags", False)]:  # RPATH, RUNPATH
        program = machine.program("bound", STANDARD, [draft], f"-Wl,{tags},-rpath,{draft.parent}")
        done = machine.run("run", "--mpi", mpich, "--dry-run", program)
        front = f"LD_PRELOAD {fronts(context, 'standard')}/libmpi_abi.so.1:{checker(context)} "
        expect(done.code == 0 and (front in done.output) == needs_preload, done)


def check_slurm(context: Context, folder: Path) -> None:
    """Inside an allocation, srun starts the processes. anympi chooses srun's --mpi value for which the library was built."""
    machine = FakeMachine(context, folder)
    machine.launcher("slurm/srun")
    machine.add_to_path("slurm")
    mpich, openmpi = machine.mpi("mpich", "apps/mpich"), machine.mpi("openmpi", "apps/openmpi")
    final = machine.library("standard", "apps/final/lib")
    for library, offered in [(mpich, "pmi2"), (openmpi, "pmix")]:
        words = ["run", "--mpi", library, "-n", "3", "sh", "-c", "echo $LD_LIBRARY_PATH"]
        done = machine.run(*words, SLURM_JOB_ID="7")
        expect(f"launcher={machine.root}/slurm/srun\n" in done.output, done)
        expect(f"words=-n 3 --export=ALL,LD_PRELOAD={keeper(context)} --mpi={offered} {starter(context)} sh" in done.output, done)
        expect(f"\n{fronts(context, 'standard')}:" in done.output, done)
        shown = machine.run("run", "--dry-run", *words[1:], SLURM_JOB_ID="7").output
        expect(shown.startswith("ANYMPI_MPI=") and " LD_LIBRARY_PATH=" in shown, shown)
        done = machine.run(*words, SLURM_JOB_ID="7", SLURM_MPI_TYPE="cray")
        expect("/srun\n" in done.output and "--mpi=" not in done.output, done)
        for said in (["-N", "1", "--mpi=pmi1"], ["--mpi", "pmi1"]):  # --mpi with a value of srun, not with an MPI
            done = machine.run(*words[:5], *said, *words[5:], SLURM_JOB_ID="7")
            expect(done.output.count("--mpi") == 1 and "pmi1" in done.output, done)
        machine.mpi("mpich", "usr")  # without any MPI, the message would say how to install one
        expect_complaint(machine.run("run", "-N", "1", "--mpi=pmi7", "ls", SLURM_JOB_ID="7"), "pmi7", 2)
        for default in ("pmix_v4", "pmi2", "none"):  # the site's choice stays if it works
            machine.write("slurm/scontrol", f"#!/bin/sh\necho 'x = y'; echo 'MpiDefault              = {default}'\n", 0o755)
            done = machine.run(*words, SLURM_JOB_ID="7")
            expect((f"--mpi={offered} " in done.output) != default.startswith(offered), f"{default}: {done.describe()}")
        (machine.root / "slurm" / "scontrol").unlink()
        expect("sh" in machine.run(*words[:5], "--export=ALL,A=b", *words[5:], SLURM_JOB_ID="7").output, "--export=ALL")
        bound = machine.program("bound", STANDARD, [final], f"-Wl,--disable-new-dtags,-rpath,{final.parent}")
        front = f"LD_PRELOAD={fronts(context, 'standard')}/libmpi_abi.so.1:{checker(context)}"
        for export, words_of_srun in ([], f" --export=ALL,{front} "), (["-N", "1", "--export=ALL"], f" {front} "):
            shown = machine.run("run", "--mpi", library, "--dry-run", *export, bound, SLURM_JOB_ID="7").output
            expect(words_of_srun in shown and shown.count(front) == 1, shown)
        for export in ("--export=NONE", "--export=A", "--export=ALL,LD_LIBRARY_PATH=/x"):
            expect_complaint(machine.run(*words[:5], export, *words[5:], SLURM_JOB_ID="7"), f"{export} would keep from")
        inside = machine.run(*words, SLURM_JOB_ID="7", SLURM_STEP_ID="0", SLURM_STEP_NUM_TASKS="1", SLURM_PROCID="0")
        for done in (machine.run(*words), inside):
            expect(f"launcher={library.parents[1]}/bin/mpiexec\n" in done.output, done)
        machine.configure("[run]\nslurm = false\n")
        expect("/srun" not in machine.run(*words, SLURM_JOB_ID="7").output, "srun in spite of the configuration")
        machine.configure("")


def check_library_that_cannot_be_opened(context: Context, folder: Path) -> None:
    """The program reports the file and what it lacks; the exit code is the program's own."""
    machine = FakeMachine(context, folder)
    library = machine.mpi("mpich", "usr", "mpiexec", "FAKE_LOADING=extern int no_such_thing; no_such_thing++")
    done = machine.run("run", "--mpi", library, report_program(context))
    said = rf"^anympi: .*{re.escape(str(library))}.*no_such_thing"
    expect(done.code == 1 and re.search(said, done.output, re.MULTILINE), done)


def check_configured_run(context: Context, folder: Path) -> None:
    """The configuration can set options of the launcher and its path, and can allow root and oversubscription. Without
    such settings, none of this applies.
    """
    machine = FakeMachine(context, folder)
    mpich, openmpi = machine.mpi("mpich", "apps/mpich"), machine.mpi("openmpi", "apps/openmpi")
    other = machine.launcher("other place/mpirun")
    plain = machine.run("run", "--mpi", openmpi, "cat", "/dev/null")
    expect("root" not in plain.output and "oversubscribe" not in plain.output, plain)
    machine.configure("[run]\nallow_root = true\noversubscribe = true\n[options]\nopenmpi = ['--mca', 'btl', 'self']\n"
                      f"[launcher]\nopenmpi = '{other}'\n", "etc")
    done = machine.run("run", "--mpi", openmpi, "-n", "2", "--bind", "cat", "/dev/null")
    expect(f"launcher={other}\n" in done.output, done)
    expect("--allow-run-as-root --oversubscribe --mca btl self --bind cat /dev/null\n" in done.output, done)
    done = machine.run("run", "--mpi", mpich, "-n", "2", "cat", "/dev/null")
    expect("root" not in done.output and "--mca" not in done.output and "apps/mpich/bin" in done.output, done)
    seen = listed(machine, MPI_HOME=str(openmpi.parents[1]))
    expect(seen["apps/openmpi/lib/libmpi.so.40"]["launcher"] == str(other), seen)
    machine.configure("[launcher]\nopenmpi = '/nowhere/mpirun'\n")
    seen = listed(machine, MPI_HOME=str(openmpi.parents[1]), MPICH_DIR=str(mpich.parents[1]))  # only this MPI has a
                                                                                               # problem
    expect("/nowhere/mpirun" in seen["apps/openmpi/lib/libmpi.so.40"]["problem"], seen)
    expect(seen["apps/mpich/lib/libmpi.so.12"]["launcher"] and not seen["apps/mpich/lib/libmpi.so.12"]["problem"], seen)
    expect_complaint(machine.run("run", "--mpi", openmpi, "ls"),
                     r"config.toml:2: launcher.openmpi = \"/nowhere/mpirun\"")
    machine.configure("[run]\nverbose = true\n[launcher]\n", "home/.config")
    expect("anympi: chose Open MPI" in machine.run("run", "--mpi", openmpi, "ls").output, "not verbose")
    shown = machine.run("run", "--mpi", openmpi, "--dry-run", "ls").output
    expect(" ANYMPI_VERBOSE=1 " in shown and "-x ANYMPI_VERBOSE " in shown, shown)


def check_quoting_of_the_request(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    done = machine.run("run", "--mpi", "/nowhere", "ls")
    expect_complaint(done, "^anympi: --mpi /nowhere does not exist")
    machine.mpi("openmpi", "usr", "mpirun")
    done = machine.run("run", "--mpi", "mpich", "ls")
    expect_complaint(done, "^anympi: --mpi mpich: no such MPI was found")
    expect_complaint(machine.run("run", "ls", ANYMPI_MPI="/nowhere"), "^anympi: ANYMPI_MPI=/nowhere does not exist")


# The configuration


def settings_of(machine: FakeMachine, **variables: str) -> dict:
    return machine.json("config", **variables)["settings"]


def check_origins(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    plain = settings_of(machine)
    expect(plain["mpi"] == {"value": None, "origin": "default"}, plain)
    expect(plain["run.slurm"] == {"value": True, "origin": "default"}, plain)
    site = machine.configure("mpi = 'mpich'\nsearch = ['/opt/site']\n[run]\noversubscribe = true\n", "etc")
    users = machine.configure("# mine\n\nmpi = \"openmpi\"\n[options]\nmpich = ['-x']\n")
    seen = settings_of(machine)
    expect(seen["mpi"] == {"value": "openmpi", "origin": f"{users}:3"}, seen)
    expect(seen["search"] == {"value": ["/opt/site"], "origin": f"{site}:2"}, seen)
    expect(seen["run.oversubscribe"] == {"value": True, "origin": f"{site}:4"}, seen)
    expect(seen["options.mpich"] == {"value": ["-x"], "origin": f"{users}:5"}, seen)
    seen = settings_of(machine, ANYMPI_MPI="intel", ANYMPI_VERBOSE="1")
    expect(seen["mpi"] == {"value": "intel", "origin": "ANYMPI_MPI"}, seen)
    expect(seen["run.verbose"] == {"value": True, "origin": "ANYMPI_VERBOSE"}, seen)
    shown = machine.run("config").output
    expect(re.search(r"mpi +\"openmpi\" +yours:3", shown) and re.search(r"search .* +site:2", shown) and str(site) in shown, shown)


def check_odd_files(context: Context, folder: Path) -> None:
    """A configuration that is not a regular file is ignored. If it is a pipe, no command waits for it. /dev/null counts
    as an empty configuration.
    """
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    file = machine.configure("")
    makers = {"it is not a regular file": (os.mkfifo, os.mkdir), "": (lambda path: os.symlink("/dev/null", path),)}
    for message, make in [(message, make) for message, several in makers.items() for make in several]:
        file.rmdir() if file.is_dir() else file.unlink()
        make(file)
        done = machine.run("config")
        said = f"anympi: {file} is ignored: {message}\n"
        expect(done.code == 0 and (said in done.output) == bool(message), done)


# Streams


def check_terminal(context: Context, folder: Path) -> None:
    """Colours appear only on a terminal, and not if NO_COLOR is set."""
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    program = machine.program("program", ["HAS_MAIN", "USES_NOTHING"], [])
    for words in (["list"], ["config"], ["inspect", program]):  # the doctor has a separate test
        piped = machine.run(*words).output
        shown = machine.run_in_terminal(*words)
        expect("\033[" in shown and "\033" not in piped, shown + piped)
        expect(re.sub(r"\033\[\d+m", "", shown) == piped, shown + piped)
        expect("\033" not in machine.run_in_terminal(*words, NO_COLOR="1"), "colours with NO_COLOR")
        expect("\033" not in machine.run_in_terminal(*words, TERM="dumb"), "colours on a dumb terminal")
        expect("\033" not in machine.run_in_terminal(*words, "--json"), "colours in JSON")


def check_terminal_of_program(context: Context, folder: Path) -> None:
    """The program has the standard streams of the command, including the terminal."""
    machine = FakeMachine(context, folder)
    library = machine.mpi("mpich", "usr")
    shown = machine.run_in_terminal("run", "--mpi", library, "sh", "-c", "test -t 0 && test -t 1 && echo a terminal")
    expect("a terminal\n" in shown, shown)
    done = machine.run("run", "--mpi", library, "cat", stdin="through the pipe\n")
    expect(done.output.endswith("through the pipe\n"), done)
    expect(machine.run("run", "--mpi", library, "sh", "-c", "exit 9").code == 9, "exit code")
    expect(machine.run("run", "--mpi", library, "sh", "-c", "kill -9 $$").code == -9, "signal")


CHECKS = {
    "layouts": check_layouts,
    "environments": check_environments,
    "PATH": check_path,
    "search of the configuration": check_configured_search,
    "names": check_names,
    "names that are the same": check_same_names,
    "misspelled names": check_misspelled_names,
    "reasons that are explained": check_explained,
    "no MPI at all": check_nothing,
    "facts": check_facts,
    "misdeeds": check_misdeeds,
    "hanging libraries": check_hanging,
    "noise": check_noise,
    "launchers": check_launchers,
    "variables of the user": check_users_variables,
    "name for openers": check_name_for_openers,
    "path changed by scripts": check_path_changed_by_scripts,
    "libraries of the MPI": check_libraries_of_the_mpi,
    "unknown options": check_unknown_options,
    "several programs": check_several_programs,
    "own mpiexec": check_own_mpiexec,
    "loaded module": check_loaded_module,
    "draft on the library path": check_draft_on_the_path,
    "vendor programs": check_vendor_programs,
    "preloads": check_preloads,
    "names of Cray's libraries": check_names_of_cray,
    "draft programs": check_drafts_are_refused,
    "srun": check_slurm,
    "library that cannot be opened": check_library_that_cannot_be_opened,
    "configured run": check_configured_run,
    "quoting of the request": check_quoting_of_the_request,
    "origins of settings": check_origins,
    "odd files": check_odd_files,
    "terminal": check_terminal,
    "streams of the program": check_terminal_of_program,
}
