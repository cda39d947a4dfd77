"""Programs on a library of their own family that lacks functions: what `anympi run` adds to that library, and for which
programs.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import SECONDS, anympi, needs_built
from lib.checks import case_on, expect, need
from lib.context import Context
from lib.runtimes import Runtime
from lib.vendor_table import VENDOR_OF

SOURCE = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int MPI_Remove_error_class(int) ATTRIBUTE;
static void tell_start(void) { write(1, "start\\n", 6); }
__attribute__((section(".preinit_array"), used)) static void (*const before_all_others)(void) = tell_start;
#ifdef BY_ADDRESS
static int remove_class(int added) { int (*volatile address)(int) = MPI_Remove_error_class; return address(added); }
#else
#define remove_class MPI_Remove_error_class
#endif
#ifdef COPIES_LIST
#define HAS_LIST (_r_debug.r_map != 0)
#else
#define HAS_LIST 1
#endif
int main(int words, char **names) {
    char line[4096];
    int added = 0, code = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    MPI_Init(0, 0);
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "/anympi/") && strchr(line, '/')) fputs(strchr(line, '/'), stdout);
    printf("preload=%s\\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "ANYMPI_STARTED", 14) == 0 || strncmp(*variable, "ANYMPI_BEFORE", 13) == 0) puts(*variable);
    if (getenv("PLUGIN"))
        ((void (*)(void))dlsym(dlopen(getenv("PLUGIN"), RTLD_LAZY), "flush"))();
    if (CALLS) {
        MPI_Add_error_class(&added);
        code = remove_class(added);
        printf("removed=%d\\n", HAS_LIST && code == MPI_SUCCESS);
    }
    return MPI_Finalize();
}
"""
PLUGIN = """#include <mpi.h>
#include <stdio.h>
extern int MPI_Comm_flush_buffer(MPI_Comm comm);
void flush(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    printf("flushed=%d\\n", MPI_Comm_flush_buffer(MPI_COMM_WORLD) == MPI_SUCCESS);
}
"""
TOOL = """#include <mpi.h>
#include <stdio.h>
int MPI_Init(int *words, char ***line) { int code = PMPI_Init(words, line); printf("tool=seen\\n"); return code; }
"""
# Open MPI's MPI::Op::Init makes an operation by MPI_Op_create before its function is known, and anympi's C++ library
# has that function.
REDUCTIONS = """#include <mpi.h>
#include <cstdio>
extern "C" int MPI_Remove_error_class(int);
void smallest(const void *in, void *inout, int, const MPI::Datatype &) { int a = *(const int *)in; int &b = *(int *)inout; if (a < b) b = a; }
void largest(const void *in, void *inout, int, const MPI::Datatype &) { int a = *(const int *)in; int &b = *(int *)inout; if (a > b) b = a; }
int main(int words, char **line) {
    MPI::Init(words, line);
    int rank = MPI::COMM_WORLD.Get_rank(), found[2] = {-1, -1}, added = 0;
    MPI::Op least, most;
    least.Init((MPI::User_function *)smallest, true);
    most.Init((MPI::User_function *)largest, true);
    MPI::COMM_WORLD.Allreduce(&rank, &found[0], 1, MPI::INT, least);
    MPI::COMM_WORLD.Allreduce(&rank, &found[1], 1, MPI::INT, most);
    MPI_Add_error_class(&added);
    const int code = MPI_Remove_error_class(added);
    if (rank == 0) std::printf("least=%d most=%d removed=%d\\n", found[0], found[1], code == MPI_SUCCESS);
    MPI::Finalize();
}
"""
NEWER = "".join(f"int {name}() {{ return 0; }}\n" for name in ("MPI_Init", "PMPI_Init", "MPI_Finalize", "MPI_Add_error_class", "MPI_Remove_error_class"))
LACKING = ("MPI_Remove_error_class",)  # on every library of the usual test except MPICH 5


@needs_built("anympi")
def cases(context: Context):
    for runtime in context.runtimes:
        if runtime.family not in VENDOR_OF or not (runtime.usual or context.full):
            continue
        for title, check in {**CHECKS, **(CHECKS_OF_INSTALLED if runtime.name in VENDOR_OF else {})}.items():
            yield case_on(context, runtime, title, partial(with_wrapper, check))


def with_wrapper(check, context: Context, runtime: Runtime, folder: Path) -> None:
    need(VENDOR_OF[runtime.family].wrapper)
    check(context, runtime, folder)


def write(context: Context, name: str, text: str) -> Path:
    source = context.work / name
    with context.lock_of(source):
        if not source.exists() or source.read_text() != text:
            source.write_text(text)
    return source


def newer_library(context: Context, runtime: Runtime) -> Path:
    """Returns a stub with the soname of the vendor's library and with functions of newer releases. Programs are linked
    with this stub.
    """
    vendor = VENDOR_OF[runtime.family]
    return context.compile(f"newer-{vendor.abi}.so", [write(context, "newer.c", NEWER)], ["-shared", "-fPIC", f"-Wl,-soname,{vendor.system_soname}"])


def compiled(context: Context, runtime: Runtime, name: str, attribute: str, calls: str, *libraries: Path, flags: tuple[str, ...] = ()) -> Path:
    vendor = VENDOR_OF[runtime.family]
    return context.compile(f"missing_at_home-{vendor.abi}-{name}", [write(context, "missing_at_home.c", SOURCE), *libraries, newer_library(context, runtime)],
                           [f"-DATTRIBUTE={attribute}", f"-DCALLS={calls}", "-w", *flags], vendor.wrapper)


def lacks(runtime: Runtime) -> bool:
    return not runtime.exports(LACKING[0])


def started(context: Context, runtime: Runtime, program: Path, **environment: str) -> process.Completed:
    words = ["run", "--mpi", runtime.library, "-n", 1, *runtime.launcher[1:], program]
    return process.run([context.build / "bin" / "anympi", *words], SECONDS, {**runtime.environment, **environment})


def names_of_ours(done: process.Completed) -> set[str]:
    """Returns the names of anympi's files in the process, without the files that every process of a job has."""
    mapped = (line for line in done.output.splitlines() if line.startswith("/") and "/anympi/" in line)
    mapped = (line for line in mapped if "/placeholders/" not in line and "/aliases/" not in line)
    found = {Path(line).name for line in mapped}
    return {name for name in found if name not in ("check_library.so", "before_binding.so", "keep_path.so") and not name.startswith("missing_at_home")}


def check_nothing(context: Context, runtime: Runtime, _folder: Path) -> None:
    """A program runs without a supplement if it calls no missing function, or has only weak references to missing
    functions.
    """
    for name, attribute, calls in (("weak", "__attribute__((weak))", "MPI_Remove_error_class"), ("unused", "", "0")):
        done = started(context, runtime, compiled(context, runtime, name, attribute, calls))
        expect(done.code == 0 and names_of_ours(done) == set(), done)


def check_supplement(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The front is loaded after the library. The only interposer is the one for the missing function."""
    done = started(context, runtime, compiled(context, runtime, "strong", "", "1"))
    expect(done.code == 0 and "removed=1" in done.output, done)
    own = names_of_ours(done)
    is_right = any(name.startswith("libmpi.so") for name in own) and {name for name in own if not name.startswith("libmpi.so")} == {"added_codes.so"}
    expect(is_right if lacks(runtime) else own == set(), done)


def check_script(context: Context, runtime: Runtime, folder: Path) -> None:
    """A program that a script starts is started a second time with the supplement. Its environment variables do not
    change. This also works for a program that is linked with -z now, which the dynamic linker would end before any
    constructor runs. It also works for a program at a fixed address, whose hash table lists each function whose address
    is taken, and for a program that has a copy of the dynamic linker's list and so hides that list. A program without
    missing functions is started only once.
    """
    weak, fixed = "__attribute__((weak))", ("-Wl,-z,now", "-no-pie")
    by_address, with_copy = ("-fno-pie", "-DBY_ADDRESS"), ("-no-pie", "-fno-pie", "-DCOPIES_LIST")
    for name, attribute, calls, flags in (("strong", "", "1", ()), ("weak", weak, "MPI_Remove_error_class", ()), ("unused", "", "0", ()), ("now", "", "1", ("-Wl,-z,now",)),
                                           ("fixed", "", "1", fixed), ("address", "", "1", (*fixed, *by_address)), ("copy", "", "1", with_copy)):
        program = compiled(context, runtime, name, attribute, calls, flags=flags)
        script = folder / f"{name}.sh"
        script.write_text(f'#!/bin/sh\necho "preload=$LD_PRELOAD"\n{program}\n')
        script.chmod(0o755)
        done = started(context, runtime, script)
        is_supplemented = attribute == "" and calls == "1" and lacks(runtime)
        is_there = (attribute == "" and calls == "1") or (name == "weak" and not lacks(runtime))
        expect(done.code == 0 and ("removed=1" in done.output) == is_there, done)
        expect(done.output.count("start\n") == (2 if is_supplemented else 1), done)
        expect(len(names_of_ours(done)) == (2 if is_supplemented else 0) and ("added_codes.so" in names_of_ours(done)) == is_supplemented, done)
        before, seen = re.findall(r"preload=(.*)", done.output)
        expect(before == seen and "ANYMPI_STARTED" not in done.output and "ANYMPI_BEFORE" not in done.output, done)


def check_plugin(context: Context, runtime: Runtime, _folder: Path) -> None:
    """A plug-in calls a function that the library lacks. If the process has no interposer for the function, the function
    reports that it is missing.
    """
    if not lacks(runtime) or runtime.exports("MPI_Comm_flush_buffer"):
        return
    plugin = context.compile(f"flushes-{runtime.family}.so", [write(context, "flushes.c", PLUGIN)], ["-shared", "-fPIC", "-w"], VENDOR_OF[runtime.family].wrapper)
    done = started(context, runtime, compiled(context, runtime, "strong", "", "1"), PLUGIN=str(plugin))
    expect(done.code == 0 and "removed=1" in done.output and "flushed=0" in done.output, done)


def check_changed_variable(context: Context, runtime: Runtime, _folder: Path) -> None:
    """A program that removes LD_PRELOAD for its child processes is not started again in the middle of its work."""
    done = started(context, runtime, compiled(context, runtime, "unset", "", "(unsetenv(\"LD_PRELOAD\") == 0)"))
    expect(done.code == 0 and done.output.count("removed=1") == 1, done)


def check_on_request(context: Context, runtime: Runtime, _folder: Path) -> None:
    """With ANYMPI_EMULATE=all, all interposers of the register are preloaded."""
    done = started(context, runtime, compiled(context, runtime, "unused", "", "0"), ANYMPI_EMULATE="all")
    expect(done.code == 0 and "all.so" in names_of_ours(done), done)


def check_order(context: Context, runtime: Runtime, _folder: Path) -> None:
    """The order is: a tool of the user, interposers, the library, the front. It is the same for all programs of a job."""
    strong, unused = compiled(context, runtime, "strong", "", "1"), compiled(context, runtime, "unused", "", "0")
    for words in ([strong], [strong, ":", "-n", 1, unused], [unused, ":", "-n", 1, strong]):
        shown = anympi(context, "run", "--mpi", runtime.library, "--dry-run", "-n", 1, *words,
                       environment={**runtime.environment, "LD_PRELOAD": "libm.so.6"})
        order = rf"LD_PRELOAD[ =]\S*libm\.so\.6:\S+/interposers/{runtime.family}/added_codes\.so:{re.escape(str(runtime.library))}:\S+/anympi/{runtime.family}/lib"
        expect(shown.code == 0 and bool(re.search(order, shown.output)) == lacks(runtime), shown)


def check_tool(context: Context, runtime: Runtime, folder: Path) -> None:
    """A tool sees the program's calls as without anympi, if it is linked with the program or preloaded. It also sees the
    calls of an adopted copy of the program.
    """
    vendor, copy = VENDOR_OF[runtime.family], folder / "copy"
    tool = context.compile(f"missing_at_home-{vendor.abi}-tool.so", [write(context, "tool.c", TOOL)], ["-shared", "-fPIC"], vendor.wrapper)
    plain, linked = compiled(context, runtime, "strong", "", "1"), compiled(context, runtime, "with_tool", "", "1", tool)
    for program, preloaded in ((linked, ""), (plain, str(tool))):
        expect_seen(started(context, runtime, program, LD_PRELOAD=preloaded))
        expect(anympi(context, "adopt", program, "-o", copy).code == 0, "adopt")
        words = [*runtime.launcher, "-n", 1, "env", f"LD_PRELOAD={preloaded}", copy]
        expect_seen(process.run(words, SECONDS, {**runtime.environment, "ANYMPI_MPI": str(runtime.library)}))


def expect_seen(done: process.Completed) -> None:
    expect(done.code == 0 and done.output.count("removed=1") == 1 and done.output.count("tool=seen") == 1, done)


def check_sanitizer(context: Context, runtime: Runtime, folder: Path) -> None:
    """AddressSanitizer stops a program if another library is loaded before AddressSanitizer's library. Programs that a
    script starts have libraries of anympi, and run nevertheless. The user's options of AddressSanitizer are kept.
    """
    program = compiled(context, runtime, "sanitized", "", "1", flags=("-fsanitize=address",))
    done = started(context, runtime, program, ASAN_OPTIONS="detect_leaks=0")
    expect(done.code == 0 and done.output.count("removed=1") == 1, done)
    script = folder / "sanitized.sh"
    script.write_text(f'#!/bin/sh\necho "options=$ASAN_OPTIONS"\n{compiled(context, runtime, "sanitized_unused", "", "0", flags=("-fsanitize=address",))}\n')
    script.chmod(0o755)
    done = started(context, runtime, script, ASAN_OPTIONS="detect_leaks=0")
    expect(done.code == 0 and done.output.count("start\n") == 1 and "options=verify_asan_link_order=0:detect_leaks=0\n" in done.output, done)


def check_cxx(context: Context, runtime: Runtime, folder: Path) -> None:
    """anympi's C++ library defines a C function of MPI. The program uses this function instead of the MPI library's."""
    source, program, stub = folder / "reductions.cpp", folder / "reductions", folder / "libstub.so"
    source.write_text(REDUCTIONS)
    (folder / "stub.c").write_text("int MPI_Remove_error_class(int code) { return code; }\n")
    link = ["-lmpi_cxx"] if runtime.family == "openmpi" else []  # MPICH's compiler always links its own C++ library
    for words in (["cc", "-shared", "-fPIC", folder / "stub.c", "-Wl,-soname,libstub.so", "-o", stub],
                  [f"mpicxx.{runtime.family}", "-w", source, stub, *link, "-o", program],
                  ["patchelf", "--remove-needed", "libstub.so", program]):
        subprocess.run(words, check=True)
    words = ["run", "--mpi", runtime.library, "-n", 2, *runtime.launcher[1:], program]
    done = process.run([context.build / "bin" / "anympi", *words], SECONDS, runtime.environment)
    expect(done.code == 0 and "least=0 most=1 removed=1" in done.output, done)


def check_inspect(context: Context, runtime: Runtime, _folder: Path) -> None:
    """`anympi inspect` shows the function as emulated."""
    shown = anympi(context, "inspect", "--json", compiled(context, runtime, "strong", "", "1"), environment={"ANYMPI_MPI": str(runtime.library)})
    machine = [mpi for mpi in json.loads(shown.output)["files"][0]["machine"] if os.path.realpath(mpi["path"]) == os.path.realpath(runtime.library)]
    expect(len(machine) == 1 and machine[0]["runs"] == "directly" and machine[0]["missing"] == [], shown)
    expect((LACKING[0] in machine[0]["emulated"]) == lacks(runtime) and "MPI_Init" in machine[0]["native"], shown)


CHECKS = {"nothing is lacking": check_nothing, "a function is lacking": check_supplement, "LD_PRELOAD is removed": check_changed_variable, "what is wrong is replaced on request": check_on_request,
          "order of what is preloaded": check_order, "what a script starts": check_script, "a plug-in without its interposer": check_plugin,
          "a tool sees the calls": check_tool, "reductions in C++": check_cxx, "AddressSanitizer": check_sanitizer}
CHECKS_OF_INSTALLED = {"inspect": check_inspect}  # for MPIs of this machine, not for wheels
