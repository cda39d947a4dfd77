"""The generator and the description that it reads: api/ is consistent, errors name their place, totals are frozen."""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from facts import library_header
from lib.context import Context
from lib.library_calls import Sources
from lib.register import read_api
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime


@dataclass
class Mistake:
    """A change of one file of the description, and the message of the generator. The message must also name the file
    and the line.
    """
    name: str
    file: str
    old: str      # a part of a line; the first such line is changed
    new: str
    message: str
    line: int = 0  # the distance of the reported line from the changed line


MISTAKES = [
    Mistake("unknown kind", "api/functions.api", "Barrier(comm:comm)", "Barrier(comm:communicator)", "communicator"),
    Mistake("unknown kind of result", "api/functions.api", "-> double", "-> seconds", "seconds"),
    Mistake("not a function", "api/functions.api", "Barrier(comm:comm)", "Barrier comm:comm", "not a function"),
    Mistake("not a parameter", "api/functions.api", "Barrier(comm:comm)", "Barrier(comm)", "not a parameter"),
    Mistake("unknown mark", "api/functions.api", "Barrier(comm:comm)  : 1.0", "Barrier(comm:comm)  : 1.0, sometimes",
            "unknown mark sometimes"),
    Mistake("function twice", "api/functions.api", "Barrier(comm:comm)", "Barrier(comm:comm)  : 1.0\nBarrier(comm:comm)",
            "Barrier appears twice", 1),
    Mistake("kind twice", "api/kinds.api", "length            int", "int               int", "kind int appears twice"),
    Mistake("not a kind", "api/kinds.api", "length            int", "length", "not a kind"),
    Mistake("kind without constants", "api/kinds.api", "length            int                          plain",
            "length            int                          value", "kind length has no section in constants.api"),
    Mistake("not a constant", "api/constants.api", "MPI_IDENT ", "MPI_IDENT two ", "not a constant"),
    Mistake("constant without an ABI", "api/constants.api", "MPI_IDENT                          201     0 ", "MPI_IDENT 201 ",
            "not a constant with a value for standard, mpich, openmpi"),
    Mistake("soname of nobody", "api/sonames.api", "libmpi_ibm.so.3       openmpi", "libmpi_ibm.so.3       ibm", "not a soname with its family"),
    Mistake("size of no class", "api/openmpi_data.api", "handles  File", "handles  Files", "no class of handles: Files"),
    Mistake("size twice", "api/openmpi_data.api", "handles  File", "handles  File Op", "appears twice", 3),
    Mistake("two homes", "src/bridge/homes.txt", "Iprobe Improbe", "Iprobe Improbe Wait", "Wait has two homes"),
    Mistake("two homes of a procedure", "src/fortran/homes.txt", "waitall.hpp: Waitall", "waitall.hpp: Waitall Init", "Init has two homes"),
    Mistake("home of no procedure", "src/fortran/homes.txt", "waitall.hpp: Waitall", "waitall.hpp: Waitsall", "Waitsall is not a procedure"),
    Mistake("home of nothing", "src/bridge/homes.txt", "Iprobe Improbe", "Iprobe Imagine", "Imagine is not a function"),
    Mistake("word of no interposer", "api/interposers.api", "before  engine/", "behind  engine/", "neither for nor before of an interposer"),
    Mistake("interposer of nothing", "api/interposers.api", "before  engine/", "before  engines/", "no entry of the register has its code in engines/"),
    Mistake("override without an interposer", "api/interposers.api", "tools/ windows/", "tools/", "whose code is in windows/shared_query.hpp"),
    Mistake("override of nothing", "api/overrides.api", "Isendrecv(Isend,Irecv)", "Isendreceive(Isend,Irecv)", "Isendreceive is not a function"),
    Mistake("override from nothing", "api/overrides.api", "Isendrecv(Isend,Irecv)", "Isendrecv(Isend,Ireceive)", "Ireceive is not a function"),
    Mistake("override twice", "api/overrides.api", "Isendrecv(Isend,Irecv)", "Isendrecv(Isend,Irecv) Isendrecv(-)", "Isendrecv appears twice"),
    Mistake("extended twice", "api/overrides.api", "Open_port Lookup_name", "Open_port Open_port", "Open_port appears twice"),
    Mistake("extended with needs", "api/overrides.api", "Open_port Lookup_name", "Open_port(Info_dup) Lookup_name",
            "only a function that is absent names what it needs"),
    Mistake("wrong with code", "api/overrides.api", "isendrecv.hpp] wrong | family mpich | binding", "isendrecv.hpp] wrong | family mpich | binding | {}<Run>",
            "a wrong function has the code of its entry as absent"),
    Mistake("absent without parts", "api/overrides.api", "Isendrecv(Isend,Irecv)", "Isendrecv", "not a function with what it needs"),
    Mistake("absent in some libraries", "api/overrides.api", "isendrecv.hpp] absent | any", "isendrecv.hpp] absent | abi mpich",
            "absent is built for any library", 2),
    Mistake("absent later", "api/overrides.api", "isendrecv.hpp] absent | any | binding", "isendrecv.hpp] absent | any | compound_request",
            "is installed when the library is bound"),
    Mistake("unknown reason", "api/overrides.api", "split_types.hpp] extended", "split_types.hpp] improved", "unknown reason improved"),
    Mistake("unknown condition", "api/overrides.api", "split_types.hpp] extended | without Buffer_flush", "split_types.hpp] extended | before 4.1",
            "not a condition: before 4.1"),
    Mistake("condition on an unknown ABI", "api/overrides.api", "port_names.hpp] extended | abi mpich", "port_names.hpp] extended | abi mpitch",
            "not a condition: abi mpitch"),
    Mistake("condition on an unknown function", "api/overrides.api", "split_types.hpp] extended | without Buffer_flush",
            "split_types.hpp] extended | without Buffer_flash", "not a condition: without Buffer_flash"),
    Mistake("condition on an unknown datatype", "api/overrides.api", "without datatype INTEGER16, with it", "without datatype INTEGRE16, with it",
            "not an optional datatype: INTEGRE16"),
    Mistake("condition on a datatype of all libraries", "api/overrides.api", "without datatype INTEGER16, with it", "without datatype INT, with it",
            "not an optional datatype: INT"),
    Mistake("condition beside an ABI", "api/overrides.api", "split_types.hpp] extended | without Buffer_flush",
            "split_types.hpp] extended | abi mpich, without Buffer_flush", "a condition on the ABI cannot be combined"),
    Mistake("bridged in a vendor's library", "api/overrides.api", "start.hpp] bridged | abi standard", "start.hpp] bridged | abi mpich",
            "a bridge stays only before functions of libraries with the standard ABI"),
    Mistake("bridged twice", "api/overrides.api", "Init Init_thread Session_init", "Init Init_thread Init", "Init appears twice"),
    Mistake("unknown moment", "api/overrides.api", "split_types.hpp] extended | without Buffer_flush | binding",
            "split_types.hpp] extended | without Buffer_flush | soon", "soon is not under [when bound]"),
    Mistake("no sentence", "api/overrides.api", ": knows the split types of MPI 4.1", "", "the group has no sentence", 1),
    Mistake("nothing instead of what is wrong", "api/overrides.api", "Isendrecv Isendrecv_replace", "Isendrecv Irecv", "nothing replaces Irecv"),
    Mistake("wrong twice", "api/overrides.api", "Isendrecv Isendrecv_replace", "Isendrecv Isendrecv", "Isendrecv appears twice"),
    Mistake("wrong in an unknown family", "api/overrides.api", "isendrecv.hpp] wrong | family mpich", "isendrecv.hpp] wrong | family mpitch",
            "not a condition: family mpitch"),
    Mistake("support of nothing", "api/support.api", "Aint_add Aint_diff", "Aint_add Aint_mul", "Aint_mul is not a function"),
    Mistake("support twice", "api/support.api", "Aint_add Aint_diff", "Aint_add Aint_add", "Aint_add appears twice"),
    Mistake("product of an unknown family", "api/support.api", "intel   | Intel MPI | mpich", "intel   | Intel MPI | intel",
            "not a product with its title, family and releases"),
    Mistake("support in an unknown release", "api/support.api", "[mpich 3.4, intel", "[mpich 3.5, intel", "mpich 3.5"),
]

IS_SERIAL = True

FREEZE = "python3 -m generator --source . --out build/release --freeze"


def cases(context: Context):
    yield Case("second run", partial(check_second_run, context))
    yield Case("frozen files", partial(check_freezing, context))
    yield Case("homes and overrides", partial(check_names, context))
    yield Case("one way into the table", partial(check_writers, context))
    yield Case("needs of overrides", partial(check_needs, context))
    yield Case("unit tests of overrides", partial(check_unit_tests, context))
    yield Case("support table in docs", partial(check_document, context))
    for check in (kinds_are_used, categories_are_known, constants_are_distinct, lengths_are_known, callbacks_are_used):
        yield Case(f"api: {check.__name__.replace('_', ' ')}", partial(check_api, context, check))
    for mistake in MISTAKES:
        yield Case(f"mistake: {mistake.name}", partial(check_mistake, context, mistake))
    for runtime in context.runtimes:
        yield Case(f"support of {runtime.name}", partial(check_support, context, runtime))


def run_generator(context: Context, source: Path, out: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "generator", "--source", source, "--out", out], cwd=context.root,
                          capture_output=True, text=True, check=False)


def written(out: Path) -> dict[Path, tuple[int, bytes]]:
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.rglob("*") if path.is_file()}


def check_second_run(context: Context) -> Result:
    """A second run leaves every file unchanged; otherwise everything would be compiled again."""
    with tempfile.TemporaryDirectory() as folder:
        states = []
        for _ in range(2):
            done = run_generator(context, context.root, Path(folder))
            if done.returncode != 0:
                return failed(done.stderr)
            states.append(written(Path(folder)))
        changed = [str(path.relative_to(folder)) for path in states[0] if states[0][path] != states[1].get(path)]
        if changed or states[0].keys() != states[1].keys() or not states[0]:
            return failed(f"the second run changed {', '.join(changed) or 'the list of files'}")
    return passed()


def check_freezing(context: Context) -> Result:
    """--freeze writes the two files of the repository that other cases compare with the generated ones, and keeps their
    first lines.
    """
    frozen = ["tests/data/names.txt", "docs/evidence/support.md"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("api", "src/bridge", "src/fortran", "src/convert"):
            shutil.copytree(context.root / name, copy / name)
        for name in frozen:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text("".join((context.root / name).read_text().splitlines(keepends=True)[:2]))
        done = subprocess.run([sys.executable, "-m", "generator", "--source", copy, "--out", copy / "out", "--freeze"], cwd=context.root,
                              capture_output=True, text=True, check=False)
        wrong = [name for name in frozen if (copy / name).read_text() != (context.root / name).read_text()]
    return failed(f"{done.stderr}differs from the file in the repository: {', '.join(wrong)}") if wrong else passed()


def generated(context: Context, name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        run_generator(context, context.root, Path(folder)).check_returncode()
        return (Path(folder) / "generated" / name).read_text()


def check_names(context: Context) -> Result:
    """The home of each function and the overridden functions are frozen, so that a change is noticed."""
    now = names_of_kinds(context)
    frozen = read_names(context.root / "tests" / "data" / "names.txt")
    wrong = [f"{kind}: {sign}{name}" for kind in sorted(now.keys() | frozen.keys())
             for sign, one, other in (("+", now, frozen), ("-", frozen, now))
             for name in sorted(set(one.get(kind, [])) - set(other.get(kind, [])))]
    return failed(f"differs from tests/data/names.txt (+ is new, - is gone; if that is intended: {FREEZE}):\n" + "\n".join(wrong)) if wrong else passed()


def names_of_kinds(context: Context) -> dict[str, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        run_generator(context, context.root, Path(folder)).check_returncode()
        return read_names(Path(folder) / "generated" / "names.txt")


def read_names(path: Path) -> dict[str, list[str]]:
    """Returns `[kind]` with the names that follow it."""
    kinds: dict[str, list[str]] = {}
    kind = ""
    for line in path.read_text().splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif not line.startswith("#"):
            kinds.setdefault(kind, []).extend(line.split())
    return kinds


# The lines that may name the table to write into it. All other code has the table as `library`, which is const.
WRITERS = {"src/convert/pair.hpp": ["inline functions<Run> writable_library{};", "inline const functions<Run>& library = writable_library<Run>;",
                                    "inline const functions<typename P::run>& target = writable_library<typename P::run>;"],
           "src/front/common/bind_pair.hpp": ["void** const found = reinterpret_cast<void**>(&writable_library<Run>);"],
           "src/front/standard/bind_direct.cpp": ["return reinterpret_cast<void**>(&writable_library<standard>);"]}
WRITES = re.compile(r"\bwritable_library\b|const_cast<(?:functions<|void ?\*\*)|\((?:void ?\*\*|functions<[^()]*[&*])\)")
# Writes that bypass the register: the check must find all of them. It must accept reads.
UNREGISTERED_WRITES = ("writable_library<Run>.Send = mine;", "(writable_library<Run>.*Place) = mine;", "auto* all = &writable_library<Run>;",
                       "const_cast<functions<Run>&>(library<Run>).Send = mine;", "const_cast<void**>(found)[0] = mine;",
                       "((void**)&library<Run>)[0] = mine;", "((functions<Run>&)library<Run>).Send = mine;")
READS = ("const auto& all = library<Run>;", "target<P>.Send(buffer);", "reinterpret_cast<void* const*>(&library<Run>)")


def check_writers(context: Context) -> Result:
    """Only the binding, which finds the library's own functions, and the code that the generator calls write into the
    library's table.
    """
    wrong = [line for line in UNREGISTERED_WRITES if not WRITES.search(line)] + [line for line in READS if WRITES.search(line)]
    if wrong:
        return failed("the check itself takes these lines for something else:\n" + "\n".join(wrong))
    for path in sorted((context.root / "src").rglob("*.[ch]pp")):
        name = str(path.relative_to(context.root))
        found = [line.strip() for line in path.read_text().splitlines() if WRITES.search(line)]
        wrong += [f"{name}: {line}" for line in found if line not in WRITERS.get(name, [])]
        wrong += [f"{name} lacks: {line}" for line in WRITERS.get(name, []) if line not in found]
    return failed("writes into the table of the library, past api/overrides.api:\n" + "\n".join(wrong)) if wrong else passed()


# raise() calls it only for errors in a session, and sessions come from a library that has it, or from anympi
FOR_SESSIONS = "Session_call_errhandler"


def check_needs(context: Context) -> Result:
    """The needs in api/overrides.api agree with the code: for absent functions, and for extended functions on every
    known library.
    """
    register, table = read_api(context.root)[0], read_support(context)[0]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        run_generator(context, context.root, Path(folder)).check_returncode()
        sources = Sources(context.root / "src", Path(folder) / "generated")
        functions = read_api(context.root)[2].keys()
        for entry in [*register.absent.values(), *register.extended]:
            calls = (sources.calls_of(entry.code, f"emulate/{entry.file}") & functions) - {FOR_SESSIONS, entry.function}
            wrong += needs_differences(entry, calls, table) if entry.reason == "absent" else unanswered(entry, calls, table, register)
    return failed("otherwise than api/overrides.api says:\n" + "\n".join(wrong)) if wrong else passed()


def needs_differences(entry, calls: set[str], table) -> list[str]:
    lacking = {name for name in calls if not all(table.has_by_any_name(name, *column) for column in table.columns)}
    return [f"MPI_{entry.function} needs {name}, which {entry.path} does not call" for name in sorted(set(entry.needs) - calls)] + [
        f"MPI_{entry.function} calls {name} in {entry.path}; some library lacks it, and the needs do not name it" for name in sorted(lacking - set(entry.needs))]


def unanswered(entry, calls: set[str], table, register) -> list[str]:
    """Returns functions that an extended function calls, and that the library lacks and anympi does not build, where it
    is installed.
    """
    from generator.core.overrides import can_be_built

    return [f"MPI_{entry.function} calls {name} in {entry.path}, which is missing on {' '.join(column)}" for column in table.columns
            if table.applies(entry, column) and can_be_built(entry.function, register, lambda one: table.has_by_any_name(one, *column))
            for name in sorted(calls) if not can_be_built(name, register, lambda one: table.has_by_any_name(one, *column))]


# Entries of the library's table that no unit test calls. Each reason applies to all parts of a file that are not
# called.
NOT_IN_UNIT_TESTS = {
    "buffers/buffered_sends.hpp": "large forms, which the fake library is too old to have; the small ones share their code",
    "engine/completion_calls.hpp": "MPI 5.0's names for MPI_Request_c2f and MPI_Request_f2c",
}
CALL_IN_UNIT_TEST = re.compile(r"\bmpi\.(\w+)|\w::(\w+)<")


def check_unit_tests(context: Context) -> Result:
    """tests/unit/emulate calls each template of the register, for at least one of its functions."""
    from generator.core import large

    register = read_api(context.root)[0]
    tests = "".join(path.read_text() for path in sorted((context.root / "tests/unit/emulate").glob("*.cpp")))
    called = {one or other for one, other in CALL_IN_UNIT_TEST.findall(tests)}
    functions: dict[tuple[str, str], list[str]] = {}
    for entry in [*register.absent.values(), *register.extended]:
        if entry.file != large.FILE:
            functions.setdefault((entry.file, entry.code.partition("<")[0]), []).append(entry.function)
    lacking = {where: names for where, names in functions.items() if called.isdisjoint(names)}
    wrong = [f"{' '.join(names)} ({code} in {file})" for (file, code), names in lacking.items() if file not in NOT_IN_UNIT_TESTS]
    wrong += [f"nothing of {file} lacks a test" for file in NOT_IN_UNIT_TESTS if file not in {file for file, _ in lacking}]
    return failed("no test in tests/unit/emulate calls:\n" + "\n".join(wrong)) if wrong else passed()


def check_document(context: Context) -> Result:
    if generated(context, "support.md") == (context.root / "docs" / "evidence" / "support.md").read_text():
        return passed()
    return failed(f"docs/evidence/support.md is not what the generator writes: {FREEZE}")


def check_mistake(context: Context, mistake: Mistake) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "source", Path(folder) / "out"
        shutil.copytree(context.root / "api", source / "api")
        for part in ("bridge", "fortran"):
            (source / "src" / part).mkdir(parents=True)
            shutil.copy(context.root / "src" / part / "homes.txt", source / "src" / part)
        place = make_mistake(source / mistake.file, mistake)
        done = run_generator(context, source, out)
        wanted = f"generator: {place}: "
        if done.returncode != 1 or not done.stderr.startswith(wanted) or mistake.message not in done.stderr:
            return failed(f"wanted exit code 1 and `{wanted}...{mistake.message}`, got {done.returncode} and\n{done.stderr}")
        return failed("the generator wrote files in spite of the mistake") if out.exists() else passed()


def make_mistake(file: Path, mistake: Mistake) -> str:
    """Changes the file and returns the place that the message must name."""
    lines = file.read_text().splitlines()
    number = next(i for i, line in enumerate(lines) if mistake.old in line and not line.startswith("#"))
    lines[number] = lines[number].replace(mistake.old, mistake.new)
    file.write_text("\n".join(lines) + "\n")
    return f"{file.name}:{number + 1 + mistake.line}"


def check_api(context: Context, check) -> Result:
    from generator.core import model

    wrong = check(model.read(context.root / "api"))
    return failed("\n".join(wrong)) if wrong else passed()


def all_functions(api) -> list:
    return [*api.functions, *api.callbacks]


def kinds_are_used(api) -> list[str]:
    attributes = {"win_flavor", "win_model"}
    used = attributes | {p.kind.name for f in all_functions(api) for p in f.parameters} | {f.result.name for f in all_functions(api) if f.result}
    return [f"kind {name} is used nowhere" for name in api.kinds if name not in used]


def categories_are_known(api) -> list[str]:
    """Each category is converted by the kind of the same name, or is one of the few with their own rule."""
    own_rules = {"version", "fortran_status", "buffer_address", "empty_address", "string_size", "size", "undefined", "callback"}
    handles = {f"handle {name}" for name in ("T_enum", "T_cvar_handle", "T_pvar_session", "T_pvar_handle")}
    handles |= {f"handle {kind.object.capitalize()}" for kind in api.kinds.values() if kind.object}
    found = {c.category for c in api.constants}
    return [f"category {name} is known to no kind" for name in found - own_rules - handles - set(api.kinds)]


def constants_are_distinct(api) -> list[str]:
    """No name appears twice. No value appears twice among the possible values of one parameter, except for names of the
    same thing.
    """
    same_on_purpose = ("empty_address", "string_size", "callback", "version")
    names: set[str] = set()
    values: dict[tuple[str, int], str] = {}
    wrong = []
    for constant in api.constants:
        wrong += [f"{constant.name} appears twice"] * (constant.name in names)
        names.add(constant.name)
        if constant.category not in same_on_purpose:
            other = values.setdefault((constant.category, int(constant.value, 0)), constant.name)
            if other not in (constant.name, constant.note("alias")):
                wrong.append(f"{constant.name} and {other} have the same value")
            wrong += [f"{constant.name} is an alias, but not of {alias.name} in every ABI" for alias in api.constants
                      if alias.name == constant.note("alias") and alias.columns != constant.columns]
    return wrong


def lengths_are_known(api) -> list[str]:
    """The length of an array consists of other parameters, limits of strings, and properties of the communicator."""
    fixed = {"peers", "size", "indegree", "outdegree", "ndims", "sum"} | {c.name.removeprefix("MPI_") for c in api.category("string_size")}
    wrong = []
    for function in all_functions(api):
        known = {p.name for p in function.parameters} | fixed
        for parameter in function.parameters:
            words = re.findall(r"[A-Za-z_]\w*", parameter.length or "")
            wrong += [f"{function.name}: {parameter.name}[{parameter.length}]: what is {word}?" for word in words
                      if word not in known]
    return wrong


def callbacks_are_used(api) -> list[str]:
    used = {p.callback for f in api.functions for p in f.parameters}
    return [f"{c.name} is taken by no function" for c in api.callbacks if not c.large and c.name not in used]


def release_of(runtime: Runtime) -> tuple[str, str]:
    """Returns product and release in the words of api/support.api. The header of a library of the machine has the release."""
    release = runtime.release or library_header.of_runtime(runtime).title
    return runtime.product, re.search(r"\d+\.\d+", release)[0]


def read_support(context: Context):
    """Returns api/support.api, with the description and the older names for it."""
    from generator.core import model, support, synonyms

    api = model.read(context.root / "api")
    extensions = [s for s in synonyms.read(context.root / "api" / "synonyms.api", api) if s.is_extension]
    return support.read(context.root / "api" / "support.api", api, extensions), api, extensions


def check_support(context: Context, runtime: Runtime) -> Result:
    """api/support.api lists the functions that this release of the library exports."""
    if runtime.missing:
        return runtime.absent()
    table, api, extensions = read_support(context)
    try:
        product, release = release_of(runtime)
    except library_header.NoHeader as reason:
        return context.absent(f"its release is not known: {reason}")
    if release not in table.products[product].releases:
        return skipped(f"api/support.api says nothing of {product} {release}")
    names = [f.name for f in api.functions if not (f.converter and runtime.family == "standard")]
    wrong = [f"MPI_{name}: {'not exported' if table.has(name, product, release) else 'exported'}" for name in names
             if runtime.exports(f"MPI_{name}") != table.has(name, product, release)]
    wrong += [f"{s.name}: {'not exported' if table.has(s.name, product, release) else 'exported'}" for s in extensions
              if not table.has(s.function.name, product, release) and runtime.exports(s.name) != table.has(s.name, product, release)]
    return failed(f"otherwise than api/support.api says of {product} {release}:\n" + "\n".join(wrong)) if wrong else passed()
