"""Every file with code in an installation: the oldest system on which it runs, and how it is hardened."""
from __future__ import annotations

import re
import shlex
from functools import lru_cache, partial
from pathlib import Path

from lib import process
from lib.anympi import SECONDS, anympi
from lib.checks import Unavailable, expect, guarded
from lib.compilations import compilations
from lib.context import Context
from lib.results import Case
from fronts.exports import readelf

IS_SERIAL = True
# The glibc of RHEL 7 and of RHEL 8; docs/packager/packaging.md lists both.
OLDEST_GLIBC = {"bin/anympi": (2, 28)}
OLDEST_GLIBC_OF_OTHERS = (2, 17)
OLDEST_LIBSTDCXX = {"GLIBCXX": (3, 4, 19), "CXXABI": (1, 3, 7), "GCC": (4, 8)}  # gcc 4.8, of RHEL 7
# Code that every call runs through, and which is therefore compiled without a stack protector.
UNPROTECTED = re.compile(r"/generated/(entries|fast_path|fortran)_\w+\.cpp$|/src/(front/\w+/pair_\w+|convert/handle_table)\.cpp$")
# Functions with arrays that files and variables fill.
READERS = ["runtime/identify/elf_file.cpp", "runtime/find/configuration.cpp", "runtime/find/search.cpp", "runtime/message.cpp"]


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))


def elf_files(context: Context, folder: Path) -> dict[str, Path]:
    """Returns all programs and libraries of an installation, by their place in it."""
    done = process.run(["cmake", "--install", context.build, "--prefix", folder], SECONDS)
    expect(done.code == 0, done)
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    found = {str(path.relative_to(folder)): path for path in sorted(files) if path.open("rb").read(4) == b"\x7fELF"}
    expect({"bin/anympi", "lib/anympi/keep_path.so", "lib/anympi/ask_library", "lib/libmpi_abi.so.1.0"} <= set(found), sorted(found))
    return found


def is_library(name: str) -> bool:
    return ".so" in Path(name).name


def report(wrong: list[str]) -> None:
    expect(not wrong, "\n".join(wrong))


# How old the system may be


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@lru_cache(maxsize=None)
def imports(path: Path) -> list[tuple[str, str, str]]:
    """Returns the symbols that a file takes from libraries with versions: name, version, library."""
    listing = readelf("--version-info", path)
    libraries, library = {}, ""
    for match in re.finditer(r"File: (\S+)|Name: (\S+) .*Version: (\d+)", listing):
        library = match[1] or library
        if match[2]:
            libraries[match[3]] = library
    pattern = re.compile(r" UND (\w+)@(\S+) \((\d+)\)")
    return [(match[1], match[2], libraries[match[3]]) for match in pattern.finditer(readelf("--dyn-syms", path))]


def check_versions(context: Context, folder: Path) -> None:
    """No file needs a symbol version that the oldest systems lack."""
    wrong, seen = [], 0
    for file, path in elf_files(context, folder).items():
        oldest = {"GLIBC": OLDEST_GLIBC.get(file, OLDEST_GLIBC_OF_OTHERS), **OLDEST_LIBSTDCXX}
        for name, version, library in imports(path):
            seen += 1
            kind, _, number = version.partition("_")
            if kind not in oldest or numbers(number) > oldest[kind]:
                wrong.append(f"{file}: {name} of version {version} ({library})")
    expect(seen > 100, f"only {seen} symbols with versions: this test does not see what it should")
    report(wrong)


def moved_into_libc() -> set[str]:
    """Returns the functions that were in another library of glibc before 2.34: a move gives a function a new version."""
    libc = process.run(["sh", "-c", "ldd $(command -v sh) | sed -n 's/.*libc.so.6 => \\([^ ]*\\).*/\\1/p'"], SECONDS).output.strip()
    listing = readelf("--dyn-syms", libc)
    newest = {name: numbers(version) for name, version in re.findall(r" (\w+)@@GLIBC_([\d.]+)", listing)}
    old = set(re.findall(r" (\w+)@GLIBC_[\d.]+", listing))
    return {name for name in old if newest.get(name, (0,)) >= (2, 30)} - {"__libc_start_main"}


def check_homes(context: Context, folder: Path) -> None:
    """Files take functions that were in libdl.so.2 or libpthread.so.0 before glibc 2.34 from these libraries. Before
    2.30, not even a weak reference may name libc.so.6 for them.
    """
    moved = moved_into_libc()
    if "dlopen" not in moved:
        raise Unavailable("this system's glibc is older than 2.34: the linker itself names the libraries")
    report([f"{file}: {name} is not in libc.so.6 before glibc 2.34" for file, path in elf_files(context, folder).items()
            for name, _, library in imports(path) if library == "libc.so.6" and name in moved])


def check_static_command(context: Context, folder: Path) -> None:
    """The command needs no library, so no file of another machine can be missing for it."""
    installed = elf_files(context, folder)["bin/anympi"]
    expect("(NEEDED)" not in readelf("--dynamic", installed), readelf("--dynamic", installed))
    expect("INTERP" not in readelf("--program-headers", installed), "it has a dynamic linker")


def check_missing_helper(context: Context, folder: Path) -> None:
    """Without the program that opens libraries, the command reports that and continues."""
    elf_files(context, folder)
    (folder / "lib" / "anympi" / "ask_library").unlink()
    done = anympi(context, "list", bin_folder=folder / "bin")
    expect("ask_library does not start (No such file or directory); install anympi again" in done.output, done)


# Hardening


def check_hardening(context: Context, folder: Path) -> None:
    wrong = []
    for file, path in elf_files(context, folder).items():
        dynamic, segments = readelf("--dynamic", path), readelf("--program-headers", path)
        stack = re.search(r"GNU_STACK.*? ([RWE]+) +0x", segments)
        checks = {"a stack that is not executable": stack is not None and "E" not in stack[1],
                  "no text relocations": "TEXTREL" not in dynamic,
                  "read-only relocations": "GNU_RELRO" in segments,
                  "all references bound when loaded": re.search(r"FLAGS_1.* NOW", dynamic) is not None,
                  "an address that changes": re.search(r"Type: +DYN ", readelf("--file-header", path)) is not None,
                  "search paths inside the installation alone": not re.search(r"\((?:RPATH|RUNPATH)\).*\[(?!\$ORIGIN[]/])", dynamic),
                  "no segment both writable and executable": not re.search(r"LOAD.* RWE ", segments)}
        wrong += [f"{file} lacks {what}" for what, holds in checks.items() if not holds]
    report(wrong)


def check_shadow_stacks(context: Context, folder: Path) -> None:
    """Libraries support shadow stacks. None claims the landing points of indirect branches, which anympi's stubs do not have."""
    wrong = []
    for file, path in elf_files(context, folder).items():
        properties = re.search(r"x86 feature: (.*)", readelf("--notes", path))
        claimed = set(properties[1].split(", ")) if properties else set()
        if "IBT" in claimed:
            wrong.append(f"{file} claims indirect-branch tracking")
        if is_library(file) and "SHSTK" not in claimed:
            wrong.append(f"{file} is not marked for shadow stacks")
    report(wrong)


def check_stack_protector(context: Context, folder: Path) -> None:
    """All code except the code that every call runs through is compiled with the stack protector and with
    _FORTIFY_SOURCE, and the readers of files use them.
    """
    wrong, results = [], {}
    for one in compilations(context.build):
        words = shlex.split(one.command)
        for source in map(str, one.sources):
            results[source] = one.result
            last = [word for word in words if "stack-protector" in word][-1:]
            wanted = "-fno-stack-protector" if UNPROTECTED.search(source) else "-fstack-protector-strong"
            if last != [wanted]:
                wrong.append(f"{source}: {' '.join(last) or 'no option'}, expected {wanted}")
            fortify = [word for word in words if "_FORTIFY_SOURCE" in word][-1:]
            if fortify != ["-U_FORTIFY_SOURCE" if UNPROTECTED.search(source) else "-D_FORTIFY_SOURCE=2"]:
                wrong.append(f"{source}: {' '.join(fortify) or 'no _FORTIFY_SOURCE'}")
    expect(len(results) > 100, f"only {len(results)} files: this test does not see what it should")
    for reader in READERS:
        if "__stack_chk_fail" not in readelf("--syms", results[str(context.root / "src" / reader)]):
            wrong.append(f"{reader} does not call __stack_chk_fail")
    report(wrong)


CHECKS = {
    "versions of symbols": check_versions,
    "libraries that symbols were in": check_homes,
    "the command needs no library": check_static_command,
    "the command without its helper": check_missing_helper,
    "hardening": check_hardening,
    "shadow stacks": check_shadow_stacks,
    "stack protector": check_stack_protector,
}
