"""Programs of every vendor on libraries of the others, however they are started: behind `env`, a shell or a script, several in
one job, with an RPATH that leads past anympi, as a copy that was adopted. Each must see all processes of the job."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS, anympi, expect_report, report_program, run_words
from lib.checks import NotInstalled, Unavailable, expect, guarded
from lib.context import Context
from lib.results import Case, Result, failed, not_installed
from lib.runtimes import Runtime, exported_names, system_library
from lib.vendor_table import VENDOR_OF

PART = """#include <mpi.h>
#include <stdio.h>
int part(void) { int rank, size; MPI_Init(0, 0); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) printf("size=%d\\n", size); return MPI_Finalize(); }
"""
USER_OF_PART = "int part(void); int main(void) { return part(); }\n"


def cases(context: Context):
    if not os.access(context.build / "bin" / "anympi", os.X_OK):
        yield Case("anympi", partial(failed, f"no bin/anympi in {context.build}: build the tree first"))
        return
    for runtime in context.runtimes:
        if runtime.name not in NAMES and not runtime.usual:
            continue
        for vendor in VENDOR_OF:
            for title, check in checks_for(runtime, vendor).items():
                yield Case(f"{title}: {vendor} on {runtime.name}", partial(on_runtime, check, context, runtime, vendor))


def checks_for(runtime: Runtime, vendor: str) -> dict:
    if runtime.family != vendor:
        return CHECKS
    is_other = runtime.missing or os.path.realpath(runtime.library) != os.path.realpath(system_library(VENDOR_OF[vendor].system_soname) or "")
    return {**OWN_CHECKS, **(CHECKS_BESIDE_ANOTHER if is_other else {})}


def on_runtime(check, context: Context, runtime: Runtime, vendor: str) -> Result:
    if runtime.missing:
        return runtime.absent()
    if not shutil.which(VENDOR_OF[vendor].wrapper):
        return not_installed(VENDOR_OF[vendor].wrapper)
    return guarded(check, context, runtime, vendor)


def compiled(context: Context, vendor: str, *flags: str) -> Path:
    source = context.root / "tests" / "command" / "report.c"
    return context.compile(f"report-{vendor}" + "".join(flags).replace("/", "_")[:60], [source], list(flags),
                           VENDOR_OF[vendor].wrapper)


def rpath_flags(vendor: str) -> list[str]:
    """An RPATH, and not a RUNPATH, to the vendor's own library."""
    return [f"-Wl,--disable-new-dtags,-rpath,{system_library(VENDOR_OF[vendor].system_soname).parent}"]


def started(context: Context, runtime: Runtime, *words, ranks: int = 2, environment: dict[str, str] | None = None):
    return anympi(context, *run_words(runtime, runtime.library, ranks), *words,
                  environment={**runtime.environment, **(environment or {})})


def loaded_file(context: Context, runtime: Runtime, *words) -> str:
    """All MPI libraries that a process of the job has in the end."""
    done = started(context, runtime, "env", "LD_DEBUG=files", *words, ranks=1)
    return "\n".join(set(re.findall(r"calling init: (\S*/libmpi\S*)", done.output)))


def check_plain(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    expect_report(started(context, runtime, compiled(context, vendor)), runtime)


def check_wrapped(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The command sees `env`, a shell, a script or nothing at all, and not the program."""
    program = compiled(context, vendor)
    script = folder / "script"
    script.write_text(f"#!/bin/sh\nexec {shlex.quote(str(program))}\n")
    script.chmod(0o755)
    for words in (["env", program], ["sh", "-c", shlex.quote(str(program))], [script],
                  ["-wdir", program.parent, f"./{program.name}"]):
        expect_report(started(context, runtime, *words), runtime)
    expect_report(started(context, runtime, "env", program.name, environment={"PATH": f"{program.parent}:{os.environ['PATH']}"}),
                  runtime)


def check_unreadable(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A program that may be started and not be read. (root may read everything.)"""
    hidden = folder / "hidden"
    shutil.copy(compiled(context, vendor), hidden)
    hidden.chmod(0o111)
    expect_report(started(context, runtime, hidden), runtime)


def check_configuration_file(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The programs stand in a file of the launcher's."""
    if runtime.family == "openmpi":
        raise Unavailable("a file with programs is hydra's")
    file = folder / "programs"
    file.write_text(f"-n 2 {compiled(context, vendor)}\n")
    done = anympi(context, "run", "--mpi", runtime.library, "-configfile", file, environment=runtime.environment)
    expect_report(done, runtime)


def check_library_path_of_the_user(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """Among the launcher's words: anympi's folders come before it, and it is kept."""
    words = ["-x", "LD_LIBRARY_PATH=/nowhere"] if runtime.family == "openmpi" else ["-genv", "LD_LIBRARY_PATH", "/nowhere"]
    expect_report(started(context, runtime, *words, compiled(context, vendor)), runtime)
    done = started(context, runtime, *words, "sh", "-c", "echo path=$LD_LIBRARY_PATH")
    expect(re.search(r"^path=\S+:/nowhere$", done.output, re.MULTILINE), done)


def check_several_programs(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """Each of a job with several programs is looked at, not only the first."""
    for first, second in ((report_program(context), compiled(context, vendor)),
                          (compiled(context, vendor), report_program(context))):
        done = started(context, runtime, first, ":", "-n", "1", second, ranks=1)
        expect_report(done, runtime)


def check_interpreter(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """What a script loads itself: by its soname, by the name that compilers use, by its path."""
    soname = VENDOR_OF[vendor].system_soname
    script = folder / "script.py"
    script.write_text("import ctypes, sys\nmpi = ctypes.CDLL(sys.argv[1])\nmpi.MPI_Init(None, None)\nmpi.MPI_Finalize()\n"
                      "print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libmpi' in line}, sep='\\n')\n")
    (folder / "libmpi_for_linking.so").symlink_to(system_library(soname))
    front = context.build / "lib" / "anympi" / vendor
    for name in (soname, "libmpi_for_linking.so", str(system_library(soname))):
        done = started(context, runtime, "python3", script, name, ranks=1, environment={"LD_LIBRARY_PATH": str(folder)})
        expect(done.code == 0 and str(front) in done.output, done)
        expect(os.path.realpath(system_library(soname)) not in map(os.path.realpath, done.output.split()), done)


def check_opened_beside_itself(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A library that a program opens by a bare name is found by the RUNPATH of the program."""
    plugin, opener = folder / "plugin.c", folder / "opener.c"
    plugin.write_text(PART)
    opener.write_text('#include <dlfcn.h>\nint main(void) { void *p = dlopen("libplugin.so", RTLD_NOW);\n'
                      '    return p ? ((int (*)(void))dlsym(p, "part"))() : 9; }\n')
    subprocess.run([VENDOR_OF[vendor].wrapper, "-shared", "-fPIC", plugin, "-o", folder / "libplugin.so"], check=True)
    subprocess.run(["cc", opener, "-o", folder / "opener", "-ldl", "-Wl,--enable-new-dtags,-rpath,$ORIGIN"], check=True)
    done = started(context, runtime, "sh", "-c", shlex.quote(str(folder / "opener")))
    expect(done.code == 0 and "size=2\n" in done.output, done)


def check_rpath(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """The front is preloaded, and the library to which the RPATH leads is not loaded at all."""
    program = compiled(context, vendor, *rpath_flags(vendor))
    expect_report(started(context, runtime, program), runtime)
    expect_report(started(context, runtime, "env", program), runtime)
    expect(os.path.realpath(system_library(VENDOR_OF[vendor].system_soname)) not in
           {os.path.realpath(file) for file in loaded_file(context, runtime, program).split()}, "both are loaded")


def check_rpath_of_a_library(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The program itself names no MPI; a library of it does, and has the RPATH."""
    (folder / "part.c").write_text(PART)
    (folder / "main.c").write_text(USER_OF_PART)
    compiler = VENDOR_OF[vendor].wrapper
    subprocess.run([compiler, "-shared", "-fPIC", folder / "part.c", "-o", folder / "libpart.so", *rpath_flags(vendor)],
                   check=True)
    subprocess.run(["cc", folder / "main.c", "-o", folder / "main", folder / "libpart.so", "-Wl,-rpath,$ORIGIN"], check=True)
    done = started(context, runtime, folder / "main")
    expect(done.code == 0 and "size=2\n" in done.output, done)


def check_users_preload(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """What the user preloads stays, and comes first."""
    program = compiled(context, vendor, *rpath_flags(vendor))
    shown = anympi(context, "run", "--mpi", runtime.library, "--dry-run", program,
                   environment={**runtime.environment, "LD_PRELOAD": "libm.so.6"})
    expect(re.search(r"LD_PRELOAD[ =]libm\.so\.6:\S+/anympi/", shown.output), shown)


def check_adopted(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A copy of a program with an RPATH, by the launcher alone, and the original as it was."""
    if not shutil.which("patchelf"):
        raise NotInstalled("patchelf")
    program, copy = compiled(context, vendor, *rpath_flags(vendor)), folder / "copy"
    before = program.read_bytes()
    done = anympi(context, "adopt", program, "-o", copy)
    expect(done.code == 0 and program.read_bytes() == before and os.access(copy, os.X_OK), done)
    expect(sorted(os.listdir(folder)) == ["copy"], os.listdir(folder))
    environment = {**runtime.environment, "ANYMPI_MPI": str(runtime.library)}
    expect_report(process.run([*runtime.launcher, "-n", "2", copy], SECONDS, environment), runtime)
    expect_report(started(context, runtime, copy), runtime)
    again = anympi(context, "adopt", copy, "-o", folder / "again")
    expect(again.code == 1 and "has anympi in it already" in again.output, again)


def check_adopted_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """On an MPI of the program's own family `anympi run` puts the real library before the front."""
    if not shutil.which("patchelf"):
        raise NotInstalled("patchelf")
    copy = folder / "copy"
    expect(anympi(context, "adopt", compiled(context, vendor), "-o", copy).code == 0, "adopt")
    expect_report(started(context, runtime, copy), runtime)


def check_at_home(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """On the library chosen, not on the one for which it was built, also under another name and with an RPATH."""
    for flags in ([], rpath_flags(vendor)):
        program = compiled(context, vendor, *flags)
        done = started(context, runtime, program)
        expect_report(done, runtime)
        files = {os.path.realpath(file) for file in loaded_file(context, runtime, program).split()}
        expect(os.path.realpath(runtime.library) in files, f"{files} without {runtime.library}")


def check_module_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A script loads what was built for an MPI of the same ABI under another name."""
    (folder / "part.c").write_text(PART)
    subprocess.run([VENDOR_OF[vendor].wrapper, "-c", "-fPIC", folder / "part.c", "-o", folder / "part.o"], check=True)
    for soname in {VENDOR_OF[vendor].soname, VENDOR_OF[vendor].system_soname}:
        module, named = folder / f"module_of_{soname}", folder / soname
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", f"-Wl,-soname,{soname}", "-o", named], check=True)
        subprocess.run(["cc", "-shared", folder / "part.o", "-Wl,--no-as-needed", named, "-o", module], check=True)
        # The name in the text: as an argument of its own the module would be looked into.
        script = (f"import ctypes; ctypes.CDLL('{module}').part()\n"
                  "print(*{line.split()[-1] for line in open('/proc/self/maps')}, sep='\\n')")
        done = started(context, runtime, "python3", "-c", script)
        expect(done.code == 0 and "size=2\n" in done.output, done)
        expect(os.path.realpath(runtime.library) in map(os.path.realpath, done.output.split()), done)


FORTRAN = """program report
{use}
implicit none
{include}
integer :: rank, ranks, code
call MPI_Init(code)
call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
if (rank == 0) write (*, '(a,i0)') 'size=', ranks
call MPI_Finalize(code)
end program
"""
METHODS = {"mpif.h": ("", "include 'mpif.h'"), "mpi": ("use mpi", ""), "mpi_f08": ("use mpi_f08", "")}

CXX = """#include <mpi.h>
#include <cstdio>
int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    if (MPI::COMM_WORLD.Get_rank() == 0)
        std::printf("size=%d\\n", MPI::COMM_WORLD.Get_size());
    MPI::Finalize();
}
"""


def expect_chosen(context: Context, runtime: Runtime, program: Path) -> None:
    """All processes are one job, on the library chosen and no other one."""
    done = started(context, runtime, program)
    expect(done.code == 0 and "size=2\n" in done.output, done)
    done = started(context, runtime, "env", "LD_DEBUG=files", program, ranks=1)
    files = {os.path.realpath(file) for file in re.findall(r"calling init: (\S+)", done.output)}
    libraries = {file for file in files if Path(file).exists() and "/anympi/" not in file and runtime_defines_mpi(Path(file))}
    expect(libraries == {os.path.realpath(runtime.library)}, libraries)


def runtime_defines_mpi(file: Path) -> bool:
    return "libmpi" in file.name and "PMPI_Init" in exported_names(file)


def check_fortran_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A library for Fortran of another installation would bring its own MPI. The wheels have none for Fortran."""
    for method, (use, include) in METHODS.items():
        source, program = folder / "report.f90", folder / f"report-{method}"
        source.write_text(FORTRAN.format(use=use, include=include))
        subprocess.run([VENDOR_OF[vendor].fortran_wrapper, source, "-o", program], check=True, cwd=folder)
        expect_chosen(context, runtime, program)


def check_cxx_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The same for C++."""
    source, program = folder / "report.cpp", folder / "report"
    source.write_text(CXX)
    # Open MPI's compiler leaves its library for C++ out, which MPICH's always links.
    link = [] if vendor == "mpich" else ["-lmpi_cxx"]
    subprocess.run([f"mpicxx.{vendor}", "-w", source, "-o", program, *link], check=True)
    expect_chosen(context, runtime, program)


def check_other_library(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """What a script starts may have an RPATH to another MPI: it stops, as does a process that opens such a part later. A program that
    only asks for the library's version goes on."""
    other = system_library(VENDOR_OF[vendor].system_soname)
    program = compiled(context, vendor, *rpath_flags(vendor))
    stopped = rf"^anympi: .* has loaded \S*{re.escape(other.name)}\b"
    script = folder / "script"
    script.write_text(f"#!/bin/sh\nexec {shlex.quote(str(program))}\n")
    script.chmod(0o755)
    done = started(context, runtime, script)
    expect(done.code != 0 and "size=" not in done.output and re.search(stopped, done.output, re.MULTILINE), done)

    (folder / "part.c").write_text(PART)
    subprocess.run([VENDOR_OF[vendor].wrapper, "-shared", "-fPIC", folder / "part.c", "-o", folder / "part.so", *rpath_flags(vendor)],
                   check=True)
    opening = f"import ctypes; ctypes.CDLL('{folder / 'part.so'}').part()"
    done = started(context, runtime, "python3", "-c", opening, ranks=1)
    expect(done.code != 0 and "size=" not in done.output and re.search(stopped, done.output, re.MULTILINE), done)

    (folder / "version.c").write_text("#include <mpi.h>\n#include <stdio.h>\nint main(void) { int major, minor;\n"
                                      '    MPI_Get_version(&major, &minor); return printf("version=%d\\n", major) < 0; }\n')
    subprocess.run([VENDOR_OF[vendor].wrapper, folder / "version.c", "-o", folder / "version", *rpath_flags(vendor)], check=True)
    script.write_text(f"#!/bin/sh\nexec {shlex.quote(str(folder / 'version'))}\n")
    done = started(context, runtime, script, ranks=1)
    expect(done.code == 0 and "version=" in done.output, done)


CHECKS = {
    "plain": check_plain,
    "wrapped": check_wrapped,
    "unreadable": check_unreadable,
    "file of the launcher": check_configuration_file,
    "library path of the user": check_library_path_of_the_user,
    "several programs": check_several_programs,
    "interpreter": check_interpreter,
    "opened beside itself": check_opened_beside_itself,
    "RPATH": check_rpath,
    "RPATH of a library": check_rpath_of_a_library,
    "preload of the user": check_users_preload,
    "adopted": check_adopted,
}
OWN_CHECKS = {
    "at home": check_at_home,
    "adopted at home": check_adopted_at_home,
    "module at home": check_module_at_home,
    "Fortran at home": check_fortran_at_home,
    "C++ at home": check_cxx_at_home,
}
CHECKS_BESIDE_ANOTHER = {
    "other library": check_other_library,
}
