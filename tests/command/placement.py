"""Programs of every vendor on the other vendors' libraries, started in many ways: by `env`, by a shell or a script,
several programs in one job, with an RPATH that bypasses anympi, as an adopted copy. Each program must see all processes
of the job.
"""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS, anympi, expect_report, needs_built, report_program, run_words
from lib.checks import NotInstalled, Unavailable, case_on, expect, need
from lib.context import Context
from lib.runtimes import Runtime, exported_names, system_library
from lib.vendor_table import VENDOR_OF

PART = """#include <mpi.h>
#include <stdio.h>
int part(void) { int rank, size; MPI_Init(0, 0); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) printf("size=%d\\n", size); return MPI_Finalize(); }
"""
# The end of a Python script. It prints those files of the process whose names look like an MPI library. It prints them
# in one call, since the other process writes into the same pipe.
WRITE_LIBRARIES = r"""import os
libraries = {line.split()[-1] for line in open('/proc/self/maps') if 'libmpi' in line}
os.write(1, ''.join(library + '\n' for library in libraries).encode())
"""
USER_OF_PART = "int part(void); int main(void) { return part(); }\n"


@needs_built("anympi")
def cases(context: Context):
    for runtime in context.runtimes:
        if runtime.name not in NAMES and not runtime.usual:
            continue
        for vendor in VENDOR_OF:
            for title, check in checks_for(runtime, vendor).items():
                yield case_on(context, runtime, f"{title}: {vendor}", partial(with_wrapper, check), vendor)
        for title, check in OBSTACLES.items():
            yield case_on(context, runtime, f"{title}: mpich", partial(with_wrapper, check), "mpich")


def checks_for(runtime: Runtime, vendor: str) -> dict:
    if runtime.family != vendor:
        return CHECKS
    is_other = runtime.missing or os.path.realpath(runtime.library) != os.path.realpath(system_library(VENDOR_OF[vendor].system_soname) or "")
    return {**OWN_CHECKS, **(CHECKS_BESIDE_ANOTHER if is_other else {})}


def with_wrapper(check, context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    need(VENDOR_OF[vendor].wrapper)
    check(context, runtime, vendor, folder)


def compiled(context: Context, vendor: str, *flags: str) -> Path:
    source = context.root / "tests" / "command" / "report.c"
    return context.compile(f"report-{vendor}" + "".join(flags).replace("/", "_")[:60], [source], list(flags),
                           VENDOR_OF[vendor].wrapper)


def rpath_flags(vendor: str) -> list[str]:
    """Returns the flags for an RPATH, not a RUNPATH, to the vendor's own library."""
    return [f"-Wl,--disable-new-dtags,-rpath,{system_library(VENDOR_OF[vendor].system_soname).parent}"]


def started(context: Context, runtime: Runtime, *words, ranks: int = 2, environment: dict[str, str] | None = None):
    return anympi(context, *run_words(runtime, runtime.library, ranks), *words,
                  environment={**runtime.environment, **(environment or {})})


def loaded_file(context: Context, runtime: Runtime, *words) -> str:
    """Returns the paths of all MPI libraries that a process of the job has loaded, one path in each line."""
    done = started(context, runtime, "env", "LD_DEBUG=files", *words, ranks=1)
    return "\n".join(set(re.findall(r"calling init: (\S*/libmpi\S*)", done.output)))


def check_plain(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    expect_report(started(context, runtime, compiled(context, vendor)), runtime)


def check_wrapped(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The command cannot examine the program: the command line names `env`, a shell or a script, or a path that is
    relative to the launcher's working directory.
    """
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
    """A program that may be started but not read. (root may read everything.)"""
    hidden = folder / "hidden"
    shutil.copy(compiled(context, vendor), hidden)
    hidden.chmod(0o111)
    expect_report(started(context, runtime, hidden), runtime)


def check_configuration_file(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The programs are named in a file of the launcher."""
    if runtime.family == "openmpi":
        raise Unavailable("a file with programs is hydra's")
    file = folder / "programs"
    file.write_text(f"-n 2 {compiled(context, vendor)}\n")
    done = anympi(context, "run", "--mpi", runtime.library, "-configfile", file, environment=runtime.environment)
    expect_report(done, runtime)


def check_library_path_of_the_user(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """A launcher option sets the user's library path. The path is kept, and anympi's folders come before it."""
    words = ["-x", "LD_LIBRARY_PATH=/nowhere"] if runtime.family == "openmpi" else ["-genv", "LD_LIBRARY_PATH", "/nowhere"]
    expect_report(started(context, runtime, *words, compiled(context, vendor)), runtime)
    done = started(context, runtime, *words, "sh", "-c", "echo path=$LD_LIBRARY_PATH")
    expect(re.search(r"^path=\S+:/nowhere$", done.output, re.MULTILINE), done)


def check_several_programs(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """The command examines each program of a job with several programs, not only the first."""
    for first, second in ((report_program(context), compiled(context, vendor)),
                          (compiled(context, vendor), report_program(context))):
        done = started(context, runtime, first, ":", "-n", "1", second, ranks=1)
        expect_report(done, runtime)


def check_interpreter(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A script opens MPI libraries by the soname, by the name that compilers use, and by a path."""
    soname = VENDOR_OF[vendor].system_soname
    script = folder / "script.py"
    script.write_text(f"import ctypes, sys\nmpi = ctypes.CDLL(sys.argv[1])\nmpi.MPI_Init(None, None)\nmpi.MPI_Finalize()\n{WRITE_LIBRARIES}")
    (folder / "libmpi_for_linking.so").symlink_to(system_library(soname))
    front = context.build / "lib" / "anympi" / vendor
    for name in (soname, "libmpi_for_linking.so", str(system_library(soname))):
        done = started(context, runtime, "python3", script, name, ranks=1, environment={"LD_LIBRARY_PATH": str(folder)})
        expect(done.code == 0 and str(front) in done.output, done)
        expect(os.path.realpath(system_library(soname)) not in map(os.path.realpath, done.output.split()), done)


def check_library_as_argument(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """An argument of a script can be the path of an MPI library. anympi does not take it for a program that the script
    starts, and the script opens the chosen library.
    """
    script = folder / "script.py"
    script.write_text(f"import ctypes, sys\nmpi = ctypes.CDLL(sys.argv[1])\nmpi.MPI_Init(None, None)\nmpi.MPI_Finalize()\n{WRITE_LIBRARIES}")
    other = folder / runtime.library.name
    shutil.copy(system_library(VENDOR_OF[vendor].system_soname), other)
    other.chmod(0o755)
    done = started(context, runtime, "python3", script, other)
    mapped = set(map(os.path.realpath, done.output.split()))
    expect(done.code == 0 and os.path.realpath(runtime.library) in mapped and str(other) not in mapped, done)


def check_opened_beside_itself(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A library that a program opens by a name without a folder is found by the RUNPATH of the program."""
    plugin, opener = folder / "plugin.c", folder / "opener.c"
    plugin.write_text(PART)
    opener.write_text('#include <dlfcn.h>\nint main(void) { void *p = dlopen("libplugin.so", RTLD_NOW);\n'
                      '    return p ? ((int (*)(void))dlsym(p, "part"))() : 9; }\n')
    subprocess.run([VENDOR_OF[vendor].wrapper, "-shared", "-fPIC", plugin, "-o", folder / "libplugin.so"], check=True)
    subprocess.run(["cc", opener, "-o", folder / "opener", "-ldl", "-Wl,--enable-new-dtags,-rpath,$ORIGIN"], check=True)
    done = started(context, runtime, "sh", "-c", shlex.quote(str(folder / "opener")))
    expect(done.code == 0 and "size=2\n" in done.output, done)


def check_rpath(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """The front is preloaded, and the library to which the RPATH leads is not loaded."""
    program = compiled(context, vendor, *rpath_flags(vendor))
    expect_report(started(context, runtime, program), runtime)
    expect_report(started(context, runtime, "env", program), runtime)
    expect(os.path.realpath(system_library(VENDOR_OF[vendor].system_soname)) not in
           {os.path.realpath(file) for file in loaded_file(context, runtime, program).split()}, "both are loaded")


def check_rpath_of_a_library(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The program itself does not need an MPI; one of its libraries does, and has the RPATH."""
    (folder / "part.c").write_text(PART)
    (folder / "main.c").write_text(USER_OF_PART)
    compiler = VENDOR_OF[vendor].wrapper
    subprocess.run([compiler, "-shared", "-fPIC", folder / "part.c", "-o", folder / "libpart.so", *rpath_flags(vendor)],
                   check=True)
    subprocess.run(["cc", folder / "main.c", "-o", folder / "main", folder / "libpart.so", "-Wl,-rpath,$ORIGIN"], check=True)
    done = started(context, runtime, folder / "main")
    expect(done.code == 0 and "size=2\n" in done.output, done)


def check_users_preload(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """The user's preloaded libraries stay, and come first."""
    program = compiled(context, vendor, *rpath_flags(vendor))
    shown = anympi(context, "run", "--mpi", runtime.library, "--dry-run", program,
                   environment={**runtime.environment, "LD_PRELOAD": "libm.so.6"})
    expect(re.search(r"LD_PRELOAD[ =]libm\.so\.6:\S+/anympi/", shown.output), shown)


def check_adopted(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The launcher alone can start an adopted copy of a program with an RPATH. The original has not changed."""
    need("patchelf")
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
    """On an MPI of the program's own family, `anympi run` puts the real library before the front."""
    need("patchelf")
    copy = folder / "copy"
    expect(anympi(context, "adopt", compiled(context, vendor), "-o", copy).code == 0, "adopt")
    expect_report(started(context, runtime, copy), runtime)


def check_at_home(context: Context, runtime: Runtime, vendor: str, _folder: Path) -> None:
    """A program runs on the chosen library, not on the library for which it was built. This also holds if the chosen
    library has another name, and if the program has an RPATH.
    """
    for flags in ([], rpath_flags(vendor)):
        program = compiled(context, vendor, *flags)
        done = started(context, runtime, program)
        expect_report(done, runtime)
        files = {os.path.realpath(file) for file in loaded_file(context, runtime, program).split()}
        expect(os.path.realpath(runtime.library) in files, f"{files} without {runtime.library}")


def check_module_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A script loads a module that was built for an MPI of the same ABI under another name."""
    (folder / "part.c").write_text(PART)
    subprocess.run([VENDOR_OF[vendor].wrapper, "-c", "-fPIC", folder / "part.c", "-o", folder / "part.o"], check=True)
    for soname in {VENDOR_OF[vendor].soname, VENDOR_OF[vendor].system_soname}:
        module, named = folder / f"module_of_{soname}", folder / soname
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", f"-Wl,-soname,{soname}", "-o", named], check=True)
        subprocess.run(["cc", "-shared", folder / "part.o", "-Wl,--no-as-needed", named, "-o", module], check=True)
        # The script's text contains the module's path. If the path were a separate argument, the command would examine
        # the module.
        script = f"import ctypes; ctypes.CDLL('{module}').part()\n{WRITE_LIBRARIES}"
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


def link_of_cxx(vendor: str) -> list[str]:
    """Returns the option for the vendor's C++ library. Open MPI's compiler needs this option; MPICH's compiler always
    links its C++ library.
    """
    return [] if vendor == "mpich" else ["-lmpi_cxx"]


def expect_chosen(context: Context, runtime: Runtime, program: Path) -> None:
    """Expects one job of all processes, on the chosen library and no other."""
    done = started(context, runtime, program)
    expect(done.code == 0 and "size=2\n" in done.output, done)
    done = started(context, runtime, "env", "LD_DEBUG=files", program, ranks=1)
    files = {os.path.realpath(file) for file in re.findall(r"calling init: (\S+)", done.output)}
    libraries = {file for file in files if Path(file).exists() and "/anympi/" not in file and runtime_defines_mpi(Path(file))}
    expect(libraries == {os.path.realpath(runtime.library)}, libraries)


def runtime_defines_mpi(file: Path) -> bool:
    return "libmpi" in file.name and "PMPI_Init" in exported_names(file)


def check_fortran_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A Fortran library of another installation would bring its own MPI. The wheels have no Fortran library."""
    for method, (use, include) in METHODS.items():
        source, program = folder / "report.f90", folder / f"report-{method}"
        source.write_text(FORTRAN.format(use=use, include=include))
        subprocess.run([VENDOR_OF[vendor].fortran_wrapper, source, "-o", program], check=True, cwd=folder)
        expect_chosen(context, runtime, program)


def check_cxx_at_home(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A C++ library of another installation would bring its own MPI."""
    source, program = folder / "report.cpp", folder / "report"
    source.write_text(CXX)
    subprocess.run([f"mpicxx.{vendor}", "-w", source, "-o", program, *link_of_cxx(vendor)], check=True)
    expect_chosen(context, runtime, program)


def in_script(folder: Path, program: Path) -> Path:
    """Makes a script that starts the program. The command examines only the script."""
    script = folder / "script"
    script.write_text(f"#!/bin/sh\n{shlex.quote(str(program))}\n")
    script.chmod(0o755)
    return script


def check_rpath_in_a_script(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A script starts a program with an RPATH or a RUNPATH to another MPI. anympi starts the program once more with the
    right library. Programs that this program starts get the original environment variables.
    """
    for flags in ([], ["-no-pie"]):  # such a program exports nothing, and its table of symbols differs
        program = compiled(context, vendor, *rpath_flags(vendor), *flags)
        expect_report(started(context, runtime, in_script(folder, program)), runtime)
    (folder / "part.c").write_text(PART)
    (folder / "main.c").write_text('#include <stdlib.h>\nint part(void);\nint main(void) { return system("env | grep -e LD_PRELOAD -e ^ANYMPI_") + part(); }\n')
    subprocess.run([VENDOR_OF[vendor].wrapper, folder / "part.c", folder / "main.c", "-o", folder / "main", *rpath_flags(vendor)], check=True)
    done = started(context, runtime, in_script(folder, folder / "main"))
    expect(done.code == 0 and "size=2\n" in done.output and "ANYMPI_MPI=" in done.output, done)
    expect(not re.search(rf"ANYMPI_(STARTED|BEFORE|STEPPED)|^LD_PRELOAD=.*libmpi", done.output, re.MULTILINE), done)


MAPPED = "grep -o '/[^ ]*libmpi[^ ]*' /proc/$PPID/maps"


def check_companion_in_a_script(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A script starts a program in Fortran or C++. An RPATH or the system's folder gives this program a Fortran or C++
    library of another MPI. anympi starts the program once more with anympi's Fortran or C++ library and the chosen MPI
    library. This works even in cases in which the dynamic linker would end the program: with Open MPI 4.1's C++ library
    on Open MPI 5.0, and with everything that is linked with -z now.
    """
    use, include = METHODS["mpi_f08"]
    fortran, cxx = folder / "report.f90", folder / "report.cpp"
    fortran.write_text(FORTRAN.format(use=use, include=include).replace("call MPI_Finalize", f'if (MPI_COMM_WORLD /= MPI_COMM_WORLD) stop 1\ncall execute_command_line("{MAPPED}")\ncall MPI_Finalize'))
    cxx.write_text(CXX.replace("MPI::Finalize", f'if (std::system("{MAPPED}")) return 1;\n    MPI::Finalize').replace("<cstdio>", "<cstdio>\n#include <cstdlib>"))
    by_rpath = rpath_flags(vendor)
    for compiler, source, link in ((VENDOR_OF[vendor].fortran_wrapper, fortran, []), (f"mpicxx.{vendor}", cxx, link_of_cxx(vendor))):
        for flags in ([], by_rpath, ["-Wl,-z,now"]):
            program = source.with_suffix("")
            subprocess.run([compiler, "-w", source, "-o", program, *link, *flags], check=True, cwd=folder)
            done = started(context, runtime, in_script(folder, program))
            mapped = {os.path.realpath(file) for file in re.findall(r"^/\S+", done.output, re.MULTILINE)}
            libraries = {file for file in mapped if "/anympi/" not in file and runtime_defines_mpi(Path(file))}
            expect(done.code == 0 and "size=2\n" in done.output and libraries == {os.path.realpath(runtime.library)}, done)


def check_other_library(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """A script opens a module whose RPATH leads to another MPI. If it opens the module by a path, the module runs on the
    chosen library. If it opens the module by a name without a folder, the process stops. If it only asks whether the
    module is open (RTLD_NOLOAD), no MPI is loaded. A program that only asks for the library's version continues.
    """
    other = system_library(VENDOR_OF[vendor].system_soname)
    stopped = rf"^anympi: .* has loaded \S*{re.escape(other.name)}\b"
    (folder / "part.c").write_text(PART)
    subprocess.run([VENDOR_OF[vendor].wrapper, "-shared", "-fPIC", folder / "part.c", "-o", folder / "part.so", *rpath_flags(vendor)],
                   check=True)
    opening = f"import ctypes; ctypes.CDLL('%s').part()\n{WRITE_LIBRARIES}"
    done = started(context, runtime, "python3", "-c", opening % (folder / "part.so"))
    mapped = set(map(os.path.realpath, done.output.split()))
    expect(done.code == 0 and "size=2\n" in done.output and os.path.realpath(runtime.library) in mapped and os.path.realpath(other) not in mapped, done)
    asking = f"import os, ctypes\ntry: ctypes.CDLL('{folder / 'part.so'}', os.RTLD_NOLOAD)\nexcept OSError: print('closed')\n{WRITE_LIBRARIES}"
    done = started(context, runtime, "python3", "-c", asking, ranks=1)
    expect(done.code == 0 and "closed" in done.output and os.path.realpath(runtime.library) not in map(os.path.realpath, done.output.split()), done)
    done = started(context, runtime, "python3", "-c", opening % "part.so", ranks=1, environment={"LD_LIBRARY_PATH": str(folder)})
    expect(done.code != 0 and "size=" not in done.output and re.search(stopped, done.output, re.MULTILINE), done)

    (folder / "version.c").write_text("#include <mpi.h>\n#include <stdio.h>\nint main(void) { int major, minor;\n"
                                      '    MPI_Get_version(&major, &minor); return printf("version=%d\\n", major) < 0; }\n')
    subprocess.run([VENDOR_OF[vendor].wrapper, folder / "version.c", "-o", folder / "version", *rpath_flags(vendor)], check=True)
    done = started(context, runtime, in_script(folder, folder / "version"), ranks=1)
    expect(done.code == 0 and "version=" in done.output, done)


def expect_refused(done, *texts: str) -> None:
    expect(done.code == 1 and "size=" not in done.output and all(text in done.output for text in texts), done)


def mpich_flags(*words: str) -> list[str]:
    return shlex.split(subprocess.run(["pkg-config", *words, "mpich"], capture_output=True, text=True, check=True).stdout)


def linked_with_archive(context: Context, stripped: bool) -> Path:
    """Links a program with MPICH's static library. All other libraries are dynamic."""
    archive = system_library("libmpich.so.12").parent / "libmpich.a"
    if not shutil.which("pkg-config") or not archive.exists():
        raise NotInstalled(f"pkg-config, {archive}")
    flags = [flag for flag in mpich_flags("--libs", "--static") if flag != "-lmpich"]
    return context.compile("report-archive" + "-stripped" * stripped, [context.root / "tests" / "command" / "report.c"],
                           [*mpich_flags("--cflags"), *["-s"] * stripped, str(archive), *flags])


def check_archive(context: Context, runtime: Runtime, _vendor: str, folder: Path) -> None:
    """A program that contains an MPI is refused on MPIs of other families. Otherwise a job of several processes would
    become several jobs of one process. A script that starts such a program is not refused, but the process of the
    program stops.
    """
    script = in_script(folder, linked_with_archive(context, stripped=False))
    done = started(context, runtime, script)
    if runtime.family == "openmpi":
        expect(done.code != 0 and "size=" not in done.output and "holds an MPI of its own (mpich)" in done.output, done)
    else:
        expect(done.code == 0 and "size=2\n" in done.output, done)
    for stripped in (False, True):
        program = linked_with_archive(context, stripped)
        if runtime.family == "openmpi":
            expect_refused(started(context, runtime, program), "holds an MPI of its own (MPICH's ABI)", "--mpi mpich")
        else:
            done = started(context, runtime, program)
            expect(done.code == 0 and "size=2\n" in done.output and "it runs on that one" in done.output, done)


def check_more_rights(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """No library can be preloaded into a set-user-ID program. Such a program runs only if the dynamic linker finds the
    chosen library without preloading.
    """
    if os.geteuid() != 0:
        raise Unavailable("only root can give a file to another user")
    folder.chmod(0o755)
    program, copy = folder / "program", folder / "copy"
    shutil.copy(compiled(context, vendor), program)
    os.chown(program, 65534, 65534)
    program.chmod(0o4755)
    if runtime.library == system_library(VENDOR_OF[vendor].system_soname):
        # Such processes may not read each other's /proc, through which UCX shares memory.
        expect_report(started(context, runtime, program, environment={"UCX_TLS": "tcp,self"}), runtime)
    else:
        expect_refused(started(context, runtime, program), "gets more rights than its user has", "anympi adopt")
    expect(anympi(context, "adopt", program, "-o", copy).code == 0 and copy.stat().st_mode & 0o7777 == 0o755, "adopt")
    expect_report(started(context, runtime, copy), runtime)
    program.chmod(0o755)
    expect_report(started(context, runtime, program), runtime)


def renamed_library(folder: Path, name: str) -> Path:
    """Returns a copy of Debian's MPICH under another name, as packing tools make it."""
    need("patchelf")
    library = folder / name
    shutil.copy(system_library("libmpich.so.12"), library)
    subprocess.run(["patchelf", "--set-soname", name, library], check=True)
    return library


def check_renamed(context: Context, runtime: Runtime, _vendor: str, folder: Path) -> None:
    """An MPI library that a packing tool has renamed is recognised by its symbols. If the file is missing, the library is
    recognised by its name. `anympi adopt` can adopt a program that needs such a library.
    """
    source = context.root / "tests" / "command" / "report.c"
    for name in ("libmpich-1a2b3c4d.so.12.1.1", "libbundled.so.1"):
        library, program, copy = renamed_library(folder, name), folder / "program", folder / "copy"
        subprocess.run(["cc", *mpich_flags("--cflags"), source, library, "-o", program,
                        "-Wl,--disable-new-dtags,-rpath,$ORIGIN"], check=True)
        expect_refused(started(context, runtime, program), f"needs {name}", "an unusual name", "anympi adopt")
        expect(anympi(context, "adopt", program, "-o", copy).code == 0, "adopt")
        expect_report(started(context, runtime, copy), runtime)
        library.unlink()
        if "-" in name:
            expect_refused(started(context, runtime, program), f"needs {name}", "an unusual name", "anympi adopt")


def check_renamed_for_a_library(context: Context, runtime: Runtime, _vendor: str, folder: Path) -> None:
    """A library of the program needs the renamed library. An adopted copy of the program would not help."""
    library = renamed_library(folder, "libmpich-1a2b3c4d.so.12.1.1")
    (folder / "part.c").write_text(PART)
    (folder / "main.c").write_text(USER_OF_PART)
    subprocess.run(["cc", "-shared", "-fPIC", *mpich_flags("--cflags"), folder / "part.c", library, "-o", folder / "libpart.so",
                    "-Wl,-rpath,$ORIGIN"], check=True)
    subprocess.run(["cc", folder / "main.c", "-o", folder / "main", folder / "libpart.so", "-Wl,-rpath,$ORIGIN"], check=True)
    expect_refused(started(context, runtime, folder / "main"), "libpart.so needs libmpich-1a2b3c4d.so.12.1.1", "patchelf")
    expect_refused(anympi(context, "adopt", folder / "main", "-o", folder / "copy"), "libpart.so needs", "patchelf")


def check_renamed_for_a_module(context: Context, runtime: Runtime, _vendor: str, folder: Path) -> None:
    """A script opens a file that needs the renamed library, as in the wheels of mpi4py that contain their own MPI. The
    script stops, and names the file to adopt.
    """
    library, module, copy = renamed_library(folder, "libmpich-1a2b3c4d.so.12.1.1"), folder / "module.so", folder / "copy.so"
    (folder / "part.c").write_text(PART)
    subprocess.run(["cc", "-shared", "-fPIC", *mpich_flags("--cflags"), folder / "part.c", library, "-o", module, "-Wl,-rpath,$ORIGIN"],
                   check=True)
    for opened, is_right in ((module, False), (copy, True)):
        script = folder / f"open-{opened.stem}.py"
        script.write_text(f"import ctypes; ctypes.CDLL('{opened}').part()\n")
        done = started(context, runtime, "python3", script)
        if is_right:
            expect(done.code == 0 and "size=2\n" in done.output, done)
        else:
            stopped = f"{library}, which {module} needs" in done.output and f"anympi adopt {module} -o COPY" in done.output
            expect(done.code != 0 and "size=" not in done.output and stopped, done)
            expect(anympi(context, "adopt", module, "-o", copy).code == 0, "adopt")


EIGHT_BYTES = """#include <stdio.h>
void mpi_init_(long *), mpi_comm_size_(long *, long *, long *), mpi_comm_rank_(long *, long *, long *), mpi_finalize_(long *);
int main(void) { long world = 0x44000000, size = -1, rank = -1, error = -1; mpi_init_(&error);
    mpi_comm_rank_(&world, &rank, &error); mpi_comm_size_(&world, &size, &error);
    if (rank == 0) printf("size=%ld\\n", size); mpi_finalize_(&error); return 0; }
"""


def check_ilp64(context: Context, runtime: Runtime, _vendor: str, folder: Path) -> None:
    """A Fortran program with 8-byte integers runs only on an MPI that has a library for 8-byte integers."""
    intel = next((other for other in context.runtimes if other.name == "impi" and not other.missing), None)
    if not intel:
        raise Unavailable("Intel MPI's library is not among the libraries of this run")
    home = Path(intel.library).parent
    (folder / "program.c").write_text(EIGHT_BYTES)
    subprocess.run(["cc", folder / "program.c", "-o", folder / "program", "-Wl,--no-as-needed", home / "libmpi_ilp64.so.4",
                    home / "libmpi.so.12", f"-Wl,-rpath-link,{home}"], check=True)
    done = started(context, runtime, folder / "program")
    if runtime.name == "impi":
        expect(done.code == 0 and "size=2\n" in done.output, done)
    else:
        expect_refused(done, "a Fortran program with integers of 8 bytes")
    expect_refused(anympi(context, "adopt", folder / "program", "-o", folder / "copy"), "integers of 8 bytes")


def check_old_openmpi(context: Context, runtime: Runtime, _vendor: str, folder: Path) -> None:
    """Open MPI 1.10 has the soname of MPICH's family, and the constants and structures of later releases."""
    need("patchelf")
    program = folder / "program"
    shutil.copy(compiled(context, "openmpi"), program)
    subprocess.run(["patchelf", "--replace-needed", "libmpi.so.40", "libmpi.so.12", program], check=True)
    expect_report(started(context, runtime, program), runtime)
    expect(anympi(context, "adopt", program, "-o", folder / "copy").code == 0, "adopt")
    expect_report(started(context, runtime, folder / "copy"), runtime)
    shown = anympi(context, "inspect", program).output
    expect("as later releases" in shown and "does not know" not in shown, shown)


def check_order_of_the_user(context: Context, runtime: Runtime, vendor: str, folder: Path) -> None:
    """The program gets the user's PATH, although Open MPI's launchers put the folder of their installation before it."""
    own = folder / "own"
    own.mkdir()
    (own / "cat").write_text("#!/bin/sh\necho \"path=$PATH\"\n")
    (own / "cat").chmod(0o755)
    path = f"{own}:{os.environ['PATH']}"
    for command in (["cat"], ["env", "cat"], ["sh", "-c", "cat"]):
        done = started(context, runtime, *command, ranks=1, environment={"PATH": path})
        seen = re.search(r"^path=(.*)$", done.output, re.MULTILINE)
        expect(done.code == 0 and seen and seen[1] == path, done)


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
    "RPATH in a script": check_rpath_in_a_script,
    "RPATH of a library": check_rpath_of_a_library,
    "preload of the user": check_users_preload,
    "adopted": check_adopted,
}
OWN_CHECKS = {
    "order of the user": check_order_of_the_user,
    "at home": check_at_home,
    "adopted at home": check_adopted_at_home,
    "module at home": check_module_at_home,
    "Fortran at home": check_fortran_at_home,
    "C++ at home": check_cxx_at_home,
}
CHECKS_BESIDE_ANOTHER = {
    "RPATH in a script": check_rpath_in_a_script,
    "companion in a script": check_companion_in_a_script,
    "library as an argument": check_library_as_argument,
    "other library": check_other_library,
}
# Checks with programs for MPICH whose MPI library cannot be replaced when they start. The checks run on each family.
OBSTACLES = {
    "archive": check_archive,
    "more rights": check_more_rights,
    "renamed": check_renamed,
    "renamed for a library": check_renamed_for_a_library,
    "renamed for a module": check_renamed_for_a_module,
    "integers of 8 bytes": check_ilp64,
    "Open MPI 1.10": check_old_openmpi,
}
