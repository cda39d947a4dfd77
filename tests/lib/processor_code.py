"""Finds code in source files that depends on the processor: assembly with instructions, vector intrinsics, ELF numbers
and macros of processors.
"""
from __future__ import annotations

import re

# Instructions have no portable names. Directives (.pushsection), and empty statements that stop an optimisation, are
# portable.
ASSEMBLY = re.compile(r"\b(?:asm|__asm__|__asm)\b(?:\s+(?:volatile|goto|inline|__volatile__))*\s*\(")
TEXT = re.compile(r'\s*(?:R"\((?P<raw>.*?)\)"|"(?P<plain>(?:[^"\\]|\\.)*)")', re.DOTALL)
LABEL = re.compile(r"[A-Za-z_][\w.$]*")

PATTERNS = {
    "vector intrinsics": re.compile(r"#include <(?:\w*intrin|arm_\w+|altivec|vecintrin)\.h>|\b(?:_mm\d*_|__m\d+)\w*|\b__builtin_ia32_\w+"),
    "an ELF number of a processor": re.compile(r"\b(?:EM|R)_(?:X86_64|386|AARCH64|ARM|PPC|PPC64|RISCV|390|S390)(?:_\w+)?\b"),
    "a macro of a processor": re.compile(r"\b(?:__(?:x86_64|amd64|i386|aarch64|arm|powerpc64?|PPC64|riscv|s390x?|SSE\d?|AVX\d?|ARM_NEON)(?:__)?)\b"),
    "a name of a processor's dynamic linker": re.compile(r"ld-linux-\w+"),
}
SUSPICIOUS = re.compile(r"\basm\b|__asm|intrin|_mm|__m\d|\b(?:EM|R)_[A-Z\d]|\b__[a-zA-Z]|ld-linux")  # a file without
                                                                                                     # these has no
                                                                                                     # findings
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def findings(text: str) -> list[str]:
    """Returns `LINE: what it is` for each finding, in order."""
    if not SUSPICIOUS.search(text):
        return []
    code = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment.group()), text)
    found = [(match.start(), f"{kind}: {match.group()}") for kind, pattern in PATTERNS.items() for match in pattern.finditer(code)]
    for match in ASSEMBLY.finditer(code):
        if instruction := first_instruction(assembly_text(code, match.end())):
            is_name = LABEL.fullmatch(instruction) and re.search(r"[\w)\]]\s*$", code[:match.start()])  # the name of a
                                                                                                        # symbol after
                                                                                                        # its
                                                                                                        # declaration
            if not is_name:
                found.append((match.start(), f"assembly with an instruction: {instruction}"))
    return [f"{code.count(chr(10), 0, place) + 1}: {what}" for place, what in sorted(found)]


def assembly_text(code: str, place: int) -> str:
    """Returns the first argument of a statement: the strings that follow each other."""
    parts = []
    while match := TEXT.match(code, place):
        parts.append(match["raw"] if match["raw"] is not None else match["plain"].replace(r"\n", "\n").replace(r"\t", "\t"))
        place = match.end()
    return "".join(parts)


def first_instruction(assembly: str) -> str:
    """Returns the first line that is not empty, a directive or a label."""
    lines = (line.strip() for line in re.split(r"[\n;]", assembly))
    return next((line for line in lines if line and not line.startswith(".") and not re.fullmatch(r"[\w.$]+:", line)), "")
