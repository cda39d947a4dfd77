"""The suite's source: Debian's source package of MPICH. apt downloads it without a change to the machine's settings."""
from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

PACKAGE = "mpich"
# Corrections for tests that assume, as in MPICH, that handles are of type int. The corrected tests still pass natively.
CORRECTIONS = {
    "coll/nonblocking2.c": [(r"int \*(send|recv)types", r"MPI_Datatype *\1types")],
    "coll/nonblocking3.c": [(r"int \*(send|recv)types", r"MPI_Datatype *\1types")],
    # The test has a switch over datatypes, which needs integers.
    "datatype/pack_external.c": [(r"switch \(dt\.mpi_type\) \{", "{"), (r"case (MPI_\w+):", r"if (dt.mpi_type == \1)"),
                                 ("default:", "")],
    # The null message is equal to the null request only in MPICH.
    "threads/pt2pt/mt_probe_impl.c": [(r"\*message != MPI_REQUEST_NULL", "*message != MPI_MESSAGE_NULL")]}
# Corrections of the Fortran folders, by patterns of their names.
FORTRAN_CORRECTIONS = {
    # The tests use some names that MPI 3 removed.
    "f??/datatype/allctypesf*.f*": [(r".*checkdtype\( MPI_[LU]B, .*\n", "")],
    "f??/datatype/typecntsf*.f*": [(r"MPI_COMBINER_(HVECTOR|HINDEXED|STRUCT)_INTEGER", r"MPI_COMBINER_\1")],
    # The tests reject versions of MPI that did not exist when the tests were written.
    "f??/init/baseenvf*.f*": [(r"iv \.gt\. 4\)", "iv .gt. 9)")],
    # The tests pass an array for a scalar, or scalars for arrays. A module with interfaces does not allow this. MPICH's
    # module has no interfaces.
    "f90/coll/alltoallvf90.f90": [(r"\b([sr]types),", r"\1(1),")],
    "f90/coll/split_typef90.f90": [(r"\b([sr]types),", r"\1(1),")],
    "f90/coll/*_inp*f90.f90": [(r"(alltoall[vw]\( MPI_IN_PLACE), 0, 0,", r"\1, [0], [0],"),
                               (r"(alltoallw\(.*), MPI_DATATYPE_NULL,", r"\1, [MPI_DATATYPE_NULL],")],
    # The test does not compile.
    "f08/io/c2f902cio.c": [(r"MTestReturnValue\(errs\)", "0")],
    # The test defines a procedure with the same name as a procedure in the module that it uses.
    "f90/profile/profile1f90.f90": [(r"(subroutine mpi_(?:send|recv)\([^)]*\) *\n *use mpi)\n", r"\1, only: MPI_STATUS_SIZE\n")]}
TO_SKIP_FETCHING = "a source tree of MPICH that is already there can be given with --source DIR"


def fetch(work: Path) -> Path:
    """Returns the folder of the suite (test/mpi of the package). Downloads, unpacks and corrects it, unless it exists."""
    suite = work / "source" / "test" / "mpi"
    if not suite.exists():
        unpack(download(work / "package"), work / "source")
    correct(suite)
    return suite


def copy(tree: Path, work: Path) -> Path:
    """Does the same as `fetch`, but copies the suite from a source tree of MPICH. The source tree does not change."""
    if not (tree / "test" / "mpi" / "configure").exists():
        raise SystemExit(f"anympi: {tree} is not a source tree of an MPICH release: it has no test/mpi/configure")
    suite = work / f"source-{hashlib.sha256(str(tree).encode()).hexdigest()[:8]}" / "test" / "mpi"
    if not suite.exists():
        shutil.copytree(tree / "test" / "mpi", suite, symlinks=True)
    correct(suite)
    return suite


def correct(suite: Path) -> None:
    for name, replacements in {**CORRECTIONS, **FORTRAN_CORRECTIONS}.items():
        for path in suite.glob(name):
            text = corrected = path.read_text()
            for pattern, replacement in replacements:
                corrected = re.sub(pattern, replacement, corrected)
            if corrected != text:
                path.write_text(corrected)


def command_output(command: list[str], what: str, **options) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    except FileNotFoundError:
        raise SystemExit(f"anympi: cannot {what}: {command[0]} is not installed\nanympi: {TO_SKIP_FETCHING}") from None
    if done.returncode != 0:
        lines = "\n".join((done.stderr or done.stdout).strip().splitlines()[-5:])
        raise SystemExit(f"anympi: cannot {what}: {' '.join(command)}\n{lines}\nanympi: {TO_SKIP_FETCHING}")
    return done.stdout


def source_lines() -> list[str]:
    """Returns the machine's Debian archives, including mirrors, as deb-src lines."""
    listing = command_output(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)",
                              "Created-By: Packages"], "ask apt for the machine's archives")
    lines = []
    for line in listing.splitlines():
        address, release, component, origin = line.split()
        if origin in ("Debian", "Ubuntu"):  # other archives have no MPICH, and often no sources
            lines.append(f"deb-src {address} {release} {component}")
    if not lines:
        raise SystemExit("anympi: apt knows no archive of Debian or Ubuntu; after `apt-get update`, as root, it does\n"
                         f"anympi: {TO_SKIP_FETCHING}")
    return lines


def download(folder: Path) -> Path:
    """Returns the archive of the package's upstream source, in the version of the installed MPICH if there is one."""
    print(f"fetching the source package of {PACKAGE}", flush=True)
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    sources = folder / "sources.list"
    sources.write_text("\n".join(source_lines()) + "\n")
    # apt downloads as root: its special user for downloads may have no permission to write here.
    apt = ["apt-get", "-o", f"Dir::Etc::SourceList={sources}", "-o", "Dir::Etc::SourceParts=/dev/null",
           "-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache::srcpkgcache={folder / 'srcpkgcache.bin'}",
           "-o", f"Dir::Cache::pkgcache={folder / 'pkgcache.bin'}", "-o", "APT::Sandbox::User=root"]
    command_output([*apt, "update"], "read the list of source packages")
    command_output([*apt, "source", "--download-only", PACKAGE + installed_version()], f"download the source of {PACKAGE}",
                   cwd=folder)
    archives = sorted(folder.glob(f"{PACKAGE}_*.orig.tar.*"))
    archives = [path for path in archives if path.suffix != ".asc"]
    if not archives:
        raise SystemExit(f"anympi: the source package of {PACKAGE} has no upstream archive: {folder}")
    return archives[-1]


def installed_version() -> str:
    """Returns `=VERSION` for the installed package of MPICH. Returns an empty text if there is no such package, so that apt
    uses the newest version.
    """
    try:
        asked = subprocess.run(["dpkg-query", "--show", "--showformat=${source:Version}", "libmpich-dev"],
                               capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return f"={asked.stdout}" if asked.returncode == 0 and asked.stdout else ""


def unpack(archive: Path, target: Path) -> None:
    # The archive is unpacked into a second folder, so that an interrupted unpacking does not count as complete. Debian's
    # patches concern only the packaging and are left out.
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    command_output(["tar", "--extract", "--no-same-owner", "--file", str(archive), "--directory", str(partial),
                    "--strip-components=1", "--wildcards", "*/test/mpi"], f"unpack {archive.name}")
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)
