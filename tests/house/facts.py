"""Compares every value and layout of src/abi/ and every prototype and constant of mpi.h with the real headers, and checks the
enumerations of the typed API.

api/constants.api tells which release has a constant. tests/data/headers.txt lists all other differences.
"""
from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from facts import compare_prototypes, enumerations, library_header, mpif_constants, values
from facts.library_header import Header, NoHeader
from lib.context import BuildError, Context
from lib.results import Case, Result, failed, passed, skipped
from lib.runtimes import Runtime
from lib.vendor_table import VENDOR_OF

# Differences between mpi.h of the MPI Forum, which anympi's follows, and MPICH's mpi_abi.h: the Forum counts the
# elements of partitions by int and has _c forms, and MPI_Fint does not belong to this ABI. MPI_H_ABI is the guard of
# the header.
PARTITIONED = {"MPI_Psend_init", "MPI_Precv_init", "PMPI_Psend_init", "PMPI_Precv_init"}
ONLY_OURS = {f"{name}_c" for name in PARTITIONED} | {"MPI_Fint"}
CONSTANTS_ONLY_THEIRS = {"MPI_H_ABI"}
OUR_TITLE = "standard ABI, mpi.h"

IS_SERIAL = True


def cases(context: Context):
    from generator.core import model

    api = model.read(context.root / "api")
    yield Case("members of the ABIs", partial(check_members, context, api))
    yield Case("enumerations of the typed API", partial(check_enumerations, context, api))
    yield Case("values of our mpi.h", partial(check_our_header, context, api))
    for abi in VENDOR_OF:
        yield Case(f"mpif.h of {abi}", partial(check_fortran, context, api, abi))
    for runtime in context.runtimes:
        yield Case(f"values on {runtime.name}", partial(with_header, context, runtime, partial(check_values, context, api)))
        yield Case(f"prototypes on {runtime.name}", partial(with_header, context, runtime, partial(check_prototypes, context, api)))
        if runtime.family == "standard":
            yield Case(f"anympi's mpi.h and the mpi.h of {runtime.name}",
                       partial(with_header, context, runtime, partial(check_against_ours, context, api)))


def check_members(context: Context, api) -> Result:
    """Every converted constant has its value in each ABI."""
    from generator.core import model

    wanted = {c.member for c in api.constants if c.category not in values.ONLY_IN_HEADERS}
    missing = {abi: sorted(wanted - values.members(context, abi)) for abi in model.ABIS}
    text = "\n".join(f"generated/{abi}_values.hpp has no {', '.join(names)}" for abi, names in missing.items() if names)
    return failed(text) if text else passed()


def check_enumerations(context: Context, api) -> Result:
    named = enumerations.named_constants(context.root / "include" / "anympi")
    missing = enumerations.missing_enumerators(api, named)
    if "MPI_SUCCESS" not in named:
        return failed("no enumeration of error classes was found")
    return failed(f"include/anympi has no enumerator for {', '.join(missing)}") if missing else passed()


def our_header(context: Context) -> Header:
    return library_header.read("mpi.h", (f"-I{context.build / 'include'}",))


def check_our_header(context: Context, api) -> Result:
    return compare(context, api, "standard", our_header(context), None, {})


def check_fortran(context: Context, api, abi: str) -> Result:
    compared, wrong = mpif_constants.differences(context, api, abi)
    if compared < 200:
        wrong.append(f"only {compared} constants were found")
    return failed("\n".join(wrong)) if wrong else passed()


def with_header(context: Context, runtime: Runtime, check) -> Result:
    if runtime.missing:
        return runtime.absent()
    try:
        return check(runtime, library_header.of_runtime(runtime))
    except NoHeader as reason:
        return context.absent(reason)


def check_values(context: Context, api, runtime: Runtime, header: Header) -> Result:
    return compare(context, api, runtime.family, header, runtime.library, runtime.environment)


def check_prototypes(context: Context, api, runtime: Runtime, header: Header) -> Result:
    """Every function that the front calls in this library takes the arguments that the front passes."""
    from generator.core import homes

    names = compare_prototypes.called_functions(api, homes.read(context.root / "src" / "bridge" / "homes.txt", api), header)
    lines = "".join(f"PROTOTYPE({name})\n" for name in names)
    try:
        output = values.compile_and_run(context, "prototypes", header, runtime.family, {"prototypes.inc": lines},
                                        None, {})
    except BuildError as error:
        return failed(str(error))
    return passed() if output == f"compared {len(names)}\n" and names else failed(f"{header.title}: {output}")


def check_against_ours(context: Context, api, runtime: Runtime, theirs: Header) -> Result:
    """Both headers describe the same ABI: the same functions, types and constants, except for known differences."""
    converters = {name for f in api.functions if f.converter for name in both_names(f)}
    ours = our_header(context)
    only_ours, only_theirs = compare_prototypes.only_one_has(ours, theirs)
    compared = {"differ": (compare_prototypes.conflicts(context, ours, theirs), PARTITIONED),
                "only ours": (only_ours - converters, ONLY_OURS | newer_functions(api, theirs)),
                "only theirs": (only_theirs, set()),
                "constants only theirs": (theirs.constants - ours.constants, CONSTANTS_ONLY_THEIRS)}
    wrong = [f"{what}: {', '.join(sorted(found ^ known))}" for what, (found, known) in compared.items() if found != known]
    return failed("not as expected (missing or in excess): " + "\n".join(wrong)) if wrong else passed()


def both_names(function) -> set[str]:
    return {f"MPI_{function.name}", f"PMPI_{function.name}"}


def newer_functions(api, header: Header) -> set[str]:
    """Returns functions of a newer MPI than the header's."""
    return {name for f in api.functions if release(f.since) > release_of(header, "standard") for name in both_names(f)}


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
    found |= presence(api, abi, header)
    known = known_differences(context).get(header.title)
    if known is None:
        unexplained = [line for line in found if not line.startswith(("lacks ", "null "))]
        if unexplained:
            return failed(f"{header.title}:\n" + "\n".join(sorted(unexplained)))
        return skipped(f"the values agree, but tests/data/headers.txt has no section [{header.title}] for what is missing:\n"
                       + "\n".join(sorted(found)))
    wrong = [f"unexpected: {line}" for line in sorted(found - known)]
    wrong += [f"no longer: {line}" for line in sorted(known - found)]
    return failed(f"{header.title}, see api/constants.api and tests/data/headers.txt:\n" + "\n".join(wrong)) if wrong else passed()


def release(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def release_of(header: Header, abi: str) -> tuple[int, ...]:
    """Returns the release by which api/constants.api counts. The tested releases of Intel MPI have everything that
    MPICH 5.0 has.
    """
    if abi == "standard":
        return release(f"{header.macros['MPI_VERSION']}.{header.macros['MPI_SUBVERSION']}")
    return (5, 0) if header.title.startswith("Intel MPI") else release(header.title)


def should_have(constant, abi: str, header: Header) -> bool:
    """Returns True if api/constants.api says that this release has the constant. anympi's header also has constants of
    a newer MPI.
    """
    return constant.exists_in(abi) and (header.title == OUR_TITLE or release_of(header, abi) >= release(constant.note(f"since {abi}")))


def presence(api, abi: str, header: Header) -> set[str]:
    """Returns `lacks NAME` and `has NAME` for constants whose presence in the header differs from api/constants.api."""
    constants = [c for c in api.constants if abi in c.columns]
    return {f"{'has' if c.name in header.names else 'lacks'} {c.name}" for c in constants
            if (c.name in header.names) != should_have(c, abi, header)}


def known_differences(context: Context) -> dict[str, set[str]]:
    """Returns tests/data/headers.txt: sections by library, lines `lacks NAME ...`, `has NAME ...`, `null NAME ...`,
    `differs NAME=VALUE, not VALUE`, `presence …`.
    """
    known: dict[str, set[str]] = {}
    for text in (context.root / "tests" / "data" / "headers.txt").read_text().splitlines():
        text = text.split("#", 1)[0].strip()
        if text.startswith("["):
            section = known.setdefault(text.strip("[]"), set())
        elif text.startswith(("differs ", "presence ")):
            section.add(text)
        elif text:
            how, *names = text.split()
            section.update(f"{how} {name}" for name in names)
    return known
