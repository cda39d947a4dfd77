"""The symbols that the fronts export: the names of their ABI and nothing else."""
from __future__ import annotations

import re
import subprocess
from functools import lru_cache, partial
from pathlib import Path

from lib.checks import expect, guarded
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime
from lib.vendor_table import STANDARD, VENDOR_OF, VENDORS
from programs.programs import judge

ALLOWED_LIBRARIES = {"libc.so.6"}  # not even libdl.so.2, because each program would load one more file

# The objects from which a front is linked, in the order of their layers, the lowest first: src/CMakeLists.txt. Bridges
# are templates, which are compiled into the front's own objects.
OBJECTS = ["runtime_objects", "rule_objects", "emulation_objects", "emulation_for_standard", "fast_path", "front_standard"]
OBJECT_SYMBOL = re.compile(r"^ *\d+: [0-9a-f]+ +\d+ \w+ +(?P<bind>GLOBAL|WEAK) +\w+ +(?P<section>\w+) (?P<name>\S+)$", re.MULTILINE)

STATIC_PROGRAMS = ["user_ops", "errhandlers"]  # callbacks need anympi's code at run time, wherever it was linked


def cases(context: Context):
    for check in (names, twins, needed, no_signals, identity):
        yield Case(f"shared library: {check.__name__}", partial(with_file, "libmpi_abi.so.1", check, context))
    for vendor in VENDORS:
        for check in (twins, needed, no_signals):
            yield Case(f"front for {vendor.abi}: {check.__name__}", partial(with_file, vendor.front, check, context))
        yield Case(f"front for {vendor.abi}: names", partial(with_file, vendor.front, partial(vendor_names, vendor.abi), context))
        yield Case(f"front for {vendor.abi}: data of mpi.h", partial(with_file, vendor.front, partial(vendor_header, vendor.abi), context))
    yield Case("front for openmpi: sizes of data", partial(with_file, VENDOR_OF["openmpi"].front, openmpi_data, context))
    yield Case("objects: no room needs a higher one", partial(higher_rooms, context))
    yield Case("objects: mistake", partial(guarded, check_higher_room, context))
    for runtime in context.runtimes:
        if runtime.name in ("mpich", "openmpi"):
            yield Case(f"names in backtraces on {runtime.name}", partial(backtraces, context, runtime))
    yield Case("static library: names", partial(with_file, "libmpi_abi.a", static_names, context))
    for name in STATIC_PROGRAMS:
        for runtime in context.runtimes:
            if runtime.usual:
                yield Case(f"static library: {name} on {runtime.name}", partial(run_static, context, name, runtime),
                           row=f"{name} (static)", column=runtime.name)


def with_file(name: str, check, context: Context) -> Result:
    library = context.build / "lib" / name
    return check(context, library) if library.exists() else failed(f"{library} does not exist: build the tree first")


@lru_cache(maxsize=None)
def readelf(*arguments: str | Path) -> str:
    return subprocess.run(["readelf", "--wide", *map(str, arguments)], capture_output=True, text=True, check=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def symbols(listing: str) -> list[dict[str, str]]:
    """Returns the defined symbols that other objects can see."""
    pattern = re.compile(r"^ *\d+: (?P<address>[0-9a-f]+) +(?P<size>\d+) (?P<type>\w+) +(?P<bind>GLOBAL|WEAK) +DEFAULT +"
                         r"(?P<section>\w+) (?P<name>[^@\s]+)", re.MULTILINE)
    return [match.groupdict() for match in pattern.finditer(listing) if match["section"] != "UND"]


def expected_names(context: Context) -> set[str]:
    from generator.core import model

    return {prefix + f.name for f in model.read(context.root / "api").functions for prefix in ("MPI_", "PMPI_")}


def expected_standard_names(context: Context) -> set[str]:
    from generator.core import fronts, model

    api = model.read(context.root / "api")
    return expected_names(context) | set(fronts.read(context.root / "api" / "fronts.api", api)["standard"].all)


def expected_backtrace_names(context: Context, abi: str) -> set[str]:
    """Returns the names of all bridges of a front, whose pairs are those with other ABIs. The portable code has no such
    names."""
    from generator.core import front_entries, model

    if is_portable(context):
        return set()
    runs = [other for other in model.ABIS if other != abi]
    return {front_entries.backtrace_name(f, run) for f in model.read(context.root / "api").functions for run in runs}


def is_portable(context: Context) -> bool:
    return "ANYMPI_ARCH:STRING=portable" in (context.build / "CMakeCache.txt").read_text()


def expected_vendor_names(context: Context, abi: str) -> set[str]:
    from generator.core import data_objects, fronts, model, synonyms

    api = model.read(context.root / "api")
    others = [s.name for s in synonyms.read(context.root / "api" / "synonyms.api", api) if abi in s.abis]
    data = context.root / "api" / f"{abi}_data.api"
    objects = {name for name, _ in data_objects.read(data, api)} if data.exists() else set()
    written = set(fronts.read(context.root / "api" / "fronts.api", api)[abi].all)
    return expected_names(context) | set(others) | {f"P{name}" for name in others} | written | objects


def difference(wanted: set[str], found: set[str]) -> str:
    missing, extra = sorted(wanted - found), sorted(found - wanted)
    both = {"not exported": missing, "exported, but not of the API": extra}
    return "\n".join(f"{what}: {', '.join(names)}" for what, names in both.items() if names)


def wrong_kind(symbol: dict[str, str]) -> bool:
    """Returns True for a symbol of the wrong kind: PMPI_ must be the function and MPI_ must be weak, so that a tool can
    replace it, also in a static link. The hook of gprof must be weak too."""
    return symbol["type"] != "FUNC" or symbol["bind"] != ("WEAK" if symbol["name"].startswith(("MPI_", "__gmon")) else "GLOBAL")


def names(context: Context, library: Path) -> Result:
    exported = symbols(readelf("--dyn-syms", library))
    text = difference(expected_standard_names(context) | expected_backtrace_names(context, STANDARD), {symbol["name"] for symbol in exported})
    wrong = [f"{s['bind']} {s['type']} {s['name']}" for s in exported if wrong_kind(s)]
    return failed("\n".join([text, *wrong])) if text or wrong else passed()


def vendor_names(abi: str, context: Context, library: Path) -> Result:
    exported = {s["name"] for s in symbols(readelf("--dyn-syms", library))}
    text = difference(expected_vendor_names(context, abi) | expected_backtrace_names(context, abi), exported)
    return failed(text) if text else passed()


def vendor_header(abi: str, context: Context, library: Path) -> Result:
    """A program may refer to everything that the vendor's mpi.h declares as data."""
    chosen = [runtime for runtime in context.available if runtime.family == abi]
    if not chosen:
        return skipped("no MPI of this family is among the runtimes")
    found = {}
    exported = {s["name"] for s in symbols(readelf("--dyn-syms", library))}
    for runtime in chosen:
        prefix = runtime.library.parent.parent
        header = prefix / "include" / "mpi.h"
        if header.exists():
            text = header.read_text().replace(" MPICH_API_PUBLIC", "")
            found[runtime.name] = re.findall(r"^(?:OMPI_DECLSPEC )?extern (?!.*\().*?(\w+)(?:\[\d*\])?;", text, re.MULTILINE)
    if not any(found.values()):
        return context.absent("no mpi.h of this family to compare with")
    missing = {name for names in found.values() for name in names if name.startswith(("MPI", "ompi"))} - exported
    return failed(f"declared as data and not exported: {', '.join(sorted(missing))}") if missing else passed()


def openmpi_data(context: Context, library: Path) -> Result:
    """Every object must have the size of the real library's object, because programs reserve that size for their
    copies."""
    real = next((r.library for r in context.available if r.family == "openmpi"), None)
    if real is None:
        return skipped("no Open MPI is among the runtimes")
    sizes = {s["name"]: s["size"] for s in symbols(readelf("--dyn-syms", real)) if s["type"] == "OBJECT"}
    ours = {s["name"]: s["size"] for s in symbols(readelf("--dyn-syms", library)) if s["type"] == "OBJECT"}
    wrong = [f"{name}: {size} bytes, {sizes[name]} in {real}" for name, size in ours.items() if sizes.get(name, size) != size]
    known = [name for name in ours if name in sizes]
    if len(known) < 100:
        wrong.append(f"only {len(known)} of {len(ours)} objects are known to {real}")
    return failed("\n".join(wrong)) if wrong else passed()


def twins(context: Context, library: Path) -> Result:
    """MPI_X and PMPI_X must be the same function."""
    address = {s["name"]: s["address"] for s in symbols(readelf("--dyn-syms", library)) if s["type"] == "FUNC"}
    apart = [name for name in address if name.startswith(("MPI_", "MPIX_")) and address.get(f"P{name}") != address[name]]
    return failed(f"at another address than their PMPI_ names: {', '.join(sorted(apart))}") if apart or not address else passed()


def needed(context: Context, library: Path) -> Result:
    found = set(re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("--dynamic", library)))
    if "libc.so.6" not in found or found - ALLOWED_LIBRARIES:
        return failed(f"needs {', '.join(sorted(found))}; allowed are {', '.join(sorted(ALLOWED_LIBRARIES))}")
    return passed()


def no_signals(context: Context, library: Path) -> Result:
    """docs/cluster/security.md promises that a front does not change signals: it calls no function that could change
    them."""
    called = set(re.findall(r" UND (\w+)@", readelf("--dyn-syms", library)))
    if not called:
        return failed("no function of glibc was found, so this test proves nothing")
    wrong = sorted(name for name in called if re.match(r"_*(sig|signal|pthread_sig|bsd_signal|sysv_signal)", name))
    return failed(f"calls {', '.join(wrong)}") if wrong else passed()


def identity(context: Context, library: Path) -> Result:
    """Checks the soname, the name without a number for linkers, and that there is no .so.0, because programs of that
    name have the values of a draft."""
    soname = re.search(r"\(SONAME\).*\[(.+)\]", readelf("--dynamic", library))
    if not soname or soname[1] != "libmpi_abi.so.1":
        return failed(f"the soname is {soname[1] if soname else 'missing'}")
    link = library.with_name("libmpi_abi.so")
    if link.resolve() != library.resolve():
        return failed(f"{link} does not lead to {library}")
    return failed("there is a libmpi_abi.so.0") if library.with_name("libmpi_abi.so.0").exists() else passed()


def higher_rooms(context: Context) -> Result:
    """Checks calls from one room to a higher one, however they were declared. tests/house/rooms.py reads the sources,
    which can hide such a call."""
    folder = context.build / "src" / "CMakeFiles"
    rooms = {name: sorted((folder / f"{name}.dir").rglob("*.o")) for name in OBJECTS}
    if absent := [name for name, files in rooms.items() if not files]:
        return failed(f"no objects of {', '.join(absent)} in {folder}: build the tree first")
    wrong = upward_references(rooms)
    return failed("\n".join(wrong)) if wrong else passed()


def upward_references(rooms: dict[str, list[Path]]) -> list[str]:
    """Returns one line for each name that objects of a room need and objects of a later room define."""
    defined, undefined = {}, {}
    for room, files in rooms.items():
        found = [match.groupdict() for match in OBJECT_SYMBOL.finditer(readelf("--syms", *files))]
        defined[room] = {s["name"] for s in found if s["section"] != "UND" and s["bind"] == "GLOBAL"}
        undefined[room] = {s["name"] for s in found if s["section"] == "UND"}
    names = list(rooms)
    return [f"{room} needs {name} of {higher}" for i, room in enumerate(names) for higher in names[i + 1:]
            for name in sorted((undefined[room] - defined[room]) & defined[higher])]


def check_higher_room(context: Context, folder: Path) -> None:
    """A declaration inside a function, which the check of the sources does not find."""
    texts = {"low": "int g(void) { int f(void); return f(); }\n", "high": "int f(void) { return 0; }\n"}
    rooms = {}
    for name, text in texts.items():
        (folder / f"{name}.c").write_text(text)
        subprocess.run(["cc", "-c", f"{name}.c", "-o", f"{name}.o"], cwd=folder, check=True)
        rooms[name] = [folder / f"{name}.o"]
    expect(upward_references(rooms) == ["low needs f of high"], upward_references(rooms))


def static_names(context: Context, library: Path) -> Result:
    # Templates of the C++ headers are visible in every object that uses them, and weak: the linker keeps only one.
    visible = [s for s in symbols(readelf("--syms", library)) if not (s["bind"] == "WEAK" and s["name"].startswith(("_ZSt", "_ZNSt")))]
    text = difference(expected_standard_names(context) | expected_backtrace_names(context, STANDARD), {symbol["name"] for symbol in visible})
    wrong = [f"{s['bind']} {s['type']} {s['name']}" for s in visible if wrong_kind(s)]
    return failed("\n".join([text, *wrong])) if text or wrong else passed()


def backtraces(context: Context, runtime: Runtime) -> Result:
    """If a program crashes inside a bridge, its backtrace contains the bridge's name. Entries only jump, so they are
    not on the stack."""
    if runtime.missing:
        return runtime.absent()
    if is_portable(context):
        return skipped("the portable code has no names for backtraces")
    sources = [context.root / "tests" / "fronts" / "backtrace.c", context.build / "include" / "mpi.h"]
    done = context.run_mpi(runtime, 1, context.compile("backtrace", sources, context.program_flags()))
    named = re.search(rf"libmpi_abi\.so\.1(\.0)?\(anympi_Type_create_struct_on_{runtime.family}\+0x", done.output)
    return passed() if named else failed(done.describe())  # launchers report a process that ends without MPI_Finalize


def run_static(context: Context, name: str, runtime: Runtime) -> Result:
    """A program that contains the front must run like one that loads it."""
    if runtime.missing:
        return runtime.absent()
    source = context.root / "tests" / "programs" / f"{name}.c"
    headers = [*sorted(source.parent.glob("*.h")), context.build / "include" / "mpi.h"]
    archive = context.build / "lib" / "libmpi_abi.a"
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{context.build / 'include'}", "-ldl", "-lpthread"]
    try:
        program = context.compile(f"{name}.static", [source, archive, *headers], flags)
    except (BuildError, FileNotFoundError) as error:
        return failed(str(error))
    if "libmpi_abi" in readelf("--dynamic", program):
        return failed(f"{program} loads the shared front")
    return judge(context.run_mpi(runtime, 2, program), runtime)
