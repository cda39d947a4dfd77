"""The report: every function with its one home, what stands in for it where a library lacks it, and the totals."""

from __future__ import annotations

from collections import Counter

from .emulations import Emulation
from .homes import Home
from .model import Api
from .synonyms import Synonym


def totals(api: Api, homes: dict[str, Home]) -> dict[str, int]:
    counts = Counter(homes[f.name].how for f in api.functions)
    return {how: counts[how] for how in ("generated", "written", "answered")}


def _ingredients(emulation: Emulation) -> str:
    """What it calls, and how it is done in words."""
    return f"{','.join(emulation.needs) or '-'} as {emulation.how}"


def write(api: Api, homes: dict[str, Home], emulations: dict[str, Emulation], extensions: list[Synonym], wrong: dict[str, str]) -> str:
    older = {s.function.name: s.name for s in extensions}
    lines = [f"{how} {count}" for how, count in totals(api, homes).items()]
    lines += [f"emulations {len(emulations)}", f"functions {len(api.functions)}", f"callbacks {len(api.callbacks)}", ""]
    for function in api.functions:
        home = homes[function.name]
        needs = "" if home.needs in (None, function.name) else f"  (needs {home.needs})"
        also = f"  (also {older[function.name]})" if function.name in older else ""
        not_used = f"  (wrong {wrong[function.name]})" if function.name in wrong else ""
        built = f"  (built from {_ingredients(emulations[function.name])})" if function.name in emulations else ""
        lines.append(f"MPI_{function.name:<40} {home.how:<10} {home.file}{needs}{also}{not_used}{built}")
    return "\n".join(lines) + "\n"
