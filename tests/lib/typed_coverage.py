"""The functions and enumerators of include/anympi, which doxygen knows, and which of the functions the tests have called, by the lines that
llvm-cov has seen executed.

A template that is not used has no lines: it counts as not called.
"""
from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

# Functions that the test program cannot call.
LEFT_OUT = {
    "Comm::abort": "ends the job",
    **{name: "no available MPI has events: see the test of faults" for name in (
        "Event::read", "Event::timestamp", "EventWatch::EventWatch", "EventWatch::~EventWatch")},
    **{name: "only reports an error on a library without fault tolerance, and llvm-cov counts no function that throws: tests/typed/resilience.cpp"
       for name in ("revoke", "is_revoked", "shrink", "acknowledge_failures")},
}

INTERNAL = {"detail", "aggregate", "kinds", "FactsPointer"}  # namespaces, and a class whose functions the compiler evaluates

Lines = dict[str, set[int]]  # of each header, by the header's name


@dataclass(frozen=True)
class Function:
    name: str   # with its class
    file: str
    first: int
    last: int

    @property
    def is_left_out(self) -> bool:
        return self.name in LEFT_OUT

    def is_called(self, lines: Lines) -> bool:
        return any(line in lines.get(self.file, ()) for line in range(self.first, self.last + 1))


def left_out_needlessly(functions: list[Function], lines: Lines) -> list[str]:
    not_called = {function.name for function in functions if not function.is_called(lines)}
    return [f"LEFT_OUT need not name {name}" for name in LEFT_OUT if name not in not_called]


def executed_lines(counts: Path, notes: Path) -> Lines:
    """Returns the lines that were executed according to the .gcda files below `counts`. Their .gcno files are in `notes`."""
    lines: Lines = {}
    for data in counts.rglob("*.gcda"):
        shutil.copy(notes / f"{data.stem}.gcno", data.parent)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["llvm-cov", "gcov", data], cwd=folder, check=True, capture_output=True)
            for report in Path(folder).glob("*.hpp.gcov"):
                add_executed(report.read_text(), lines)
    return lines


def add_executed(report: str, lines: Lines) -> None:
    """Adds the executed lines of a report. A line of a report is `count:number:text`. The first line has the number 0
    and names the header.
    """
    header = Path(re.match(r" *-: *0:Source:(.+)", report)[1])
    if header.parent.name == "anympi":
        lines.setdefault(header.name, set()).update(int(number) for number in re.findall(r"^ *\d+\*?: *(\d+):", report, re.MULTILINE))


def public_functions(root: Path, folder: Path) -> list[Function]:
    """Returns all functions with a body, without functions of detail and of private nested classes."""
    found = set().union(*(functions_of(compound) for compound in public_compounds(root, folder)))
    return sorted(found, key=lambda function: (function.file, function.first, function.name))


def public_compounds(root: Path, folder: Path) -> list[ElementTree.Element]:
    settings = (root / "docs" / "Doxyfile").read_text()
    more = f"OUTPUT_DIRECTORY={folder}\nGENERATE_XML=YES\nGENERATE_HTML=NO\n"
    subprocess.run(["doxygen", "-"], input=settings + more, text=True, cwd=root, check=True, capture_output=True)
    compounds = [compound for file in sorted((folder / "xml").glob("*.xml"))
                 for compound in ElementTree.parse(file).getroot().findall("compounddef")]
    return [compound for compound in compounds if compound.get("kind") in ("class", "struct", "namespace") and compound.get("prot") != "private"
            and not INTERNAL & set(compound.findtext("compoundname", "").split("::"))]


def public_names(root: Path, folder: Path) -> dict[str, set[str]]:
    """Returns the functions of each class and the enumerators of each enumeration. The key "" has the functions without
    a class.
    """
    names: dict[str, set[str]] = {}
    for compound in public_compounds(root, folder):
        owner = owner_of(compound)
        if owner.partition("::")[0] == "shared":
            continue  # shared by files of all policies; not for programs
        for function in functions_of(compound):
            name = function.name.rpartition("::")[2]
            if re.fullmatch(r"[a-z]\w*", name) and name != "operator":
                names.setdefault(owner, set()).add(name)
        for enumeration in compound.iter("memberdef"):
            if enumeration.get("kind") == "enum" and enumeration.get("prot") == "public":
                full = "::".join(part for part in (owner, enumeration.findtext("name")) if part)
                names[full] = {value.findtext("name") for value in enumeration.iter("enumvalue")}
    return names


def owner_of(compound: ElementTree.Element) -> str:
    owner = re.sub(r"<.*>", "", compound.findtext("compoundname", "")).replace(" ", "")
    return owner.removeprefix("anympi").removeprefix("::")


def functions_of(compound: ElementTree.Element) -> set[Function]:
    owner = compound.findtext("compoundname", "").removeprefix("anympi::")
    found = set()
    for member in compound.iter("memberdef"):
        place = member.find("location")
        if member.get("kind") == "function" and member.get("prot") == "public" and place.get("bodystart"):
            name = "::".join(part for part in (owner if owner != "anympi" else "", member.findtext("name")) if part)
            file = Path(place.get("bodyfile") or place.get("file")).name
            found.add(Function(name, file, int(place.get("bodystart")), int(place.get("bodyend"))))
    return found
