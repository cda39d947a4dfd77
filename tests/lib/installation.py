"""An installation of the tree under test, made in one folder and moved to another. The names of both have spaces."""
from __future__ import annotations

from pathlib import Path

from . import process
from .anympi import NAMES, SECONDS, anympi, expect_report, run_words
from .checks import expect
from .context import Context
from .vendor_table import VENDORS

INSTALLED = ["bin/anympi", "bin/mpicc", "bin/mpicc_abi", "bin/mpicxx", "bin/mpic++", "bin/mpiCC", "bin/mpicxx_abi", "bin/mpiexec",
             "bin/mpifort", "bin/mpifort_abi", "bin/mpif77", "bin/mpif90", "include/mpif.h", "lib/libmpifort_abi.so",
             "lib/libmpifort_abi.so.1", "lib/libmpifort_abi.a", "share/anympi/fortran/mpi_f08.F90", "share/anympi/fortran/probe_mpi.F90",
             "include/mpi.h", "lib/libmpi_abi.so", "lib/libmpi_abi.so.1", "lib/libmpi_abi.a",
             "lib/anympi/standard/libmpi_abi.so.1", *(f"lib/{vendor.front}" for vendor in VENDORS), "lib/anympi/check_ranks",
             "lib/anympi/ask_library", "lib/anympi/start_program", "lib/anympi/check_library.so", "lib/anympi/before_binding.so", "lib/anympi/keep_path.so",
             *(f"lib/anympi/interposers/{vendor.abi}/sessions.so" for vendor in VENDORS),
             *(f"lib/anympi/older/{name}" for name in ("libmpich.so.8", "libmpich.so.10", "libmpi.so.0")),
             "lib/pkgconfig/mpi_abi.pc", "lib/cmake/anympi/anympiConfig.cmake",
             "include/anympi/anympi.hpp", "include/anympi_single.hpp", "share/anympi/typed/anympi/anympi.hpp",
             "share/bash-completion/completions/anympi", "share/zsh/site-functions/_anympi",
             "share/fish/vendor_completions.d/anympi.fish", "share/doc/anympi/LICENSE", "share/doc/anympi/README.md",
             "share/doc/anympi/docs/user/using.md", "share/doc/anympi/docs/pictures/call.svg", "share/doc/anympi/examples/ring.c",
             *(f"share/man/man1/{name}.1" for name in ("anympi", "anympi-run", "anympi-list", "anympi-inspect",
                                                       "anympi-doctor", "anympi-config", "mpicc", "mpicxx", "mpifort"))]


def expect_complete(prefix: Path) -> None:
    missing = [name for name in INSTALLED if not (prefix / name).exists()]
    expect(not missing, f"not installed: {missing}")
    expect(len(list((prefix / "share" / "modulefiles" / "anympi").iterdir())) == 2, "module files")


def install_and_move(context: Context, folder: Path) -> Path:
    first, moved = folder / "first place", folder / "moved here"
    done = process.run(["cmake", "--install", context.build, "--prefix", first], SECONDS)
    expect(done.code == 0, done)
    first.rename(moved)
    expect_complete(moved)
    return moved


def run_everywhere(context: Context, program: Path, bin_folder: Path) -> None:
    """Runs a program of two ranks that reports about itself (report.c) on both MPIs of the distribution."""
    for runtime in context.available:
        if runtime.name in NAMES:
            done = anympi(context, *run_words(runtime, runtime.name, 2), program, environment=runtime.environment,
                          bin_folder=bin_folder)
            expect_report(done, runtime)
