"""The C++ bindings (MPI::) for programs of Open MPI and MPICH: src/cxx.

anympi's libraries are compared with the lists tests/cxx/*.names and, if it is installed, with the vendor's library. The programs
of tests/cxx are compiled with the vendor's headers. They run unchanged, with anympi's bindings on the vendor's C library, and with
anympi's bindings on anympi's front.
"""
from __future__ import annotations

import re
import shutil
import threading
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed, skipped
from lib.runtimes import Runtime, system_library

from programs import programs
from fronts.exports import readelf, symbols


@dataclass(frozen=True)
class Vendor:
    abi: str
    wrapper: str                # the compiler of Debian's package
    bindings: str               # the name by which the vendor's programs know the C++ library
    also: dict[str, str]        # all of anympi's libraries, and the C library that each needs
    front: str                  # the C library of the programs
    others: frozenset[str]      # ABIs of the libraries on which the front runs its programs


VENDORS = [
    Vendor("openmpi", "mpicxx.openmpi", "libmpi_cxx.so.40", {"libmpi_cxx.so.40": "libmpi.so.40"}, "libmpi.so.40",
           frozenset({"mpich", "standard"})),
    Vendor("mpich", "mpicxx.mpich", "libmpichcxx.so.12",
           {"libmpichcxx.so.12": "libmpich.so.12", "libmpicxx.so.12": "libmpi.so.12"}, "libmpich.so.12",
           frozenset({"openmpi", "standard"})),
]

# Symbols that the vendors export for their own C library or between their files, and a constructor for complete objects
# of the abstract class MPI::Comm.
INTERNAL = re.compile(r"ompi_cxx_|ompi_mpi_cxx_(comm|type|win|file|throw)_|MPIR_|_ZN3MPI26ompi_libcxx_version_string|"
                      r"_ZN3MPI4CommC1")
# Symbols that only anympi exports: an operation with a C++ function cannot be created without them
# (src/cxx/openmpi_inline.cpp).
OURS = {"libmpi_cxx.so.40": {"MPI_Op_create", "PMPI_Op_create"}}

ALLOWED_LIBRARIES = {"libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}
OLDEST_LIBSTDCXX = {"GLIBCXX": (3, 4, 19), "CXXABI": (1, 3, 7)}  # GCC 4.8, in RHEL 7

# A program whose classes are hidden calls methods through the tables of the library; all other programs use their own
# tables.
VARIANTS = {"": [], "hidden": ["-fvisibility=hidden"], "-no-pie": ["-no-pie", "-fno-pie"], "-fPIC": ["-fPIC"]}
IN_ALL_VARIANTS = {"predefined", "program_callbacks"}


def cases(context: Context):
    for vendor in VENDORS:
        for library in vendor.also:
            for check in (names, needed, libstdcxx, same_as_vendor):
                yield Case(f"{library}: {check.__name__}", partial(with_library, context, vendor, library, check))
        if not shutil.which(vendor.wrapper):
            yield Case(f"C++ programs for {vendor.abi}", partial(not_installed, vendor.wrapper))
            continue
        for source in sorted((context.root / "tests" / "cxx").glob("*.cpp")):
            for variant in VARIANTS if source.stem in IN_ALL_VARIANTS else ["hidden"]:
                yield Case(f"{source.stem} {variant} for {vendor.abi} builds".replace("  ", " "),
                           partial(programs.builds, build, context, vendor, source, variant), is_serial=True)
                yield from cases_of_program(context, vendor, source, variant)
    yield Case("several reductions where libmpi.so.40 comes first", partial(reductions_in_wrong_order, context))


def cases_of_program(context: Context, vendor: Vendor, source: Path, variant: str):
    ranks = int(programs.read_head(source)["ranks"])
    for runtime in context.available:
        if runtime.name == vendor.abi:
            modes = [("with its own bindings", no_folder), ("with our bindings", bindings_alone)]
        elif runtime.family == vendor.abi == "openmpi" and runtime.usual:
            modes = [("with our bindings", bindings_beside_library)]  # Open MPI 5 has no C++ bindings
        elif runtime.family in vendor.others and (runtime.usual or context.full):
            modes = [("through the front", front_folder)]
        else:
            modes = []
        for mode, folder in modes:
            yield Case(f"{source.stem} {variant} for {vendor.abi} {mode} on {runtime.name}".replace("  ", " "),
                       partial(run_program, context, vendor, source, variant, folder, runtime, ranks),
                       row=f"{source.stem} (C++) {variant}".strip(), column=f"{vendor.abi} {mode} on {runtime.name}", ranks=ranks)


# ---- the libraries ----

def with_library(context: Context, vendor: Vendor, name: str, check) -> Result:
    library = folder_of(context, vendor) / name
    if not library.exists():
        return failed(f"{library} does not exist: build the tree first")
    return check(context, vendor, library)


def folder_of(context: Context, vendor: Vendor) -> Path:
    return context.build / "lib" / "anympi" / vendor.abi


@lru_cache(maxsize=None)
def exported(library: Path) -> dict[str, dict[str, str]]:
    return {symbol["name"]: symbol for symbol in symbols(readelf("--dyn-syms", library))}


def listed_names(context: Context, vendor: Vendor) -> tuple[dict[str, int], set[str]]:
    """Returns the names of the list with their sizes (0 for functions), and the names among them that the vendor's
    library lacks.
    """
    from generator.core import model
    sizes, lacked = {}, set()
    for _, section, line in model.lines_in_sections(context.root / "tests" / "cxx" / f"{vendor.abi}.names"):
        size = int(section.split()[-1]) if section.startswith("objects of") else 0
        sizes.update({name: size for name in line.split()})
        lacked.update(line.split() if section == "functions also" else [])
    return sizes, lacked


def names(context: Context, vendor: Vendor, library: Path) -> Result:
    """The library has every symbol to which programs can refer, with its size, and no symbol of another namespace."""
    ours, (listed, _) = exported(library), listed_names(context, vendor)
    wrong = [f"{name} is not exported" for name in listed if name not in ours]
    wrong += [f"{name} has {ours[name]['size']} bytes, not {size}" for name, size in listed.items()
              if size and name in ours and int(ours[name]["size"]) != size]
    of_bindings = re.compile(r"_ZNK?3MPI|_ZT[ISV]N3MPI")
    wrong += [f"{name} is exported" for name in ours
              if not of_bindings.match(name) and name not in listed and name not in OURS.get(library.name, set())]
    return failed("\n".join(wrong)) if wrong else passed()


def needed(context: Context, vendor: Vendor, library: Path) -> Result:
    """The library needs the C library of the program's ABI, the C++ library, and nothing else, and names no folder."""
    listing = readelf("--dynamic", library)
    found = set(re.findall(r"\(NEEDED\).*\[(.+)\]", listing))
    wrong = sorted(found - ALLOWED_LIBRARIES - {vendor.also[library.name]})
    if vendor.also[library.name] not in found:
        wrong.append(f"{vendor.also[library.name]} is not needed")
    if f"[{library.name}]" not in re.search(r"\(SONAME\).*", listing)[0]:
        wrong.append("soname")
    if "PATH)" in listing:
        wrong.append("a path for libraries")
    return failed(f"wrong: {', '.join(wrong)}\n{listing}") if wrong else passed()


def libstdcxx(context: Context, vendor: Vendor, library: Path) -> Result:
    """Programs that were built long ago bring an old libstdc++ with them."""
    newer = []
    for name, kind, version in re.findall(r" UND (\w+)@(GLIBCXX|CXXABI)_([\d.]+)", readelf("--dyn-syms", library)):
        if tuple(map(int, version.split("."))) > OLDEST_LIBSTDCXX[kind]:
            newer.append(f"{name} ({kind}_{version})")
    return failed(f"newer than the libstdc++ of GCC 4.8: {', '.join(newer)}") if newer else passed()


def virtual_tables(library: Path) -> dict[str, list[str]]:
    """Returns the names in the slots of every table. The compiler decides which destructor it puts there, and whether
    it fills the slots of the abstract MPI::Comm.
    """
    slots = {int(address, 16): name for address, name in re.findall(
        r"^([0-9a-f]{16}) +\w+ R_X86_64_64 +\w+ (\w+)", readelf("--relocs", library), re.MULTILINE)}
    tables = {}
    for name, symbol in exported(library).items():
        if name.startswith("_ZTV"):
            start, size = int(symbol["address"], 16), int(symbol["size"])
            tables[name] = [re.sub(r".*D\dEv", "", slots.get(at, "")) for at in range(start, start + size, 8)]
    return tables


def same_as_vendor(context: Context, vendor: Vendor, library: Path) -> Result:
    """Names, sizes of objects and the order of virtual functions are the same as in the library with which programs
    were linked.
    """
    theirs = system_library(vendor.bindings)
    if not theirs or not shutil.which(vendor.wrapper):
        return not_installed(vendor.bindings)
    wanted, ours = exported(theirs), exported(library)
    listed, lacked = listed_names(context, vendor)
    wrong = [f"{name} is listed, but {theirs} lacks it" for name in listed if name not in wanted and name not in lacked]
    for name, symbol in wanted.items():
        if INTERNAL.match(name) or (symbol["type"] == "FUNC" and symbol["bind"] == "WEAK"):
            continue  # the second kind is inline: a program contains it
        if name not in ours:
            wrong.append(f"{name} is not exported")
        elif symbol["type"] == "OBJECT" and symbol["size"] != ours[name]["size"]:
            wrong.append(f"{name} has {ours[name]['size']} bytes, not {symbol['size']}")
    our_tables = virtual_tables(library)
    for name, slots in virtual_tables(theirs).items():
        wrong += [f"slot {place} of {name} is {our or 'empty'}, not {their}"
                  for place, (their, our) in enumerate(zip(slots, our_tables.get(name, []))) if their != our]
    return failed("\n".join(wrong)) if wrong else passed()


# ---- the programs ----

def build(context: Context, vendor: Vendor, source: Path, variant: str) -> Path:
    headers = sorted(source.parent.glob("*.hpp"))
    # Bound at the start, as hardened programs are: every name must exist, used or not.
    flags = [*VARIANTS[variant], f"-I{source.parent}", "-w", "-O1", "-g", "-Wl,-z,now"]
    return context.compile(f"{source.stem}-cxx-{vendor.abi}-{variant}", [source, *headers], flags, compiler=vendor.wrapper)


def no_folder(context: Context, vendor: Vendor, runtime: Runtime) -> str:
    return ""


def bindings_alone(context: Context, vendor: Vendor, runtime: Runtime) -> str:
    """Returns a folder with anympi's bindings and without anympi's front."""
    folder = context.work / "cxx" / vendor.abi
    folder.mkdir(parents=True, exist_ok=True)
    for name in vendor.also:
        new = folder / f"{name}.{threading.get_ident()}"  # cases run at the same time, and the build tree may be
                                                          # another one
        new.symlink_to(folder_of(context, vendor) / name)
        new.replace(folder / name)
    return str(folder)


def bindings_beside_library(context: Context, vendor: Vendor, runtime: Runtime) -> str:
    return f"{bindings_alone(context, vendor, runtime)}:{runtime.library.parent}"


def front_folder(context: Context, vendor: Vendor, runtime: Runtime) -> str:
    return str(folder_of(context, vendor))


def run_program(context: Context, vendor: Vendor, source: Path, variant: str, folder, runtime: Runtime,
                ranks: int) -> Result:
    if source.stem == "exceptions" and vendor.abi == "mpich" and runtime.family == "standard":
        return skipped("MPICH 5 reports success once an error handler has returned: nothing is left to be thrown")
    if folder is front_folder and not (folder_of(context, vendor) / vendor.front).exists():
        return failed(f"there is no front for {vendor.abi}: build the tree first")
    try:
        program = build(context, vendor, source, variant)
    except BuildError as error:
        return failed(str(error))
    path = folder(context, vendor, runtime)
    done = context.run_mpi(runtime, ranks, program, environment={"LD_LIBRARY_PATH": path} if path else {})
    return programs.judge(done, runtime, vendor.abi)


def reductions_in_wrong_order(context: Context) -> Result:
    """A preloaded front comes before the bindings. The program gets a message, instead of reducing with the wrong function."""
    vendor = VENDORS[0]
    runtime = next((r for r in context.available if r.family in vendor.others), None)
    if not shutil.which(vendor.wrapper):
        return not_installed(vendor.wrapper)
    if not runtime:
        return skipped("needs an MPI that is not Open MPI")
    program = build(context, vendor, context.root / "tests" / "cxx" / "program_callbacks.cpp", "")
    folder = front_folder(context, vendor, runtime)
    done = context.run_mpi(runtime, 2, program, environment={
        "LD_LIBRARY_PATH": folder, "LD_PRELOAD": str(Path(folder) / vendor.front)})
    is_told = "anympi: this program has several C++ reductions" in done.output and done.code != 0
    return passed() if is_told else failed(done.describe())
