"""Writes the procedures of the vendors' mpi_f08 whose buffers have the compiler's own descriptor, such as mpi_send_f08ts_.

These procedures do not have BIND(C), so their descriptor is not the standard descriptor of C.
src/fortran/sections/compiler_descriptor.hpp converts it to the standard's.
"""

from __future__ import annotations

from . import entries
from . import sections
from .procedures import CHARACTER, CHOICE, Procedure


# For each vendor: the prefixes of the procedures, and for each of them the prefix of the C functions that they call.
_PREFIXES = {"mpich": {"mpi_": "MPI_", "pmpir_": "PMPI_"}, "openmpi": {"mpi_": "MPI_", "pmpi_": "PMPI_"}}


def linker_names(p: Procedure, prefix: str, app: str, aliases: dict[str, list[str]]) -> list[str]:
    """Returns the linker names. For large counts, the name in MPICH 4.0 differs from the name in later versions, Intel MPI
    and Open MPI.
    """
    name = f"{prefix}{p.name.lower()}_f08ts_"
    old_name = [f"{prefix}{p.small_name.lower()}_f08ts_large_"] if p.large and app == "mpich" else []
    return [name, *old_name, *aliases.get(name, [])]


def _parameters(p: Procedure) -> list[tuple[str, str]]:
    choices = {a.c.name for a in p.arguments if a.f08 == CHOICE}
    return [("const void*", name) if name in choices else (kind, name) for kind, name in entries.parameters(p)]


def _arguments(p: Procedure) -> str:
    forms = {a.c.name: f"standard_form({a.c.name})" for a in p.arguments if a.f08 == CHOICE}
    forms |= {a.c.name: f"standard_form({a.c.name}, {a.c.name}_length)" for a in p.arguments if a.f08 == CHARACTER}
    lengths = {f"{name}_length" for name in forms}
    return ", ".join(forms.get(name, name) for _, name in _parameters(p) if name not in lengths)


def _body(p: Procedure, by_address: str, calls: str) -> list[str]:
    """Writes the body. For contiguous buffers, it calls the procedure of mpif.h if there is one.

    The procedure of mpif.h always writes ierror.
    """
    if not sections.has_procedure_by_address(p):
        return [f"    sections::{p.name}_f08ts<{calls}>({_arguments(p)});"]
    choices = [a.c.name for a in p.arguments if a.f08 == CHOICE]
    addresses = ["ierror != nullptr ? ierror : &ignored" if name == "ierror" else name for name in sections.addresses_of_sections(p)]
    return [
        *(f"    const standard_form {name}_form({name});" for name in choices),
        *(f"    const descriptor* const {name}_section = {name}_form;" for name in choices),
        f"    if (!({sections.are_plain(p)})) [[unlikely]]",
        f"        return sections::{p.name}_any<{calls}>({sections.any_arguments(p)});",
        "    int ignored;",
        f"    {by_address}({', '.join(addresses)});",
    ]


def _entry(p: Procedure, prefix: str, app: str, aliases: dict[str, list[str]]) -> list[str]:
    first, *others = linker_names(p, prefix, app, aliases)
    c_prefix = _PREFIXES[app][prefix]
    lines = [f"EXPORTED void {first}({entries.declarations(_parameters(p))}) {{", *_body(p, entries.full_path("by_address", p, c_prefix), entries.CALLS[c_prefix]), "}"]
    return lines + [f'EXPORTED decltype({first}) {name} __attribute__((alias("{first}")));' for name in others]


def exports_file(procedures: list[Procedure], app: str, aliases: dict[str, list[str]]) -> str:
    lines = ['#include "fortran/core/exported.hpp"', '#include "fortran/sections/compiler_descriptor.hpp"', '#include "fortran_sections.hpp"', ""]
    lines += ["namespace anympi::fortran {", ""]
    for p in sections.with_descriptors(procedures):
        lines += [line for prefix in _PREFIXES[app] for line in _entry(p, prefix, app, aliases)]
    return "\n".join(lines + ["", "} // namespace anympi::fortran"]) + "\n"
