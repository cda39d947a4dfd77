"""For each function of MPI, the public functions of the typed API that call it, with their places in Doxygen's reference.

Doxygen knows where each function's text is. A public function calls what its text names: functions of MPI, forms of an operation
(`detail::forms::allreduce` is MPI_Allreduce, MPI_Iallreduce or MPI_Allreduce_init), and what the internal functions and classes in
its text call.
"""
from __future__ import annotations

import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

HEADERS = "include/anympi"
# Headers whose functions every call uses, for errors and for checks.
OF_EVERY_CALL = {"error.hpp", "unwinding.hpp", "compare.hpp", "companions.hpp", "assertions.hpp", "requirements.hpp", "kinds.hpp"}
MOST_LINKS = 8
DEPTH = 4  # a public function, and internal functions that call internal functions
FORM = re.compile(r"(\w+)\(\s*detail::forms::(\w+)")


@dataclass
class Member:
    name: str
    link: str  # in the reference
    is_public: bool
    texts: list[str] = field(default_factory=list)


def members(root: Path, internal: bool) -> list[Member]:
    """Returns all functions that Doxygen finds, and the internal classes."""
    settings = (root / "docs" / "Doxyfile").read_text()
    more = "EXCLUDE_SYMBOLS=\nEXTRACT_PRIVATE=YES\n" if internal else ""
    with tempfile.TemporaryDirectory() as folder:
        settings += f"{more}OUTPUT_DIRECTORY={folder}\nGENERATE_XML=YES\nGENERATE_HTML=NO\nXML_PROGRAMLISTING=NO\n"
        subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=root, check=True, capture_output=True)
        compounds = [compound for file in sorted(Path(folder, "xml").glob("*.xml"))
                     for compound in ElementTree.parse(file).getroot().findall("compounddef")]
    found = []
    for compound in compounds:
        if compound.get("kind") not in ("class", "struct", "namespace"):
            continue
        owner = compound.findtext("compoundname", "").removeprefix("anympi").removeprefix("::")
        if internal and owner.startswith("detail") and compound.get("kind") != "namespace":
            found.append(Member(re.split("::|<", owner)[-1], "", False, text_of(root, compound)))
        for member in compound.iter("memberdef"):
            if member.get("kind") == "function":
                full = "::".join(part for part in (re.sub("<.*>", "", owner), member.findtext("name")) if part)
                page, _, anchor = member.get("id").rpartition("_1")
                is_public = compound.get("prot") != "private" and member.get("prot") == "public" and not re.match("detail|shared|aggregate", owner)
                found.append(Member(full, f"{page}.html#{anchor}", is_public, text_of(root, member)))
    return found


def text_of(root: Path, element: ElementTree.Element) -> list[str]:
    """Returns the text of a function or class, without the headers that every call uses."""
    place = element.find("location")
    if place is None or not place.get("bodystart") or int(place.get("bodyend")) < 0:
        return []
    file = root / HEADERS / Path(place.get("bodyfile") or place.get("file")).name
    if file.name in OF_EVERY_CALL:
        return []
    lines = file.read_text().splitlines()[int(place.get("bodystart")) - 1:int(place.get("bodyend"))]
    return ["\n".join(line.partition("//")[0] for line in lines)]


def form_names(root: Path) -> dict[str, str]:
    """Returns the name of each form's operation."""
    texts = [header.read_text() for header in (root / HEADERS).glob("*.hpp")]
    return {form: name for text in texts for name, form in re.findall(r"^ANYMPI_FORMS\((\w+), (\w+)", text, re.MULTILINE)}


def named_in(text: str, forms: dict[str, str]) -> set[str]:
    """Returns the functions of MPI that a text names."""
    found = {re.sub("_c$", "", name) for name in re.findall(r"\bMPI_(?:T_)?[A-Za-z][a-z]\w*", text)}
    found |= {"MPI_" + re.sub("_c$", "", name) for name in re.findall(r"\bANYMPI_\w+\((?:[\w:().]+, )?([A-Z][a-z]\w*)\b", text)}
    for caller, form in FORM.findall(text):
        name = forms.get(form, "")
        if caller == "start":
            found.add(f"MPI_I{form}")
        elif caller == "describe":
            found.add(f"MPI_{name}_init")
        else:
            found.add(f"MPI_{name}")
    return found


def made_by_macros(root: Path) -> dict[str, list[str]]:
    """Returns the text of each internal class that a macro makes, if the macro makes names of MPI's functions."""
    found: dict[str, list[str]] = {}
    for header in (root / HEADERS).glob("*.hpp"):
        text = header.read_text()
        for macro, parameters, body in re.findall(r"^#define (ANYMPI_\w+)\(([^)]*)\) +\\\n((?:.*\\\n)*.*)", text, re.MULTILINE):
            for arguments in re.findall(rf"^{macro}\((.*)\)$", text, re.MULTILINE) if "MPI_##" in body else []:
                made = body
                for parameter, argument in zip(parameters.split(", "), arguments.split(", ")):
                    made = re.sub(rf"(##)?\b{parameter}\b(##)?", argument, made)
                for name in re.findall(r"struct (\w+)", made):
                    found.setdefault(name, []).append(made)
    return found


def internal_texts(root: Path) -> dict[str, list[str]]:
    """Returns the texts of internal functions and classes by their names."""
    found = made_by_macros(root)
    for member in members(root, internal=True):
        if not member.is_public:
            found.setdefault(member.name.rpartition("::")[2], []).extend(member.texts)
    return found


def callers(root: Path) -> dict[str, list[tuple[str, str]]]:
    """Returns the public functions that call each function of MPI, each with its link. Functions that call it through more
    internal functions than others are left out."""
    forms, internal = form_names(root), internal_texts(root)
    levels = [(member, member.texts) for member in members(root, internal=False)
              if member.is_public and not re.search(r"~|operator", member.name)]
    found: dict[str, dict[str, str]] = {}
    for _ in range(DEPTH):
        here: dict[str, dict[str, str]] = {}
        for member, texts in levels:
            for function in set().union(*(named_in(text, forms) for text in texts)):
                here.setdefault(function, {}).setdefault(member.name, member.link)
        found = {**here, **found}
        words = [(member, set().union(*(re.findall(r"\w+", text) for text in texts))) for member, texts in levels]
        levels = [(member, [text for word in sorted(named & internal.keys()) for text in internal[word]]) for member, named in words]
    return {function: sorted(names.items()) for function, names in found.items()}


def with_callers(page: str, found: dict[str, list[tuple[str, str]]], reference: str) -> str:
    """Returns a page whose tables have a row for each function of MPI, with a further cell: links to the callers."""
    def row(match: re.Match) -> str:
        links = [f"[`{name}`]({reference}/{link})" for name, link in found.get(match[1], [])]
        links = ", ".join(links if len(links) <= MOST_LINKS else [*links[:MOST_LINKS], "…"])
        return f"{match[0]} {links} |"
    page = re.sub(r"^\| function \| headers.*\n\|---\|---\|$", lambda match: match[0].replace("\n", " called by |\n") + "---|", page,
                  flags=re.MULTILINE)
    return re.sub(r"^\| `(MPI_\w+)` \| `.*\|$", row, page, flags=re.MULTILINE)
