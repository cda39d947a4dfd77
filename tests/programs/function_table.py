"""Who answers: the table of the library's functions, after binding and after everything lazy, against api/overrides.api and `anympi inspect`."""
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

AT_BINDING, AT_END = "at binding", "at the end"
OFF = {"ANYMPI_EMULATE": "off"}


def cases(context: Context):
    for runtime in context.available:
        yield Case(f"on {runtime.name}", partial(with_programs, check, context, runtime), is_serial=True)
        yield Case(f"inspect {runtime.name}", partial(with_programs, check_inspect, context, runtime, "all_overrides", {}), is_serial=True)
        yield Case(f"inspect {runtime.name} without emulation", partial(with_programs, check_inspect, context, runtime, "typed_exchange", OFF), is_serial=True)
    yield Case("without emulation", partial(with_programs, check_off, context))


def read_table(output: str, when: str, names: list[str]) -> dict[str, Chain] | None:
    """What the front tells; functions that it leaves out are the library's own."""
    if f"function table {when} ends" not in output:
        return None
    printed = re.findall(rf"function table {when}: (\w+) (.+)$", output, re.MULTILINE)
    return {name: ("library",) for name in names} | {name: tuple(chain.split()) for name, chain in printed}


def differences(printed: dict[str, Chain], promised: dict[str, Chain]) -> list[str]:
    return [f"MPI_{name}: the table has {' '.join(printed[name])}, promised is {' '.join(promised[name])}" for name in promised
            if printed[name] != promised[name]]


def differences_at_end(printed: dict[str, Chain], before: dict[str, Chain], added: dict[str, set[str]]) -> list[str]:
    """Above what stood there before, exactly what was added, in the order of the first uses."""
    wrong = []
    for name, chain in before.items():
        new = len(printed[name]) - len(chain)
        wanted = added[name] if chain != ("missing",) else set()
        if printed[name][new:] != chain or new < 0 or len(wanted) != new or set(printed[name][:new]) != wanted:
            wrong.append(f"MPI_{name}: the table has {' '.join(printed[name])}, promised is {' '.join(chain)} and then {sorted(wanted)}")
    return wrong


def run_tool(context: Context, runtime: Runtime, tool: str, environment: dict[str, str]):
    source = context.root / "tests" / "fronts" / "tools" / f"{tool}.c"
    program = context.compile(tool, [source, context.build / "include" / "mpi.h"], context.program_flags())
    return context.run_mpi(runtime, 1, program, environment={"ANYMPI_SHOW_FUNCTIONS": "1", **environment})


def is_complete(done) -> bool:
    """Whether the tool reached all that it is to use."""
    return done.code == 0 and "all was used" in done.output


def check(context: Context, runtime: Runtime) -> Result:
    """In both directions: each entry that is not the library's is in the register, and what that promises is in the table."""
    done = run_tool(context, runtime, "all_overrides", {})
    register = Register(context.root, runtime)
    begin, end = (read_table(done.output, when, register.names) for when in (AT_BINDING, AT_END))
    if begin is None or end is None or not is_complete(done):
        return failed(done.describe())
    promised = register.at_binding()
    wrong = differences(begin, promised)
    wrong += differences_at_end(end, promised, register.later(register.moments()))
    return failed(f"{runtime.library} (numbers: generated/overrides.txt)\n" + "\n".join(wrong)) if wrong else passed()


def check_inspect(context: Context, runtime: Runtime, tool: str, environment: dict[str, str]) -> Result:
    """`anympi inspect --functions` tells what the table has at binding, and what the uses of the tool add."""
    done = run_tool(context, runtime, tool, environment)
    names = Register(context.root, runtime).names
    begin, end = (read_table(done.output, when, names) for when in (AT_BINDING, AT_END))
    shown = anympi(context, "inspect", "--functions", "--json", environment={"MPI_HOME": str(runtime.library.parent.parent), **environment})
    if begin is None or end is None or not is_complete(done) or shown.code != 0:
        return failed(f"{done.describe()}\n{shown.describe()}")
    wrong = []
    for function in json.loads(shown.output)["functions"]:
        answers = [mpi for mpi in function["machine"] if Path(mpi["path"]).resolve() == runtime.library.resolve()]
        if len(answers) != 1:
            return failed(f"{runtime.library} is shown {len(answers)} times: {[mpi['path'] for mpi in function['machine']]}")
        if answers[0]["needs"] is not None:
            wrong += differences_from_inspect(function["name"], answers[0], begin, end)
    return failed("\n".join(wrong)) if wrong else passed()


def differences_from_inspect(function: str, answer: dict, begin: dict[str, Chain], end: dict[str, Chain]) -> list[str]:
    needs = answer["needs"].removeprefix("MPI_")
    promised = {needs: promised_chain(answer)}
    added = {needs: {str(layer["number"]) for layer in answer["later"]}}
    return [f"{function}, by inspect: {difference}" for difference in
            differences(begin, promised) + differences_at_end(end, promised, added)]


def promised_chain(answer: dict) -> Chain:
    numbers = [str(layer["number"]) for layer in answer["layers"] if layer["reason"] == "extended"]
    built = [layer["reason"] for layer in answer["layers"] if layer["reason"] != "extended"]
    return (*numbers, *(built or ["missing" if answer["answer"] == "missing" else "library"]))


def check_off(context: Context) -> Result:
    """ANYMPI_EMULATE=off leaves the library alone at binding."""
    for runtime in context.available[:2]:
        done = run_tool(context, runtime, "typed_exchange", OFF)
        register = Register(context.root, runtime)
        table = read_table(done.output, AT_BINDING, register.names)
        if table is None:
            return failed(done.describe())
        ours = [name for name, chain in table.items() if chain[0] not in ("library", "missing")]
        if ours:
            return failed(f"{runtime.name}: {', '.join(ours)}")
    return passed()
