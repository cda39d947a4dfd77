"""The promises of api/overrides.api."""
from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from .runtimes import Runtime

Chain = tuple[str, ...]  # the functions in one place: numbers of overrides, the newest first, and the original function


@lru_cache(maxsize=None)
def read_api(root: Path):
    """Returns the register, older names of functions, homes of all functions, and the symbols of MPICH libraries that
    have MPI_INTEGER16.
    """
    from generator.core import homes, large, model, overrides, synonyms

    api = model.read(root / "api")
    written = overrides.read(root / "api" / "overrides.api", api)
    older = {s.function.name: s.name for s in synonyms.read(root / "api" / "synonyms.api", api) if s.is_extension}
    integer16 = next(constant for constant in api.constants if constant.name == "MPI_INTEGER16").note("mpich with").split(" and ")
    register = overrides.complete(written, large.overrides(api, written.absent))
    return register, older, homes.read(root / "src" / "bridge" / "homes.txt", api), integer16


class Register:
    """The promises of api/overrides.api for one runtime, to programs of one ABI."""

    def __init__(self, root: Path, runtime: Runtime, program: str = "standard"):
        self.entries, self.older, self.homes, self.integer16 = read_api(root)
        self.names = list(self.homes)
        self.runtime = runtime
        self.program = program
        self.is_direct = runtime.family == program == "standard"
        self.lineage = "mpich" if runtime.family == "standard" else runtime.family

    def has(self, name: str) -> bool:
        return self.runtime.exports(f"MPI_{name}") or self.runtime.exports(self.older.get(name, "-"))

    def lacks_type(self) -> bool:
        """Returns True if the library lacks MPI_INTEGER16. For Open MPI, only the running library can tell."""
        return self.runtime.family == "openmpi" or not all(map(self.runtime.exports, self.integer16))

    def fulfils(self, condition) -> bool:
        found = {"family": self.lineage == condition.of, "abi": self.runtime.family == condition.of, "datatype": self.lacks_type()}
        return found[condition.word] if condition.word in found else self.has(condition.of) == (condition.word == "with")

    def applies(self, entry) -> bool:
        return all(map(self.fulfils, entry.libraries))

    def bottom(self, name: str) -> str:
        """Returns the function in a place before anything is extended."""
        wrong = self.entries.wrong.get(name)
        if self.has(name):
            return "wrong" if wrong and self.applies(wrong) and all(map(self.has, wrong.needs)) else "library"
        return "absent" if self.can_be_built(name) else "missing"

    def can_be_built(self, name: str) -> bool:
        entry = self.entries.absent.get(name)
        return not self.is_direct and entry is not None and all(self.has(part) or self.can_be_built(part) for part in entry.needs)

    def promises(self, function: str) -> bool:
        """Returns True if a program may call the function. With bridges, a program may call all of MPI, whatever the
        register says: an emulation that was removed from the register is noticed. Without bridges, it may call the
        library's functions. Any other name belongs to a helper of the tests.
        """
        name = function.removeprefix("MPI_")
        return not self.is_direct or name not in self.homes or self.runtime.exports(function) or name in self.bridged()

    def at_binding(self) -> dict[str, Chain]:
        chains = {name: (self.bottom(name),) for name in self.names}
        for number, entry in enumerate(self.entries.extended):
            chain = chains[entry.function]
            is_same = chain in (("absent",), ("wrong",)) and entry.code == self.entries.absent[entry.function].code
            if self.comes_at_binding(entry) and self.applies(entry) and chain != ("missing",) and not is_same:
                chains[entry.function] = (str(number), *chain)
        return chains

    def comes_at_binding(self, entry) -> bool:
        is_of_program = self.program == "standard" or entry.when != "standard_program"
        return is_of_program and entry.when not in self.entries.lazy and not self.is_direct

    def bridged(self, is_at_end: bool = False) -> set[str]:
        """Returns functions with a bridge in the slot, although the library is called without bridges."""
        needs = {name: self.homes[name].needs for name in self.entries.bridged} if self.is_direct else {}
        return {name for name, need in needs.items() if (need is None or self.has(need))
                and (is_at_end or self.entries.bridged[name].when not in self.entries.lazy)}

    def moments(self) -> set[str]:
        """Returns the moments of the program that occur on this runtime."""
        entries = [entry for entry in self.entries.extended if entry.when in self.entries.lazy and self.applies(entry)]
        return {entry.when for entry in entries if not (self.is_direct and entry.when == "large_datatype")}

    def later(self, moments: set[str]) -> dict[str, set[str]]:
        """Returns the numbers that these moments add to each function."""
        added: dict[str, set[str]] = {name: set() for name in self.names}
        for number, entry in enumerate(self.entries.extended):
            if entry.when in moments and self.applies(entry):
                added[entry.function].add(str(number))
        return added
