"""The headers of the typed C++ API without the rest of anympi: in projects of CMake, as one file, and by recipes for package managers."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache, partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS
from lib.checks import Unavailable, expect, guarded
from lib.context import Context
from lib.results import Case

PROGRAM = """#include <anympi/environment.hpp>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    return world.allreduce(1, anympi::op::sum) == world.size() && world.size() == 2 ? 0 : 1;
}
"""
# The ways to the target. The mpi.h and the library are added as for any MPI.
BY_PACKAGE = "find_package(anympi 0.1 REQUIRED COMPONENTS typed)"
BY_SUBDIRECTORY = "add_subdirectory(\"${ANYMPI_SOURCE}\" anympi)"
BY_FETCH = """include(FetchContent)
FetchContent_Declare(anympi SOURCE_DIR "${ANYMPI_SOURCE}")
FetchContent_MakeAvailable(anympi)"""
CONSUMER = """cmake_minimum_required(VERSION 3.16)
project(consumer CXX)
set(CMAKE_CXX_STANDARD 11) # the target asks for more
WAY
if(NOT TARGET anympi::typed OR TARGET anympi::mpi_abi OR TARGET mpi_abi)
    message(FATAL_ERROR "not the headers alone")
endif()
add_executable(program program.cpp)
target_link_libraries(program PRIVATE TARGET "${MPI_LIBRARY}")
target_include_directories(program PRIVATE "${MPI_HEADERS}")
install(TARGETS program)
"""


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context), seconds=5)


def run(*command: object, environment: dict[str, str] | None = None) -> process.Completed:
    done = process.run(list(command), SECONDS, environment)
    expect(done.code == 0, done)
    return done


def run_on_both(context: Context, program: Path) -> None:
    for runtime in context.available:
        if runtime.name in NAMES:
            done = context.run_mpi(runtime, 2, program)
            expect(done.code == 0, done)


def install_headers(context: Context, folder: Path) -> Path:
    """Installs only the headers. A system and a processor that the libraries do not support do not matter."""
    prefix = folder / "a prefix"
    run("cmake", "-S", context.root, "-B", folder / "headers", "-DANYMPI_TYPED_ONLY=ON", f"-DCMAKE_INSTALL_PREFIX={prefix}",
        "-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_SYSTEM_PROCESSOR=arm64")
    run("cmake", "--install", folder / "headers")
    return prefix


def consume(context: Context, folder: Path, way: str, *options: str, target: str = "anympi::typed") -> Path:
    """Builds a project that uses the target, runs its program on both MPIs, and installs the project. Returns the prefix."""
    (folder / "CMakeLists.txt").write_text(CONSUMER.replace("WAY", way).replace("PRIVATE TARGET", f"PRIVATE {target}"))
    (folder / "program.cpp").write_text(PROGRAM)
    build, prefix = folder / "build", folder / "installed"
    run("cmake", "-S", folder, "-B", build, f"-DMPI_HEADERS={context.build / 'include'}", f"-DMPI_LIBRARY={context.build / 'lib' / 'libmpi_abi.so'}",
        f"-DANYMPI_SOURCE={context.root}", *options)
    run("cmake", "--build", build)
    run_on_both(context, build / "program")
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


def check_package(context: Context, folder: Path) -> None:
    prefix = install_headers(context, folder)
    consume(context, folder, BY_PACKAGE, f"-DCMAKE_PREFIX_PATH={prefix}")


def check_precompiled(context: Context, folder: Path) -> None:
    """The headers are compiled once for the program, by a package and in a project."""
    prefix = install_headers(context, folder)
    for name, way, option in (("package", BY_PACKAGE, f"-DCMAKE_PREFIX_PATH={prefix}"), ("project", BY_SUBDIRECTORY, "-DCMAKE_BUILD_TYPE=Debug")):
        (folder / name).mkdir()
        consume(context, folder / name, way, option, target="anympi::typed_precompiled")
        compiled = [path.name for path in (folder / name / "build").rglob("cmake_pch.hxx.*ch")]
        expect(len(compiled) == 1, f"{name}: {compiled}")


def check_components(context: Context, folder: Path) -> None:
    """The headers alone have no libraries, and refuse another version."""
    prefix = install_headers(context, folder)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.16)\nproject(asks LANGUAGES NONE)\n"
                                           "foreach(words \"99\" \"COMPONENTS;mpi_abi\" \"COMPONENTS;typed;mpi_abi\" \"COMPONENTS;typo\")\n"
                                           "find_package(anympi ${words} QUIET)\nif(anympi_FOUND)\n"
                                           "message(FATAL_ERROR \"found: ${words}\")\nendif()\nendforeach()\n"
                                           "find_package(anympi REQUIRED)\nget_target_property(standard anympi::typed INTERFACE_COMPILE_FEATURES)\n"
                                           "if(NOT standard STREQUAL \"cxx_std_20\")\nmessage(FATAL_ERROR ${standard})\nendif()\n")
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")


def check_subdirectory(context: Context, folder: Path) -> None:
    """The headers are not installed with the project."""
    prefix = consume(context, folder, BY_SUBDIRECTORY)
    expect([path.name for path in prefix.iterdir()] == ["bin"], list(prefix.iterdir()))


def check_fetched(context: Context, folder: Path) -> None:
    """If the project asks for it, the headers are installed with it."""
    prefix = consume(context, folder, BY_FETCH, "-DANYMPI_TYPED_INSTALL=ON")
    expect((prefix / "include" / "anympi" / "anympi.hpp").exists(), list(prefix.iterdir()))


def check_single_header(context: Context, folder: Path) -> None:
    """A program needs no other file, under both error policies, and may include other headers of the API too."""
    script = context.root / "packaging" / "typed" / "single_header.py"
    (folder / "anympi_single.hpp").write_text(run(sys.executable, script).output)
    command = ["g++", "-x", "c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{folder}", f"-I{context.build / 'include'}"]
    example = (context.root / "examples" / "typed" / "hello.cpp").read_text().replace("anympi/anympi.hpp", "anympi_single.hpp")
    expect("anympi_single.hpp" in example, example)
    (folder / "hello.cpp").write_text(example)
    run(*command, folder / "hello.cpp", f"-L{context.build / 'lib'}", "-lmpi_abi", "-o", folder / "hello")
    run_on_both(context, folder / "hello")
    results = ("#include <anympi_single.hpp>\n#include <anympi/environment.hpp>\n"
               "bool works() { auto mpi = anympi::init(); return mpi && mpi->world().barrier(); }\n")
    done = subprocess.run([*command, "-DANYMPI_RESULTS", "-fno-exceptions", f"-I{context.root / 'include'}", "-fsyntax-only", "-"],
                          input=results, text=True, capture_output=True, check=False)
    expect(done.returncode == 0, done.stderr[:2000])


# Recipes


def check_versions(context: Context, folder: Path) -> None:
    """The recipes have the version of the sources."""
    packaging = context.root / "packaging"
    wanted = re.search(r"project\(anympi VERSION (\S+)", (context.root / "CMakeLists.txt").read_text())[1]
    conan = re.search(r'version = "(.+)"', (packaging / "conan" / "conanfile.py").read_text())[1]
    vcpkg = json.loads((packaging / "vcpkg" / "anympi" / "vcpkg.json").read_text())["version"]
    expect(conan == vcpkg == wanted, f"{wanted}; conan: {conan}, vcpkg: {vcpkg}")


def check_vcpkg(context: Context, folder: Path) -> None:
    """The steps of the port, with a stand-in for vcpkg's functions (vcpkg_functions.cmake). vcpkg itself would download them."""
    prefix = folder / "vcpkg packages"
    run("cmake", "-DPORT=anympi", f"-DCURRENT_PACKAGES_DIR={prefix}", f"-DCURRENT_BUILDTREES_DIR={folder / 'trees'}",
        "-P", Path(__file__).with_name("vcpkg_functions.cmake"))
    expect(sorted(path.name for path in prefix.iterdir()) == ["include", "share"], list(prefix.iterdir()))
    share = prefix / "share" / "anympi"
    expect((share / "copyright").read_text() == (context.root / "LICENSE").read_text(), "the license")
    expect([path for path in (prefix / "share").iterdir()] == [share], "vcpkg refuses other folders in share")
    usage = (share / "usage").read_text()
    way, = re.findall(r"find_package\(anympi .*\)", usage)
    expect("anympi::typed" in usage, usage)
    consume(context, folder, way, f"-DCMAKE_PREFIX_PATH={prefix}")


@lru_cache(maxsize=None)
def conan_of(context_work: Path, may_install: bool) -> Path:
    """Returns the program, installed by pip."""
    environment = context_work / "conan"
    program = environment / "bin" / "conan"
    if program.exists():
        return program
    if not may_install:
        raise Unavailable(f"conan is not installed in {environment}")
    shutil.rmtree(environment, ignore_errors=True)
    for command in ([sys.executable, "-m", "venv", environment], [environment / "bin" / "pip", "install", "--quiet", "conan>=2,<3"]):
        done = process.run(command, 600, {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
        expect(done.code == 0, done)
    return program


def check_conan(context: Context, folder: Path) -> None:
    """`conan create` makes the package and compiles and runs its test with anympi's wrappers as the machine's MPI."""
    conan = conan_of(context.work, context.may_install)
    recipe, test = context.root / "packaging" / "conan", folder / "test"
    shutil.copytree(recipe / "test_package", test)
    mpi = next((runtime.library for runtime in context.available if runtime.name in NAMES), "")
    environment = {"CONAN_HOME": str(folder / "home"), "PATH": f"{context.build / 'bin'}:{os.environ['PATH']}", "ANYMPI_MPI": str(mpi),
                   "CC": "gcc", "CXX": "g++"}
    run(conan, "profile", "detect", environment=environment)
    create = [conan, "create", recipe, "--no-remote", "--test-folder", test, "-s", "build_type=Release", "-s"]
    done = run(*create, "compiler.cppstd=20", environment=environment)
    expect("RUN: " in done.output and "program" in done.output, done)
    old = process.run([*create, "compiler.cppstd=17"], SECONDS, environment)
    expect(old.code != 0 and "20" in old.output, old)


CHECKS = {
    "recipes have the version": check_versions,
    "recipe for vcpkg": check_vcpkg,
    "recipe for Conan": check_conan,
    "headers by find_package": check_package,
    "headers by find_package, components": check_components,
    "headers precompiled": check_precompiled,
    "headers by add_subdirectory": check_subdirectory,
    "headers by FetchContent": check_fetched,
    "headers as one file": check_single_header,
}
