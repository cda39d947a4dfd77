"""The inline functions of a file, as compiled: the linker merges them with functions of the same name in other files."""
from __future__ import annotations

import re


def weak_functions(assembly: str) -> dict[str, str]:
    """Returns the code of each weak function or variable, by name. Labels of the file lose their numbers, which differ
    without a meaning.
    """
    found: dict[str, list[str]] = {}
    weak = set(re.findall(r"^\t\.weak\t(\S+)", assembly, re.MULTILINE))
    current: list[str] | None = None
    for line in assembly.splitlines():
        label = re.match(r"([\w.$]+):", line)
        if label and not label[1].startswith(".L"):
            current = found.setdefault(label[1], []) if label[1] in weak else None
        elif re.match(r"\t\.(section|cfi_endproc|size)\b", line):
            current = None
        elif current is not None:
            current.append(re.sub(r"\.L[\w.$]*?\d+\b|(?<=\.L)[\w.$]*\d\b", ".L", line.split("#")[0].rstrip()))
    return {name: "\n".join(lines) for name, lines in found.items()}


def differing(one: str, other: str) -> list[str]:
    """Returns the names that both have and whose code differs."""
    ours, theirs = weak_functions(one), weak_functions(other)
    return sorted(name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name])
