"""Facts: every value and layout of src/abi/, every prototype and constant of mpi.h, against the real headers.

What a header lacks or has otherwise is written down in tests/data/headers.txt and must be just that.
"""
from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

from facts import fortran, headers, prototypes, values
from facts.headers import Header, NoHeader
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime

# How mpi.h of the MPI Forum, which ours follows, and MPICH's mpi_abi.h differ: the Forum counts partitions' elements by
# int and has _c forms, and MPI_Fint is not of this ABI.
PARTITIONED = {"MPI_Psend_init", "MPI_Precv_init", "PMPI_Psend_init", "PMPI_Precv_init"}
KNOWN_IN_HEADERS = {"differ": PARTITIONED, "only ours": {f"{name}_c" for name in PARTITIONED} | {"MPI_Fint"},
                    "only theirs": set()}

IS_SERIAL = True


def cases(context: Context):
    sys.path.insert(0, str(context.root))
    from generator.core import model

    api = model.read(context.root / "api")
    yield Case("members of src/abi", partial(check_members, context, api))
    yield Case("values of our mpi.h", partial(check_our_header, context, api))
    for abi in fortran.WRAPPERS:
        yield Case(f"mpif.h of {abi}", partial(check_fortran, context, api, abi))
    for runtime in context.runtimes:
        yield Case(f"values on {runtime.name}", partial(with_header, runtime, partial(check_values, context, api)))
        yield Case(f"prototypes on {runtime.name}", partial(with_header, runtime, partial(check_prototypes, context, api)))
        if runtime.family == "standard":
            yield Case(f"our mpi.h and that of {runtime.name}",
                       partial(with_header, runtime, partial(check_against_ours, context, api)))


def check_members(context: Context, api) -> Result:
    """Every constant that is converted has its value in the files of the vendors; that of the standard is generated."""
    wanted = {c.member for c in api.constants if c.category not in values.ONLY_IN_HEADERS}
    missing = {abi: sorted(wanted - values.members(context, abi)) for abi in ("mpich", "openmpi")}
    text = "\n".join(f"src/abi/{abi}.hpp has no {', '.join(names)}" for abi, names in missing.items() if names)
    return failed(text) if text else passed()


def our_header(context: Context) -> Header:
    return headers.read("mpi.h", (f"-I{context.build / 'include'}",))


def check_our_header(context: Context, api) -> Result:
    return compare(context, api, "standard", our_header(context), None, {})


def check_fortran(context: Context, api, abi: str) -> Result:
    try:
        compared, wrong = fortran.differences(context, api, abi)
    except NoHeader as reason:
        return skipped(str(reason))
    if compared < 200:
        wrong.append(f"only {compared} constants were found")
    return failed("\n".join(wrong)) if wrong else passed()


def with_header(runtime: Runtime, check) -> Result:
    if runtime.missing:
        return skipped(runtime.missing)
    try:
        return check(runtime, headers.of_runtime(runtime))
    except NoHeader as reason:
        return skipped(str(reason))


def check_values(context: Context, api, runtime: Runtime, header: Header) -> Result:
    return compare(context, api, runtime.family, header, runtime.library, runtime.environment)


def check_prototypes(context: Context, api, runtime: Runtime, header: Header) -> Result:
    """Every function that the front calls in this library takes what the front passes."""
    from generator.core import homes

    names = prototypes.called_functions(api, homes.read(context.root / "src" / "bridge" / "homes.txt", api), header)
    lines = "".join(f"PROTOTYPE({name})\n" for name in names)
    try:
        output = values.compile_and_run(context, "prototypes", header, runtime.family, {"prototypes.inc": lines},
                                        None, {})
    except BuildError as error:
        return failed(str(error))
    return passed() if output == f"compared {len(names)}\n" and names else failed(f"{header.title}: {output}")


def check_against_ours(context: Context, api, runtime: Runtime, theirs: Header) -> Result:
    """Both headers describe the same ABI: the same functions and types, except for what is known."""
    converters = {f"{prefix}_{f.name}" for f in api.functions if f.converter for prefix in ("MPI", "PMPI")}
    ours = our_header(context)
    only_ours, only_theirs = prototypes.only_one_has(ours, theirs)
    found = {"differ": prototypes.conflicts(context, ours, theirs), "only ours": only_ours - converters,
             "only theirs": only_theirs}
    wrong = [f"{what}: {', '.join(sorted(names ^ KNOWN_IN_HEADERS[what]))}" for what, names in found.items()
             if names != KNOWN_IN_HEADERS[what]]
    return failed("not as expected (missing or in excess): " + "\n".join(wrong)) if wrong else passed()


def compare(context: Context, api, abi: str, header: Header, library: Path | None, environment: dict[str, str]) -> Result:
    lines = values.facts(context, api, abi, header)
    try:
        output = values.compile_and_run(context, "values", header, abi, {"facts.inc": "\n".join(lines) + "\n"}, library,
                                        environment)
    except BuildError as error:
        return failed(str(error))
    compared = re.search(r"^compared (\d+)$", output, re.MULTILINE)
    expected = sum(not line.startswith("HANDLE") for line in lines)
    if not compared or int(compared.group(1)) != expected:
        return failed(f"{expected} comparisons were due:\n{output}")
    found = {line for line in output.splitlines() if not line.startswith("compared ")}
    found |= {f"lacks {c.name}" for c in api.constants if c.name not in header.names}
    known = known_differences(context).get(header.title)
    if known is None:
        unexplained = [line for line in found if not line.startswith(("lacks ", "null "))]
        if unexplained:
            return failed(f"{header.title}:\n" + "\n".join(sorted(unexplained)))
        return skipped(f"the values agree, but tests/data/headers.txt has no section [{header.title}] for what is missing:\n"
                       + "\n".join(sorted(found)))
    wrong = [f"unexpected: {line}" for line in sorted(found - known)]
    wrong += [f"no longer: {line}" for line in sorted(known - found)]
    return failed(f"{header.title}, see tests/data/headers.txt:\n" + "\n".join(wrong)) if wrong else passed()


def known_differences(context: Context) -> dict[str, set[str]]:
    """tests/data/headers.txt: sections by library, lines `lacks NAME ...`, `null NAME ...`, `differs NAME=VALUE, not VALUE`."""
    known: dict[str, set[str]] = {}
    for text in (context.root / "tests" / "data" / "headers.txt").read_text().splitlines():
        text = text.split("#", 1)[0].strip()
        if text.startswith("["):
            section = known.setdefault(text.strip("[]"), set())
        elif text.startswith("differs "):
            section.add(text)
        elif text:
            how, *names = text.split()
            section.update(f"{how} {name}" for name in names)
    return known
