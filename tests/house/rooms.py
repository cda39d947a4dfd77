"""The rooms of src/: the allowed includes between rooms, that no name is declared in one room and defined in another,
and that only src/arch depends on the processor. No two files of the repository have the same name and different jobs.
"""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from lib import declarations, processor_code
from lib.checks import expect, guarded
from lib.context import Context
from lib.results import Case, Result, failed, passed

# Each room, with its allowed includes: a room, or one header of a room. Every entry is used.
MAY_INCLUDE = {
    "arch": [],
    "base": ["arch"],
    "abi": ["base"],
    "runtime": ["abi/abi.hpp", "arch", "base"],
    "convert": ["abi", "arch", "base", "runtime/message.hpp", "runtime/open/dynamic_linker.hpp"],
    "emulate": ["abi", "base", "convert", "runtime/identify/library.hpp", "runtime/message.hpp"],
    "bridge": ["arch", "base", "convert", "emulate"],
    "front": ["abi", "base", "bridge", "convert", "emulate", "runtime"],
    "fortran": ["abi", "base", "convert"],
    "cxx": ["abi", "base"],
    "command": ["abi/abi.hpp", "base", "emulate/engine/emulation.hpp", "override_rules.hpp", "runtime"],
    "preload": ["base", "runtime"],
    "starter": ["runtime"],
}

# Folders that the other folders of their room include, and that include none of them.
LOWEST_FOLDERS = ["front/common"]

# The rooms of generated files, whose names do not contain a room.
GENERATED = {
    "*_values.hpp": "abi",
    "sonames.inc": "runtime",
    "older_functions.hpp": "preload",
    "categories.hpp": "convert",
    "fast_path_list.hpp": "convert",
    "functions.hpp": "convert",
    "predefined.hpp": "convert",
    "emulate/*": "emulate",
    "moments.hpp": "emulate",
    "override_rules.hpp": "emulate",
    "install_overrides.hpp": "emulate",
    "direct_bridges.hpp": "front",
    "bridges.hpp": "bridge",
    "bridge_table.hpp": "bridge",
    "fast_path_procedures.hpp": "bridge",
    "data_*.cpp": "front",
    "directory.cpp": "front",
    "entries_*.cpp": "front",
    "fast_path_*.cpp": "front",
    "fortran_*": "fortran",
    "prototypes.hpp": "cxx",
    "function_report.hpp": "command",
    "override_list.hpp": "command",
    "interposer_list.hpp": "command",
    "interposers.hpp": "front",
    "native_calls.hpp": "front",
    "interposer_*.cpp": "front",
}

# Files outside src/arch that name processors and do not depend on the processor that runs them.
NAMES_PROCESSORS = {"command/inspect/binary.cpp"}  # tells people the processor of a program

# Names that one delivered library declares and another one defines. Every entry is used.
LINKS = {"anympi_meet_fortran_1"}  # libmpifort_abi calls libmpi_abi: src/convert/fortran_side.hpp

# Folders in which a file name has one job. Headers of include/anympi have the names of the typed API's classes, for users.
NAMED_FOLDERS = ("src", "generator", "tests", "bench", "scripts")

# File names that several folders have, with the job that is the same in all of them. Every entry is used.
SAME_JOB = {
    "CMakeLists.txt": "builds its folder",
    "README.md": "explains its folder",
    "__init__.py": "makes its folder a package",
    "__main__.py": "begins a program of several Python files",
    "main.cpp": "begins a program of several C++ files",
    "homes.txt": "says where the functions of a room live that are not generated",
    "exports.map": "names what a delivered library exports",
    "names.txt": "where each function of MPI lives: as generated, and as frozen in tests/data",
    "directory.*": "generated definitions of what src/front/common/directory.hpp declares",
}

# Folders with the same files, one set for each variant.
VARIANTS = ["src/arch/*/*"]

IS_SERIAL = True

# The object of an include: a name in quotes or angle brackets, or a macro with such a name.
INCLUDE = re.compile(r'^[ \t]*#[ \t]*(?:include|include_next|import)\b[ \t]*(?:"([^"]+)"|<([^>]+)>|(\w+))|\b__has_include[ \t]*\([ \t]*["<]([^">]+)',
                     re.MULTILINE)
SUFFIXES = {".hpp", ".cpp"}
READ = SUFFIXES | {".h", ".c", ".inc"}

# Macros that name a header, so that its room is not visible. Every entry is used.
NAMES_HEADER = {"ANYMPI_CXX_DECLARATIONS"}  # src/cxx/CMakeLists.txt: one of the two headers of src/cxx with the classes

written: set[Path] = set()  # folders that this process has written


def cases(context: Context):
    yield Case("direction of includes", partial(judge, wrong_includes, context))
    yield Case("the room of each include can be seen", partial(judge, hidden_includes, context))
    yield Case("common folders stand alone", partial(judge, higher_folders, context))
    yield Case("every entry of the table is used", partial(judge, unused_entries, context))
    yield Case("declared and defined in one room", partial(judge, back_doors, context))
    yield Case("a source includes its own header first", partial(judge, strange_sources, context))
    yield Case("only arch depends on the processor", partial(judge, code_of_processors, context))
    yield Case("both processors have the same headers", partial(same_headers, context))
    yield Case("one name, one job", partial(judge_names, shared_names, context))
    yield Case("every name with the same job is used", partial(judge_names, unused_names, context))
    for name, check, files, message in MISTAKES:
        yield Case(f"mistake: {name}", partial(guarded, check_mistake, check, files, message))
    for name, check, paths, message in MISTAKEN_NAMES:
        yield Case(f"mistake: {name}", partial(guarded, check_mistaken_names, check, paths, message))


def judge(check, context: Context) -> Result:
    """Fails with one line for each finding."""
    findings = check(sources(context.root / "src", generated_files(context)))
    return failed("\n".join(findings)) if findings else passed()


def generated_files(context: Context) -> Path:
    """Returns the folder of the files that the generator writes now. A build tree may still have files from before a change."""
    out = context.work / "rooms"
    with context.lock_of(out):
        if out not in written:
            shutil.rmtree(out, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "generator", "--source", context.root, "--out", out], cwd=context.root, check=True)
            written.add(out)
    return out / "generated"


class Source:
    """A file of src/, or a generated one."""

    def __init__(self, name: str, path: Path):
        self.name = name  # as other files include it
        self.path = path
        self.text = path.read_text()
        self.room = room_of(name)
        found = INCLUDE.findall(self.text)
        self.includes = [name for quoted, bracketed, _, asked in found if (name := quoted or bracketed or asked)
                         and (quoted or room_of(name) in MAY_INCLUDE)]
        self.macros = [macro for _, _, macro, _ in found if macro]


def room_of(name: str) -> str:
    first = Path(name).parts[0]
    if first in MAY_INCLUDE:
        return first
    for pattern, room in GENERATED.items():
        if fnmatch(name, pattern):
            return room
    return name


def sources(*folders: Path) -> list[Source]:
    return [Source(str(path.relative_to(folder)), path) for folder in folders for path in sorted(folder.rglob("*"))
            if path.suffix in READ]


def entry_for(source: Source, included: str) -> str | None:
    """Returns the entry of the table that allows an include."""
    room = room_of(included)
    return next((entry for entry in MAY_INCLUDE.get(source.room, []) if entry in (room, included)), None)


def is_inside(source: Source, included: str) -> bool:
    """Returns True if an include stays in its room. An include without a folder may be a header in the same folder."""
    return room_of(included) == source.room or (source.path.parent / included).exists()


def wrong_includes(files: list[Source]) -> list[str]:
    return [f"{source.name} includes {included}: {source.room} must not include {room_of(included)}" for source in files
            for included in source.includes if not is_inside(source, included) and not entry_for(source, included)]


def hidden_includes(files: list[Source]) -> list[str]:
    """Returns includes whose room is not visible: by a macro, or by a path through a parent folder."""
    return [f"{source.name} includes {included}: the name of a header begins with its room" for source in files
            for included in [*source.includes, *source.macros]
            if included not in NAMES_HEADER and (included in source.macros or ".." in Path(included).parts or included.startswith("/"))]


def higher_folders(files: list[Source]) -> list[str]:
    """Returns includes of another folder of the same room in a folder that is below it."""
    return [f"{source.name} includes {included}: {folder} must not include other folders of {source.room}"
            for source in files if (folder := str(Path(source.name).parent)) in LOWEST_FOLDERS
            for included in source.includes if included.startswith(f"{source.room}/") and str(Path(included).parent) != folder]


def unused_entries(files: list[Source]) -> list[str]:
    used = {(source.room, entry_for(source, included)) for source in files for included in source.includes
            if not is_inside(source, included)}
    macros = {macro for source in files for macro in source.macros}
    return [f"no file of {room} includes {entry}" for room, entries in MAY_INCLUDE.items() for entry in entries
            if (room, entry) not in used] + [f"no file includes {macro}" for macro in NAMES_HEADER - macros]


def back_doors(files: list[Source]) -> list[str]:
    """Returns functions, variables and classes that a file of one room declares and a file of another room defines.
    Declarations in functions are not found: the suite exports checks the objects.
    """
    read = {source.name: declarations.read(source.text) for source in files}
    places: dict[str, dict[str, str]] = {}  # for each name, by the room that defines it
    for source in files:
        for name in read[source.name].defined:
            places.setdefault(name, {})[source.room] = source.name
    return [f"{source.name}:{line} declares {name}, which {', '.join(places[name].values())} defines" for source in files
            for name, line in read[source.name].declared.items()
            if name in places and source.room not in places[name] and name not in LINKS]


def strange_sources(files: list[Source]) -> list[str]:
    """Returns sources whose own header is not the first include. Only there does the compiler notice that the header
    needs nothing before it.
    """
    return [f"{source.name} does not include {header} first" for source in files if source.path.suffix == ".cpp" and "/" in source.name
            and source.path.with_suffix(".hpp").exists() and (header := source.name[:-3] + "hpp") not in source.includes[:1]]


def code_of_processors(files: list[Source]) -> list[str]:
    """Returns assembly with instructions, vector intrinsics, and numbers and macros of processors outside src/arch."""
    return [f"{source.name}:{finding}" for source in files if source.room != "arch" and source.name not in NAMES_PROCESSORS
            for finding in processor_code.findings(source.text)]


def same_headers(context: Context) -> Result:
    """Both folders of src/arch have the same headers. Otherwise a missing header is noticed only when the other folder
    is built, perhaps on another machine.
    """
    folders = sorted(path.parent for path in (context.root / "src" / "arch").glob("*/processor.cmake"))
    headers = {folder.name: {path.name for path in (folder / "arch").glob("*.hpp")} for folder in folders}
    lacking = [f"{name} has no {header}" for name, found in headers.items() for header in sorted(set().union(*headers.values()) - found)]
    return failed("\n".join(lacking)) if lacking or len(headers) < 2 else passed()


def judge_names(check, context: Context) -> Result:
    """Fails with one line for each finding."""
    findings = check(written_paths(context) + generated_paths(context))
    return failed("\n".join(findings)) if findings else passed()


def written_paths(context: Context) -> list[Path]:
    """Returns the files of the repository, without the inputs of fuzz targets, whose names nothing refers to."""
    return [path.relative_to(context.root) for folder in NAMED_FOLDERS for path in sorted((context.root / folder).rglob("*"))
            if path.is_file() and not {"__pycache__", "corpus"} & set(path.parts)]


def generated_paths(context: Context) -> list[Path]:
    folder = generated_files(context)
    return [path.relative_to(folder.parent) for path in sorted(folder.rglob("*")) if path.is_file()]


def names_of(path: Path) -> set[str]:
    """Returns the names that no other folder may have. A header of src/ and its source share a name and a folder. A
    plural counts as its singular.
    """
    names = {path.name}
    if path.parts[0] in ("src", "generated") and path.suffix in SUFFIXES:
        names.add(f"{path.stem}.*")
        names.add(f"{path.stem.removesuffix('s')}(s).*")
    return names


def place_of(path: Path) -> str:
    """Returns the folder of a file. The folders of all variants are one place."""
    variant = next((pattern for pattern in VARIANTS if fnmatch(str(path), pattern)), None)
    return variant or str(path.parent)


def files_by_name(paths: list[Path]) -> dict[str, list[Path]]:
    """Returns, for each name in several places, one file of each place."""
    places: dict[str, dict[str, Path]] = {}
    for path in paths:
        for name in names_of(path):
            places.setdefault(name, {}).setdefault(place_of(path), path)
    return {name: list(found.values()) for name, found in places.items() if len(found) > 1}


def shared_names(paths: list[Path]) -> list[str]:
    allowed = [files for name, files in files_by_name(paths).items() if name in SAME_JOB]
    wrong = [files for files in files_by_name(paths).values() if files not in allowed]
    return sorted({f"{' and '.join(map(str, files))} have one name" for files in wrong})


def unused_names(paths: list[Path]) -> list[str]:
    shared = files_by_name(paths)
    return [f"no two files are called {name}" for name in SAME_JOB if name not in shared]


# The findings of each check: files with their text, and a part of the expected finding.
MISTAKES = [
    ("back to a higher room", wrong_includes, {"convert/a.hpp": '#include "bridge/b.hpp"'}, "convert must not include bridge"),
    ("another header than the allowed one", wrong_includes, {"runtime/a.hpp": '#include "abi/all.hpp"'}, "runtime must not include abi"),
    ("generated file of a higher room", wrong_includes, {"emulate/a.hpp": '#include "bridges.hpp"'}, "emulate must not include bridge"),
    ("include in angle brackets", wrong_includes, {"convert/a.hpp": "#include <bridge/b.hpp>"}, "convert must not include bridge"),
    ("include with spaces", wrong_includes, {"convert/a.c": '  #  include "bridge/b.hpp"'}, "convert must not include bridge"),
    ("question for a header", wrong_includes, {"convert/a.inc": '#if __has_include("bridge/b.hpp")'}, "convert must not include bridge"),
    ("include by a macro", hidden_includes, {"convert/a.hpp": '#define B "bridge/b.hpp"\n#include B'}, "convert/a.hpp includes B"),
    ("include by a parent folder", hidden_includes, {"convert/a.hpp": '#include "convert/../bridge/b.hpp"'}, "begins with its room"),
    ("unused macro", unused_entries, {"cxx/a.hpp": "int a;"}, "no file includes ANYMPI_CXX_DECLARATIONS"),
    ("common folder that needs a higher one", higher_folders, {"front/common/a.cpp": '#include "front/vendors/b.hpp"'},
     "front/common must not include other folders of front"),
    ("unused entry", unused_entries, {"abi/a.hpp": "int a;"}, "no file of abi includes base"),
    ("function of another room", back_doors, {"convert/a.hpp": "namespace anympi {\nint f(int);\n}",
                                              "front/a.cpp": "namespace anympi {\nint f(int) { return 0; }\n}"}, "a.hpp:2 declares f"),
    ("member of another room", back_doors, {"convert/a.hpp": "struct s {\n    static bool is_null(const void*);\n};",
                                            "front/a.cpp": "bool s::is_null(const void*) { return true; }"}, "declares s::is_null"),
    ("specialisation of another room", back_doors, {"convert/a.hpp": "template <>\nint f<int>(word);",
                                                    "front/a.cpp": "template <>\nint f<int>(word) { return 0; }"}, "declares f"),
    ("variable of another room", back_doors, {"convert/a.hpp": "[[gnu::visibility(\"hidden\")]] extern int values[4];",
                                              "front/a.cpp": "int values[4];"}, "declares values"),
    ("function that a source declares", back_doors, {"convert/a.cpp": "namespace anympi {\nint f(int);\n}",
                                                     "front/a.cpp": "namespace anympi {\nint f(int) { return 0; }\n}"}, "a.cpp:2 declares f"),
    ("template of another room", back_doors, {"convert/a.hpp": "template <class P>\nint f(P);",
                                              "front/a.hpp": "template <class P>\nint f(P) { return 0; }"}, "declares f"),
    ("class of another room", back_doors, {"convert/a.hpp": "template <class P>\nstruct f;",
                                           "front/a.hpp": "template <class P>\nstruct f {\n    int x;\n};"}, "declares class f"),
    ("static member of another room", back_doors, {"convert/a.hpp": "struct s {\n    static int f;\n};", "front/a.cpp": "int s::f = 3;"},
     "declares s::f"),
    ("operator of another room", back_doors, {"convert/a.hpp": "bool operator==(s, s);",
                                              "front/a.cpp": "bool operator==(s, s) { return true; }"}, "declares operator=="),
    ("name with C linkage", back_doors, {"convert/a.hpp": 'extern "C" {\nint anympi_f(int);\n}',
                                         "front/a.cpp": 'extern "C" int anympi_f(int) { return 0; }'}, "declares anympi_f"),
    ("assembly", code_of_processors, {"convert/a.hpp": 'inline void f() {\n    asm volatile("" ::: "memory");\n    asm("nop");\n}'},
     "a.hpp:3: assembly with an instruction: nop"),
    ("assembly after a directive", code_of_processors, {"front/a.cpp": 'asm(".text\\n" // why\n    "f: ret");'}, "instruction: f: ret"),
    ("raw assembly", code_of_processors, {"front/a.cpp": 'asm(R"(\n    .text\nf:\n    ret\n)");'}, "instruction: ret"),
    ("intrinsics", code_of_processors, {"convert/a.hpp": "#include <immintrin.h>"}, "a.hpp:1: vector intrinsics"),
    ("relocation type", code_of_processors, {"runtime/a.cpp": "// why\nint a = R_X86_64_64;"}, "a.cpp:2: an ELF number"),
    ("condition on the processor", code_of_processors, {"base/a.hpp": "#ifdef __x86_64__"}, "a macro of a processor"),
    ("own header forgotten", strange_sources, {"convert/a.hpp": "", "convert/a.cpp": '#include "abi/abi.hpp"'}, "does not include convert/a.hpp"),
]


def check_mistake(check, files: dict[str, str], message: str, folder: Path) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    findings = check(sources(folder))
    expect(any(message in finding for finding in findings), f"not found: {message}\n" + "\n".join(findings))


# The findings of the checks of names: files, and a part of the expected finding.
MISTAKEN_NAMES = [
    ("two headers of one name", shared_names, ["src/base/a.hpp", "src/abi/a.hpp"], "src/base/a.hpp and src/abi/a.hpp have one name"),
    ("plural of a name that is taken", shared_names, ["src/base/list.hpp", "src/abi/lists.cpp"], "src/base/list.hpp and src/abi/lists.cpp"),
    ("plural of a name that a generated file takes", shared_names, ["src/base/list.hpp", "generated/lists.hpp"], "generated/lists.hpp"),
    ("source away from its header", shared_names, ["src/base/a.hpp", "src/abi/a.cpp"], "src/base/a.hpp and src/abi/a.cpp"),
    ("generated file of a name that is taken", shared_names, ["src/base/a.hpp", "generated/a.hpp"], "generated/a.hpp"),
    ("two suites of one name", shared_names, ["tests/fronts/a.py", "tests/lib/a.py"], "tests/fronts/a.py and tests/lib/a.py"),
    ("name of a variant elsewhere", shared_names, ["src/arch/portable/a.hpp", "src/arch/x86_64/a.hpp", "src/base/a.hpp"], "src/base/a.hpp"),
    ("same job that no second file has", unused_names, ["src/fortran/homes.txt"], "no two files are called homes.txt"),
]


def check_mistaken_names(check, paths: list[str], message: str, _folder: Path) -> None:
    findings = check([Path(path) for path in paths])
    expect(any(message in finding for finding in findings), f"not found: {message}\n" + "\n".join(findings))
