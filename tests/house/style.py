"""clang-format and clang-tidy over the sources; plain English in comments, messages and documents.

clang-tidy spends most of its time on the headers of the standard library, which it reads once for each source. So it reads the sources
that a library compiles with the same options as one file.

clang-tidy takes many minutes for its static analyzer, and for the command, whose libraries are headers. Both run only with --full.
With --full, each source is also compiled alone: the usual build would not notice that a source lacks an include.
"""
from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Iterator

from lib import comment_marks, plain_english, process, prose
from lib.compilations import compilations, left_alone
from lib.context import Context
from lib.presets import built
from lib.results import Case, Result, failed, not_installed, passed

FOLDERS = ("src", "include", "tests", "bench", "examples")
SUFFIXES = {".c", ".h", ".cpp", ".hpp"}
DELIVERED = ("mpi_abi", "mpi_openmpi", "mpi_mpich", "mpifort_abi", "anympi")

IS_SERIAL = True


def cases(context: Context):
    yield Case("clang-format", partial(formatted, context))
    yield Case("plain English", partial(is_plain, context))
    yield Case("patterns of plain English", find_their_examples)
    yield Case("prose of each language", partial(finds_prose, context))
    yield Case("marks of comments", partial(are_marked, context))
    yield Case("marks of an example", partial(marks_example, context))
    units = tidied_units(context)
    if not units:
        yield Case("clang-tidy", partial(failed, f"no compile_commands.json in {context.build}: configure it with CMake first"))
    for unit in units:
        yield Case(f"clang-tidy {unit.name}", partial(tidy, context, unit))
    if context.full:
        yield Case("each source includes what it uses", partial(built, context, "separate", DELIVERED, lambda _: passed()))


# Plain English

def is_plain(context: Context) -> Result:
    """No sentence has one of the known patterns."""
    hits = plain_english.hits_of(context.root)
    hint = "`scripts/english --patterns` shows each pattern with an example in plain English"
    return failed("\n".join([hint, *map(str, hits)])) if hits else passed()


def find_their_examples() -> Result:
    """Each pattern matches its example, and no pattern matches any of the better forms."""
    wrong = []
    for pattern in plain_english.PATTERNS:
        if pattern.name not in patterns_in(pattern.now, pattern.kinds[0]):
            wrong.append(f"{pattern.name}: does not match {pattern.now}")
        wrong += (f"{name}: matches {pattern.better}" for name in patterns_in(pattern.better, pattern.kinds[0]))
    return failed("\n".join(wrong)) if wrong else passed()


def patterns_in(sentence: str, kind: str) -> list[str]:
    text = prose.Text(kind, [prose.Line(1, sentence)])
    return [hit.pattern.name for hit in plain_english.hits_in(text, "example")]


# Files and their prose: the line on which each text begins, its kind and its words
PROSE_EXAMPLES = {
    "a.cpp": ("""int a; // goes on
       // in this line
/// An interface.
// A reason: "not a message at all".
const char* b = "one message in"
                " two pieces"; /* a block
                                * of two lines */
const char* c = "%s/%s:%d", *d = "// not a comment";
""", ["1 comment: goes on in this line", "3 comment: An interface.", '4 comment: A reason: "not a message at all".',
      "6 comment: a block of two lines", "5 message: one message in  two pieces", "8 message: // not a comment"]),
    "a.py": ('''"""What the module does.

Two paragraphs."""
def f():
    """Returns a number."""
    # why it
    # does so
    raise Error("this cannot" f" be {done} here")  # at the end
''', ["1 docstring: What the module does.  Two paragraphs.", "5 docstring: Returns a number.", "6 comment: why it does so",
      "8 comment: at the end", "8 message: this cannot  be {done} here"]),
    "a.sh": ("echo 'no # comment' # a comment\n# of one line\nfail \"the file is gone\"\n",
             ["1 comment: a comment", "2 comment: of one line", "3 message: the file is gone"]),
    "a.f90": ("! A program\nprint *, 'it does not work!' ! here\n",
              ["1 comment: A program", "2 comment: here", "2 message: it does not work!"]),
    "a.api": ("# A table\n# of names\nName(int) # mark\n: what users read\n",
              ["1 comment: A table of names", "4 message: what users read"]),
    "a.md": ("# Title\n\nA `b c`\nparagraph.\n- an entry\n  of two lines\n\n| a | b |\n\n"
             "```sh\ncode of a block\n```\n\n    indented code\n",
             ["1 document: Title", "3 document: A xxxxx paragraph.", "5 document: an entry of two lines",
              "8 document: a", "8 document: b"]),
}


def finds_prose(context: Context) -> Result:
    """Comments, docstrings, messages and documents are separated from code, with the lines on which they begin."""
    folder = context.work / "prose"
    folder.mkdir(parents=True, exist_ok=True)
    wrong = []
    for name, (content, expected) in PROSE_EXAMPLES.items():
        (folder / name).write_text(content)
        seen = [f"{text.lines[0].number} {text.kind}: {text.words}" for text in prose.prose_of(folder / name)]
        if seen != expected:
            wrong.append(f"{name}:\n  found    {seen}\n  expected {expected}")
    return failed("\n".join(wrong)) if wrong else passed()


# Marks of comments

def are_marked(context: Context) -> Result:
    """Only comments above declarations in headers begin with `///`."""
    wrong = []
    for file in comment_marks.c_files(context.root):
        wrong += (f"{file}:{mark.line + 1}: {mark.found} should be {mark.wanted}" for mark in comment_marks.wrong_marks(context.root / file))
    return failed("\n".join([*wrong, "python3 tests/lib/comment_marks.py --fix changes them"])) if wrong else passed()


# The number at the end of a comment is the number of strokes that it should have. All these comments have the other
# number.
MARKS_EXAMPLE = """/// heading 2
#pragma once
/// floating 2

// macro, free
#define MACRO(a) a
namespace a {
/// section 2

// function 3
template <class T = decltype(1 < 2)>
int f(int a = 1, /// parameter 2
      int b = 2) {
    /// reason 2
    auto l = [&] { /// in a lambda 2
        /// also 2
        return "// no comment";
    };
}
MACRO(int)
// class 3
struct alignas(8) s : t<int(int)> {
    // method 3
    void m() {
        /// reason 2
    }
    int field; ///< after code 2
               /// goes on 2
    // free function 3
    friend bool operator==(s, s) { return true; }

public:
    // alias 3
    using u = int;
    /// assertion 2
    static_assert(1);
};
// values 3
enum class e { one, /// after code 2
    // second value 3
    two };
/// initializer 2
} // namespace a
"""


def marks_example(context: Context) -> Result:
    """The script finds all wrong marks and changes them, and then finds no more."""
    folder = context.work / "marks"
    folder.mkdir(parents=True, exist_ok=True)
    header, source = folder / "example.hpp", folder / "example.cpp"
    header.write_text(MARKS_EXAMPLE)
    source.write_text(MARKS_EXAMPLE)
    wanted = {number: "/" * int(line[-1]) for number, line in enumerate(MARKS_EXAMPLE.splitlines()) if re.search(r"//.* [23]$", line)}
    seen = {mark.line: mark.wanted for mark in comment_marks.wrong_marks(header)}
    if seen != wanted:
        different = sorted(set(seen.items()) ^ set(wanted.items()))
        return failed("\n".join(f"line {number + 1}: {MARKS_EXAMPLE.splitlines()[number]}" for number, _ in different))
    for file in (header, source):
        comment_marks.fix(file, comment_marks.wrong_marks(file))
        if comment_marks.wrong_marks(file):
            return failed(f"{file} still has wrong marks after they were changed")
    return failed("a source has ///") if "///" in source.read_text() else passed()


# clang-format and clang-tidy

def formatted(context: Context) -> Result:
    if not shutil.which("clang-format"):
        return not_installed("clang-format")
    files = [path for folder in FOLDERS for path in sorted((context.root / folder).rglob("*")) if path.suffix in SUFFIXES]
    done = process.run(["clang-format", "--dry-run", "-Werror", *files], seconds=300)
    return passed() if done.code == 0 else failed(done.describe(most_lines=20) + "\nclang-format -i mends it")


@dataclass
class Unit:
    """Sources that a library compiles with the same options."""
    library: str
    compiler: str  # with the options
    sources: list[Path] = field(default_factory=list)

    @property
    def name(self) -> str:
        first, others = "/".join(self.sources[0].parts[-2:]), len(self.sources) - 1
        return f"{self.library}: {first}" + (f" and {others} more" if others else "")

    def with_own_places(self, text: str, together: Path) -> str:
        """Replaces the file that contains all sources by the sources and their lines."""
        places = [f"{source}:{number}" for source in self.sources
                  for number, _ in enumerate(source.read_text().splitlines(), 1)]
        return re.sub(rf"{re.escape(str(together))}:(\d+)", lambda found: places[int(found[1]) - 1], text)


def tidied_units(context: Context) -> list[Unit]:
    alone = left_alone(context.build)
    units: dict[tuple[str, str, Path | None], Unit] = {}
    for library, compiler, source in ways_to_compile(context):
        units.setdefault((library, compiler, source if source in alone else None), Unit(library, compiler)).sources.append(source)
    return list(units.values())


def ways_to_compile(context: Context) -> Iterator[tuple[str, str, Path]]:
    """Yields the ways in which the build tree compiles src/ for installed files. Tests compile some files once more,
    and several libraries compile some in the same way: each way counts once.
    """
    src, known = context.root / "src", set()
    for one in compilations(context.build):
        for source in one.sources if one.library != "narrow_emulation_objects" else ():
            is_read = src in source.parents and (context.full or src / "command" not in source.parents)
            if is_read and (one.compiler, source) not in known:
                known.add((one.compiler, source))
                yield one.library, one.compiler, source


def tidy(context: Context, unit: Unit) -> Result:
    if not shutil.which("clang-tidy"):
        return not_installed("clang-tidy")
    folder = context.work / "clang-tidy" / hashlib.sha256(unit.name.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    # Not a file that includes them: some checks ignore included code.
    file = folder / f"together{unit.sources[0].suffix}"
    file.write_text("".join(source.read_text() for source in unit.sources))
    entry = {"directory": str(context.build), "command": f"{unit.compiler} -c {file}", "file": str(file)}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    checks = [] if context.full else ["--checks=-clang-analyzer-*"]
    done = process.run(["clang-tidy", "--quiet", f"--config-file={context.root / '.clang-tidy'}", *checks, "-p", folder, file],
                       seconds=1200)
    done.output = unit.with_own_places(done.output, file)
    hint = "\nA source that is wrong only in a file with others: SKIP_UNITY_BUILD_INCLUSION in src/CMakeLists.txt"
    return passed() if done.code == 0 else failed(done.describe(most_lines=20) + hint)
