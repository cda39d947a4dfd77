"""Makes the manual pages from the command's description and from the --help of the compiler wrappers.

    python3 packaging/manual.py DESCRIPTION.json VERSION FOLDER [WRAPPER ...]
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import reference


def roff(text: str) -> str:
    """Escapes text for roff. A full stop or quote at the beginning of a line would be a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def section(title: str, body: str) -> str:
    return f".SH {title}\n{body.rstrip()}\n" if body.strip() else ""


def verbatim(text: str) -> str:
    return f".nf\n{roff(text)}\n.fi\n"


def paragraphs(text: str) -> str:
    """Keeps the lines of indented blocks and fills all other paragraphs."""
    blocks = [block for block in text.split("\n\n") if block.strip()]
    return ".PP\n".join(verbatim(block) if block.startswith(" ") else f"{roff(block)}\n" for block in blocks)


def entry(term: str, text: str) -> str:
    return f".TP\n.B {roff(term)}\n{roff(text)}\n"


def page(name: str, purpose: str, version: str, sections: list[str]) -> str:
    head = f'.TH "{name.upper()}" 1 "" "anympi {version}" "anympi"\n'
    return head + section("NAME", f"{roff(name)} \\- {roff(purpose)}\n") + "".join(sections)


def entries(rows: list[tuple[str, str]]) -> str:
    return "".join(entry(term, text) for term, text in rows)


def spelled(option: dict) -> str:
    value = f" {option['value']}" if option["value"] else ""
    return ", ".join(name + value for name in option["names"]) or option["positional"]


def split_footer(footer: str) -> tuple[str, str]:
    description, _, examples = footer.partition("Examples:\n")
    return description, examples


def command_page(command: dict, name: str, version: str, others: list[str]) -> str:
    usage = re.search(r"^Usage: (.*(?:\n {7}.*)*)$", command["help"], re.MULTILINE).group(1)
    description, examples = split_footer(command["footer"])
    purpose = command["text"].rstrip(".")
    return page(name, purpose[0].lower() + purpose[1:], version, [
        section("SYNOPSIS", roff(re.sub(r"\n +", " ", usage))),
        section("DESCRIPTION", paragraphs(description)),
        section("COMMANDS", "".join(entry(one["name"], one["text"]) for one in command["commands"])),
        section("OPTIONS", "".join(entry(spelled(option), option["text"]) for option in command["options"])),
        section("EXIT STATUS", entries(reference.EXIT_STATUS.get(command["name"], reference.EXIT_STATUS[""]))),
        section("ENVIRONMENT", entries(reference.VARIABLES + reference.FURTHER_VARIABLES)),
        section("FILES", entries(reference.FILES)),
        section("EXAMPLES", verbatim(examples.rstrip("\n"))),
        section("SEE ALSO", ", ".join(f"{roff(other)}(1)" for other in others if other != name))])


def wrapper_page(name: str, text: str, version: str) -> str:
    """Makes a page from the text of --help: usage, a paragraph with an example, options."""
    usage, _, rest = text.partition("\n\n")
    description, _, listing = rest.partition("\n\n")
    sentence, _, example = description.partition("\n")
    options = [(option, " ".join(meaning.split()))
               for option, meaning in re.findall(r"^  (-.*?)  +(.*(?:\n {10,}.*)*)$", listing, re.MULTILINE)]
    return page(name, "compile and link a program that runs on every MPI library", version, [
        section("SYNOPSIS", roff(usage.removeprefix("Usage: "))),
        section("DESCRIPTION", roff(sentence.removesuffix(" Example:"))),
        section("OPTIONS", "".join(entry(option, meaning) for option, meaning in options)),
        section("EXIT STATUS", entries(reference.WRAPPER_EXIT_STATUS)),
        section("ENVIRONMENT", entries(reference.WRAPPER_VARIABLES[name])),
        section("FILES", entries(reference.WRAPPER_FILES.get(name, []) + reference.FILES[2:3])),
        section("EXAMPLES", verbatim(example)),
        section("SEE ALSO", f"{roff('anympi')}(1)")])


def main(description: str, version: str, folder: str, *wrappers: str) -> None:
    command = json.loads(Path(description).read_text())
    # A subcommand without an explanation shows the explanation of the whole command.
    subcommands = {f"anympi-{one['name']}": one for one in command["commands"] if one["footer"] != command["footer"]}
    names = ["anympi", *subcommands, *(Path(wrapper).name for wrapper in wrappers)]
    pages = {"anympi": command_page(command, "anympi", version, names)}
    for name, one in subcommands.items():
        pages[name] = command_page(one, name, version, names)
    for wrapper in wrappers:
        text = subprocess.run([wrapper, "--help"], capture_output=True, text=True, check=True).stdout
        text = re.sub(r"\s+\(now: .*\)", "", text)  # the builder's compiler
        pages[Path(wrapper).name] = wrapper_page(Path(wrapper).name, text, version)
    pages["mpiexec"] = ".so man1/anympi-run.1\n"  # another name of anympi run
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (Path(folder) / f"{name}.1").write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
