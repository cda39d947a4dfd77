"""The typed C++ API of include/anympi: the tests of tests/typed in one program, on several MPIs; code that must not
compile; and the cost of the API.

The program runs GoogleTest on every process. Its files are compiled in few units, so that the headers are seldom
read.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from lib import process, typed_coverage, typed_functions, weak_functions
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, not_installed, passed
from lib.runtimes import Runtime

from programs import programs, sanitizers
from typed import native

USUAL = {"mpich": [1, 2, 3, 4], "openmpi": [1, 2, 4]}
EXAMPLES_WITH = [1, 2, 3, 4]
USUAL_COMPILER = os.environ.get("CXX", "g++")
# How the test program is compiled, and for which cases: with both compilers, and with sanitizers by the compiler that
# is faster with them. With -fdebug-compilation-dir the coverage data contains whole paths, so that llvm-cov finds the
# sources.
KINDS = {"plain": [USUAL_COMPILER],
         "sanitized": ["clang++", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g1", "--coverage", "-fdebug-compilation-dir=/"]}
COMPARES_CALLS = {"ANYMPI_ASSERTIONS": "communication"}  # it must find no difference in calls that agree
COUNTED_ON = "openmpi"  # it can open ports and spawn processes
AGAIN_ON = "openmpi"  # MPICH 4.0 crashes in the first MPI_Session_init after the end of MPI
SURVIVES = "openmpi-5.0.11"  # the failure of processes, if its launcher gets an option
FAULTS_ON = "mpich"  # its windows and files work with one process
# After #line, gcc treats the tests as headers, in which a class should not derive from one without linkage.
UNIT_HEAD = """#ifndef __clang__
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
"""
LINES_OF_UNIT = 1700  # about
SECONDS = 120
COMPILERS = ("g++", "clang++")
# The part of the program that is compiled with NDEBUG, and how the parts are linked.
MIXTURES = [(release, form) for release in ("library", "program") for form in ("objects", "shared library")]
MIXED_ON = "mpich"

# Compiling the API's headers may take this multiple of the time for mpi.h and the headers of the standard library that they
# include.
MOST_COMPILE_TIME = 2.55
MOST_TIME_PRECOMPILED = 1.25


def cases(context: Context):
    units = {kind: [Case(f"{unit} compiles, {kind}", partial(programs.builds, compile_unit, context, unit, kind), is_serial=True,
                         seconds=40) for unit in units_of_tests(context)] for kind in KINDS}
    for kind in KINDS:
        yield from units[kind]
    for runtime in context.available:
        for ranks in chosen_ranks(context, runtime):
            yield Case(f"tests on {runtime.name} with {ranks}", partial(run_tests, context, runtime, ranks, "plain"),
                       row="typed API", column=runtime.name, after=units["plain"])
        if runtime.name in USUAL:
            yield Case(f"tests that compare calls on {runtime.name} with 3", partial(run_tests, context, runtime, 3, "plain", COMPARES_CALLS),
                       after=units["plain"])
            yield Case(f"tests with sanitizers on {runtime.name} with 2", partial(run_tests, context, runtime, 2, "sanitized"),
                       after=units["sanitized"])
        yield Case(f"what an exception leaves on {runtime.name}", partial(unwinding, context, runtime))
        yield Case(f"an exception in all processes on {runtime.name}", partial(caught_by_all, context, runtime))
        if runtime.name == AGAIN_ON:
            yield Case(f"sessions one after the other on {runtime.name}", partial(sessions, context, runtime))
        if runtime.family == "standard":
            yield Case(f"native on {runtime.name}, with its own header", partial(native_standard, context, runtime))
        if runtime.name == SURVIVES:
            yield Case(f"the failure of a process on {runtime.name}", partial(survives, context, runtime))
        if runtime.name in USUAL:
            yield Case(f"threads with sanitizers on {runtime.name}", partial(threads, context, runtime))
            yield Case(f"an exception in an operation on {runtime.name}", partial(ending, context, runtime, "exception", False,
                                                                                  "an exception left the operation of a reduction: too much"))
            yield Case(f"an exception in one process on {runtime.name}", partial(ending, context, runtime, "unwinding", False,
                                                                                 "an exception leaves the scope of MPI; the last error was: MPI_Send"))
            yield Case(f"a level that is not granted on {runtime.name}", partial(ending, context, runtime, "level", True,
                                                                                 "MPI_THREAD_MULTIPLE was wanted, but the library grants MPI_THREAD_FUNNELED"))
            yield Case(f"a call after the end on {runtime.name}", partial(ending, context, runtime, "late", True,
                                                                          "MPI_Send: MPI has been finalized already"))
            yield Case(f"null communicators without checks on {runtime.name}", partial(ending, context, runtime, "null", True,
                                                                                       "MPI_Send: the communicator is null"))
            yield Case(f"the rank of no communicator on {runtime.name}", partial(ending, context, runtime, "rank", False,
                                                                                 "MPI_Comm_rank: the communicator is null", "typed_certain"))
            yield Case(f"tutorial on {runtime.name}", partial(tutorial, context, runtime))
            for example in examples(context):
                yield Case(f"example {example.stem} on {runtime.name}", partial(run_example, context, runtime, example))
        if runtime.name == MIXED_ON:
            for compiler in COMPILERS:
                yield Case(f"parts with and without NDEBUG, {compiler}, on {runtime.name}", partial(mixed, context, runtime, compiler),
                           is_serial=True, seconds=20)
        if runtime.name == FAULTS_ON:
            yield Case(f"every function of MPI fails once on {runtime.name}", partial(faults, context, runtime), is_serial=True, seconds=20)
    for compiler in COMPILERS:
        yield Case(f"misuse with {compiler}", partial(refuses_misuse, context, compiler), is_serial=True, seconds=60)
        yield Case(f"what is missing is said with {compiler}", partial(says_what_is_missing, context, compiler), is_serial=True)
        yield Case(f"compile time with {compiler}", partial(compile_time, context, compiler), is_serial=True)
        yield Case(f"each header alone with {compiler}", partial(headers_alone, context, compiler), is_serial=True)
    for compiler in COMPILERS if context.full else ["clang++"]:
        yield Case(f"one function for each name with {compiler}", partial(one_function_for_each_name, context, compiler), is_serial=True, seconds=10)
    if any(runtime.name == COUNTED_ON for runtime in context.runtimes):
        yield Case("every function is called", partial(every_function, context), after=units["sanitized"])
    texts = {unit: unit_text(context, unit) for unit in units_of_tests(context)}
    yield from native.native_cases(context, texts, headers(context))
    yield Case("reference without warnings", partial(reference, context), is_serial=True)
    yield Case("every function and enumerator is documented", partial(documented, context), is_serial=True)
    yield Case("documents say what is", partial(says_what_is, context))
    yield Case("instructions and memory of calls", partial(costs, context), is_serial=True, seconds=20)
    yield Case("table of functions", partial(table, context), is_serial=True)
    yield Case("every function of MPI has a header or a reason", partial(functions_of_mpi, context))


def chosen_ranks(context: Context, runtime: Runtime) -> list[int]:
    usual = USUAL.get(runtime.name, [2] if context.full else [])
    return [ranks for ranks in usual if not context.ranks or ranks in context.ranks]


def headers(context: Context) -> list[Path]:
    return sorted((context.root / "include" / "anympi").glob("*.hpp"))


def tests_folder(context: Context) -> Path:
    return context.root / "tests" / "typed"


def written(context: Context, file: Path, text: str) -> Path:
    """Returns a source file that cases write; several cases may write the same file."""
    with context.lock_of(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    return file


def flags(context: Context) -> list[str]:
    return ["-std=c++20", f"-I{context.root / 'include'}", f"-I{context.build / 'include'}"]


def link_flags(context: Context) -> list[str]:
    return [f"-L{context.build / 'lib'}", "-lmpi_abi", f"-Wl,-rpath,{context.build / 'lib'}", "-pthread"]


def compiled(context: Context, name: str, source: Path, more: list[str], link: list[str], compiler: str = USUAL_COMPILER) -> Path:
    """Compiles a source. The cache depends on everything that the source may include."""
    seen = [*headers(context), *source.parent.glob("*.hpp"), *tests_folder(context).glob("*.hpp"), context.build / "include" / "mpi.h"]
    return context.compile(name, [source, *seen], [*flags(context), "-Wall", "-Wextra", "-Werror", *more, *link], compiler)


# ---- the tests ----

def units_of_tests(context: Context) -> dict[str, list[Path]]:
    """Returns the files that are compiled as one unit: those with the other error policy, and parts of the rest of about
    the same size. A compiler with sanitizers needs 1 to 2 GB for a unit."""
    texts = {source: source.read_text() for source in sorted(tests_folder(context).glob("*.cpp"))}
    with_results = [source for source, text in texts.items() if "#define ANYMPI_RESULTS" in text]
    lines = {source: text.count("\n") for source, text in texts.items() if source not in with_results}
    parts: list[list[Path]] = [[] for _ in range(1 + sum(lines.values()) // LINES_OF_UNIT)]
    for source in sorted(lines, key=lambda source: (-lines[source], source)):  # the largest first
        min(parts, key=lambda part: sum(lines[file] for file in part)).append(source)
    return {"results": with_results, **{f"part {number} of {len(parts)}": sorted(part) for number, part in enumerate(parts, 1)}}


def unit_text(context: Context, unit: str) -> str:
    return UNIT_HEAD + "".join(f'#line 1 "{source}"\n{source.read_text()}' for source in units_of_tests(context)[unit])


def compile_unit(context: Context, unit: str, kind: str) -> Path:
    name = unit.replace(" ", "_")
    source = written(context, context.work / "typed" / f"{name}.cpp", unit_text(context, unit))
    compiler, *options = KINDS[kind]
    return compiled(context, f"typed-{kind}-{name}.o", source, ["-O0", f"-I{tests_folder(context)}", *options, "-c"], [], compiler)


def test_program(context: Context, kind: str) -> Path:
    objects = [compile_unit(context, unit, kind) for unit in units_of_tests(context)]
    compiler, *options = KINDS[kind]
    return context.compile(f"typed-{kind}", objects, [*options, *link_flags(context), "-lgtest"], compiler)


def run_tests(context: Context, runtime: Runtime, ranks: int, kind: str, environment: dict[str, str] | None = None) -> Result:
    try:
        program = test_program(context, kind)
    except BuildError as error:
        return failed(str(error))
    if kind == "plain":
        return programs.judge(context.run_mpi(runtime, ranks, program, environment=environment, seconds=SECONDS), runtime)
    with tempfile.TemporaryDirectory() as folder:
        done = run_sanitized(context, runtime, ranks, program, folder)
    return failed(done.describe()) if sanitizers.complaint(done) else programs.judge(done, runtime)


def run_sanitized(context: Context, runtime: Runtime, ranks: int, program: Path, counts: str) -> process.Completed:
    """Runs the program, which writes its coverage data into a folder."""
    return context.run_mpi(runtime, ranks, program, environment={**sanitizers.ENVIRONMENT, "GCOV_PREFIX": counts}, seconds=SECONDS)


# Functions that the headers call, but whose failure has no test, with the reason.
NEVER_FAILS = {
    "ends the job": {"MPI_Abort", "MPI_Finalize"},
    "tidies up, and nobody can be told": {
        "MPI_Close_port", "MPI_Comm_free_keyval", "MPI_Free_mem", "MPI_T_event_handle_free",
        "MPI_T_finalize", "MPI_T_pvar_session_free", "MPI_Type_free_keyval", "MPI_Unpublish_name", "MPI_Win_free_keyval"},
    "is asked for the text of an error": {"MPI_Error_class", "MPI_Error_string"},
    "is asked by functions that cannot fail": {
        "MPI_Op_commutative", "MPI_Status_set_cancelled", "MPI_Status_set_elements_c", "MPI_Test_cancelled"},
    "another mpi.h calls it so": {"MPI_Precv_init", "MPI_Psend_init"},
}


def mixed(context: Context, runtime: Runtime, compiler: str) -> Result:
    """A program of two parts, one compiled with NDEBUG: one part catches errors and uses objects of the other one; each
    part checks as it was compiled."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    for release, form in MIXTURES:
        try:
            program = mixed_program(context, compiler, release, form)
        except BuildError as error:
            return failed(f"{release} with NDEBUG, {form}: {error}")
        done = context.run_mpi(runtime, 2, program)
        if done.code != 0 or done.output.count("mixed: correct") != 2:
            return failed(f"{release} with NDEBUG, {form}: {done.describe()}")
    return passed()


def mixed_program(context: Context, compiler: str, release: str, form: str) -> Path:
    parts = {}
    for part in ("library", "program"):
        kind, *options = ["release", "-O0", "-DNDEBUG"] if part == release else ["debug", "-O0"]
        source = tests_folder(context) / "mixed" / f"{part}_part.cpp"
        # Nothing is inlined, so that the linker could confuse the functions; a library hides all names except its own.
        parts[part] = compiled(context, f"mixed-{part}-{kind}-{compiler}.o", source, [*options, "-fPIC", "-fvisibility=hidden", "-c"], [], compiler)
    name = f"mixed-{release}-{compiler}"
    if form == "objects":
        return context.compile(f"{name}-objects", [parts["library"], parts["program"]], link_flags(context), compiler)
    library = context.compile(f"lib{name}.so", [parts["library"]], ["-shared", *link_flags(context)], compiler)
    return context.compile(f"{name}-shared", [parts["program"], library], [f"-Wl,-rpath,{library.parent}", *link_flags(context)], compiler)


def one_function_for_each_name(context: Context, compiler: str) -> Result:
    """With and without NDEBUG, no two inline functions of the same name differ: the linker would keep one of them for
    both."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    source = tests_folder(context) / "faults" / "faults.cpp"  # it calls all functions
    command = [compiler, *flags(context), f"-I{faulty_functions(context)}", "-O0", "-S", "-o", "-", str(source)]
    debug, release = (subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout for more in ([], ["-DNDEBUG"]))
    functions = weak_functions.weak_functions(debug)
    marked = [name for name in functions if "B7checked" in name]
    if len(marked) < 400 or len(functions) < 2000:
        return failed(f"only {len(functions)} functions were found, and {len(marked)} of them have the mark")
    wrong = weak_functions.differing(debug, release)
    return failed("these lack the mark ANYMPI_CALLS, or cannot have it:\n" + "\n".join(wrong)) if wrong else passed()


def faulty_functions(context: Context) -> Path:
    """Returns a folder with a header that replaces MPI's functions by functions that can be made to fail."""
    names = re.findall(r"^int (MPI_\w+)\((?!.*\.\.\.)", (context.build / "include" / "mpi.h").read_text(), re.MULTILINE)
    text = "".join(f'inline constexpr auto faulty_{name} = &faults::Faulty<&{name}, "{name}">::call;\n#define {name} faulty_{name}\n'
                   for name in names)
    return written(context, context.work / "faults" / "faulty.inc", text).parent


def faults(context: Context, runtime: Runtime) -> Result:
    """The headers are read with functions that can be made to fail. Every function that they call must have failed
    once."""
    folder = faulty_functions(context)
    source = tests_folder(context) / "faults" / "faults.cpp"
    try:
        program = compiled(context, "typed_faults", source, ["-O0", f"-I{folder}"], [*link_flags(context), "-lgtest"])
    except BuildError as error:
        return failed(str(error))
    # Without the launcher: a session that failed to end stays open. Then MPICH 4.0 does not tell the launcher that the
    # process ends, and the launcher reports an error if it notices the closed connection before the exit code.
    with tempfile.TemporaryDirectory() as empty:
        done = process.run([program], SECONDS, {**runtime.environment, "ANYMPI_MPI": str(runtime.library), "ANYMPI_TEST_RANKS": "1"}, Path(empty))
    if done.code != 0 or "FAILED" in done.output:
        return failed(done.describe())
    preprocessed = subprocess.run(["g++", "-E", *flags(context), f"-I{folder}", str(source)], capture_output=True, text=True, check=True)
    _, _, from_headers = preprocessed.stdout.partition("anympi/anympi.hpp")
    called = set(re.findall(r"\bfaulty_(MPI_\w+)", from_headers))
    have_failed = set(re.findall(r"^failed: (MPI_\w+)$", done.output, re.MULTILINE))
    missing = called - have_failed - set().union(*NEVER_FAILS.values())
    needless = set().union(*NEVER_FAILS.values()) & have_failed
    if len(called) < 300 or missing or needless:
        return failed(f"{len(called)} functions are called; without a failure: {sorted(missing)}; NEVER_FAILS need not name {sorted(needless)}")
    return passed()


def every_function(context: Context) -> Result:
    """The tests must call every public function of the headers, in one run with two processes."""
    runtime = next((runtime for runtime in context.available if runtime.name == COUNTED_ON), None)
    if not runtime or not shutil.which("doxygen") or not shutil.which("llvm-cov"):
        return not_installed(f"{COUNTED_ON}, doxygen or llvm-cov")
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = test_program(context, "sanitized")
        except BuildError as error:
            return failed(str(error))
        done = run_sanitized(context, runtime, 2, program, folder)
        if done.code != 0:
            return failed(done.describe())
        lines = typed_coverage.executed_lines(Path(folder), context.programs)
        functions = typed_coverage.public_functions(context.root, Path(folder))
    missing = [function for function in functions if not function.is_called(lines)]
    unknown = typed_coverage.left_out_needlessly(functions, lines)
    if len(functions) < 400:
        return failed(f"only {len(functions)} functions were found")
    missing = [f"{function.name} ({function.file}:{function.first}) is not called" for function in missing
               if not function.is_left_out]
    return failed("\n".join(missing + unknown)) if missing or unknown else passed()


# Launchers that lose the exit code of a process that a signal has ended: if the connection of another process closes
# before MPICH 4.1's proxy has collected the first one, the proxy records success for the first one. MPICH 4.0 and 4.2
# do not.
LOSE_SIGNALS = ("mpich-4.1.3",)
ANY_CODE = None


def ending(context: Context, runtime: Runtime, what: str, good: bool | None, message: str, name: str = "typed_ending") -> Result:
    """A program that makes a mistake must end as documented, with the reason."""
    try:
        program = compiled(context, name, context.root / "tests" / "fronts" / "tools" / f"{name}.cpp", ["-O0"], link_flags(context))
    except BuildError as error:
        return failed(str(error))
    with tempfile.TemporaryDirectory(prefix="anympi-typed-") as folder:
        # a file, because MPICH's launcher sometimes loses text that is printed directly before MPI_Abort
        said = Path(folder) / "said"
        done = context.run_mpi(runtime, 2, Path("/bin/sh"), ["-c", 'exec "$0" "$1" >>"$2" 2>&1', str(program), what, str(said)], seconds=60)
        text = said.read_text()
    good_end = (good is ANY_CODE or (done.code == 0) == good) and not done.timed_out
    return passed() if good_end and message in text else failed(f"{done.describe()}\nit said: {text}")


# The objects that exist when one of two processes throws, and the scope that the message names.
LEFT_BY_ONE = {"objects": "MPI", "session": "MPI", "memory": "a window over memory of the program",
               **dict.fromkeys(("lock", "lock_all", "fence", "start", "post"), "an epoch that has not ended"),
               **dict.fromkeys(("send", "persistent", "partitioned", "collective"), "a request while MPI uses its buffer"),
               "scope": "a request while MPI uses its buffer",
               "transfer": "a transfer of a file while MPI uses its buffer"}


def unwinding(context: Context, runtime: Runtime) -> Result:
    """An exception in one process ends the job, whatever objects exist."""
    for what, scope in LEFT_BY_ONE.items():
        good, message = False, f"an exception leaves the scope of {scope}; the last error was: MPI_Send"
        if what == "session" and runtime.name == "impi":
            # MPI_Initialized is true there because of MPI_Init, which was not called: the session is not the last use
            # of MPI
            message = ""
        elif what == "session" and runtime.name in LOSE_SIGNALS:
            good = ANY_CODE  # std::abort: without MPI_COMM_WORLD, MPI_Abort cannot be called
        result = ending(context, runtime, what, good, message, "typed_unwinding")
        if result.kind != "passed":
            return failed(f"{what}: {result.text}")
    return passed()


def caught_by_all(context: Context, runtime: Runtime) -> Result:
    """An exception that all processes catch is harmless."""
    return ending(context, runtime, "all", True, "unwinding: correct", "typed_unwinding")


def threads(context: Context, runtime: Runtime) -> Result:
    """Objects that threads share, under ThreadSanitizer; in a separate program, which compiles quickly."""
    source = context.root / "tests" / "fronts" / "tools" / "typed_threads.cpp"
    try:
        program = compiled(context, "typed_threads", source, ["-O1", "-g", "-fsanitize=thread"], link_flags(context))
    except BuildError as error:
        return failed(str(error))
    done = context.run_mpi(runtime, 2, program, environment=sanitizers.ENVIRONMENT)
    good = done.code == 0 and "threads: correct" in done.output and not sanitizers.complaint(done)
    return passed() if good else failed(done.describe())


def sessions(context: Context, runtime: Runtime) -> Result:
    """Without MPI_Init; in a separate program, because the tests have initialised MPI."""
    try:
        program = compiled(context, "typed_sessions", context.root / "tests" / "fronts" / "tools" / "typed_sessions.cpp", ["-O0"], link_flags(context))
    except BuildError as error:
        return failed(str(error))
    done = context.run_mpi(runtime, 2, program)
    return passed() if done.code == 0 and done.output.count("sessions: correct") == 2 else failed(done.describe())


def examples(context: Context) -> list[Path]:
    return sorted((context.root / "examples" / "typed").glob("*.cpp"))


def run_example(context: Context, runtime: Runtime, source: Path) -> Result:
    """One binary with 1 to 4 processes. An example checks its own result and prints it in its last line."""
    try:
        program = compiled(context, f"example-{source.stem}", source, ["-O1"], link_flags(context))
    except BuildError as error:
        return failed(str(error))
    for ranks in context.ranks or EXAMPLES_WITH:
        done = context.run_mpi(runtime, ranks, program, seconds=120)
        if done.code != 0 or done.timed_out or not re.search(r"^\w+: correct$", done.output, re.MULTILINE):
            return failed(f"with {ranks} processes: {done.describe()}")
    return passed()


def native_standard(context: Context, runtime: Runtime) -> Result:
    """Only the headers of anympi are used: another library of the standard ABI, and its mpi.h, are sufficient."""
    header = runtime.library.parent.parent / "include" / "mpi_abi.h"
    if not header.exists():
        return context.absent(f"{header} is missing")
    folder = written(context, context.work / "native" / "mpi.h", f'#include "{header}"\n').parent
    source = context.root / "examples" / "typed" / "particles.cpp"
    link = [str(runtime.library), f"-Wl,-rpath,{runtime.library.parent}"]
    try:
        program = context.compile("native-particles", [source, header, *headers(context)],
                                  ["-std=c++20", f"-I{context.root / 'include'}", f"-I{folder}", *link], USUAL_COMPILER)
    except BuildError as error:
        return failed(str(error))
    done = process.run([*runtime.launcher, "-n", "2", program], 60, runtime.environment)
    return passed() if done.code == 0 and "particles: correct" in done.output else failed(done.describe())


def survives(context: Context, runtime: Runtime) -> Result:
    """A process kills itself, and the others continue. The program is compiled with the library's own header. The
    launcher sometimes waits forever after such a job, also natively, so only the program's text counts."""
    include = runtime.library.parent.parent / "include"
    source = context.root / "tests" / "fronts" / "tools" / "typed_resilience.cpp"
    link = [str(runtime.library), f"-Wl,-rpath,{runtime.library.parent}", "-Wl,--allow-shlib-undefined"]
    try:
        program = context.compile("typed_resilience", [source, *headers(context)],
                                  ["-std=c++20", f"-I{context.root / 'include'}", f"-I{include}", *link], USUAL_COMPILER)
    except BuildError as error:
        return failed(str(error))
    done = process.run([*runtime.launcher, "--with-ft", "ulfm", "-n", "3", program], 10, runtime.environment)
    return passed() if "resilience: correct" in done.output else failed(done.describe())


def tutorial(context: Context, runtime: Runtime) -> Result:
    """With two processes, the programs of docs/builder/tutorial.md must print the text after them, in any order of
    lines."""
    text = (context.root / "docs" / "builder" / "tutorial.md").read_text()
    lessons = re.findall(r"^```cpp\n(.+?)^```\n+```text\n(.+?)^```$", text, re.MULTILINE | re.DOTALL)
    for number, (source, printed) in enumerate(lessons, 1):
        file = written(context, context.work / "tutorial" / f"lesson{number}.cpp", source)
        try:
            program = compiled(context, f"lesson{number}", file, ["-O0"], link_flags(context))
        except BuildError as error:
            return failed(str(error))
        done = context.run_mpi(runtime, 2, program)
        if done.code != 0 or sorted(done.output.splitlines()) != sorted(printed.splitlines()):
            return failed(f"program {number}: {done.describe()}\nexpected:\n{printed}")
    return passed() if len(lessons) == text.count("```cpp") else failed("a program without its output")


# ---- the headers ----

def refuses_misuse(context: Context, compiler: str) -> Result:
    """The file compiles as it is. With -DCASE=n it does not, and the compiler prints the text that the line of case n
    promises.

    All cases are first compiled together, each in a separate block. A case whose text is not found then is compiled
    separately, because a template that several cases use is rejected only once. With --full every case is compiled
    separately: this finds cases that fail only because they conflict with another case, and cases whose first error
    line does not help a reader."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    source = tests_folder(context) / "misuse.inc"
    command = [compiler, "-x", "c++", "-fsyntax-only", "-Werror=unused-result", *flags(context)]
    base = process.run([*command, str(source)], seconds=SECONDS)
    if base.code != 0:
        return failed(f"it does not compile without a mistake:\n{base.describe(most_lines=20)}")
    promised = re.findall(r"^#(?:el)?if CASE == (\d+) // (.+)$", source.read_text(), re.MULTILINE)
    together = {} if context.full else errors_together(context, source, command)
    wrong = []
    for number, text in promised:
        if says(together.get(number, ""), text):
            continue
        done = process.run([*command, f"-DCASE={number}", str(source)], seconds=SECONDS)
        if done.code == 0:
            wrong.append(f"case {number} compiles")
        elif not says(done.output, text) or not begins_with_error(done.output, text, source):
            wrong.append(f"case {number} does not say {text!r}:\n{done.describe(most_lines=12)}")
    return failed("\n".join(wrong)) if wrong or not promised else passed()


FIRST = "first: "  # the beginning of a promise about the first line with an error


def says(output: str, promised: str) -> bool:
    if promised.startswith(FIRST):
        first = next((line for line in output.splitlines() if ": error: " in line), "")
        output, promised = first.partition("anympi: ")[2], promised.removeprefix(FIRST)
    return any(part in output for part in promised.split(" | "))


def begins_with_error(output: str, promised: str, source: Path) -> bool:
    """Returns True if the first line is the error in the program itself. Only g++ writes another line before it: the
    function that contains the error."""
    first = re.sub(r"\A\S+: In function .*\n", "", output).partition("\n")[0]
    return not promised.startswith(FIRST) or re.match(rf"{re.escape(str(source))}:\d+:\d+: error: ", first) is not None


def errors_together(context: Context, source: Path, command: list[str]) -> dict[str, str]:
    """Returns the compiler's errors for each case when all cases are in one file, whose lines keep their original
    numbers. An error belongs to the case whose line it names first: its own place, or where the instantiation is
    required."""
    compiler = command[0]
    text, case_of_line = all_cases(source.read_text())
    file = written(context, context.work / "misuse" / "all_cases.cpp", text)
    no_limit = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    done = process.run([*command, no_limit, str(file)], seconds=SECONDS)
    errors: dict[str, str] = {}
    for error in errors_in(done.output):
        named = (case_of_line[int(line)] for line in re.findall(rf"{file.name}:(\d+)", error))
        number = next(filter(None, named), "")
        errors[number] = errors.get(number, "") + error
    return errors


def all_cases(text: str) -> tuple[str, dict[int, str]]:
    """Returns the cases without their conditions, each in a block, and the case of each line ("" outside of cases)."""
    lines, case_of_line, case = [], {}, ""
    for number, line in enumerate(text.splitlines(), 1):
        begins = re.match(r"#(el)?if CASE == (\d+)", line)
        if begins:
            case = begins[2]
            line = "} {" if begins[1] else "{"
        elif case and line == "#endif":
            case, line = "", "}"
        lines.append(line)
        case_of_line[number] = case
    return "\n".join(lines) + "\n", case_of_line


def errors_in(output: str) -> list[str]:
    """Returns each error with its notes, and with the lines that gcc writes before it: where the template was
    instantiated."""
    found, before = [""], ""
    for line in output.splitlines(keepends=True):
        if re.search(": (error|warning): ", line):
            found.append(before + line)
            before = ""
        elif re.search(r": In |   required |^In file included|^ +from ", line):
            before += line
        else:
            found[-1] += before + line
            before = ""
    return [message for message in found if ": error: " in message]


# Requirements of the headers, without which the only error is their message: options of the compiler, the mpi.h that it
# finds, and the message.
MISSING = [
    (["-std=c++17"], "", "anympi needs C++20: compile with -std=c++20 or newer"),
    ([], "#define MPI_VERSION 3\n#define MPI_SUBVERSION 0\n", "anympi needs an mpi.h of MPI 3.1 or newer"),
    ([], "#define MPI_VERSION 2\n#define MPI_SUBVERSION 2\n", "anympi needs an mpi.h of MPI 3.1 or newer"),
    ([], "", "anympi needs an mpi.h of MPI 3.1 or newer"),
]


def says_what_is_missing(context: Context, compiler: str) -> Result:
    """The compilation must end with exactly one sentence."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    wrong = []
    for number, (options, header, sentence) in enumerate(MISSING):
        folder = written(context, context.work / "missing" / str(number) / "mpi.h", header).parent
        found = [] if options else [f"-I{folder}"]
        command = [compiler, "-x", "c++", "-fsyntax-only", *found, *flags(context), *options, "-"]
        done = subprocess.run(command, input="#include <anympi/anympi.hpp>\nint main() { anympi::init(); }\n", text=True,
                              capture_output=True, check=False)
        errors = [line for line in done.stderr.splitlines() if "error: " in line]
        if done.returncode == 0 or len(errors) != 2 or sentence not in errors[0]:
            wrong.append(f"{options} {header!r}: {done.stderr[:1000]}")
    return failed("\n".join(wrong)) if wrong else passed()


def processor_time(command: list[str], text: bytes) -> float:
    """Returns the processor time of this command only, because other cases run commands at the same time."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, "CCACHE_DISABLE": "1"}) as running:
        running.stdin.write(text)
        running.stdin.close()
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode != 0:
        raise subprocess.CalledProcessError(running.returncode, command)
    return usage.ru_utime + usage.ru_stime


def reachable(context: Context, header: str, seen: set[str]) -> list[str]:
    """Returns the lines that include mpi.h and headers of the standard library, in a header and in the headers that it includes."""
    seen.add(header)
    lines = []
    for name in re.findall(r"^#include (\S+)$", (context.root / "include" / "anympi" / header).read_text(), re.MULTILINE):
        if name.startswith("<"):
            lines.append(f"#include {name}\n")
        elif name.strip('"') not in seen:
            lines += reachable(context, name.strip('"'), seen)
    return lines


def compile_time(context: Context, compiler: str) -> Result:
    """Compares the processor time for the umbrella header with the time for what it includes from elsewhere. The smallest of several
    tries counts, because other load on the machine only adds time."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    command = [compiler, "-x", "c++", "-fsyntax-only", *flags(context), "-"]
    included = sorted(set(reachable(context, "anympi.hpp", set())))
    if "#include <mpi.h>\n" not in included or len(included) < 20:
        return failed(f"found only {included}")
    with tempfile.TemporaryDirectory() as folder:
        precompiled = [*command, *precompile(context, compiler, Path(folder))]
        ours, precompiled_times, theirs = [], [], []
        for _ in range(7):
            theirs.append(processor_time(command, "".join(included).encode()))
            ours.append(processor_time(command, b"#include <anympi/anympi.hpp>\n"))
            precompiled_times.append(processor_time(precompiled, b"int main() { const auto mpi = anympi::init(); }\n"))
            ratio, precompiled_ratio = (min(times) / min(theirs) for times in (ours, precompiled_times))
            if len(ours) > 2 and ratio <= MOST_COMPILE_TIME and precompiled_ratio <= MOST_TIME_PRECOMPILED:
                return passed()
    return failed(f"the processor time is {ratio:.2f} times, and precompiled {precompiled_ratio:.2f} times, the {min(theirs):.2f} s for mpi.h "
                  f"and standard headers; the limits are {MOST_COMPILE_TIME} and {MOST_TIME_PRECOMPILED}")


def precompile(context: Context, compiler: str, folder: Path) -> list[str]:
    """Compiles the umbrella header into a file in the folder. Returns the options with which a program uses the file, as CMake does."""
    header = folder / "headers.hpp"
    header.write_text("#include <anympi/anympi.hpp>\n")
    result = Path(f"{header}.gch")
    subprocess.run([compiler, "-x", "c++-header", *flags(context), header, "-o", result], check=True)
    return ["-include-pch", str(result)] if "clang" in compiler else ["-include", str(header)]


def headers_alone(context: Context, compiler: str) -> Result:
    """Each header can be the only one that a program includes, under both error policies."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    # A header whose first line says "Included by" is a part of another one.
    alone = [header.name for header in reversed(headers(context)) if "Included by" not in header.read_text().partition("\n")[0]]
    text = "".join(f"#include <anympi/{name}>\n" for name in alone)
    wrong = []
    for more in ([], ["-DANYMPI_RESULTS", "-fno-exceptions"], ["-DNDEBUG"]):
        done = subprocess.run([compiler, "-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags(context), *more, "-"],
                              input=text, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            wrong.append(f"{' '.join(more)}: {done.stderr[:3000]}")
    return failed("\n".join(wrong)) if wrong else passed()


def reference(context: Context) -> Result:
    """Doxygen must accept all comments."""
    if not shutil.which("doxygen"):
        return not_installed("doxygen")
    with tempfile.TemporaryDirectory() as folder:
        settings = (context.root / "docs" / "Doxyfile").read_text() + f"OUTPUT_DIRECTORY={folder}\n"
        done = subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=context.root, capture_output=True, check=False)
        pages = list(Path(folder).glob("html/class*.html"))
    good = done.returncode == 0 and not done.stderr and len(pages) > 50
    return passed() if good else failed(f"{len(pages)} pages of classes\n{done.stderr[:3000]}")


def documented(context: Context) -> Result:
    """docs/builder/typed-reference.md must have exactly the existing classes with their functions, and enumerations
    with their enumerators."""
    if not shutil.which("doxygen"):
        return not_installed("doxygen")
    with tempfile.TemporaryDirectory() as folder:
        names = typed_coverage.public_names(context.root, Path(folder))
    rows = re.findall(r"^\| `([\w:]*)` \|.*\| (.*) \|$", (context.root / "docs" / "builder" / "typed-reference.md").read_text(), re.MULTILINE)
    written_names = {owner: set(re.findall(r"`(\w+)`", listed)) for owner, listed in rows}
    wrong = []
    for owner in sorted(names.keys() | written_names.keys()):
        there, said = names.get(owner, set()), written_names.get(owner, set())
        wrong += [f"{owner}: {name} is missing in docs/builder/typed-reference.md" for name in sorted(there - said)]
        wrong += [f"{owner}: docs/builder/typed-reference.md names {name}, which does not exist" for name in sorted(said - there)]
    if len(names) < 60 or len(rows) != len(written_names):
        wrong.append(f"{len(names)} classes and enumerations, {len(rows)} rows")
    return failed("\n".join(wrong)) if wrong else passed()


def functions_of_mpi(context: Context) -> Result:
    """docs/builder/typed-functions.md must name the headers that call each function of MPI, or the reason against it."""
    text, wrong = typed_functions.page(context.root, context.build)
    if text != (context.root / typed_functions.PAGE).read_text():
        wrong.append(f"{typed_functions.PAGE} is not up to date: run python3 tests/lib/typed_functions.py {context.build}")
    if text.count("| `MPI_") < 350:
        wrong.append("few functions were found")
    return failed("\n".join(wrong)) if wrong else passed()


NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def says_what_is(context: Context) -> Result:
    """The tutorial's number of programs must be true, and code that readers learn from must have no casts."""
    docs = context.root / "docs" / "builder"
    tutorial_text = (docs / "tutorial.md").read_text()
    many = NUMBERS[tutorial_text.count("```cpp")]
    wrong = []
    if f"\n{many.capitalize()} small programs" not in tutorial_text:
        wrong.append(f"docs/builder/tutorial.md has {many} programs and does not say so")
    if f"{many} small programs" not in (docs / "typed-api.md").read_text():
        wrong.append(f"docs/builder/typed-api.md does not say that the tutorial has {many} programs")
    for file in [docs / "tutorial.md", docs / "typed-api.md", docs / "coming-from.md", *examples(context)]:
        if "static_cast<void>" in file.read_text():
            wrong.append(f"{file.name} has a static_cast<void>")
    return failed("\n".join(wrong)) if wrong else passed()


def costs(context: Context) -> Result:
    """Each call of bench/typed_calls.cpp must keep its limit of instructions over the C call, and of allocations."""
    if not shutil.which("valgrind"):
        return not_installed("valgrind")
    done = process.run([context.root / "bench" / "typed_calls.py", "--build-dir", context.build], SECONDS)
    return passed() if done.code == 0 else failed(done.describe())


def table(context: Context) -> Result:
    """docs/builder/coming-from.md must name all 222 functions of ferrompi once, each with a name that the compiler finds,
    and with a check of its results."""
    _, _, text = (context.root / "docs" / "builder" / "coming-from.md").read_text().partition("### Functions of ferrompi")
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", text, re.MULTILINE)
    if len(rows) != 222 or len({theirs for theirs, _ in rows}) != 222:
        return failed(f"{len(rows)} functions instead of 222")
    if wrong := unchecked_rows(rows, checks_of_ferrompi(context)):
        return failed("\n".join(wrong))
    source = "".join([TABLE_HEAD, *(presence(number, ours) for number, (_, ours) in enumerate(rows))])
    done = subprocess.run(["g++", "-x", "c++", "-fsyntax-only", *flags(context), "-"], input=source, text=True, capture_output=True,
                          check=False)
    return failed(done.stderr[:3000]) if done.returncode else passed()


def checks_of_ferrompi(context: Context) -> dict[str, str]:
    """Returns the checks of tests/typed/ferrompi*.cpp: each has the name of ferrompi's function and the code after it."""
    text = "".join(file.read_text() for file in sorted(tests_folder(context).glob("ferrompi*.cpp")))
    _, *parts = re.split(r'SAME_AS\("([^"]+)"\)', text)
    return dict(zip(parts[::2], parts[1::2]))


def unchecked_rows(rows: list[tuple[str, str]], checks: dict[str, str]) -> list[str]:
    """Returns what is wrong: rows without a check, checks without a row, and checks that compare nothing or do not call
    the function of the row."""
    wrong = [f"{theirs}: tests/typed/ferrompi*.cpp has no check of it" for theirs, _ in rows if theirs not in checks]
    wrong += [f"{theirs}: docs/builder/coming-from.md has no such row" for theirs in checks.keys() - dict(rows).keys()]
    for theirs, ours in rows:
        names = re.findall(r"\b[a-z]\w+", ours) or [ours]
        missing = [name for name in names if name not in PROSE and not re.search(rf"\b{name}\b", checks.get(theirs, name))]
        if missing or not re.search(r"\b(EXPECT|ASSERT|expect)_", checks.get(theirs, "EXPECT_")):
            wrong.append(f"{theirs}: its check does not call {missing}, or compares nothing")
    return wrong


PROSE = {"any", "callable", "or", "value", "with"}  # in the table

# A class has a member of a name if the name is ambiguous in a class that also inherits it from another class.
TABLE_HEAD = """#include <anympi/anympi.hpp>
#define MEMBER(number, type, name) \\
    struct Other##number { int name; }; \\
    struct Both##number : anympi::type, Other##number {}; \\
    template <class B> concept Lacks##number = requires { &B::name; }; \\
    static_assert(!Lacks##number<Both##number>, #type "::" #name " does not exist");
"""
TEMPLATES = {"AccessEpoch", "Fetched", "LockAllGuard", "LockGuard", "PassiveEpoch", "SharedWindow", "StartEpoch", "UserOp", "Window"}


def presence(number: int, ours: str) -> str:
    """Returns a line that compiles if the name exists."""
    name = re.split(r"[( ]", ours.replace("static_cast<int>(", ""))[0].rstrip(")")
    owner, _, member = name.rpartition("::")
    if name.startswith("ANYMPI_"):
        return f"#ifndef {name}\n#error {name}\n#endif\n"
    if owner in ("", "slurm"):
        return f"namespace name{number} {{ using anympi::{name}; }}\n"
    if owner.endswith("Assert"):
        return f"static_assert(std::is_enum_v<decltype(anympi::{name})>);\n"
    return f"MEMBER({number}, {owner}{'<int>' if owner in TEMPLATES else ''}, {member})\n"
