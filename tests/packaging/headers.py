"""mpi.h in every dialect for which it is meant: no warnings, and every constant is a constant where the language requires one."""
from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from lib import process
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
# The C compiler, the C++ compiler, and the dialects of each.
COMPILERS = {"gcc": ["c99", "c11", "gnu11"], "clang": ["c99", "c11", "gnu11"],
             "g++": ["c++11", "c++14", "c++20"], "clang++": ["c++11", "c++14", "c++20"]}
SECONDS = 120

IS_SERIAL = True


def cases(context: Context):
    from generator.core import model

    api = model.read(context.root / "api")
    for compiler, dialects in COMPILERS.items():
        for dialect in dialects:
            yield Case(f"constants with {compiler} -std={dialect}",
                       partial(compile_source, context, compiler, dialect, constants(api)))
            yield Case(f"functions with {compiler} -std={dialect}",
                       partial(compile_source, context, compiler, dialect, functions(api)))
        yield Case(f"usual calls with {compiler}", partial(check_usual_calls, context, compiler, dialects[0]))
        yield Case(f"deprecated functions with {compiler}", partial(check_deprecated, context, compiler, dialects, api))
    yield Case("the header twice, and before and after others", partial(check_order, context))


def run_compiler(context: Context, compiler: str, dialect: str, source: str, flags: list[str]) -> process.Completed:
    with tempfile.TemporaryDirectory(prefix="anympi-test-") as folder:
        path = Path(folder) / ("source.cpp" if compiler.endswith("++") else "source.c")
        path.write_text(source)
        return process.run([compiler, f"-std={dialect}", *flags, "-c", path, f"-I{context.build / 'include'}", "-o",
                            Path(folder) / "source.o"], SECONDS)


def compile_source(context: Context, compiler: str, dialect: str, source: str) -> Result:
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    flags = [*WARNINGS, "-Wno-deprecated-declarations"]
    done = run_compiler(context, compiler, dialect, source, flags)
    return passed() if done.code == 0 else failed(done.describe())


# ---- what is compiled -----------------------------------------------------------------------------------------------

def constants(api) -> str:
    """Uses each integer as a case label and as the size of an array, and each address as the value of a static object."""
    lines = ["#include \"mpi.h\""]
    for constant in api.constants:
        type_name = address_type(constant)
        lines += address_lines(constant, type_name) if type_name else integer_lines(constant)
    return "\n".join(lines) + "\n"


def address_type(constant) -> str:
    """Returns the type of handles, buffer addresses and functions; an empty text for integers."""
    if constant.category.startswith("handle "):
        return "MPI_" + constant.category.split()[1]
    return constant.notes[0] if constant.category in ("buffer_address", "empty_address", "callback") else ""


def integer_lines(constant) -> list[str]:
    """Checks that all values except MPI's own enumeration types are macros: in C++ an enumerator is not an `int`, and a
    function may return it by `auto`.
    """
    name = constant.name
    is_enumerator = constant.category in ("t_cb_safety", "t_source_order")
    return [*([] if is_enumerator else [f"#ifndef {name}", f"#error {name} is not a macro", "#endif"]),
            f"int is_{name}(int value);",
            f"int is_{name}(int value) {{ switch (value) {{ case {name}: return 1; default: return 0; }} }}",
            f"extern char array_{name}[({name}) == ({constant.value}) ? 1 : -1];"]


def address_lines(constant, type_name: str) -> list[str]:
    return [f"extern {type_name} address_{constant.name};", f"{type_name} address_{constant.name} = {constant.name};"]


def functions(api) -> str:
    """Takes the address of every function, under both names, and of macros that look like functions."""
    lines = ["#include \"mpi.h\"", "typedef void any_function(void);", "extern any_function* const addresses[];",
             "any_function* const addresses[] = {"]
    for function in api.functions:
        lines += [f"    (any_function*)MPI_{function.name},", f"    (any_function*)PMPI_{function.name},"]
    lines += ["};", "MPI_Status status_object;", "MPI_Fint fortran_status[MPI_F_STATUS_SIZE];",
              "char status_size[sizeof(MPI_Status) == 32 ? 1 : -1];",
              "char handle_size[sizeof(MPI_Comm) == sizeof(void*) ? 1 : -1];"]
    return "\n".join(lines) + "\n"


def check_usual_calls(context: Context, compiler: str, dialect: str) -> Result:
    """Some warnings appear only when the compiler optimises."""
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    source = (context.root / "tests" / "fronts" / "tools" / "usual_calls.c").read_text()
    for level in ("-O0", "-O2", "-O3"):
        done = run_compiler(context, compiler, dialect, source, [*WARNINGS, level])
        if done.code != 0:
            return failed(done.describe())
    return passed()


# ---- deprecation, order ---------------------------------------------------------------------------------------------

def check_deprecated(context: Context, compiler: str, dialects: list[str], api) -> Result:
    """A call of each deprecated function gives a warning with its name. With ANYMPI_NO_DEPRECATION_WARNINGS there is no
    warning.
    """
    if not context.compiler_version(compiler):
        return not_installed(compiler)
    names = [f"MPI_{function.name}" for function in api.functions if function.deprecated]
    if not names:
        return failed("api/ has no deprecated function")
    body = "".join(f"any_function* f_{name}(void);\nany_function* f_{name}(void) {{ return (any_function*){name}; }}\n"
                   for name in names)
    source = f"#include \"mpi.h\"\ntypedef void any_function(void);\n{body}"
    for dialect in dialects:
        warned = run_compiler(context, compiler, dialect, source, ["-Wall"])
        silent = [name for name in names if f"{name} is deprecated since MPI" not in warned.output]
        if warned.code != 0 or silent:
            return failed(f"{warned.describe()}\n-std={dialect}: no warning for {', '.join(silent)}")
        quiet = run_compiler(context, compiler, dialect, "#define ANYMPI_NO_DEPRECATION_WARNINGS\n" + source, WARNINGS)
        if quiet.code != 0:
            return failed(quiet.describe())
    return passed()


def check_order(context: Context) -> Result:
    '''C programs may include the header anywhere, C++ programs also inside extern "C".'''
    plain = "#include \"mpi.h\"\n#include <stdio.h>\n#include \"mpi.h\"\nint unused_name;\n"
    wrapped = "extern \"C\" {\n#include \"mpi.h\"\n}\n#include \"mpi.h\"\nMPI_Comm world = MPI_COMM_WORLD;\n"
    for compiler, dialect, source in (("gcc", "c99", plain), ("g++", "c++11", plain), ("g++", "c++20", wrapped),
                                      ("clang++", "c++11", wrapped)):
        result = compile_source(context, compiler, dialect, source)
        if result.kind == "failed":
            return result
    return passed()
