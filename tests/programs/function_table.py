"""The table of the library's functions, after binding and after all lazy overrides, against api/overrides.api and
`anympi inspect`. For a library that is called without bridges, also the slots that keep a bridge."""
from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

from lib.anympi import anympi
from lib.checks import with_programs
from lib.context import Context
from lib.register import Chain, Register
from lib.results import Case, Result, failed, passed
from lib.runtimes import Runtime
from lib.vendor_table import VENDORS, Vendor

from fronts.vendor_programs import build, front_folder

AT_BINDING, AT_END = "at binding", "at the end"
SHOWN = {"ANYMPI_SHOW_FUNCTIONS": "1"}
OFF = {"ANYMPI_EMULATE": "off"}


def cases(context: Context):
    for runtime in context.available:
        yield Case(f"on {runtime.name}", partial(with_programs, check, context, runtime), is_serial=True)
        yield Case(f"inspect {runtime.name}", partial(with_programs, check_inspect, context, runtime, "all_overrides", {}), is_serial=True)
        yield Case(f"inspect {runtime.name} without emulation", partial(with_programs, check_inspect, context, runtime, "typed_exchange", OFF), is_serial=True)
    for vendor in VENDORS:
        for runtime in context.available:
            if runtime.family in vendor.runs_on:
                yield Case(f"{vendor.abi} program on {runtime.name}", partial(with_programs, check_vendor, context, vendor, runtime), is_serial=True)


class Table(dict[str, Chain]):
    """The table that the front prints. Functions that it does not print are the library's own."""

    def __init__(self, output: str, when: str, names: list[str]):
        printed = re.findall(rf"function table {when}: (\w+)( bridged)? (.+)$", output, re.MULTILINE)
        super().__init__({name: ("library",) for name in names} | {name: tuple(chain.split()) for name, _, chain in printed})
        self.is_whole = f"function table {when} ends" in output
        self.bridged = {name for name, bridge, _ in printed if bridge}


def differences(printed: dict[str, Chain], promised: dict[str, Chain]) -> list[str]:
    return [f"MPI_{name}: the table has {' '.join(printed[name])}, promised is {' '.join(promised[name])}" for name in promised
            if printed[name] != promised[name]]


def differences_at_end(printed: dict[str, Chain], before: dict[str, Chain], added: dict[str, set[str]]) -> list[str]:
    """Compares the table with the table before: each chain must begin with exactly the added functions, then the former ones. Returns the differences."""
    wrong = []
    for name, chain in before.items():
        new = len(printed[name]) - len(chain)
        wanted = added[name] if chain != ("missing",) else set()
        if printed[name][new:] != chain or new < 0 or len(wanted) != new or set(printed[name][:new]) != wanted:
            wrong.append(f"MPI_{name}: the table has {' '.join(printed[name])}, promised is {' '.join(chain)} and then {sorted(wanted)}")
    return wrong


def bridge_differences(printed: set[str], promised: set[str]) -> list[str]:
    return [f"MPI_{name}: {'a' if name in printed else 'no'} bridge, which the register does not say" for name in sorted(printed ^ promised)]


def source_of(context: Context, tool: str) -> Path:
    return context.root / "tests" / "fronts" / "tools" / f"{tool}.c"


def run_tool(context: Context, runtime: Runtime, tool: str, environment: dict[str, str]):
    program = context.compile(tool, [source_of(context, tool), context.build / "include" / "mpi.h"], context.program_flags())
    return context.run_mpi(runtime, 1, program, environment={**SHOWN, **environment})


def is_complete(done) -> bool:
    """Returns True if the tool has used everything that it must use."""
    return done.code == 0 and "all was used" in done.output


def check(context: Context, runtime: Runtime) -> Result:
    return compare(run_tool(context, runtime, "all_overrides", {}), Register(context.root, runtime))


def check_vendor(context: Context, vendor: Vendor, runtime: Runtime) -> Result:
    """Checks the front of a vendor's programs, which has no functions that only programs of the standard ABI need, and
    the output of `anympi inspect` for it."""
    program = build(context, vendor, source_of(context, "all_overrides"), [])
    done = context.run_mpi(runtime, 1, program, environment={**SHOWN, "LD_LIBRARY_PATH": str(front_folder(context, vendor))})
    register = Register(context.root, runtime, vendor.abi)
    compared = compare(done, register)
    return compared if compared.kind == "failed" else compare_inspect(context, done, register, {})


def compare(done, register: Register) -> Result:
    """Compares in both directions: each entry that is not the library's must be in the register, and each promise of
    the register must be in the table."""
    begin, end = (Table(done.output, when, register.names) for when in (AT_BINDING, AT_END))
    if not (begin.is_whole and end.is_whole and is_complete(done)):
        return failed(done.describe())
    promised = register.at_binding()
    wrong = differences(begin, promised)
    wrong += bridge_differences(begin.bridged, register.bridged()) + bridge_differences(end.bridged, register.bridged(is_at_end=True))
    wrong += differences_at_end(end, promised, register.later(register.moments()))
    return failed(f"{register.runtime.library} (numbers: generated/overrides.txt)\n" + "\n".join(wrong)) if wrong else passed()


def check_inspect(context: Context, runtime: Runtime, tool: str, environment: dict[str, str]) -> Result:
    return compare_inspect(context, run_tool(context, runtime, tool, environment), Register(context.root, runtime), environment)


def compare_inspect(context: Context, done, register: Register, environment: dict[str, str]) -> Result:
    """Checks that `anympi inspect --functions` prints the table at binding and the functions that the tool's uses
    add."""
    runtime = register.runtime
    begin, end = (Table(done.output, when, register.names) for when in (AT_BINDING, AT_END))
    shown = anympi(context, "inspect", "--functions", "--json", "--abi", register.program,
                   environment={"MPI_HOME": str(runtime.library.parent.parent), **environment})
    if not (begin.is_whole and end.is_whole and is_complete(done)) or shown.code != 0:
        return failed(f"{done.describe()}\n{shown.describe()}")
    wrong = ours_in(begin, register) if environment == OFF else []
    for function in json.loads(shown.output)["functions"]:
        answers = [mpi for mpi in function["machine"] if Path(mpi["path"]).resolve() == runtime.library.resolve()]
        if len(answers) != 1:
            return failed(f"{runtime.library} is shown {len(answers)} times: {[mpi['path'] for mpi in function['machine']]}")
        wrong += differences_from_inspect(function["name"], answers[0], begin, end) + needs_from_inspect(function["name"], answers[0], register)
        if register.is_direct:
            wrong += bridges_from_inspect(function["name"], answers[0], begin, end)
    return failed("\n".join(wrong)) if wrong else passed()


def ours_in(table: Table, register: Register) -> list[str]:
    """With ANYMPI_EMULATE=off, binding changes no function of the library, except the version of a library that lacks
    nothing."""
    usual = {"library", "missing"} | {str(number) for number, entry in enumerate(register.entries.extended) if entry.when == "whole_standard"}
    return [f"MPI_{name}: not the library's" for name, chain in table.items() if chain[0] not in usual]


def differences_from_inspect(function: str, answer: dict, begin: Table, end: Table) -> list[str]:
    if answer["needs"] is None:
        return []
    needs = answer["needs"].removeprefix("MPI_")
    promised = {needs: promised_chain(answer)}
    added = {needs: {str(layer["number"]) for layer in answer["later"] if layer["reason"] == "extended"}}
    return [f"{function}, by inspect: {difference}" for difference in
            differences(begin, promised) + differences_at_end(end, promised, added)]


def needs_from_inspect(function: str, answer: dict, register: Register) -> list[str]:
    """Compares the needs in the register, for emulated functions only."""
    wrong = []
    for layer in answer["layers"] + answer["later"]:
        is_built = layer["reason"] in ("absent", "wrong")
        promised = [f"MPI_{name}" for name in register.entries.absent[answer["needs"].removeprefix("MPI_")].needs] if is_built else None
        wrong += [f"{function}, by inspect: {layer['by']} needs {layer['needs']}, promised is {promised}"] if layer["needs"] != promised else []
    return wrong


def bridges_from_inspect(function: str, answer: dict, begin: Table, end: Table) -> list[str]:
    """Compares the slots of a library that is called without bridges. Functions that anympi answers itself are in the
    slots."""
    name = function.removeprefix("MPI_")
    at_binding = answer["needs"] is None or has_bridge(answer["layers"])
    wrong = (name in begin.bridged) != at_binding or (name in end.bridged) != (at_binding or has_bridge(answer["later"]))
    return [f"{function}: by inspect {'a' if at_binding else 'no'} bridge at binding, and then {answer['later']}"] if wrong else []


def has_bridge(layers: list[dict]) -> bool:
    return any(layer["reason"] == "bridged" for layer in layers)


def promised_chain(answer: dict) -> Chain:
    numbers = [str(layer["number"]) for layer in answer["layers"] if layer["reason"] == "extended"]
    built = [layer["reason"] for layer in answer["layers"] if layer["reason"] in ("absent", "wrong")]
    return (*numbers, *(built or ["missing" if answer["answer"] == "missing" else "library"]))
