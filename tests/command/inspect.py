"""`anympi inspect` on a fake machine and on the real one: the MPI for which a program or a library was built, and files
that cannot be inspected.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import time
from pathlib import Path

from lib.anympi import anympi, wrapper
from lib.checks import NotInstalled, Unavailable, expect
from lib.context import Context
from lib.fake_machine import FakeMachine, cases_of
from lib.vendor_table import VENDORS

IS_SERIAL = True

TITLES = {"mpich": "MPICH's ABI", "openmpi": "Open MPI's ABI"}


def cases(context: Context):
    return cases_of(context, CHECKS)


def inspected(machine: FakeMachine, file: Path, expected: int = 0, **variables: str) -> dict:
    result, = machine.json("inspect", file, expected=expected, **variables)["files"]
    return result


# The MPI for which each was built


def check_families(context: Context, folder: Path) -> None:
    """The name of the needed library and the functions that the program uses determine the family."""
    machine = FakeMachine(context, folder)
    for shape, abi in [("openmpi", "openmpi"), ("mpich", "mpich"), ("mpich-debian", "mpich"), ("intel", "mpich"),
                       ("standard", "standard")]:
        library = machine.mpi(shape, f"opt/{shape}")
        for kind in ("-pie", "-no-pie"):
            program = machine.program(f"bin/{shape}{kind}", ["HAS_MAIN", "FUNCTION_NAME=use"], [library], kind)
            seen = inspected(machine, program, LD_LIBRARY_PATH=str(library.parent))
            expect(seen["abi"] == abi and seen["kind"] == "program" and not seen["draft"], seen)
            expect(seen["mpi_libraries"] == {library.name: str(library)}, seen)
            expect(seen["functions"] == ["MPI_Barrier", "MPI_Init", "MPI_Send"], seen)
            expect(seen["parts"] == [str(program)], seen)


def check_data_and_extensions(context: Context, folder: Path) -> None:
    """A program at a fixed address contains copies of a library's data objects, and so defines their symbols itself.
    `inspect` reports these symbols nevertheless.
    """
    machine = FakeMachine(context, folder)
    library = machine.mpi("openmpi", "opt/openmpi", "mpirun", "FAKE_MORE")
    for kind in ("-pie", "-no-pie"):
        program = machine.program("program", ["HAS_MAIN", "USES_OPENMPI_DATA", "USES_EXTENSIONS", "USES_FORTRAN",
                                              "FUNCTION_NAME=use"], [library], kind)
        seen = inspected(machine, program)
        expect(seen["data"] == ["ompi_mpi_comm_world"], seen)
        expect(seen["extensions"] == ["MPIR_Dup_fn", "MPIX_Query_cuda_support", "OMPI_C_MPI_COMM_DUP_FN"], seen)
        expect(seen["fortran"] == ["mpi_get_count_"], seen)
        expect(all("MPI_Get_count" in mpi["native"] for mpi in seen["machine"]), seen)  # mpi_get_count_ is
                                                                                        # counted as this function


def check_plugins(context: Context, folder: Path) -> None:
    """A plug-in needs no MPI library: its symbols may show the ABI."""
    machine = FakeMachine(context, folder)
    for macros, abi in [(["USES_OPENMPI_DATA"], "openmpi"), (["USES_MPICH_DATA"], "mpich"), ([], "any")]:
        plugin = machine.program("plugin.so", [*macros, "FUNCTION_NAME=use"], [], "-shared", "-fPIC")
        seen = inspected(machine, plugin)
        expect(seen["abi"] == abi and seen["kind"] == "library", seen)


def check_no_mpi(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    machine.mpi("openmpi", "usr")
    program = machine.program("program", ["HAS_MAIN", "USES_NOTHING"], [])
    expect("shows no MPI (it needs libraries that were not found)" in machine.run("inspect", program).output, "not all is seen")
    machine.add_libc()
    seen = inspected(machine, program)
    expect(seen["abi"] is None and seen["machine"] == [] and seen["functions"] == [], seen)
    expect("uses no MPI" in machine.run("inspect", program).output, "no word of it")


def check_dependencies(context: Context, folder: Path) -> None:
    """Only a library of the program uses MPI. `inspect` finds this library in every way in which the dynamic linker does."""
    machine = FakeMachine(context, folder)
    mpi = machine.mpi("mpich", "opt/mpich")
    part = machine.program("parts/libpart.so", ["FUNCTION_NAME=fake_part"], [mpi], "-shared", "-fPIC",
                           "-Wl,-soname,libpart.so")
    bare = ["HAS_MAIN", "USES_LIBRARY", "USES_NOTHING"]
    ways = {
        "RUNPATH": (["-Wl,--enable-new-dtags,-rpath," + str(part.parent)], {}),
        "RPATH": (["-Wl,--disable-new-dtags,-rpath," + str(part.parent)], {}),
        "origin": (["-Wl,-rpath,$ORIGIN/../parts"], {}),
        "variable": ([], {"LD_LIBRARY_PATH": str(part.parent)}),
    }
    for way, (flags, variables) in ways.items():
        program = machine.program("bin/program", bare, [part], *flags)
        seen = inspected(machine, program, **variables)
        expect(seen["abi"] == "mpich", f"{way}: {seen}")
        expect([os.path.normpath(path) for path in seen["parts"]] == [str(part)], f"{way}: {seen}")
        expect(seen["functions"] == ["MPI_Barrier", "MPI_Send"], f"{way}: {seen}")
    program = machine.program("bin/program", bare, [part])
    seen = inspected(machine, program)
    expect(seen["abi"] is None and "libpart.so" in seen["not_found"], seen)
    machine.write("etc/ld.so.conf", "include conf.d/*.conf\n")
    machine.write("etc/conf.d/parts.conf", "# a comment\n/parts\n")
    seen = inspected(machine, program)
    expect(seen["abi"] == "mpich" and "libpart.so" not in seen["not_found"], seen)
    shown = machine.run("inspect", program).output
    expect("parts that use MPI" in shown and str(part) in shown, shown)


def check_origin(context: Context, folder: Path) -> None:
    """$ORIGIN stands for the folder of the program, or for the folder in which a library was found. `;` separates
    folders, like `:`.
    """
    machine = FakeMachine(context, folder)
    mpi = machine.mpi("mpich", "opt/mpich")
    part = machine.program("real/libpart.so", ["FUNCTION_NAME=fake_part"], [mpi], "-shared", "-fPIC",
                           "-Wl,-soname,libpart.so", "-Wl,-rpath,$ORIGIN/mpi")
    (machine.root / "linked").mkdir()
    (machine.root / "linked" / "libpart.so").symlink_to(part)
    (machine.root / "linked" / "mpi").symlink_to(mpi.parent)
    program = machine.program("bin/program", ["HAS_MAIN", "USES_LIBRARY", "USES_NOTHING"], [part])
    seen = inspected(machine, program, LD_LIBRARY_PATH=f"/nowhere;{machine.root}/linked")
    expect(seen["mpi_libraries"] == {mpi.name: f"{machine.root}/linked/mpi/{mpi.name}"}, seen)
    (machine.root / "linked" / "mpi").rename(machine.root / "real" / "mpi")
    seen = inspected(machine, program, LD_LIBRARY_PATH=f"{machine.root}/linked")
    expect(seen["mpi_libraries"] == {mpi.name: ""}, seen)
    bound = machine.program("real/program", ["HAS_MAIN", "FUNCTION_NAME=use"], [mpi], "-Wl,-rpath,$ORIGIN/mpi")
    link = machine.root / "linked" / "program"
    link.symlink_to(bound)
    expect(inspected(machine, link)["mpi_libraries"][mpi.name].startswith(f"{machine.root}/real/mpi"), "link to a program")


def check_hostile_paths(context: Context, folder: Path) -> None:
    """An RPATH of megabytes takes next to no time."""
    machine = FakeMachine(context, folder)
    for path in ("$ORIGIN" * 18000, "${ORIGIN}/x:" * 10000, "/" + "x" * 120000):
        program = machine.program("bomb", ["HAS_MAIN", "USES_NOTHING"], [], f"-Wl,-rpath,{path}")
        begin = time.monotonic()
        inspected(machine, program)
        expect(time.monotonic() - begin < 5, f"{path[:20]}… takes {time.monotonic() - begin:.1f} s")


def check_mixed(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    first, second = machine.mpi("mpich", "opt/mpich"), machine.mpi("openmpi", "opt/openmpi")
    part = machine.program("libpart.so", ["FUNCTION_NAME=fake_part"], [first], "-shared", "-fPIC",
                           "-Wl,-soname,libpart.so")
    program = machine.program("program", ["HAS_MAIN", "FUNCTION_NAME=use"], [second, part],
                              f"-Wl,-rpath,{machine.root}", "-Wl,--no-as-needed")
    seen = inspected(machine, program)
    expect(seen["abi"] == "several", seen)
    expect(any("Two MPIs" in remark and "libpart.so for mpich" in remark for remark in seen["remarks"]), seen)


def check_drafts(context: Context, folder: Path) -> None:
    """The soname identifies a draft of the ABI. If a library has the final soname but a draft's values, it is reported
    if a program would load it.
    """
    machine = FakeMachine(context, folder)
    old = machine.compile("libmpi_abi_zero.so", "fake_mpi.c",
                          ["-shared", "-fPIC", "-w", "-DFAKE_STANDARD", "-Wl,-soname,libmpi_abi.so.0"])
    program = machine.program("old", ["HAS_MAIN", "FUNCTION_NAME=use"], [old])
    seen = inspected(machine, program)
    expect(seen["abi"] == "standard" and seen["draft"], seen)
    expect(any("other values" in remark for remark in seen["remarks"]), seen)
    expect(seen["machine"] == [], seen)
    draft = machine.mpi("draft", "opt/draft")
    program = machine.program("new", ["HAS_MAIN", "FUNCTION_NAME=use"], [draft], f"-Wl,-rpath,{draft.parent}")
    seen = inspected(machine, program)
    expect(not seen["draft"] and any("a draft of the standard ABI" in remark for remark in seen["remarks"]), seen)


def check_old_openmpi(context: Context, folder: Path) -> None:
    """Open MPI 1.10 has the same soname as MPICH."""
    machine = FakeMachine(context, folder)
    library = machine.mpi("mpich", "opt/mpich", "mpiexec", "FAKE_MORE")
    program = machine.program("program", ["HAS_MAIN", "USES_OPENMPI_DATA", "FUNCTION_NAME=use"], [library])
    seen = inspected(machine, program)
    expect(seen["abi"] == "openmpi" and any("1.10" in remark for remark in seen["remarks"]), seen)


def check_support(context: Context, folder: Path) -> None:
    """For each MPI of the machine, `inspect` lists the native, extended, emulated and missing functions, and reports
    whether the program can run on this MPI.
    """
    machine = FakeMachine(context, folder)
    library = machine.mpi("standard", "opt/standard", "mpiexec", "FAKE_MORE")
    mpich = machine.mpi("mpich", "usr")
    source = folder / "uses.c"
    source.write_text("int MPI_Init(void), MPI_Get_count(void), MPI_Comm_toint(void), MPIX_Query_cuda_support(void);"
                      "int main(void) { return MPI_Init() + MPI_Get_count() + MPI_Comm_toint()"
                      " + MPIX_Query_cuda_support(); }")
    program = folder / "uses"
    subprocess.run(["cc", "-w", source, "-o", program, library], check=True)
    entry, = [entry for entry in inspected(machine, program)["machine"] if entry["path"] == str(mpich)]
    expect(entry["runs"] == "anympi" and entry["native"] == [] and entry["extended"] == ["MPI_Init"], entry)  # with
                                                                                                              # emulated
                                                                                                              # sessions
    expect(entry["emulated"] == ["MPI_Comm_toint"], entry)
    expect(entry["missing"] == ["MPI_Get_count", "MPIX_Query_cuda_support"], entry)
    openmpi = machine.mpi("openmpi", "opt/openmpi")
    for built_for, on, word in [(openmpi, mpich, "anympi"), (mpich, openmpi, "anympi"), (mpich, mpich, "directly")]:
        program = machine.program("other", ["HAS_MAIN", "FUNCTION_NAME=use"], [built_for])
        entry, = [entry for entry in inspected(machine, program)["machine"] if entry["path"] == str(on)]
        expect(entry["runs"] == word, entry)
    unknown = machine.compile("libmpi_future.so.12", "fake_mpi.c",
                              ["-shared", "-fPIC", "-w", "-DFAKE_MPICH", "-Wl,-soname,libmpi_future.so.12"])
    odd = machine.program("odd", ["HAS_MAIN", "FUNCTION_NAME=use"], [unknown])
    entry, = [entry for entry in inspected(machine, odd)["machine"] if entry["path"] == str(openmpi)]
    expect(entry["runs"] == "no" and "anympi adopt" in entry["reason"], entry)
    expect("no: " in machine.run("inspect", odd).output, "the reason is not told")
    shown = machine.run("inspect", program).output
    expect("RUNS ON IT" in shown and re.search(r"MPICH .*directly +3 +0 +0 +0", shown), shown)


def check_functions(context: Context, folder: Path) -> None:
    """For each MPI, `inspect --functions` shows whether the library or a function of anympi answers a call. For a
    function of anympi, it also shows the reason.
    """
    machine = FakeMachine(context, folder)
    libraries = {str(machine.mpi("mpich", "usr")): "mpich", str(machine.mpi("openmpi", "opt/openmpi", "mpirun", "FAKE_MORE")): "openmpi"}
    asked = ["MPI_Init", "PMPI_Send", "Comm_toint", "MPI_Get_count"]
    found = machine.json("inspect", "--functions", *asked)["functions"]
    expect([function["name"] for function in found] == ["MPI_Init", "MPI_Send", "MPI_Comm_toint", "MPI_Get_count"], found)
    answers = {(function["name"], libraries[mpi["path"]]): mpi for function in found for mpi in function["machine"]}
    words = {key: answer["answer"] for key, answer in answers.items()}
    for family in libraries.values():
        expect(words["MPI_Init", family] == "extended" and words["MPI_Send", family] == "library", words)
        expect(words["MPI_Comm_toint", family] == "anympi", words)
        layers = answers["MPI_Init", family]["layers"]
        expect(layers[0]["when"] == "standard_program" and layers[0]["libraries"] == "without datatype INTEGER16", layers)
        expect(answers["MPI_Init", family]["library_function"] == "MPI_Init", answers)
    expect(len(answers["MPI_Init", "mpich"]["layers"]) == 1, answers)  # no layer for sessions, which the library has
    first, second = answers["MPI_Init", "openmpi"]["layers"]
    expect(second["by"] == "world::Init<Run>" and second["file"] == "src/emulate/sessions/life.hpp" and second["when"] == "binding", second)
    expect(second["libraries"] == "without Session_init" and "sessions" in second["sentence"] and first["number"] > second["number"], second)
    expect(words["MPI_Get_count", "mpich"] == "missing" and words["MPI_Get_count", "openmpi"] == "library", words)
    shown = machine.run("inspect", "--functions", "MPI_Init").output
    expect("extended (world::Init<Run>, src/emulate/sessions/life.hpp)" in shown, shown)
    table = machine.run("inspect", "--functions").output
    expect(re.search(r"^MPI_Wait +missing|^MPI_Wait +library", table, re.MULTILINE) and len(table.splitlines()) > 690, table[:2000])
    off = machine.json("inspect", "--functions", "MPI_Init", ANYMPI_EMULATE="off")["functions"][0]["machine"]
    expect(all(mpi["answer"] == "library" for mpi in off), off)
    check_functions_of_vendors(machine, libraries)
    done = machine.run("inspect", "--functions", "MPI_Sent")
    expect(done.code == 1 and "MPI 5.0 has no function MPI_Sent; did you mean MPI_Send" in done.output, done)


def check_functions_of_vendors(machine: FakeMachine, libraries: dict[str, str]) -> None:
    """Programs of a vendor's ABI call a library of this ABI directly, and call the front only for functions that the
    library lacks. They need no replacement for datatypes that only the standard ABI has.
    """
    found = machine.json("inspect", "--functions", "--abi", "mpich", "MPI_Init", "MPI_Comm_toint", "MPI_Get_count")
    expect(found["abi"] == "mpich" and machine.json("inspect", "--functions", "MPI_Init")["abi"] == "standard", found)
    answers = {(function["name"], libraries[mpi["path"]]): mpi for function in found["functions"] for mpi in function["machine"]}
    words = {key: answer["answer"] for key, answer in answers.items()}
    expect(words == {("MPI_Init", "mpich"): "library", ("MPI_Comm_toint", "mpich"): "anympi", ("MPI_Get_count", "mpich"): "missing",
                     ("MPI_Init", "openmpi"): "extended", ("MPI_Comm_toint", "openmpi"): "anympi", ("MPI_Get_count", "openmpi"): "library"}, words)
    expect([layer["when"] for layer in answers["MPI_Init", "openmpi"]["layers"]] == ["binding"], answers)
    wrong = machine.run("inspect", "--functions", "--abi", "lam", "MPI_Init")
    expect(wrong.code == 2 and "there is no ABI `lam`; there are standard, openmpi" in wrong.output, wrong)
    alone = machine.run("inspect", "--abi", "mpich", "/bin/true")
    expect(alone.code == 2 and "--functions" in alone.output, alone)


# Files that cannot be inspected


def expect_refusal(machine: FakeMachine, file: Path, message: str) -> None:
    done = machine.run("inspect", file)
    expect(done.code == 1 and re.search(message, done.output), f"{message}\n{done.describe()}")
    expect(all(line.startswith("anympi: ") for line in done.output.splitlines()), done)
    seen = inspected(machine, file, expected=1)
    expect(seen["error"] and list(seen) == ["path", "error"], seen)


def foreign(content: bytes, machine: int, word_size: int = 2, order: int = 1) -> bytes:
    number = struct.pack(">H" if order == 2 else "<H", machine)
    return content[:4] + bytes([word_size, order]) + content[6:18] + number + content[20:]


def check_bad_files(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    content = machine.library("openmpi", "lib").read_bytes()
    for name, text, message in [
            ("script.py", b"#!/usr/bin/env python3\nprint()\n", r"is a script for /usr/bin/env python3"),
            ("text", b"hello", "is neither a program nor a shared library"),
            ("empty", b"", "is empty"),
            ("archive.a", b"!<arch>\n", "is an archive of object files"),
            ("arm", foreign(content, 183), "was built for aarch64"),
            ("small", foreign(content, 3, word_size=1), "was built for 32-bit x86"),
            ("big", foreign(content, 22, order=2), "was built for IBM Z"),
            ("strange", foreign(content, 60000), "a processor that anympi does not know"),
            ("header", content[:20], "is damaged"),
            ("half", content[:len(content) // 8], "is damaged"),
            ("escape", b"#!/bin/\033[31mred\n", r"is a script for /bin/\?\[31mred")]:
        file = folder / name
        file.write_bytes(text)
        expect_refusal(machine, file, message)
    expect_refusal(machine, folder, "is a folder")
    expect_refusal(machine, folder / "nothing", "does not exist")
    expect_refusal(machine, Path("/dev/null"), "not a regular file")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    expect_refusal(machine, pipe, "not a regular file")
    if os.geteuid() != 0:
        secret = folder / "secret"
        secret.write_bytes(content)
        secret.chmod(0)
        expect_refusal(machine, secret, "cannot be read")


def check_several_files(context: Context, folder: Path) -> None:
    """If one of several files is bad, `inspect` reports it and shows the other files."""
    machine = FakeMachine(context, folder)
    machine.add_libc()
    program = machine.program("program", ["HAS_MAIN", "USES_NOTHING"], [])
    done = machine.run("inspect", program, folder / "nothing", program)
    expect(done.code == 1 and done.output.count("uses no MPI") == 2 and "does not exist" in done.output, done)


def check_static(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    for flag in ("-static", "-static-pie"):
        program = machine.program("program", ["HAS_MAIN", "USES_NOTHING"], [], flag)
        seen = inspected(machine, program)
        expect(seen["kind"] == "static program" and "linked statically" in seen["remarks"][0], seen)
        expect("shows no MPI" in machine.run("inspect", program).output, "as if that were known")
        source = folder / "whole.c"
        source.write_text("int PMPI_Init(void) { return 0; } int main(void) { return PMPI_Init(); }")
        subprocess.run(["cc", flag, source, "-o", program], check=True)
        expect("holds an MPI of its own" in machine.run("inspect", program).output, "its symbols tell")
        done = machine.run("run", "--mpi", machine.mpi("mpich", "usr"), "--dry-run", program)
        expect(done.code == 1 and "holds an MPI of its own, linked statically" in done.output, done)
        subprocess.run(["strip", program], check=True)
        expect("shows no MPI" in machine.run("inspect", program).output, "stripped")


def check_linked_statically(context: Context, folder: Path) -> None:
    """A program can be linked with a static MPI library. The symbols of the program show the family of this MPI; in a
    stripped program, the texts of messages show it. On an MPI of another family the program is refused. On an MPI of
    its own family it is started unchanged.
    """
    machine = FakeMachine(context, folder)
    machine.add_libc()
    libraries = {"mpich": machine.mpi("mpich", "usr"), "openmpi": machine.mpi("openmpi", "opt/openmpi", "mpirun")}
    source, program = folder / "whole.c", folder / "whole"
    for family, symbol, text in [("mpich", "MPIR_Process", "**mpi_init %p %p"),
                                 ("openmpi", "ompi_mpi_init", "was called before MPI_INIT was invoked")]:
        source.write_text(f'int PMPI_Init(void) {{ return 0; }} int {symbol}; const char* text = "{text}";\n'
                          f"int main(int c, char **v) {{ return c > 9 ? *text + {symbol} : PMPI_Init(); }}\n")
        for flags in ([], ["-rdynamic"], ["-no-pie"], ["-static"], ["-s"], ["-s", "-static"]):
            subprocess.run(["cc", *flags, source, "-o", program], check=True)
            shown = machine.run("inspect", program).output
            expect("program that holds an MPI of its own" in shown and f"with {TITLES[family]}" in shown, shown)
            for name, library in libraries.items():
                done = machine.run("run", "--mpi", library, "--dry-run", program)
                expect("holds an MPI of its own" in done.output and "LD_" not in done.output, done)
                expect(done.code == (0 if name == family else 1), f"{flags}: {done.describe()}")
                expect(name == family or f"anympi run --mpi {family}" in done.output, done)
            done = machine.run("adopt", program, "-o", folder / "copy")
            expect(done.code == 1 and "MPI" in done.output and not (folder / "copy").exists(), done)


def check_library_with_an_mpi(context: Context, folder: Path) -> None:
    """A library of the program contains a static MPI library. It is not reported as an MPI library, and no front can
    replace it.
    """
    machine = FakeMachine(context, folder)
    machine.add_libc()
    libraries = {"mpich": machine.mpi("mpich", "usr"), "openmpi": machine.mpi("openmpi", "opt/openmpi", "mpirun")}
    source = folder / "solver.c"
    source.write_text("int PMPI_Init(void) { return 0; } int MPI_Init(void) { return 0; } int MPIR_Dup_fn(void) { return 0; }\n"
                      "int solve(void) { return MPI_Init(); }\n")
    subprocess.run(["cc", "-shared", "-fPIC", source, "-Wl,-soname,libsolver.so", "-o", folder / "libsolver.so"], check=True)
    source.write_text("int solve(void), MPI_Init(void); int main(void) { return solve() + MPI_Init(); }\n")
    subprocess.run(["cc", source, folder / "libsolver.so", "-Wl,-rpath,$ORIGIN", "-o", folder / "program"], check=True)
    done = machine.run("run", "--mpi", libraries["openmpi"], "--dry-run", folder / "program")
    expect(done.code == 1 and re.search(r"/libsolver\.so holds an MPI of its own \(MPICH's ABI\)", done.output), done)
    done = machine.run("run", "--mpi", libraries["mpich"], "--dry-run", folder / "program")
    expect(done.code == 0 and "libsolver.so holds an MPI of its own" in done.output, done)
    done = machine.run("adopt", folder / "program", "-o", folder / "copy")
    expect(done.code == 1 and "libsolver.so holds an MPI of its own" in done.output, done)


def check_foreign(context: Context, folder: Path) -> None:
    """MPIs with their own ABIs are recognised by the symbols of the library, or by the symbols that the program needs."""
    machine = FakeMachine(context, folder)
    machine.add_libc()
    libraries = [machine.mpi("mpich", "usr"), machine.mpi("openmpi", "opt/openmpi", "mpirun")]
    functions = "int MPI_Init(void) { return 0; } int PMPI_Init(void) { return 0; } int MPI_Send(void) { return 0; }\n"
    library, source = folder / "library.c", folder / "program.c"
    for title, soname, own, use in [
            ("HP MPI or Platform MPI", "libmpi.so.1", "char hpmp_comm_world[64];", "extern char hpmp_comm_world[64];"),
            ("SGI MPT", "libmpi.so", "int MPI_SGI_bcast(void) { return 0; } int MPI_UNWEIGHTED;", "int hpmp_comm_world[1];"),
            ("the MPI in ", "libother.so.3", "", "int hpmp_comm_world[1];")]:
        library.write_text(functions + own)
        source.write_text(f"int MPI_Init(void), MPI_Send(void); {use}\n"
                          "int main(void) { return MPI_Init() + MPI_Send() + hpmp_comm_world[0]; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", library, f"-Wl,-soname,{soname}", "-o", folder / soname], check=True)
        subprocess.run(["cc", source, folder / soname, "-Wl,-rpath,$ORIGIN", "-o", folder / "program"], check=True)
        for mpi in libraries:
            done = machine.run("run", "--mpi", mpi, "--dry-run", folder / "program")
            expect(done.code == 1 and f"was built for {title}" in done.output and "does not know" in done.output, done)
        seen = inspected(machine, folder / "program")
        expect(len(seen["machine"]) == 2 and all(entry["runs"] == "no" for entry in seen["machine"]), seen)
        done = machine.run("adopt", folder / "program", "-o", folder / "copy")
        expect(done.code == 1 and f"was built for {title}" in done.output, done)
        done = machine.run("run", "--mpi", folder / soname, "--dry-run", "true")
        expect(done.code == 1 and "of a kind that anympi does not know" in done.output, done)
        (folder / soname).unlink()
        seen = inspected(machine, folder / "program")
        expect(title != "HP MPI or Platform MPI" or all(entry["runs"] == "no" for entry in seen["machine"]), seen)


def check_objects(context: Context, folder: Path) -> None:
    machine = FakeMachine(context, folder)
    source = folder / "unit.c"
    source.write_text("int unit;")
    subprocess.run(["cc", "-c", source, "-o", folder / "unit.o"], check=True)
    expect_refusal(machine, folder / "unit.o", "is an object file")


def check_changed_bytes(context: Context, folder: Path) -> None:
    """Inverts bytes of a library's file, one at a time. `inspect` then ends with the exit code 0 or 1, never by a signal."""
    machine = FakeMachine(context, folder)
    library = machine.library("openmpi", "lib")
    content = library.read_bytes()
    step = max(1, len(content) // 120)
    for at in [*range(0, 64, 3), *range(64, len(content), step)]:
        damaged = folder / "damaged.so"
        damaged.write_bytes(content[:at] + bytes([content[at] ^ 0xff]) + content[at + 1:])
        done = machine.run("inspect", damaged)
        expect(done.code in (0, 1), f"byte {at}: {done.describe()}")


# On the real machine


def check_real_programs(context: Context, folder: Path) -> None:
    source = folder / "hello.c"
    source.write_text("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); int rank;"
                      " MPI_Comm_rank(MPI_COMM_WORLD, &rank); return MPI_Finalize(); }\n")
    compilers = {**{vendor.wrapper: vendor.abi for vendor in VENDORS}, str(context.build / "bin" / "mpicc"): "standard"}
    for compiler, abi in compilers.items():
        if not shutil.which(compiler):
            raise NotInstalled(compiler)
        subprocess.run([compiler, source, "-o", folder / "hello"], check=True)
        done = subprocess.run([context.build / "bin" / "anympi", "inspect", "--json", folder / "hello"],
                              capture_output=True, text=True, check=True)
        seen, = json.loads(done.stdout)["files"]
        expect(seen["abi"] == abi, seen)
        expect(seen["functions"] == ["MPI_Comm_rank", "MPI_Finalize", "MPI_Init"], seen)
        expect(seen["data"] == (["ompi_mpi_comm_world"] if abi == "openmpi" else []), seen)
        for entry in seen["machine"]:
            own = entry["path"].endswith((".so.40",) if abi == "openmpi" else (".so.12",) if abi == "mpich" else ())
            expect(entry["runs"] == ("directly" if own else "anympi") and entry["reason"] is None, entry)
            expect(entry["missing"] == [] and len(entry["native"] + entry["extended"]) == 3, entry)


def check_names_of_other_releases(context: Context, folder: Path) -> None:
    """Programs in Fortran and C++ can use names that the MPI libraries of this machine lack. anympi's libraries have the
    names of other releases. Other names are in no library.
    """
    known = {"openmpi": ["__mpi_types_MOD_ompi_comm_op_ne", "__mpi_f08_types_MOD_ompi_comm_op_eq", "mpi_send_f08ts_"],
             "mpich": ["__mpi_f08_types_MOD_mpi_comm_f_ne_f08", "__mpi_sizeofs_MOD_mpi_sizeof_r8v"]}
    unknown = ["__mpi_f08_types_MOD_of_a_release_to_come", "mpix_of_a_release_to_come_"]
    for vendor in VENDORS:
        if not shutil.which(vendor.fortran_wrapper):
            raise NotInstalled(vendor.fortran_wrapper)
        names = known[vendor.abi] + unknown
        source = folder / f"{vendor.abi}.c"
        source.write_text("".join(f"void {name}(void);\n" for name in [*names, "mpi_init_"]) +
                          f"void call_all(void) {{ mpi_init_(); {' '.join(f'{name}();' for name in names)} }}\n")
        program = folder / vendor.abi  # a library, in which the linker leaves names undefined
        subprocess.run([vendor.fortran_wrapper, "-w", "-shared", "-fPIC", source, "-o", program], check=True)
        done = subprocess.run([context.build / "bin" / "anympi", "inspect", "--json", program], capture_output=True, text=True, check=True)
        seen, = json.loads(done.stdout)["files"]
        for entry in seen["machine"]:
            missing = [name for name in entry["missing"] if not name.startswith("MPI_")]
            expect(entry["runs"] != "no" and sorted(missing) == sorted(unknown), entry)


def check_real_libraries(context: Context, _folder: Path) -> None:
    for runtime in context.available:
        done = subprocess.run([context.build / "bin" / "anympi", "inspect", "--json", runtime.library],
                              capture_output=True, text=True, check=True)
        seen, = json.loads(done.stdout)["files"]
        expect(seen["abi"] == runtime.family and "It is the MPI library of" in seen["remarks"][0], seen)


def check_emulated_names(context: Context, folder: Path) -> None:
    """The text names each emulated function, the MPIs on which it is emulated, and how."""
    source, program = folder / "program.c", folder / "program"
    source.write_text("#include <mpi.h>\nint main(void) { MPI_Request request; MPI_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, &request);\n"
                      "    MPI_Pready(0, request); return MPI_Finalize(); }\n")
    wrapper(context, "mpicc", source, "-o", program)
    judged, = json.loads(anympi(context, "inspect", "--json", program).output)["files"]
    shown = anympi(context, "inspect", program).output
    groups = [(mpis.split(", "), names.split(", ")) for mpis, names in re.findall(r"^    on ([^:\n]*).*\n      (.*)$", shown, re.MULTILINE)]
    emulated = {(f"{mpi['product']} {mpi['version']}{standard}", name) for mpi in judged["machine"] for name in mpi["emulated"]
                for standard in [" (standard ABI)" if mpi["path"].endswith("libmpi_abi.so.1") else ""]}
    if not emulated:
        raise Unavailable("each MPI of this machine has these functions")
    expect({(mpi, name) for mpis, names in groups for mpi in mpis for name in names} == emulated, f"{emulated}\n{shown}")
    expect(f"emulated by anympi ({len({name for _, name in emulated})})" in shown, shown)


CHECKS = {
    "names of other releases": check_names_of_other_releases,
    "families": check_families,
    "data and extensions": check_data_and_extensions,
    "plug-ins": check_plugins,
    "no MPI": check_no_mpi,
    "dependencies": check_dependencies,
    "$ORIGIN": check_origin,
    "hostile RPATH": check_hostile_paths,
    "two MPIs": check_mixed,
    "drafts": check_drafts,
    "old Open MPI": check_old_openmpi,
    "support": check_support,
    "functions": check_functions,
    "bad files": check_bad_files,
    "several files": check_several_files,
    "static programs": check_static,
    "linked statically": check_linked_statically,
    "library with an MPI": check_library_with_an_mpi,
    "foreign MPIs": check_foreign,
    "object files": check_objects,
    "changed bytes": check_changed_bytes,
    "real programs": check_real_programs,
    "real libraries": check_real_libraries,
    "emulated names": check_emulated_names,
}
