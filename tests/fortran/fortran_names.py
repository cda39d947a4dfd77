"""The names of the vendors' Fortran libraries: anympi's libraries of the same names have every symbol to which a
program may refer.

The test compares with the libraries of this machine, and with the exports of other releases (tests/data/fortran).
"""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lib import roots
from lib.checks import Unavailable
from lib.context import Context
from lib.results import Case, Result, failed, not_installed, passed, skipped
from lib.runtimes import system_library
from lib.wheels import OLDER_INTEL, WHEELS, Wheel, install
from fronts.exports import readelf, symbols

OURS = {"libmpichfort.so.12": "mpich", "libmpi_mpifh.so.40": "openmpi", "libmpi_usempif08.so.40": "openmpi",
        "libmpi_usempi_ignore_tkr.so.40": "openmpi"}
# The releases for which tests/data/fortran has lists, with anympi's library of the same name.
LISTS = {"mpich-3.4.1": "libmpichfort.so.12", "mpich-4.0.2": "libmpichfort.so.12", "mpich-4.2.1": "libmpichfort.so.12",
         "mpich-5.0.2": "libmpichfort.so.12", "impi-2018": "libmpifort.so.12", "impi-2021.19": "libmpifort.so.12",
         "openmpi-1.10.7": "libmpi_usempif08.so.40", "openmpi-4.1.4": "libmpi_usempif08.so.40", "openmpi-5.0.7": "libmpi_usempif08.so.40",
         "openmpi-6.0": "libmpi_usempif08.so.40"}
# Further real libraries that the tests may have: wheels, and Debian 13 in a root.
OF_INTEL = [wheel for wheel in [*WHEELS, *OLDER_INTEL] if wheel.package.startswith("impi")]
IN_ROOT = ("libmpichfort.so.12", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40")
TABLES = {"mpich": "libmpifort.so.12", "openmpi": "libmpi_usempif08.so.40"}
# Names to which no program refers, as patterns of whole names.
INTERNAL = {
    r"p?ompix?_\w+_f(08)?(_c)?|P?MPIX?_[A-Z]\w*_f(08)?|ompi_\w+_wrapper_f90|ompi_ts_\w+": "by these Open MPI's Fortran libraries call each other",
    r"P?MPI_(Comm|Session)_detach_buffer_": "slips of the pen in Open MPI 6",
    r"__I_MPI_.*|.*\..*|_init|_fini|_edata|_end|__bss_start|cdesc_create_datatype|get_numa_node_\w+": "of Intel's compiler",
    r"ompi_intercept_extra_state_t_class": "Open MPI's own",
    r"mpiext_\w+": "tells that an extension was linked",
    r"MPIR_F_\w+|MPIR_C_\w+|MPI_F_\w+|mpirinit[cf]2?_|MPIR_\w+_cdesc\w*|MPIR_\w+_(c|f08)|(mpi[ir]i?|MPI[IR]I?)_\w+_(f08_proxy_?|f2c)": "MPICH's own state and inner functions",
    r"__mpi_c_interface_\w+|mpi_c_interface_\w+": "modules that MPICH's Fortran library uses and programs cannot: they are not installed",
    r"p?mpixr?_((comm|get|gpu|info|put|query|request|start|stop|stream|threadcomm|win)_\w+|\w+_enqueue\w*)": "extensions, which are not offered to Fortran programs",
    r"P?MPIX_((COMM|GET|GPU|INFO|PUT|QUERY|REQUEST|START|STOP|STREAM|THREADCOMM|WIN)_\w+|\w+_ENQUEUE)": "the same",
    r"(mpi|pmpir)_delete_error_\w+": "MPIX_Delete_error_class and its like of MPICH 4.0",
    r"mpi_f08_types_mp_pmpi_win_c2f_": "a slip of the pen",
    r"(mpi|pmpir)_free_mem_f08_": "Intel's has no name that would tell whether it takes an address or a descriptor",
}


def cases(context: Context):
    for soname in OURS:
        yield Case(f"names of {soname}", partial(check_real, context, soname))
    for name, soname in LISTS.items():
        yield Case(f"names of {name}", partial(check_list, context, name, soname))
    for abi, soname in TABLES.items():
        yield Case(f"names of the table for {abi}", partial(check_table, context, abi, soname))
    for wheel in OF_INTEL:
        yield Case(f"names of libmpifort.so.12 of the wheel {wheel.name}", partial(check_wheel, context, wheel))
    for soname in IN_ROOT:
        yield Case(f"names of {soname} of Debian 13", partial(check_in_root, context, soname))
    for soname in [*OURS, "libmpifort.so.12"]:
        yield Case(f"needs of {soname}", partial(check_needs, context, soname))


def folder(context: Context, soname: str) -> Path:
    return context.build / "lib" / "anympi" / OURS.get(soname, "mpich")


def needed(library: Path) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("--dynamic", library))


def exported(context: Context, soname: str) -> dict[str, dict[str, str]]:
    """Returns the symbols that anympi's library exports, and the symbols of anympi's libraries that it needs, by library."""
    found, todo = {}, [soname]
    while todo:
        library = folder(context, soname) / todo.pop()
        if library.exists():
            found |= {s["name"]: s for s in symbols(readelf("--dyn-syms", library))}
            todo += [name for name in needed(library) if not name.startswith("libc.")]
    return found


def is_internal(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in INTERNAL)


def check_real(context: Context, soname: str) -> Result:
    real = system_library(soname)
    return compare(context, soname, real) if real else not_installed(soname)


def check_wheel(context: Context, wheel: Wheel) -> Result:
    prefix, reason = install(context.root, wheel, context.may_install)
    return compare(context, "libmpifort.so.12", prefix / "lib" / "libmpifort.so.12") if prefix else context.absent(reason)


def check_in_root(context: Context, soname: str) -> Result:
    if not context.full and not roots.is_made(context, roots.DEBIAN_13):
        return skipped("fetches an image: --full")
    try:
        image = roots.image_of(context, roots.DEBIAN_13)
    except Unavailable as reason:
        return skipped(str(reason))
    return compare(context, soname, next(image.glob(f"usr/lib/*/{soname}")))


def check_table(context: Context, abi: str, soname: str) -> Result:
    """The library has everything that api/fortran_vendors.api lists."""
    from generator.fortran import vendors
    ours = exported(context, soname)
    listed = {what: names for what, names in vendors.read(context.root / "api" / "fortran_vendors.api")[abi].items()
              if what not in (vendors.HANDLE_VARIABLES, vendors.TYPES)}
    return result(sorted(name.partition("=")[0] for names in listed.values() for name in names if name.partition("=")[0] not in ours))


def compare(context: Context, soname: str, real: Path) -> Result:
    """Compares anympi's library with the vendor's library of the same name."""
    theirs = {s["name"]: s for s in symbols(readelf("--dyn-syms", real))}
    ours = exported(context, soname)
    missing = sorted(name for name in theirs if name not in ours and not is_internal(name))
    sizes = [f"{name}: {ours[name]['size']} bytes, {theirs[name]['size']} there" for name in sorted(theirs.keys() & ours.keys())
             if theirs[name]["type"] == "OBJECT" and theirs[name]["size"] != ours[name]["size"]]
    return result(missing, sizes)


def result(missing: list[str], others: list[str] = []) -> Result:
    lines = [f"{len(missing)} names are missing: {', '.join(missing[:200])}"] if missing else []
    return failed("\n".join(lines + others)) if lines or others else passed()


def spellings(name: str, ending: str, profiling: str) -> list[str]:
    """Returns the spellings of compilers for a procedure of mpif.h and mpi, with its profiling name. A procedure of
    mpi_f08 has one spelling.
    """
    if ending != "_":
        return [name + ending, re.sub("^mpi(?=_)", profiling, name) + ending]
    return [s for each in (name, f"p{name}") for s in (f"{each}_", f"{each}__", each, each.upper())]


def read_list(context: Context, name: str, profiling: str) -> list[str]:
    from generator.core import model
    names = []
    for _, endings, line in model.lines_in_sections(context.root / "tests" / "data" / "fortran" / f"{name}.names"):
        names += [s for word in line.split() for ending in endings.split()
                  for s in ([word] if ending == "-" else spellings(word, ending, profiling))]
    return names


def check_list(context: Context, name: str, soname: str) -> Result:
    listed = read_list(context, name, "pmpi" if name.startswith("openmpi") else "pmpir")
    ours = exported(context, soname)
    return result(sorted(n for n in listed if n not in ours and not is_internal(n)))


def check_needs(context: Context, soname: str) -> Result:
    """The library needs the front and no Fortran run-time library. Before glibc 2.34, libdl.so.2 has dlsym
    (docs/decisions/0017-old-systems.md).
    """
    allowed = {"libc.so.6", "libdl.so.2", "libmpi.so.12", "libmpi.so.40", "libmpi_mpifh.so.40", "libmpifort.so.12"}
    found = set(needed(folder(context, soname) / soname))
    return failed(f"needs {', '.join(sorted(found - allowed))}") if found - allowed or not found else passed()
