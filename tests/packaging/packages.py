"""The installation: moved, found by CMake and pkg-config, loaded by environment modules; the packages of cpack."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lib import process
from lib.anympi import NAMES, SECONDS, anympi, expect_report, run_words, sources
from lib.checks import NotInstalled, Unavailable, expect, guarded, need
from lib.context import Context
from lib.installation import INSTALLED, expect_complete, install_and_move, run_everywhere
from lib.module_systems import environment_modules, lmod
from lib.results import Case
from lib.runtimes import Runtime


def cases(context: Context):
    for title, check in CHECKS.items():
        yield Case(title, partial(guarded, check, context))


def report_source(context: Context) -> Path:
    return context.root / "tests" / "command" / "report.c"


# cmake --install


def check_moved(context: Context, folder: Path) -> None:
    """An installation that is reached by a link still finds itself."""
    moved = install_and_move(context, folder)
    (folder / "mpicc").symlink_to(moved / "bin" / "mpicc")
    for mode in ([], ["-static-mpi"]):
        program = folder / "a program"
        done = process.run([folder / "mpicc", *mode, report_source(context), "-o", program], SECONDS)
        expect(done.code == 0, done)
        run_everywhere(context, program, moved / "bin")


def check_moved_with_programs(context: Context, folder: Path) -> None:
    """A program below the root starts after the whole root was moved. For any other program, `inspect` and
    `doctor` name the missing folder, `anympi run` starts the program, and the doctor's command repairs it."""
    need("ldd", "patchelf")
    first, (source, _) = install_and_move(context, folder), sources(folder)
    inside, outside = Path("apps") / "bin" / "a program", folder / "a program"
    (first / inside).parent.mkdir(parents=True)
    for words in (["-o", first / inside], [f"-o{outside}"]):
        done = process.run([first / "bin" / "mpicc", source, *words], SECONDS)
        expect(done.code == 0, done)
    done = process.run([first / "bin" / "mpicc", source], SECONDS, directory=first / "apps")  # a.out
    expect(done.code == 0 and process.run([outside], SECONDS).code == 0, done)
    moved = folder / "moved again"
    first.rename(moved)
    for program in (moved / inside, moved / "apps" / "a.out"):
        expect(process.run([program], SECONDS).code == 0, process.run(["ldd", program], SECONDS))
    shutil.copy(moved / inside, folder / "copy")
    expect(f"[$ORIGIN/../../lib:{first}/lib]" in process.run(["readelf", "-dW", folder / "copy"], SECONDS).output, "no absolute path")
    done = process.run([outside], SECONDS)
    expect(done.code == 127 and "libmpi_abi.so.1: cannot open shared object file" in done.output, done)
    done = anympi(context, "inspect", outside, bin_folder=moved / "bin")
    expect(f"the folder {first}/lib, where libraries are expected, does not exist" in done.output, done)
    done = anympi(context, "run", "-n", "1", "--", outside, bin_folder=moved / "bin")
    expect("cannot open shared object file" not in done.output, done)
    done = anympi(context, "doctor", outside, bin_folder=moved / "bin")
    expect(done.code == 1 and f"its RUNPATH leads to {first}/lib, which does not exist" in done.output, done)
    remedy = re.search(r"`(patchelf --set-rpath .*)`", done.output)
    expect(remedy and process.run(["sh", "-c", remedy.group(1)], SECONDS).code == 0, done)
    expect(process.run([outside], SECONDS).code == 0, "the doctor's command did not help")
    subprocess.run(["patchelf", "--remove-rpath", outside], check=True)  # as pkg-config and plain cc make it
    done = anympi(context, "doctor", outside, bin_folder=moved / "bin")
    expect(done.code == 1 and "does not find: no RUNPATH leads to it" in done.output, done)


INSTALLED_PROJECT = """cmake_minimum_required(VERSION 3.20)
project(installed C)
find_package(anympi QUIET)
add_executable(program program.c)
if(anympi_FOUND)
    target_link_libraries(program anympi::mpi_abi)
endif()
install(TARGETS program)
"""


def check_moved_with_project(context: Context, folder: Path) -> None:
    """A project of CMake that is installed below the root keeps the relative path of CMAKE_INSTALL_RPATH, beside the wrapper's."""
    first, _ = install_and_move(context, folder), sources(folder)
    (folder / "CMakeLists.txt").write_text(INSTALLED_PROJECT)
    for name, options in (("wrapper", [f"-DCMAKE_C_COMPILER={first / 'bin' / 'mpicc'}"]), ("package", [f"-DCMAKE_PREFIX_PATH={first}"])):
        build, moved = folder / name, folder / f"moved by {name}"
        for command in (["cmake", "-S", folder, "-B", build, "-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib", f"-DCMAKE_INSTALL_PREFIX={first}", *options],
                        ["cmake", "--build", build], ["cmake", "--install", build]):
            done = process.run(command, SECONDS)
            expect(done.code == 0, done)
        first.rename(moved)
        done = process.run([moved / "bin" / "program"], SECONDS)
        expect(done.code == 0, f"{name}: {done.describe()}")
        moved.rename(first)


def check_fronts(context: Context, folder: Path) -> None:
    """Vendors' programs run with the fronts of a moved installation, started and adopted. The installation has no name
    for linkers in the fronts' folders.
    """
    moved = install_and_move(context, folder)
    names = [path.name for path in (moved / "lib" / "anympi").rglob("lib*")]
    expect({"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1"} <= set(names), names)
    expect(not any(name.endswith(".so") for name in names), names)
    for vendor in NAMES:
        program = folder / vendor
        need(f"mpicc.{vendor}", "patchelf")
        subprocess.run([f"mpicc.{vendor}", report_source(context), "-o", program], check=True)
        for runtime in context.available:
            if runtime.name not in NAMES or runtime.name == vendor:
                continue
            done = anympi(context, *run_words(runtime, runtime.name, 2), program, environment=runtime.environment,
                          bin_folder=moved / "bin")
            expect_report(done, runtime)
            copy = folder / f"{vendor} adopted"
            expect(anympi(context, "adopt", program, "-o", copy, bin_folder=moved / "bin").code == 0, "adopt")
            environment = {**runtime.environment, "ANYMPI_MPI": ""}
            expect_report(process.run([*runtime.launcher, "-n", "2", copy], SECONDS, environment), runtime)


def check_documents_and_examples(context: Context, folder: Path) -> None:
    """Everything to which the documents refer is installed, and the examples compile."""
    prefix = install_and_move(context, folder)
    documents = prefix / "share" / "doc" / "anympi"
    broken = [f"{page.relative_to(documents)}: {link}" for page in documents.rglob("*.md")
              for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()) if not (page.parent / link).exists()]
    expect(not broken, "\n".join(broken))
    sources = {path.relative_to(context.root) for path in (context.root / "examples").rglob("*") if path.is_file()}
    expect(sources == {path.relative_to(documents) for path in (documents / "examples").rglob("*") if path.is_file()}, "examples")
    for wrapper, name in (("mpicc", "ring.c"), ("mpicxx", "typed/hello.cpp")):
        standard = ["-std=c++20"] if wrapper == "mpicxx" else []
        done = process.run([prefix / "bin" / wrapper, *standard, documents / "examples" / name, "-o", folder / "example"], SECONDS)
        expect(done.code == 0, done)


def check_mpiexec(context: Context, folder: Path) -> None:
    """Under the name mpiexec, the command starts programs with the launcher of an MPI, even if it is first in PATH."""
    moved = install_and_move(context, folder)
    program = folder / "report"
    done = process.run([moved / "bin" / "mpicc", report_source(context), "-o", program], SECONDS)
    expect(done.code == 0, done)
    for runtime in context.available:
        if runtime.name in NAMES:
            path = f"{moved / 'bin'}:{os.environ['PATH']}"
            environment = {**runtime.environment, "PATH": path, "ANYMPI_MPI": runtime.name}
            done = process.run(["mpiexec", "-n", "2", *runtime.launcher[1:], program], SECONDS, environment)
            expect_report(done, runtime)


def check_doctor(context: Context, folder: Path) -> None:
    """The doctor has its own program to start."""
    moved = install_and_move(context, folder)
    for runtime in context.available:
        if runtime.name in NAMES:
            done = anympi(context, "doctor", environment={**runtime.environment, "ANYMPI_MPI": runtime.name},
                          bin_folder=moved / "bin")
            good = rf"^ok .*{re.escape(str(runtime.library))} starts two processes"
            expect(re.search(good, done.output, re.MULTILINE), done)


def check_nothing_names_the_build(context: Context, folder: Path) -> None:
    moved = install_and_move(context, folder)
    for file in [moved / name for name in INSTALLED] + list((moved / "share" / "modulefiles").rglob("*")):
        content = file.read_bytes() if file.is_file() else b""
        for place in (str(context.build), str(folder)):
            expect(place.encode() not in content, f"{file} holds {place}")


def tree(folder: Path) -> dict[Path, tuple]:
    """Returns everything that could change in a folder."""
    return {path: (path.lstat().st_mtime_ns, path.lstat().st_size) for path in sorted(folder.rglob("*"))}


def check_writes_nothing(context: Context, folder: Path) -> None:
    """The command and programs leave no files: docs/cluster/install.md lists who writes which files."""
    moved, home, work = install_and_move(context, folder), folder / "home", folder / "work"
    home.mkdir()
    work.mkdir()
    done = process.run([moved / "bin" / "mpicc", report_source(context), "-o", work / "report"], SECONDS)
    expect(done.code == 0, done)
    environment = {"HOME": str(home), "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "ANYMPI_MPI": "",
                   "ANYMPI_MODULES": str(folder / "modules")}  # the modules of Fortran, which the doctor compiles
    before = [tree(place) for place in (moved, home, work)]
    for runtime in context.available:
        if runtime.name in NAMES:
            for words in (["list"], ["inspect", "./report"], ["config"], ["doctor", "./report"], [*run_words(runtime, runtime.name, 2), "./report"]):
                process.run([moved / "bin" / "anympi", *words], SECONDS, {**runtime.environment, **environment}, work)
    after = [tree(place) for place in (moved, home, work)]
    changed = [sorted(map(str, dict(set(one.items()) ^ set(other.items())))) for one, other in zip(before, after)]
    expect(before == after, f"written: {changed}")


# Build systems


def check_pkg_config(context: Context, folder: Path) -> None:
    need("pkg-config")
    moved, (source, _) = install_and_move(context, folder), sources(folder)
    environment = {"PKG_CONFIG_PATH": str(moved / "lib" / "pkgconfig"), "LD_LIBRARY_PATH": str(moved / "lib")}
    command = "eval cc program.c $(pkg-config --cflags --libs mpi_abi) -o program && ./program"
    done = process.run(["sh", "-c", command], SECONDS, environment, source.parent)
    expect(done.code == 0, done)
    static = process.run(["pkg-config", "--static", "--libs", "mpi_abi"], SECONDS, environment)
    expect("-ldl -lpthread" in static.output, static)


CONSUMER = """cmake_minimum_required(VERSION 3.20)
project(consumer C CXX)
find_package({package} REQUIRED)
add_executable(c_program program.c)
target_link_libraries(c_program {c_target})
add_executable(cxx_program program.cpp)
target_link_libraries(cxx_program {cxx_target})
file(WRITE ${{CMAKE_BINARY_DIR}}/mpiexec "${{MPIEXEC_EXECUTABLE}}")
"""


def consume(context: Context, folder: Path, package: str, c_target: str, cxx_target: str, options: list[str],
            environment: dict[str, str] | None = None) -> Path:
    """Builds a project in C and C++, whose programs run on both MPIs. Returns its build tree."""
    for name in ("program.c", "program.cpp"):
        shutil.copy(report_source(context), folder / name)
    (folder / "CMakeLists.txt").write_text(CONSUMER.format(package=package, c_target=c_target, cxx_target=cxx_target))
    build = folder / "build"
    for command in (["cmake", "-S", folder, "-B", build, *options], ["cmake", "--build", build]):
        done = process.run(command, SECONDS, environment)
        expect(done.code == 0, done)
    for program in ("c_program", "cxx_program"):
        loaded = process.run(["ldd", build / program], SECONDS)
        expect(f"libmpi_abi.so.1 => {folder}" in loaded.output, loaded)
        run_everywhere(context, build / program, context.build / "bin")
    return build


def check_cmake_package(context: Context, folder: Path) -> None:
    moved = install_and_move(context, folder)
    consume(context, folder, "anympi", "anympi::mpi_abi", "anympi::mpi_abi", [f"-DCMAKE_PREFIX_PATH={moved}"])


def check_cmake_package_static(context: Context, folder: Path) -> None:
    """The package has the static archive, and refuses a version that it does not have."""
    moved, (source, _) = install_and_move(context, folder), sources(folder)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(consumer C)\n"
                                           "find_package(anympi 99 QUIET)\nif(anympi_FOUND)\n"
                                           "message(FATAL_ERROR found)\nendif()\nfind_package(anympi REQUIRED)\n"
                                           f"add_executable(program {source.name})\n"
                                           "target_link_libraries(program anympi::mpi_abi_static)\n")
    for command in (["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={moved}"],
                    ["cmake", "--build", folder / "build"], [folder / "build" / "program"]):
        done = process.run(command, SECONDS)
        expect(done.code == 0, done)


TYPED_CONSUMER = """cmake_minimum_required(VERSION 3.20)
project(consumer CXX)
find_package(anympi REQUIRED)
get_target_property(folder anympi::typed INTERFACE_INCLUDE_DIRECTORIES)
if(EXISTS ${folder}/mpi.h OR NOT EXISTS ${folder}/anympi/anympi.hpp)
    message(FATAL_ERROR "${folder} contains more than the headers")
endif()
add_executable(program program.cpp)
target_link_libraries(program anympi::typed anympi::mpi_abi)
"""


def check_cmake_package_typed(context: Context, folder: Path) -> None:
    """The headers of the typed API are in a folder without anympi's mpi.h, so that another MPI's can be used with them."""
    moved = install_and_move(context, folder)
    (folder / "CMakeLists.txt").write_text(TYPED_CONSUMER)
    (folder / "program.cpp").write_text("#include <anympi/environment.hpp>\nint main() { anympi::init().world().barrier(); }\n")
    for command in (["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={moved}"], ["cmake", "--build", folder / "build"],
                    [folder / "build" / "program"]):
        done = process.run(command, SECONDS)
        expect(done.code == 0, done)


FORTRAN_CONSUMER = """cmake_minimum_required(VERSION 3.20)
project(consumer Fortran)
find_package(anympi REQUIRED)
add_executable(shared program.f90)
target_link_libraries(shared anympi::fortran)
add_executable(static program.f90)
target_link_libraries(static anympi::fortran_static)
"""
# Calls with arguments of several types, comparisons of handles by the module's own procedures, and a common block.
FORTRAN_PROGRAM = """subroutine old
    include 'mpif.h'
    integer :: n, ierror
    call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierror)
    call MPI_Allreduce(1.0, x, 1, MPI_REAL, MPI_SUM, MPI_COMM_SELF, ierror)
end subroutine
program p
    use mpi_f08
    call MPI_Init()
    if (MPI_COMM_WORLD == MPI_COMM_SELF) error stop 1
    call old
    call MPI_Finalize()
end program
"""


def check_cmake_package_fortran(context: Context, folder: Path) -> None:
    """Both targets work, with modules in the installation, whose path has blanks."""
    need("gfortran")
    moved = install_and_move(context, folder)
    (folder / "CMakeLists.txt").write_text(FORTRAN_CONSUMER)
    (folder / "program.f90").write_text(FORTRAN_PROGRAM)
    build = folder / "build"
    for command in (["cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={moved}"], ["cmake", "--build", build],
                    [build / "shared"], [build / "static"]):
        done = process.run(command, SECONDS)
        expect(done.code == 0, done)
    expect("libmpi" not in process.run(["ldd", build / "static"], SECONDS).output, "a library of MPI beside the archives")


def check_find_mpi(context: Context, folder: Path) -> None:
    """CMake's own FindMPI takes the wrappers next to the first mpiexec in PATH, and asks them."""
    moved = install_and_move(context, folder)
    build = consume(context, folder, "MPI", "MPI::MPI_C", "MPI::MPI_CXX", [],
                    {"PATH": f"{moved / 'bin'}:{os.environ['PATH']}"})
    expect((build / "mpiexec").read_text() == str(moved / "bin" / "mpiexec"), (build / "mpiexec").read_text())


def check_find_mpi_by_wrapper(context: Context, folder: Path) -> None:
    """FindMPI takes wrappers that are named one by one, if another mpiexec is first in PATH."""
    bin_folder = install_and_move(context, folder) / "bin"
    consume(context, folder, "MPI", "MPI::MPI_C", "MPI::MPI_CXX",
            [f"-DMPI_C_COMPILER={bin_folder / 'mpicc'}", f"-DMPI_CXX_COMPILER={bin_folder / 'mpicxx'}"])


def check_wrappers_as_compilers(context: Context, folder: Path) -> None:
    """The wrappers are the compilers of a whole project: FindMPI notices that they need no flags."""
    bin_folder = install_and_move(context, folder) / "bin"
    consume(context, folder, "MPI", "MPI::MPI_C", "MPI::MPI_CXX", [],
            {"CC": str(bin_folder / "mpicc"), "CXX": str(bin_folder / "mpicxx")})


# Environment modules


def expect_loaded(prefix: Path, done: process.Completed) -> None:
    # The shell of the module system has printed which commands it finds now.
    expect(f"mpicc={prefix}/bin/mpicc\n" in done.output and f"anympi={prefix}/bin/anympi\n" in done.output, done)
    expect(f"cmake={prefix}\n" in done.output, done)


ASK = 'echo "mpicc=$(command -v mpicc)"; echo "anympi=$(command -v anympi)"; echo "cmake=$CMAKE_PREFIX_PATH"'


def module_path(context: Context, folder: Path) -> tuple[Path, Path]:
    """Returns a link without a space to the installation, since module systems split their path at spaces."""
    moved = install_and_move(context, folder)
    plain = Path(f"/tmp/anympi-modules-{os.getpid()}-{folder.name[-8:]}")
    plain.symlink_to(moved)
    return plain, plain / "share" / "modulefiles"


def check_environment_modules(context: Context, folder: Path) -> None:
    command = environment_modules(context)
    plain, modules = module_path(context, folder)
    try:
        script = (f"module() {{ eval \"$({command} bash \"$@\")\"; }}; module use {modules}; module load anympi; {ASK}; "
                  "module unload anympi; command -v anympi; true")
        done = process.run(["bash", "-c", script], SECONDS, {"CMAKE_PREFIX_PATH": ""})
        expect_loaded(plain, done)
        expect(done.output.count("/bin/anympi") == 1, f"still there after it was unloaded\n{done.describe()}")
    finally:
        plain.unlink()


def check_lmod(context: Context, folder: Path) -> None:
    command, environment = lmod(context)
    plain, modules = module_path(context, folder)
    try:
        script = f'eval "$({command} bash load anympi)"; {ASK}'
        done = process.run(["bash", "-c", script], SECONDS, {"CMAKE_PREFIX_PATH": "", "MODULEPATH": str(modules),
                                                             "HOME": str(folder), **environment})
        if "module 'posix' not found" in done.output:
            raise NotInstalled("lua-posix")
        expect_loaded(plain, done)
    finally:
        plain.unlink()


# cpack


def pack(context: Context, kind: str, folder: Path) -> Path:
    # One case at a time: both use the same folder of the build tree for the files that they install first.
    with context.lock_of("cpack"):
        done = process.run(["cpack", "--config", context.build / "CPackConfig.cmake", "-G", kind, "-B", folder / "packed"],
                           SECONDS)
    expect(done.code == 0, done)
    package, = [path for path in (folder / "packed").glob("anympi*") if path.is_file()]
    return package


def development_files() -> set[str]:
    """Returns files of packages that a machine with only an MPI's runtime does not have."""
    listed = subprocess.run(["dpkg", "-L", "libmpich-dev", "libopenmpi-dev"], capture_output=True, text=True, check=False)
    return {path for path in listed.stdout.splitlines() if not os.path.isdir(path)}


def run_without_development_files(context: Context, runtime: Runtime, command: Path, program: Path, folder: Path) -> None:
    """Watches which files the job opens: none may belong to packages for development."""
    need("strace", "dpkg")
    trace = folder / "trace"
    watch = ["strace", "--follow-forks", "--quiet=all", "--trace=openat,open,execve,readlink", f"--output={trace}"]
    done = process.run([*watch, command, *run_words(runtime, runtime.name, 2), program], SECONDS,
                       {**runtime.environment, "ANYMPI_MPI": ""})
    if "Operation not permitted" in done.output and "size=" not in done.output:
        raise Unavailable("strace may not follow processes here")
    expect_report(done, runtime)
    opened = set(re.findall(r'"(/[^"]*)"[^\n]* = (?!-1)', trace.read_text(errors="replace")))
    expect(any("libmpi" in path for path in opened), "the trace shows no MPI library")
    expect(not opened & development_files(), f"opened: {opened & development_files()}")


def use_package(context: Context, prefix: Path, folder: Path) -> None:
    """Compiles with the package, and then runs the program as on a machine that has only runtimes."""
    expect_complete(prefix)
    program = folder / "report"
    done = process.run([prefix / "bin" / "mpicc", report_source(context), "-o", program], SECONDS)
    expect(done.code == 0, done)
    for runtime in context.available:
        if runtime.name in NAMES:
            run_without_development_files(context, runtime, prefix / "bin" / "anympi", program, folder)


def check_tarball(context: Context, folder: Path) -> None:
    package = pack(context, "TGZ", folder)
    done = process.run(["tar", "-xzf", package, "-C", folder], SECONDS)
    expect(done.code == 0, done)
    use_package(context, folder / package.name.removesuffix(".tar.gz"), folder)


def field(package: Path, name: str) -> str:
    return process.run(["dpkg-deb", "--field", package, name], SECONDS).output.strip()


def check_debian_package(context: Context, folder: Path) -> None:
    """Installs the package by dpkg into a system in a folder, and checks its needs, its links and whether it works."""
    need("dpkg", "dpkg-deb", "dpkg-shlibdeps", "fakeroot")
    package = pack(context, "DEB", folder)
    expect(re.fullmatch(r"anympi_[\d.]+_amd64\.deb", package.name), package.name)
    # Only libc: no libstdc++, no MPI.
    expect(field(package, "Depends") == "libc6 (>= 2.17)", field(package, "Depends"))
    expect(field(package, "Recommends") == "mpich | openmpi-bin", field(package, "Recommends"))
    root = folder / "system"
    for part in ("var/lib/dpkg/updates", "var/lib/dpkg/info"):
        (root / part).mkdir(parents=True)
    for part in ("status", "available"):
        (root / "var/lib/dpkg" / part).touch()
    # Its dependencies are the packages of the real system.
    done = process.run(["fakeroot", "dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--log=/dev/null",
                        "--install", package], SECONDS)
    expect(done.code == 0, done)
    use_package(context, root / "opt" / "anympi", folder)
    links = {str(path.relative_to(root)): os.readlink(path) for path in (root / "usr").rglob("*") if path.is_symlink()}
    for name in ("usr/bin/anympi", "usr/bin/mpicc_abi", "usr/bin/mpicxx_abi", "usr/bin/mpifort_abi", "usr/share/man/man1/anympi-run.1",
                 "usr/share/bash-completion/completions/anympi", "usr/share/zsh/vendor-completions/_anympi",
                 "usr/share/fish/vendor_completions.d/anympi.fish", "usr/share/doc/anympi", "usr/share/modulefiles/anympi"):
        expect(name in links and (root / links[name][1:]).exists(), f"{name}: {links}")
    # The links of Debian's alternatives do not change.
    expect({path.name for path in (root / "usr/bin").iterdir()} == {"anympi", "mpicc_abi", "mpicxx_abi", "mpifort_abi"}, links)


CHECKS = {
    "moved": check_moved,
    "moved with programs": check_moved_with_programs,
    "moved with a project of CMake": check_moved_with_project,
    "fronts": check_fronts,
    "documents and examples": check_documents_and_examples,
    "mpiexec": check_mpiexec,
    "doctor of an installation": check_doctor,
    "no path is named": check_nothing_names_the_build,
    "nothing is written": check_writes_nothing,
    "pkg-config": check_pkg_config,
    "CMake package": check_cmake_package,
    "CMake package, archive": check_cmake_package_static,
    "CMake package, typed API": check_cmake_package_typed,
    "CMake package, Fortran": check_cmake_package_fortran,
    "CMake FindMPI by PATH": check_find_mpi,
    "CMake FindMPI by wrapper": check_find_mpi_by_wrapper,
    "CMake with the wrappers as compilers": check_wrappers_as_compilers,
    "environment-modules": check_environment_modules,
    "Lmod": check_lmod,
    "tarball": check_tarball,
    "Debian package": check_debian_package,
}
