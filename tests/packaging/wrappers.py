"""The compiler wrappers of the build tree: mpicc, mpicxx and their further names."""
from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS, anympi, expect_report, run_words, sources, wrapper
from lib.checks import NotInstalled, expect, guarded
from lib.context import Context
from lib.results import Case

FURTHER_NAMES = {"mpicc_abi": "mpicc", "mpic++": "mpicxx", "mpiCC": "mpicxx", "mpicxx_abi": "mpicxx"}


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))


def link_words(context: Context) -> str:
    lib = context.build / "lib"
    return f"-L{lib} -Wl,-rpath,{lib} -Wl,--enable-new-dtags -lmpi_abi -ldl"


def needed_by(binary: Path) -> list[str]:
    dynamic = process.run(["readelf", "--dynamic", "--wide", binary], SECONDS)
    return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic.output)


def check_stages(context: Context, folder: Path) -> None:
    for name, source in zip(("mpicc", "mpicxx"), sources(folder)):
        made, program, library = folder / "made.o", folder / "program", folder / "library.so"
        wrapper(context, name, "-c", source, "-o", made)
        wrapper(context, name, made, "-o", program)
        expect(process.run([program], SECONDS).code == 0, f"{name}: the program does not run")
        wrapper(context, name, "-shared", "-fPIC", source, "-o", library)
        expect("libmpi_abi.so.1" in needed_by(library), "not linked with -shared")
        wrapper(context, name, "-r", made, "-o", folder / "joined.o")
        expect(process.run(["nm", folder / "joined.o"], SECONDS).output.count(" T ") == 1, "-r took libraries along")
        wrapper(context, name, "-S", source, "-o", folder / "program.s")
        expect("MPI_Init" in (folder / "program.s").read_text(), f"{name} -S")
        expect("MPI_Init" in wrapper(context, name, "-E", source), f"{name} -E")
        expect("mpi.h" in wrapper(context, name, "-MM", source), f"{name} -MM")


def check_real_programs(context: Context, folder: Path) -> None:
    """One binary of each wrapper, on each MPI."""
    source = context.root / "tests" / "command" / "report.c"
    for name, options in (("mpicc_abi", []), ("mpicxx_abi", ["-x", "c++"])):
        program = folder / name
        wrapper(context, name, *options, source, "-o", program)
        for runtime in context.available:
            if runtime.name in NAMES:
                done = anympi(context, *run_words(runtime, runtime.name, 2), program, environment=runtime.environment)
                expect_report(done, runtime)


def check_without_files(context: Context, _folder: Path) -> None:
    for name, compiler in (("mpicc", "cc"), ("mpicxx", "c++")):
        for option in ("--version", "-dumpversion"):
            expect(wrapper(context, name, option) == process.run([compiler, option], SECONDS).output.rstrip("\n"),
                   f"{name} {option}")
        wrapper(context, name, "-v", "-D", "NAME")
        for option in ("-help", "--help", "-showme:help"):
            expect(f"Usage: {name} " in wrapper(context, name, option), f"{name} {option}")
    for name in ("mpicc", "mpicxx", "mpifort"):
        wide = [line for line in wrapper(context, name, "--help").splitlines() if len(line) > 80]
        expect(not wide, f"{name} --help is wider than a terminal: {wide}")


def check_show(context: Context, folder: Path) -> None:
    source, _ = sources(folder)
    for option in ("-show", "-showme", "--showme"):
        shown = wrapper(context, "mpicc", option, source, "-o", folder / "program", "-DTEXT=\"a $b\"")
        expect(process.run(["sh", "-c", shown], SECONDS).code == 0 and (folder / "program").exists(), shown)
        (folder / "program").unlink()
    include = context.build / "include"
    expect(wrapper(context, "mpicc", "-show") == f"cc -I{include} {link_words(context)}", "-show without files")
    expect("-lmpi_abi" not in wrapper(context, "mpicc", "-show", "-c", source), "linked with -c")


def check_parts(context: Context, _folder: Path) -> None:
    include, lib = context.build / "include", context.build / "lib"
    link = link_words(context)
    for part, text in [("compile", f"-I{include}"), ("link", link), ("incdirs", include), ("libdirs", lib),
                       ("libs", "mpi_abi"), ("command", "cc")]:
        for dashes in ("-showme", "--showme"):
            expect(wrapper(context, "mpicc", f"{dashes}:{part}") == str(text), part)
    expect(re.fullmatch(r"mpicxx: anympi [\d.]+", wrapper(context, "mpicxx", "--showme:version")), "version")
    for dash in ("-", "_"):
        expect(wrapper(context, "mpicc", f"-compile{dash}info") == f"cc -I{include}", "compile info")
        expect(wrapper(context, "mpicxx", f"-link{dash}info") == f"c++ {link}", "link info")
    said = wrapper(context, "mpicc", "-showme:everything", expected=1)
    expect(said.startswith("mpicc: -showme:everything is not known") and "incdirs" in said, said)


def check_parts_follow_options(context: Context, _folder: Path) -> None:
    """Options before and after -showme:… count for its result."""
    archive = context.build / "lib" / "libmpi_abi.a"
    for words in (["-static-mpi", "-showme:link"], ["-showme:link", "-static-mpi"]):
        expect(wrapper(context, "mpicc", *words) == f"{archive} -ldl -lpthread", words)
    expect(wrapper(context, "mpicc", "-showme:command", "-cc=clang") == "clang", "-cc= behind")


def check_compiler(context: Context, _folder: Path) -> None:
    chosen = wrapper(context, "mpicc", "-show", environment={"ANYMPI_CC": "gcc -m64"})
    expect(chosen.startswith("gcc -m64 -I"), chosen)
    chosen = wrapper(context, "mpic++", "-showme:command", environment={"ANYMPI_CXX": "env g++ -O2"})
    expect(chosen == "env g++ -O2", chosen)
    expect(wrapper(context, "mpicxx", "-show", "-cxx=clang++").startswith("clang++ -I"), "-cxx=")
    expect(wrapper(context, "mpicc", "-cc=gcc", "-show", environment={"ANYMPI_CC": "clang"}).startswith("gcc "), "-cc=")


def check_no_library_twice(context: Context, folder: Path) -> None:
    source, _ = sources(folder)
    lib = context.build / "lib"
    for given in (["-lmpi_abi"], ["-lmpi_abi", "-lmpi_abi", "-ldl"], [lib / "libmpi_abi.so"], [lib / "libmpi_abi.so.1"],
                  ["-l", "mpi_abi"], ["-l:libmpi_abi.so.1"], ["-Wl,-lmpi_abi"], ["-Xlinker", "-lmpi_abi"],
                  ["-l", "m", "-l", "dl", "-Xlinker", "--as-needed"]):
        program = folder / "program"
        shown = wrapper(context, "mpicc", "-show", source, *given, "-o", program).split()
        named = [word for word in shown if "mpi_abi" in Path(word).name]
        expect(len(named) == 1 and shown.count("-ldl") == 1, f"{given}: {shown}")
        wrapper(context, "mpicc", source, *given, "-o", program)
        expect(needed_by(program).count("libmpi_abi.so.1") == 1, needed_by(program))
        expect(process.run([program], SECONDS).code == 0, f"{given}: the program does not run")
    wrapper(context, "mpicc", "-static-mpi", source, "-lmpi_abi", "-o", program)
    expect("libmpi_abi.so.1" not in needed_by(program), "both modes in one program")


def check_static_mode(context: Context, folder: Path) -> None:
    """-static-mpi also works after an option that names a language, which would apply to the archive too."""
    source, _ = sources(folder)
    program = folder / "program"
    for options in ([], ["-x", "c"], ["-xc"]):
        wrapper(context, "mpicc", "-static-mpi", *options, source, "-o", program)
        expect(process.run([program], SECONDS).code == 0, options)
    said = wrapper(context, "mpicc", "-static", source, "-o", folder / "other", expected=1)
    expect("-static cannot work" in said and "-static-mpi" in said and not (folder / "other").exists(), said)
    wrapper(context, "mpicc", "-static", "-c", source, "-o", folder / "made.o")


def check_missing_compiler(context: Context, folder: Path) -> None:
    source, _ = sources(folder)
    said = wrapper(context, "mpicc", source, environment={"ANYMPI_CC": "nosuch -O2"}, expected=1)
    expect(said.startswith("mpicc: the compiler nosuch was not found") and "ANYMPI_CC" in said, said)


def check_comma(context: Context, folder: Path) -> None:
    """A prefix with a comma, which would end the words of -Wl."""
    prefix = folder / "a,b"
    (prefix / "bin").mkdir(parents=True)
    shutil.copy(context.build / "bin" / "mpicc", prefix / "bin" / "mpicc")
    for part in ("include", "lib"):
        (prefix / part).symlink_to(context.build / part)
    source, _ = sources(folder)
    done = process.run([prefix / "bin" / "mpicc", source, "-o", folder / "program"], SECONDS)
    expect(done.code == 0, done)
    dynamic = process.run(["readelf", "--dynamic", "--wide", folder / "program"], SECONDS)
    expect(f"[{prefix}/lib]" in dynamic.output, dynamic)
    expect(process.run([folder / "program"], SECONDS).code == 0, "the program does not run")


def check_further_names(context: Context, _folder: Path) -> None:
    for further, name in FURTHER_NAMES.items():
        expect(wrapper(context, further, "-show") == wrapper(context, name, "-show"), further)


def check_script(context: Context, _folder: Path) -> None:
    if not shutil.which("shellcheck"):
        raise NotInstalled("shellcheck")
    for name in ("mpicc", "mpicxx"):
        done = process.run(["shellcheck", "--shell=sh", context.build / "bin" / name], SECONDS)
        expect(done.code == 0, done)


CHECKS = {
    "stages": check_stages,
    "real programs": check_real_programs,
    "no files": check_without_files,
    "-show": check_show,
    "-showme:WHAT": check_parts,
    "-showme:WHAT with options": check_parts_follow_options,
    "compiler": check_compiler,
    "missing compiler": check_missing_compiler,
    "no library twice": check_no_library_twice,
    "prefix with a comma": check_comma,
    "static mode": check_static_mode,
    "further names": check_further_names,
    "shellcheck": check_script,
}
