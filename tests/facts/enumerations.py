"""Compares the enumerations of the typed API with the constants of api/constants.api."""
from __future__ import annotations

import re
from pathlib import Path

# The typed API has no enumeration for the tools interface, the last code is not an error, and names with
# MPIX are not in the standard.
LEFT_OUT = re.compile(r"MPI_T_ERR_\w+|MPI_ERR_LASTCODE|MPIX_\w+")


def named_constants(folder: Path) -> set[str]:
    """Returns the constants for which the headers have enumerators."""
    bodies = (body for header in folder.glob("*.hpp") for body in re.findall(r"enum class \w+ : int \{(.*?)\}", header.read_text(), re.DOTALL))
    return {name for body in bodies for name in re.findall(r"\bMPI_\w+", body)}


def missing_enumerators(api, named: set[str]) -> list[str]:
    """Returns the constants without an enumerator, in the categories that have enumerators."""
    categories = {c.category for c in api.constants if c.name in named}
    return [c.name for c in api.constants if c.category in categories and c.name not in named and not LEFT_OUT.fullmatch(c.name)]
