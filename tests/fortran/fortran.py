"""Fortran: mpif.h, the modules mpi and mpi_f08, mpifort, and the macros of mpi.h about the names of the procedures.

A file of tests/fortran is a program if it has a line `! ranks: 2`; `! with: FILE.c` names its part in C. Each program is
compiled once with mpifort's own compiler and runs on several MPIs. Compiled with other installed compilers, it runs on one MPI.
"""
from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from functools import lru_cache, partial
from pathlib import Path

from lib import process
from lib.anympi import wrapper
from lib.checks import expect, guarded
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime

from programs import programs
from fronts.exports import readelf, symbols

USUAL_RUNTIMES = ("mpich", "openmpi")
DEFAULT = "gfortran"
# Other compilers show that nothing depends on one compiler. The first compiler of each line that is installed is used;
# all with --full.
OTHER_COMPILERS = [("gfortran-11", "gfortran-10", "gfortran-9"), ("flang-new-19", "flang-20", "flang-21", "flang-22")]
# A compiler that can use only mpif.h, with the option without which it links nothing. scripts/test does not install it.
WITHOUT_MODULES = {"flang-new-16": ["-flang-experimental-exec"]}
SECONDS = 300


def cases(context: Context):
    if not shutil.which(DEFAULT):
        yield Case("all of Fortran", partial(not_installed, DEFAULT))
        return
    for source in sorted((context.root / "tests" / "fortran").glob("*.f*")):
        head = read_head(source)
        if "ranks" in head:
            yield from cases_of_program(context, source, head)
    for name, check in CHECKS.items():
        yield Case(name, partial(guarded, check, context))


def cases_of_program(context: Context, source: Path, head: dict[str, str]):
    for runtime in context.available:
        if context.full or runtime.name in USUAL_RUNTIMES:
            yield program_case(context, source, head, DEFAULT, runtime)
    for compiler in other_compilers(context.full):
        runtime = next((r for r in context.available if r.name in USUAL_RUNTIMES), None)
        if runtime and (compiler not in WITHOUT_MODULES or source.suffix == ".f"):
            yield program_case(context, source, head, compiler, runtime)


def program_case(context: Context, source: Path, head: dict[str, str], compiler: str, runtime: Runtime) -> Case:
    ranks = max(programs.possible_ranks(head))
    with_compiler = "" if compiler == DEFAULT else f" with {compiler}"
    return Case(f"{source.stem}{with_compiler} on {runtime.name}",
                partial(run_program, context, source, head, compiler, runtime, ranks),
                row=f"{source.stem} (Fortran){with_compiler}", column=runtime.name)


def read_head(source: Path) -> dict[str, str]:
    head = {}
    for line in source.read_text().splitlines():
        if line and not line.startswith("!"):
            break
        match = re.match(r"! (ranks|seconds|with): (.+)", line)
        if match:
            head[match.group(1)] = match.group(2)
    return head


def other_compilers(all_of_them: bool) -> list[str]:
    """Returns the other compilers. If no compiler of a line is installed, the first one is returned, and its cases fail."""
    found = [name for name in WITHOUT_MODULES if shutil.which(name)]
    for names in OTHER_COMPILERS:
        installed = [name for name in names if shutil.which(name)] or [names[0]]
        found += installed if all_of_them else installed[:1]
    return found


# ---- programs ----

def digest_of(paths) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def build_c_half(context: Context, source: Path) -> Path:
    texts = [*source.parent.glob("*.c"), *(context.root / "tests" / "programs").glob("*.h"), context.build / "include" / "mpi.h"]
    flags = [flag for flag in context.program_flags() if not flag.startswith(("-L", "-l", "-Wl"))]
    flags += ["-c", f"-I{context.root / 'tests' / 'programs'}", f"-DTEXTS={digest_of(texts)}", "-Wno-unused-function"]
    return context.compile(f"{source.stem}-half", [source], flags)


def module_folder(context: Context, source: Path, compiler: str) -> str:
    """Returns the option for the folder of a program's modules. The default would be the folder in which the tests were
    started.
    """
    folder = context.work / "modules" / f"{source.stem}-{compiler}"
    folder.mkdir(parents=True, exist_ok=True)
    return f"-J{folder}"


def build_program(context: Context, source: Path, head: dict[str, str], compiler: str, *options: str) -> Path:
    """Builds with warnings as errors. In fixed form, compilers cannot tell arguments of several types from mistakes."""
    methods = [*(context.build / "share" / "anympi" / "fortran").glob("*.F90"), context.build / "include" / "mpif.h"]
    words = [str(context.build / "bin" / "mpifort"), f"-fc={compiler}", "-O2", "-g", f"-DTEXTS={digest_of(methods)}"]
    if compiler.startswith("gfortran") and source.suffix == ".f90":
        words += ["-Wall", "-Werror", "-Wno-unused-dummy-argument", "-Wno-maybe-uninitialized"]
    elif compiler.startswith("gfortran"):
        words += ["-w"]
    words += WITHOUT_MODULES.get(compiler, [])
    words.append(module_folder(context, source, compiler))
    halves = [build_c_half(context, source.parent / name) for name in head.get("with", "").split()]
    return context.compile("-".join([source.stem, compiler, *options]), [source, *halves], [*words[1:], *options], compiler=words[0])


def run_program(context: Context, source: Path, head: dict[str, str], compiler: str, runtime: Runtime, ranks: int) -> Result:
    try:
        program = build_program(context, source, head, compiler)
    except BuildError as error:
        return failed(str(error))
    done = context.run_mpi(runtime, ranks, program, seconds=int(head.get("seconds", "120")))
    return programs.judge(done, runtime)


def check_static_mode(context: Context, folder: Path) -> None:
    """Programs that contain the archives: sentinels in common blocks, and a profiling layer with names of the library."""
    for name in ("module_mpi", "profiling"):
        source = context.root / "tests" / "fortran" / f"{name}.f90"
        program = build_program(context, source, read_head(source), DEFAULT, "-static-mpi")
        expect("libmpi" not in readelf("--dynamic", program), f"{name} needs a library of MPI")
        for runtime in context.available:
            if runtime.name in USUAL_RUNTIMES:
                judged = programs.judge(context.run_mpi(runtime, 2, program), runtime)
                expect(judged.kind == "passed", judged.text)


def check_preloaded_tool(context: Context, folder: Path) -> None:
    """A tool that is preloaded sees the calls of Fortran too, including calls that have a fast path around C."""
    (folder / "tool.c").write_text("""
        #include <mpi.h>
        #include <stdio.h>
        static int sums;
        int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
            ++sums;
            return PMPI_Allreduce(from, to, count, datatype, op, comm);
        }
        int MPI_Finalize(void) {
            printf("%d sums\\n", sums);
            return PMPI_Finalize();
        }""")
    (folder / "program.f90").write_text("""
        program sums
          use mpi_f08
          implicit none
          integer :: n, total, ierror
          call MPI_Init()
          n = 1
          call MPI_Allreduce(n, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
          call MPI_ALLREDUCE(n, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
          call MPI_Finalize()
        end program""")
    wrapper(context, "mpicc", "-shared", "-fPIC", folder / "tool.c", "-o", folder / "tool.so")
    expect(mpifort(context, folder, "program.f90", "-o", "program").code == 0, "the program")
    for runtime in context.available:
        if runtime.name in USUAL_RUNTIMES:
            done = context.run_mpi(runtime, 1, folder / "program", environment=preloading(folder / "tool.so"))
            expect(done.code == 0 and "2 sums" in done.output, done)


def check_other_release(context: Context, folder: Path) -> None:
    """If libmpifort_abi and libmpi_abi come from different releases, or libmpi_abi comes from another maker and lacks
    the private link, programs run without fast paths. In the first case, rank 0 names the files that do not belong
    together.
    """
    (folder / "program.f90").write_text("""
        program sums
          use mpi_f08
          implicit none
          integer :: total
          call MPI_Init()
          call MPI_Allreduce(3, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
          if (total /= 6) error stop "wrong sum"
          call MPI_Finalize()
        end program""")
    expect(mpifort(context, folder, "program.f90", "-o", "program").code == 0, "the program")
    release = re.search(r"project\(anympi VERSION ([\d.]+)", (context.root / "CMakeLists.txt").read_text())[1]
    fortran = patched(context, folder, "libmpifort_abi.so.1", f"{release} (", f"{release.translate(NINES)} (")
    other_maker = patched(context, folder, "libmpi_abi.so.1", PRIVATE_LINK, PRIVATE_LINK[::-1])
    said = ("libmpifort_abi and libmpi_abi come from different releases", f"{fortran} is of release {release.translate(NINES)} (",
            f"{context.build / 'lib'}/libmpi_abi.so.1 is of release {release} (", "Install both libraries from one release")
    for runtime in context.available:
        if runtime.name in USUAL_RUNTIMES:
            done = context.run_mpi(runtime, 2, folder / "program", environment=preloading(fortran))
            expect(done.code == 0 and all(done.output.count(text) == 1 for text in said), done)
            done = context.run_mpi(runtime, 2, folder / "program", environment=preloading(other_maker))
            expect(done.code == 0 and not done.output, done)


def preloading(library: Path) -> dict[str, str]:
    """Sets LD_PRELOAD, which cannot have paths with spaces."""
    return {"LD_PRELOAD": library.name, "LD_LIBRARY_PATH": str(library.parent)}


PRIVATE_LINK = "anympi_meet_fortran_1"
NINES = str.maketrans("0123456789", "9" * 10)


def patched(context: Context, folder: Path, name: str, before: str, after: str) -> Path:
    """Returns a copy of one of anympi's libraries with another text in it. The file has another name and the same soname."""
    content = (context.build / "lib" / name).read_bytes()
    expect(before.encode() in content, f"{name} does not have {before}")
    library = folder / f"patched_{name}"
    library.write_bytes(content.replace(before.encode(), after.encode()))
    return library


# ---- what must not compile ----

def check_wrong_lines(context: Context, folder: Path) -> None:
    """Each line that ends in `! wrong` makes a program that a compiler must refuse. Without these lines, the program compiles."""
    for source in sorted((context.root / "tests" / "fortran").glob("wrong_*.f90")):
        lines = source.read_text().splitlines()
        wrong = [i for i, line in enumerate(lines) if line.endswith("! wrong")]
        expect(wrong, f"{source.name} has no wrong line")
        for chosen in [None, *wrong]:
            text = "\n".join(line for i, line in enumerate(lines) if i not in wrong or i == chosen)
            (folder / "program.f90").write_text(text + "\n")
            done = mpifort(context, folder, "-fsyntax-only", "program.f90")
            if chosen is None:
                expect(done.code == 0, done)
            else:
                expect(done.code != 0 and "Error:" in done.output, f"{source.name} compiles with: {lines[chosen].strip()}")


def check_wide_integers(context: Context, folder: Path) -> None:
    """With INTEGERs of 8 bytes nothing would fit: mpifort reports that, and without mpifort the compiler does."""
    (folder / "program.f90").write_text("program p\nuse mpi_f08\nend program\n")
    for words in (["-fdefault-integer-8"], ["-i8"], ["-fc=gfortran -fdefault-integer-8"]):
        done = mpifort(context, folder, *words, "-c", "program.f90")
        expect(done.code == 1 and "INTEGER has 4 bytes in the standard ABI" in done.output, done)
    (folder / "old.f").write_text("      program p\n      include 'mpif.h'\n      end\n")
    for source in ("old.f", context.build / "share" / "anympi" / "fortran" / "anympi_types.F90"):
        words = ["gfortran", f"-I{context.build / 'include'}", "-c", source, "-o", "made.o"]
        expect(process.run(words, SECONDS, directory=folder).code == 0, source)
        done = process.run([*words, "-fdefault-integer-8"], SECONDS, directory=folder)
        expect(done.code != 0 and "integer_must_have_4_bytes" in done.output.lower(), done)


# ---- the include file ----

def check_include_file(context: Context, folder: Path) -> None:
    """The include file works in both forms, in long and short lines, without a warning, and with variables that have
    the names of intrinsics.
    """
    lines = (context.build / "include" / "mpif.h").read_text().splitlines()
    expect(not [line for line in lines if len(line) > 72], "lines are longer than 72 columns")
    expect(not [line for line in lines if line[5:6] not in ("", " ") and not line.startswith("!") or "&" in line],
           "lines are continued")
    text = ("      program p\n      implicit none\n      include 'mpif.h'\n      integer kind, max, bit_size\n"
            "      kind = MPI_COMM_WORLD\n      max = MPI_STATUS_SIZE\n      bit_size = MPI_INTEGER\n"
            "      if (kind .lt. max + bit_size) print *, MPI_WTIME()\n      end\n")
    for name, words in (("short.f", []), ("long.f", ["-ffixed-line-length-132"]), ("free.f90", [])):
        (folder / name).write_text(text)
        done = mpifort(context, folder, "-Wall", "-Werror", *words, "-c", name)
        expect(done.code == 0, done)


def check_constants(context: Context, folder: Path) -> None:
    """The three methods have the same constants with the values of C, except the sizes of strings."""
    from generator.core import model
    from generator.fortran import constants

    api = model.read(context.root / "api")
    integers = {v.name: v.value for v in constants.integers(api)}
    handles = {v.name: v.value for v in constants.handles(api)}
    c_values = {c.name: int(c.value, 0) for c in api.constants}
    for name, value in {**integers, **handles}.items():
        expected = c_values[name] - (1 if name.startswith("MPI_MAX_") else 0)
        expect(int(value) == expected, f"{name} is {value}, not {expected}")
    old = [f"if ({name} /= {value}) error stop '{name}'" for name, value in {**integers, **handles}.items()]
    new = [f"if ({name} /= {value}) error stop '{name}'" for name, value in integers.items()]
    new += [f"if ({name}%MPI_VAL /= {value}) error stop '{name}'" for name, value in handles.items()]
    heads = {"include": ("implicit none\ninclude 'mpif.h'", old), "mpi": ("use mpi\nimplicit none", old),
             "f08": ("use mpi_f08\nimplicit none", new)}
    for name, (head, body) in heads.items():
        kinds = ["if (MPI_ADDRESS_KIND /= 8 .or. MPI_INTEGER_KIND /= 4 .or. MPI_C_COMM_KIND /= 8) error stop 'kinds'"]
        supported = "" if name == "f08" else ".not. "
        kinds.append(f"if (.not. ({supported}MPI_SUBARRAYS_SUPPORTED)) error stop 'subarrays'")
        (folder / f"{name}.f90").write_text("\n".join(["program p", head, *kinds, *body, "end program"]) + "\n")
        done = mpifort(context, folder, f"{name}.f90", "-o", name)
        expect(done.code == 0, done)
        ran = process.run([folder / name], SECONDS)
        expect(ran.code == 0, ran)


METHODS = {"mpif.h": ("implicit none\ninclude 'mpif.h'", "ierror", ", ierror"), "mpi": ("use mpi\nimplicit none", "ierror", ", ierror"),
           "mpi_f08": ("use mpi_f08\nimplicit none", "", "")}


def check_spellings(context: Context, folder: Path) -> None:
    """Some compilers add a second underscore to a name that has one. For compilers that add no underscore, common
    blocks would not be found.
    """
    for method, (head, only, last) in METHODS.items():
        kind = "type(MPI_Comm)" if method == "mpi_f08" else "integer"
        (folder / "program.f90").write_text(f"""program p
{head}
{kind} :: comm
integer :: key, ierror
logical :: found
integer(MPI_ADDRESS_KIND) :: seen
call MPI_Init({only})
call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND{last})
call MPI_Comm_set_attr(MPI_COMM_SELF, key, 7_MPI_ADDRESS_KIND{last})
call MPI_Comm_dup(MPI_COMM_SELF, comm{last})
call PMPI_Comm_get_attr(comm, key, seen, found{last})
if (.not. found .or. seen /= 7 .or. MPI_Wtime() < 0) error stop 1
call MPI_Finalize({only})
end program
""")
        done = mpifort(context, folder, "-fsecond-underscore", "program.f90", "-o", "program")
        expect(done.code == 0, done)
        ran = process.run([folder / "program"], SECONDS)
        expect(ran.code == 0, f"{method}: {ran}")
    for words in (["-fno-underscoring"], ["-fc=gfortran -fno-underscoring"]):
        done = mpifort(context, folder, *words, "-c", "program.f90")
        expect(done.code == 1 and "-fno-underscoring cannot work" in done.output, done)


# ---- the modules of each compiler ----

def mpifort(context: Context, folder: Path, *words, environment: dict[str, str] | None = None) -> process.Completed:
    return process.run([context.build / "bin" / "mpifort", *words], SECONDS, environment, folder)


def check_cache(context: Context, folder: Path) -> None:
    """Compilations at the same time make the modules once each, and one set of modules remains. Later compilations use it."""
    (folder / "program.f90").write_text("use mpi_f08\nend\n")
    environment = {**os.environ, "ANYMPI_MODULES": str(folder / "modules")}
    command = [context.build / "bin" / "mpifort", "-c", "program.f90", "-o"]
    started = [subprocess.Popen([*command, f"{i}.o"], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True) for i in range(4)]
    said = [one.communicate(timeout=SECONDS)[1] for one in started]
    expect(all(one.returncode == 0 for one in started), said)
    expect(len(list((folder / "modules").iterdir())) == 1, list((folder / "modules").iterdir()))
    expect("compiling the modules for GNU Fortran" in said[0] + said[1] + said[2] + said[3], said)
    again = mpifort(context, folder, "-c", "program.f90", environment={"ANYMPI_MODULES": str(folder / "modules")})
    expect(again.code == 0 and not again.output, again)


def check_cache_of_user(context: Context, folder: Path) -> None:
    """The installation is read-only, and then no folder can be written."""
    prefix, home = folder / "prefix", folder / "home"
    (prefix / "bin").mkdir(parents=True)
    shutil.copy(context.build / "bin" / "mpifort", prefix / "bin")
    for part in ("include", "share"):
        (prefix / part).symlink_to(context.build / part)
    (prefix / "lib").write_text("not a folder, so not even root can write there")
    (folder / "program.f90").write_text("use mpi_f08\nend\n")
    words = [prefix / "bin" / "mpifort", "-c", "program.f90"]
    done = process.run(words, SECONDS, {"XDG_CACHE_HOME": str(home)}, folder)
    expect(done.code == 0 and len(list((home / "anympi" / "modules").iterdir())) == 1, done)
    done = process.run(words, SECONDS, {"XDG_CACHE_HOME": str(prefix / "lib" / "nowhere")}, folder)
    expect(done.code == 1 and "Set ANYMPI_MODULES to a folder that can" in done.output, done)


def check_poor_compiler(context: Context, folder: Path) -> None:
    """A compiler that cannot compile the modules can still use mpif.h. A program that uses the modules gets the reason."""
    compiler = folder / "poor"
    compiler.write_text('#!/bin/sh\ncase $* in\n*/probe_*) echo "any rank: not yet" >&2; exit 1 ;;\nesac\nexec gfortran "$@"\n')
    compiler.chmod(0o755)
    environment = {"ANYMPI_MODULES": str(folder / "modules"), "ANYMPI_FC": "poor", "PATH": f"{folder}:{os.environ['PATH']}"}
    (folder / "old.f").write_text("      program p\n      include 'mpif.h'\n      call MPI_INIT(i)\n      end\n")
    done = mpifort(context, folder, "-c", "old.f", environment=environment)
    expect(done.code == 0, done)
    (folder / "new.f90").write_text("use mpi_f08\nend\n")
    done = mpifort(context, folder, "-c", "new.f90", environment=environment)
    expect(done.code != 0 and "cannot compile the module mpi_f08; the reason is in" in done.output, done)
    log = next((folder / "modules").iterdir()) / "log"
    expect("any rank: not yet" in log.read_text(), log.read_text())


# ---- mpifort ----

def check_wrapper(context: Context, folder: Path) -> None:
    (folder / "program.f90").write_text("use mpi_f08\ncall MPI_Init()\ncall MPI_Finalize()\nend\n")
    include, lib = context.build / "include", context.build / "lib"
    compile_words = wrapper(context, "mpifort", "-showme:compile").split()
    modules = compile_words[1].removeprefix("-I")
    expect(compile_words[0] == f"-I{include}" and (Path(modules) / "mpi_f08.mod").exists(), compile_words)
    expect(wrapper(context, "mpifort", "-showme:libs") == "anympi_modules mpifort_abi mpi_abi", "libs")
    expect(wrapper(context, "mpifort", "-showme:libdirs") == f"{lib} {modules}", "libdirs")
    expect(wrapper(context, "mpifort", "-showme:incdirs") == f"{include} {modules}", "incdirs")
    expect(wrapper(context, "mpifort", "-showme:command") == "gfortran", "command")
    shown = wrapper(context, "mpifort", "-show", folder / "program.f90", "-o", folder / "program")
    expect(shown.startswith(f"gfortran -I{include} -I{modules} ") and "-lmpifort_abi -lmpi_abi" in shown, shown)
    done = process.run(["sh", "-c", shown], SECONDS)
    expect(done.code == 0, done)
    needed = readelf("--dynamic", folder / "program")
    expect("[libmpifort_abi.so.1]" in needed, needed)
    expect(wrapper(context, "mpifort", "--version") == process.run(["gfortran", "--version"], SECONDS).output.rstrip("\n"),
           "--version")
    expect("Usage: mpifort " in wrapper(context, "mpifort", "--help"), "--help")
    for name in ("mpif77", "mpif90", "mpifort_abi"):
        expect(wrapper(context, name, "-show") == wrapper(context, "mpifort", "-show"), name)
    said = wrapper(context, "mpifort", "-c", folder / "program.f90", environment={"ANYMPI_FC": "nosuch"}, expected=1)
    expect("the compiler nosuch was not found" in said and "ANYMPI_FC" in said, said)
    done = process.run(["shellcheck", "--shell=sh", context.build / "bin" / "mpifort"], SECONDS)
    expect(done.code == 0, done)


CMAKE_PROJECT = """cmake_minimum_required(VERSION 3.16)
project(found Fortran)
find_package(MPI REQUIRED COMPONENTS Fortran)
foreach(method F77_HEADER F90_MODULE F08_MODULE)
    if(NOT MPI_Fortran_HAVE_${method})
        message(FATAL_ERROR "no ${method}")
    endif()
endforeach()
add_executable(program program.f90)
target_link_libraries(program MPI::MPI_Fortran)
"""


def check_cmake(context: Context, folder: Path) -> None:
    (folder / "CMakeLists.txt").write_text(CMAKE_PROJECT)
    (folder / "program.f90").write_text(
        "program p\nuse mpi_f08\ncall MPI_Init()\nprint *, MPI_COMM_WORLD == MPI_COMM_SELF\ncall MPI_Finalize()\nend program\n")
    configured = process.run(["cmake", "-S", ".", "-B", "made", f"-DMPI_Fortran_COMPILER={context.build / 'bin' / 'mpifort'}"],
                             SECONDS, directory=folder)
    expect(configured.code == 0, configured)
    built = process.run(["cmake", "--build", "made"], SECONDS, directory=folder)
    expect(built.code == 0, built)
    ran = process.run([folder / "made" / "program"], SECONDS)
    expect(ran.code == 0 and ran.output.split()[-1] == "F", ran)


# ---- names for tools ----

@lru_cache(maxsize=None)
def exported(library: Path) -> set[str]:
    return {symbol["name"] for symbol in symbols(readelf("--dyn-syms", library))}


def linker_names(procedure, method: str, scheme: str, prefix: str) -> list[str]:
    """Returns the names of table 17.2 of MPI 3.0, for a Fortran compiler that adds an underscore."""
    base = f"{prefix}{procedure.name}"
    new = method == "mpi_f08"
    return {"A1": [f"{base}_f08_".lower() if new else f"{base}_".lower()], "A2": [f"{base}_{'f08ts' if new else 'fts'}_".lower()],
            "B1": [base.removesuffix("_cptr")], "B2": [f"{base}_cdesc"], "B3": [f"{base}_{'f08cb' if new else 'fcb'}"],
            "C1": [f"{base}_{'f08' if new else 'f'}"], "C2": [f"{base}_{'f08ts' if new else 'fts'}"]}[scheme]


def check_report(context: Context, folder: Path) -> None:
    """Every macro that applies exists, and no other. Names that the macros promise can be linked, and names that they
    deny cannot.
    """
    from generator.core import model
    from generator.fortran.procedures import GROUPS, read_procedures

    api = model.read(context.root / "api")
    procedures = read_procedures(context.root / "api", api)
    header = (context.build / "include" / "mpi.h").read_text()
    macros = {match[1]: int(match[2]) for match in re.finditer(r"#define (MPI_\w+_(?:mpi_f08|mpi|mpifh)_[ABC]\d) (\d)", header)}
    names = exported(context.build / "lib" / "libmpifort_abi.so.1") | exported(context.build / "lib" / "libmpi_abi.so.1")
    special = {"MPI_SEND", "MPI_ISEND", "MPI_GET_ADDRESS", "MPI_F_SYNC_REG"}
    callbacks = {"MPI_OP_CREATE", "MPI_REGISTER_DATAREP", "MPI_COMM_CREATE_KEYVAL"}
    expected = {f"{group}_{method}_{scheme}" for group in GROUPS for method in ("mpi_f08", "mpi", "mpifh")
                for scheme in ("A1", "A2", "B1", "B2", "B3", "C1", "C2")
                if (scheme in ("A1",) or (scheme in ("A2", "B2", "C2") and group in special) or (scheme == "B1" and group not in callbacks)
                    or (scheme == "B3" and group in callbacks) or (scheme == "C1" and group != "MPI_COMM_DUP_FN"))}
    expect(set(macros) == expected, sorted(set(macros) ^ expected))
    wrong = []
    for macro, value in macros.items():
        group, method, scheme = re.fullmatch(r"(MPI_\w+?)_(mpi_f08|mpi|mpifh)_([ABC]\d)", macro).groups()
        for name in names_of_group(api, procedures, group, method, scheme):
            if (name in names) != (value > 0):
                wrong.append(f"{macro} is {value}, but {name} {'is' if name in names else 'is not'} exported")
    expect(not wrong, "\n".join(wrong))
    for group in GROUPS:
        for method in ("mpi_f08", "mpi", "mpifh"):
            used = [macro[-2:] for macro, value in macros.items() if value == 2 and macro[:-3] == f"{group}_{method}"]
            expect(len(used) == 1 or (len(used) == 2 and "B" in used[0] + used[1]), f"{group}_{method}: {used}")


def names_of_group(api, procedures, group: str, method: str, scheme: str) -> list[str]:
    if group == "MPI_COMM_DUP_FN":
        predefined = [c.name for c in api.category("callback") if method != "mpi_f08" or not c.note("deprecated")]
        predefined = [name for name in predefined if method == "mpi_f08" or not name.endswith("_C")]
        suffix = "_f08_" if method == "mpi_f08" else "_"
        return [f"{prefix}{name.lower()}{suffix}" for name in predefined for prefix in ("", "p")] if scheme == "A1" else []
    inside = {"mpi_f08": lambda p: p.in_f08 and not p.same_as_small, "mpi": lambda p: p.in_f90, "mpifh": lambda p: p.in_mpifh}[method]
    return [name for p in procedures if p.group == group and inside(p) for prefix in ("MPI_", "PMPI_")
            for name in linker_names(p, method, scheme, prefix)]


def check_nothing_undefined(context: Context, folder: Path) -> None:
    """The libraries have every procedure that the modules and mpif.h declare."""
    names = exported(context.build / "lib" / "libmpifort_abi.so.1") | exported(context.build / "lib" / "libmpi_abi.so.1")
    missing = set()
    for module in ("anympi_types", "mpi", "mpi_f08"):
        text = (context.build / "share" / "anympi" / "fortran" / f"{module}.F90").read_text().replace("&\n", "")
        text = re.sub(r"ABSTRACT INTERFACE.*?END INTERFACE", "", text, flags=re.DOTALL).split("\nCONTAINS")[0]
        for kind, name, rest in re.findall(r"^ {4}(SUBROUTINE|FUNCTION) (\w+)\s*\(([^\n]*)", text, re.MULTILINE):
            bound = re.search(r"NAME='(\w+)'", rest)
            linked = bound[1] if bound else f"{name.lower()}_"
            missing |= {linked} - names
    expect(not missing, f"{len(missing)} are missing: {sorted(missing)[:40]}")


CHECKS = {
    "static mode": check_static_mode,
    "a tool before the library": check_preloaded_tool,
    "libraries of different releases": check_other_release,
    "what must not compile": check_wrong_lines,
    "integers of 8 bytes": check_wide_integers,
    "mpif.h": check_include_file,
    "constants": check_constants,
    "spellings of other compilers": check_spellings,
    "modules compiled at the same time": check_cache,
    "modules of a user": check_cache_of_user,
    "a compiler that cannot have the modules": check_poor_compiler,
    "mpifort": check_wrapper,
    "CMake": check_cmake,
    "what mpi.h tells tools": check_report,
    "nothing is undefined": check_nothing_undefined,
}
