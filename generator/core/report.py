"""The report: every function with its home, its replacement on libraries that lack it, and the totals."""

from __future__ import annotations

import textwrap
from collections import Counter

from .homes import Home
from .model import Api
from .overrides import Register
from .synonyms import Synonym


def totals(api: Api, homes: dict[str, Home]) -> dict[str, int]:
    counts = Counter(homes[f.name].how for f in api.functions)
    return {how: counts[how] for how in ("generated", "written", "answered")}


def _built(function: str, register: Register) -> str:
    """Describes how anympi implements the function if the library lacks it, and which functions the implementation needs."""
    entry = register.absent.get(function)
    if entry is None:
        return ""
    needs = f"needs {','.join(entry.needs)}" if entry.needs else "every library has what it calls"
    return f"  (built: {entry.sentence}; {needs})"


def _extensions(function: str, register: Register) -> str:
    """Describes the overrides that extend the library's function, with their libraries and moments."""
    mine = [entry for entry in register.extended if entry.function == function]
    return "".join(f"  (extended by {entry.file}: {entry.conditions}, {entry.when})" for entry in mine)


def _bridge(function: str, register: Register) -> str:
    """Describes the bridge that is used even on a library of the standard ABI."""
    entry = register.bridged.get(function)
    return f"  (bridged: {entry.conditions}, {entry.when})" if entry else ""


def write(api: Api, homes: dict[str, Home], register: Register, extensions: list[Synonym]) -> str:
    older = {s.function.name: s.name for s in extensions}
    lines = [f"{how} {count}" for how, count in totals(api, homes).items()]
    lines += [f"absent {len(register.absent)}", f"wrong {len(register.wrong)}", f"extended {len(register.extended)}", f"bridged {len(register.bridged)}"]
    lines += [f"functions {len(api.functions)}", f"callbacks {len(api.callbacks)}", ""]
    for function in api.functions:
        home = homes[function.name]
        needs = "" if home.needs in (None, function.name) else f"  (needs {home.needs})"
        also = f"  (also {older[function.name]})" if function.name in older else ""
        wrong = f"  (wrong in {register.wrong[function.name].conditions})" if function.name in register.wrong else ""
        built = _built(function.name, register)
        extended = _extensions(function.name, register)
        lines.append(f"MPI_{function.name:<40} {home.how:<10} {home.file}{needs}{also}{wrong}{built}{extended}{_bridge(function.name, register)}")
    return "\n".join(lines) + "\n"


def names(api: Api, homes: dict[str, Home], register: Register) -> str:
    """Returns the text that tests/data/names.txt freezes: the home of each function, the overridden functions, and callbacks."""
    kinds = {how: [f.name for f in api.functions if homes[f.name].how == how] for how in ("generated", "written", "answered")}
    kinds |= {"absent": sorted(register.absent), "wrong": sorted(register.wrong)}
    kinds["extended"] = [f"{entry.function}({entry.file})" for entry in register.extended]
    kinds["bridged"] = sorted(register.bridged)
    kinds["callbacks"] = [c.name for c in api.callbacks]
    lines = []
    for kind, found in kinds.items():
        lines += [f"[{kind}]", *textwrap.wrap(" ".join(found), 140, break_on_hyphens=False), ""]
    return "\n".join(lines)
