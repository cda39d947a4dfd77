"""Writes the headers of the typed C++ API as one file, which a project can copy.

    python3 packaging/typed/single_header.py [HEADER...] > anympi_single.hpp

HEADER is a name in include/anympi (default: anympi.hpp, the umbrella header). The file also contains what the headers include.
Each header keeps its include guard, so a program may include both the file and single headers.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "include" / "anympi"
UMBRELLA = "anympi.hpp"


def text_of(name: str, seen: set[str]) -> str:
    """Returns a header with all headers of the folder that it includes, except those seen before."""
    if name in seen:
        return ""
    seen.add(name)
    return re.sub(r'^#include "([\w.]+)".*\n', lambda found: text_of(found[1], seen), (FOLDER / name).read_text(), flags=re.MULTILINE)


def single_header(names: list[str]) -> str:
    seen: set[str] = set()
    parts = "".join(text_of(name, seen) for name in names)
    terms = "".join(f"// {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines())
    return f"// The typed C++ API of anympi in one file, made by packaging/typed/single_header.py.\n//\n{terms}\n{parts}"


if __name__ == "__main__":
    print(single_header(sys.argv[1:] or [UMBRELLA]), end="")
