"""The start of a program: by shells and interpreters that change the library path, by the dynamic linker, a second
time with its own library, and by a program that was itself started again. No start may repeat forever, or pass on
variables that were meant for one process."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, anympi, report_program, run_words, wrapper
from lib.checks import Unavailable, case_on, expect, guarded, need
from lib.context import Context
from lib.results import Case
from lib.runtimes import Runtime, system_library
from lib.vendor_table import VENDOR_OF, VENDORS

from command.placement import PART, compiled

SECONDS = 60
LINKER = Path("/lib64/ld-linux-x86-64.so.2")
# Functions that shells and interpreters replace, and functions that would call these.
REPLACED = {"getenv", "secure_getenv", "setenv", "putenv", "unsetenv", "clearenv", "malloc", "calloc", "realloc", "free", "asprintf", "strdup"}

# Scripts that change the library path and then start the program; @ is the folder, % the program.
SCRIPTS = {
    "bash": "export LD_LIBRARY_PATH=@\nbash -c '%; exit $?'\n",
    "dash": "LD_LIBRARY_PATH=@\nexport LD_LIBRARY_PATH\n%\n",
    "zsh": "export LD_LIBRARY_PATH=@\n%\n",
    "fish": "set -x LD_LIBRARY_PATH @\n%\n",
    "tcsh": "setenv LD_LIBRARY_PATH @\n%\n",
    "python3": "import os\nos.environ['LD_LIBRARY_PATH'] = '@'\nos.execv('%', ['%'])\n",
    "perl": "$ENV{LD_LIBRARY_PATH} = '@'; exec '%';\n",
    "Rscript": "Sys.setenv(LD_LIBRARY_PATH = '@'); quit(status = system('%'))\n",
}


def cases(context: Context):
    yield Case("what the preloaded library calls", partial(guarded, check_imports, context), is_serial=True)
    yield Case("a static program", partial(guarded, check_static, context), is_serial=True)
    yield Case("a library that cannot be preloaded", partial(guarded, check_no_preload, context), is_serial=True)
    yield Case("adopted, set-user-ID or with capabilities", partial(guarded, check_privileged, context), is_serial=True)
    for runtime in context.runtimes:
        if runtime.name not in NAMES:
            continue
        for interpreter in SCRIPTS:
            yield case_on(context, runtime, f"after {interpreter}", check_script, interpreter)
        yield case_on(context, runtime, "folders as conda and Julia have them", check_folders)
        yield case_on(context, runtime, "by the dynamic linker", check_by_linker)
        yield case_on(context, runtime, "adopted, with changed words", check_changed_words)
        yield case_on(context, runtime, "by an adopted program", check_children)
        yield case_on(context, runtime, "by a program that found a front on the library path", check_children_by_path)


def started(context: Context, runtime: Runtime, *words, ranks: int = 2, environment: dict[str, str] | None = None):
    """Starts a program with `anympi run`. If a process hangs, it is ended with all processes that it has started."""
    command = [context.build / "bin" / "anympi", *run_words(runtime, runtime.library, ranks), *words]
    return process.run(command, SECONDS, {"ANYMPI_MPI": "", **runtime.environment, **shim(context, runtime), **(environment or {})})


def shim(context: Context, runtime: Runtime) -> dict[str, str]:
    return {"LD_PRELOAD": str(context.yield_shim())} if runtime.spins else {}


def expect_size(done: process.Completed, ranks: int = 2) -> None:
    expect(done.code == 0 and not done.timed_out and f"size={ranks}\n" in done.output and "anympi: " not in done.output, done)


def other_vendor(runtime: Runtime) -> str:
    return next(vendor for vendor in VENDOR_OF if vendor != runtime.family)


def adopted(context: Context, program: Path, copy: Path) -> Path:
    need("patchelf")
    done = anympi(context, "adopt", program, "-o", copy)
    expect(done.code == 0, done)
    return copy


def vendors_program(context: Context, vendor: str, name: str) -> Path:
    need(VENDOR_OF[vendor].wrapper)
    return context.compile(f"{name}-{vendor}", [context.root / "tests" / "command" / f"{name}.c"], [], VENDOR_OF[vendor].wrapper)


# Scripts and interpreters


def check_script(context: Context, runtime: Runtime, interpreter: str, folder: Path) -> None:
    """The library path of the script leads to all MPIs of the system, but the program must run on the chosen one."""
    need(interpreter)
    vendor = other_vendor(runtime)
    (folder / "program").symlink_to(compiled(context, vendor))
    system = str(system_library(VENDOR_OF[vendor].system_soname).parent)
    script = folder / "script"
    script.write_text(SCRIPTS[interpreter].replace("@", system).replace("%", "./program"))
    expect_size(started(context, runtime, "-wdir", folder, interpreter, script))


def check_folders(context: Context, runtime: Runtime, folder: Path) -> None:
    """An interpreter with bin and lib beside each other, an RPATH between them, and another MPI in lib."""
    vendor = other_vendor(runtime)
    need(VENDOR_OF[vendor].wrapper)
    for name in ("bin", "lib"):
        (folder / name).mkdir()
    own = system_library(VENDOR_OF[vendor].system_soname)
    for name in {"libmpi.so", VENDOR_OF[vendor].system_soname}:
        (folder / "lib" / name).symlink_to(os.path.realpath(own))
    (folder / "part.c").write_text(PART)
    module, interpreter = folder / "lib" / "module.so", folder / "bin" / "interpreter"
    subprocess.run([VENDOR_OF[vendor].wrapper, "-c", "-fPIC", folder / "part.c", "-o", folder / "part.o"], check=True)
    subprocess.run(["cc", "-shared", folder / "part.o", "-o", module], check=True)
    subprocess.run(["cc", context.root / "tests" / "command" / "opens_by_name.c", "-o", interpreter, "-ldl",
                    "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../lib"], check=True)
    activate = folder / "bin" / "activated"
    activate.write_text(f'#!/bin/bash\nexport LD_LIBRARY_PATH={shlex.quote(str(folder / "lib"))}\nexec "$(dirname "$0")/interpreter" "$@"\n')
    activate.chmod(0o755)
    for program, mpi in ((interpreter, "libmpi.so"), (interpreter, folder / "lib" / "libmpi.so"), (activate, "libmpi.so")):
        expect_size(started(context, runtime, program, mpi, module))


def check_imports(context: Context, _folder: Path) -> None:
    """The libraries must not import functions that a shell replaces, because the shell's function would be called."""
    def symbols(file: object, kind: str) -> set[str]:
        listed = subprocess.run(["nm", "--dynamic", kind, file], capture_output=True, text=True, check=True).stdout
        return {line.split()[-1].split("@")[0] for line in listed.splitlines()}

    library = context.build / "lib" / "anympi" / "keep_path.so"
    called = symbols(library, "--undefined-only")
    expect("execve" in called and not called & REPLACED, called & REPLACED)
    for name in ("bash", "dash", "zsh", "fish", "tcsh", "perl", "/usr/bin/python3"):
        need(name)
        expect(not called & symbols(shutil.which(name), "--defined-only") - {"environ", "_environ", "__environ"}, name)


# Started by the dynamic linker


def check_by_linker(context: Context, runtime: Runtime, folder: Path) -> None:
    """The kernel then reports no dynamic linker (AT_BASE is 0), as for a static program."""
    if not LINKER.exists():
        raise Unavailable(f"{LINKER} is missing")
    static_mpi = folder / "static_mpi"
    wrapper(context, "mpicc", "-static-mpi", context.root / "tests" / "command" / "report.c", "-o", static_mpi)
    for program in (report_program(context), static_mpi):
        expect_size(context.run_mpi(runtime, 2, LINKER, [str(program)]))
    expect_size(started(context, runtime, LINKER, compiled(context, other_vendor(runtime))))
    path = system_library(VENDOR_OF[other_vendor(runtime)].system_soname).parent
    expect_size(started(context, runtime, "sh", "-c", f"LD_LIBRARY_PATH={path} exec {LINKER} {compiled(context, other_vendor(runtime))}"))
    copy = adopted(context, compiled(context, runtime.family), folder / "copy")
    expect_size(context.run_mpi(runtime, 2, LINKER, [str(copy)]))


def check_static(context: Context, folder: Path) -> None:
    """A static program contains no dynamic linker. (Linkers also reject it, because of the versions of the functions
    that open libraries.)"""
    program = folder / "program"
    subprocess.run(["cc", f"-I{context.build / 'include'}", context.root / "tests" / "command" / "report.c",
                    context.build / "lib" / "libmpi_abi.a", "-static", "-Wl,--unresolved-symbols=ignore-all", "-o", program], check=True, capture_output=True)
    done = process.run([program], SECONDS)
    expect(done.code == 1 and "anympi: this program is linked with -static" in done.output, done)


# Started again with its own library


def check_privileged(context: Context, folder: Path) -> None:
    """Such a program ignores LD_PRELOAD and ANYMPI_MPI: it runs on the system's MPI. If that MPI is of its own family,
    the program cannot be started with it."""
    if os.geteuid() != 0:
        raise Unavailable("only root can give files to others, and capabilities")
    need("setcap", "setpriv")
    folder.chmod(0o755)
    refused = 0
    for vendor in VENDOR_OF:
        copy = adopted(context, vendors_program(context, vendor, "starts_other"), folder / f"copy for {vendor}")
        capable = shutil.copy(copy, folder / f"capable for {vendor}")
        shutil.chown(copy, "nobody")
        copy.chmod(0o4755)
        subprocess.run(["setcap", "cap_net_bind_service+ep", capable], check=True)
        for command in ([copy], ["setpriv", "--reuid=nobody", "--clear-groups", capable]):
            # LD_PRELOAD must not get in under another name either.
            done = process.run([*command, "env | grep ^LD_; true"], SECONDS,
                               {"ANYMPI_STEPPED_ASIDE": "1", "ANYMPI_BEFORE_LD_PRELOAD": "/nowhere.so"})
            is_refused = done.code == 1 and "needs no front" in done.output and "set-user-ID" in done.output
            expect(is_refused or (done.code == 0 and done.output == "started=0\n"), done)
            refused += is_refused
    expect(refused == 2, "the programs of exactly one vendor should have been refused")


def check_changed_words(context: Context, runtime: Runtime, folder: Path) -> None:
    """If the program has changed its arguments before it is started again, it gets the original arguments."""
    copy = adopted(context, vendors_program(context, runtime.family, "cuts_words"), folder / "copy")
    done = process.run([*runtime.launcher, "-n", "1", copy, "1,2,3", "end"], SECONDS,
                       {**runtime.environment, "ANYMPI_MPI": str(runtime.library)})
    expect(done.code == 0 and "parts=3 words=3 last=end\n" in done.output, done)


def check_children(context: Context, runtime: Runtime, folder: Path) -> None:
    """The front of the starting program is idle, and restores the variables."""
    copy = adopted(context, vendors_program(context, runtime.family, "starts_other"), folder / "copy")
    expect_clean_children(context, runtime, [copy], {})


def check_children_by_path(context: Context, runtime: Runtime, folder: Path) -> None:
    """The front of the starting program is no longer in the process: keep_path.so restores the variables."""
    front = context.build / "lib" / "anympi" / runtime.family
    script = folder / "script"  # the launcher itself must not see the folder
    script.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH=/first:{front} exec "$@"\n')
    script.chmod(0o755)
    expect_clean_children(context, runtime, [script, vendors_program(context, runtime.family, "starts_other")],
                          {"LD_LIBRARY_PATH": f"/first:{front}"})


def expect_clean_children(context: Context, runtime: Runtime, words: list, variables: dict[str, str]) -> None:
    """The started programs must get the variables of the first program, and a program of another MPI must run."""
    program = [*runtime.launcher, "-n", "1", *words]
    environment = {**runtime.environment, "ANYMPI_MPI": str(runtime.library), "LD_PRELOAD": "libm.so.6"}
    seen = process.run([*program, "env | grep -E '^(LD|ANYMPI)_'"], SECONDS, environment)
    for name, value in {"LD_PRELOAD": "libm.so.6", **variables}.items():
        expect(re.findall(rf"^{name}=(.*)$", seen.output, re.MULTILINE) == [value], seen)
    expect("\nANYMPI_MPI=" in f"\n{seen.output}", seen)
    expect(not re.search(r"^ANYMPI_(STEPPED|BEFORE)", seen.output, re.MULTILINE), seen)
    child = shlex.quote(str(compiled(context, other_vendor(runtime))))
    done = process.run([*program, child], SECONDS, environment)
    expect(done.code == 0 and "size=1\n" in done.output and "started=0\n" in done.output, done)


def check_no_preload(context: Context, folder: Path) -> None:
    """LD_PRELOAD cannot hold the name of the library: the second start has no effect, and must be the last one."""
    for vendor in VENDORS:
        soname = vendor.system_soname
        if not system_library(soname):
            continue
        (folder / soname).symlink_to(system_library(soname))
        front = context.build / "lib" / "anympi" / vendor.abi / soname
        done = process.run(["/usr/bin/python3", "-c", f"import ctypes; ctypes.CDLL('{front}').MPI_Init(None, None)"], SECONDS,
                           {"ANYMPI_MPI": str(folder / soname), "ANYMPI_ALLOW_SINGLETON": "1"})
        expect(done.code == 1 and "needs no front" in done.output, done)
