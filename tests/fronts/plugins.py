"""Open MPI's plug-ins that call public MPI functions: file access by ROMIO, one-sided access by messages.

They are opened after the library, and their references would be bound to any library in the process if anympi did
not bind the library and its plug-ins to the library itself.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from lib.context import BuildError, Context
from lib.results import Case, Result, failed
from lib.runtimes import Runtime
from programs import programs


@dataclass(frozen=True)
class Plugin:
    name: str       # as in --mca io romio321
    framework: str
    programs: tuple[str, ...]

    @property
    def environment(self) -> dict[str, str]:
        return {f"OMPI_MCA_{self.framework}": self.name}

    def __str__(self) -> str:
        return f"{self.framework} {self.name}"


FILES = ("io_files", "io_individual", "io_shared", "io_collective")
WINDOWS = ("rma_active", "rma_passive", "rma_shared", "win_attributes")
PT2PT = Plugin("sm,pt2pt", "osc", WINDOWS)  # not in Open MPI 5
PLUGINS = {"openmpi": [Plugin("romio321", "io", FILES), PT2PT],
           "openmpi-4.1.8": [Plugin("romio321", "io", FILES), PT2PT],
           "openmpi-5.0.11": [Plugin("romio341", "io", FILES)]}


def of(runtime: Runtime) -> list[Plugin]:
    return PLUGINS.get(runtime.name, [])


def cases(context: Context):
    for runtime in context.available:
        if not runtime.usual and not context.full:
            continue
        for plugin in of(runtime):
            for name in plugin.programs:
                yield Case(f"{name} on {runtime.name} with {plugin}", partial(run, context, runtime, plugin, name),
                           row=f"{name} ({plugin})", column=runtime.name)


def run(context: Context, runtime: Runtime, plugin: Plugin, name: str) -> Result:
    source = context.root / "tests" / "programs" / f"{name}.c"
    try:
        program = programs.build_program(context, source, programs.read_head(source))
    except BuildError as error:
        return failed(str(error))
    return programs.judge(context.run_mpi(runtime, 2, program, environment=plugin.environment), runtime)
