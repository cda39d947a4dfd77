"""Sentences that must be read twice: patterns that the prose of this repository does not use, and where they occur.

scripts/english lists the sentences. The suite `style` refuses them.
"""
from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Iterator

from .prose import Text, prose_of

COMMENTS = ("comment", "docstring")
ANYWHERE = ("comment", "docstring", "message", "document")
ABOUT_PATTERNS = ("tests/lib/plain_english.py", "tests/lib/prose.py")  # these files quote the patterns
BEGIN = r"(?:^|(?<=[.;:!?] ))"  # of a sentence
QUESTION_WORD = r"(How|What|Where|Why|Which|Who|When|Whether)"


@dataclass
class Pattern:
    name: str
    expression: str
    now: str     # an example
    better: str  # the same in plain English
    kinds: tuple[str, ...] = ANYWHERE


PATTERNS = [
    # Comments that begin with the answer or with a fragment
    Pattern("begins with Whether", r"^Whether\b", "Whether the library has it.", "Returns true if the library has it.", COMMENTS),
    Pattern("begins with the value", r"^(nullptr|NULL|True|False|Nonzero)\s*:|^(0|1|-1|\"\"|true|false): .*\.$",
            "nullptr: it has none any more.", "Sets the text; nullptr removes it.", COMMENTS),
    Pattern("value before its meaning", r"(?<=[.;] )(nullptr|NULL|[Tt]rue|[Ff]alse|Nonzero|0|1|-1|\"\"|Empty|None): ",
            "Adds a text. False: it was not added.", "Adds a text. Returns false if it was not added.", COMMENTS),
    Pattern("begins with What", r"^What\b(?!.*\?)(?! to )", "What the command starts.", "The program that the command starts.", COMMENTS),
    Pattern("begins with Of", r"^Of (?!course)", "Of the front that is loaded.", "The number of the front that is loaded.", COMMENTS),
    Pattern("begins with a pronoun", r"^(Those|That|Such|The one|The ones|Ones) (of|that|which|whose|with|without|in|for|as)\b",
            "Those of a process in a topology.", "The neighbours of a process in a topology.", COMMENTS),

    # Order of words
    Pattern("clause before its subject", BEGIN + r"What [^.;:,]*, (it|that|they|the|we|he|a|is|are)\b",
            "What fails in one process alone, the others do not know.",
            "If a call fails in one process only, the others are not told."),
    Pattern("inverted says", BEGIN + QUESTION_WORD + r"\b[^.;:,]*(?<!what )(?<!that )(?<!it )\b(says|say)"
            r" (?!so\b|that|what|is|are|about|of|on|in|when|if|how|to)(\S+ ?){1,6}(?=[.;]|$)",
            "How they are built says building.md.", "building.md explains how to build them."),
    Pattern("inverted so", BEGIN + r"(So|Nor|Neither) (is|are|does|do|did|has|have|had|may|can|could|must|was|were|will)\b",
            "So do programs that a script starts.", "Programs that a script starts do the same."),
    Pattern("neither at the end", r"\bneither(?=[.;:)]|$)|\bnatively neither\b",
            "It starts no others, natively neither.", "It cannot start others, even without anympi."),

    # Negation and existence
    Pattern("is none", r"\b(is|are|was|were|has|have|had|be) none\b(?! of)",
            "The value if there is one; 0 if there is none.", "The value; 0 if there is no value."),
    Pattern("is no …", r"(?<![Tt]here )(?<![Hh]ere )\b(is|are|was|were|be) no (?!\w+er than\b|longer\b|more than|less than|matter|different|use\b)",
            "It is no regular file.", "It is not a regular file."),
    Pattern("is there", r"(?<!that )\b(is|are|was|were) (not |already |still )?there\b(?! (a|an|any|no|to)\b)",
            "if the file is not there", "if the file does not exist"),
    Pattern("Where no …", BEGIN + r"Where (no|nobody|nothing|none)\b",
            "Where no tool has taken it, nothing is called.", "If no tool has replaced it, nothing is called."),
    Pattern("but for", r"\bbut for (?!now\b)", "all libraries, but for their launchers", "all libraries except their launchers"),
    Pattern("in vain", r"\bin vain\b", "Asked for in vain.", "The request failed."),
    Pattern("nobody's", r"\bnobody's\b", "the MPI whose launcher it is; empty: nobody's", "the MPI of the launcher; empty if unknown"),

    # Pronouns instead of nouns
    Pattern("that of", r"\b([Tt]hat|[Tt]hose) of\b", "Takes the library's text and that of ours.",
            "Takes the library's text and anympi's text."),
    Pattern("of which", r"\b([Oo]f|[Tt]o|[Bb]y|[Ff]or) whom\b|\bof which\b", "Tells to whom the handle belongs.",
            "Returns the owner of the handle."),
    Pattern("of ours", r"\bof ours\b", "a function of ours", "a function of anympi"),
    Pattern("such as are", r"\bsuch as (are|is|have)\b", "libraries such as are installed", "libraries that are installed"),
    Pattern("before it", r"\bthan before it\b", "no more than before it", "no more than the option before this one"),
    Pattern("make of it", r"\bmakes? of (that|it|them)\b", "What the front makes of it.", "How the front parses the value."),

    # Words of another language's grammar
    Pattern("alone for only", r"\b(in|for|of|by|to|from|with|on|at|needs?|than) [^.,;:()]{1,40}(?<!compiled )\balone\b(?! or)",
            "needs libc alone", "needs only libc"),
    Pattern("is to be", r"\b(is|are|was|were) to (be|have|know|do)\b", "Words that are to be known.", "Words that must be known."),
    Pattern("told of", r"\b([Tt]old|[Tt]ells?) of\b", "Nobody is told of the error.", "The error is not reported."),
    Pattern("in the place of", r"\bin the place of\b", "It starts this in the place of a program.", "It starts this instead of a program."),
    Pattern("can be had", r"\bbe had\b", "Every MPI that can be had here.", "Every MPI that is available here."),
    Pattern("all the same", r"\ball the same\b", "It runs all the same.", "It runs nevertheless."),
    Pattern("stands in", r"\b[Ss]t(and|ands|ood) (in|behind|before|beside|at|on|there)\b",
            "The name stands in sonames.api.", "sonames.api lists the name."),
    Pattern("behind for after", r"(?<!leave )(?<!leaves )(?<!nothing )(?<!memory )(?<!seconds )\b[Bb]ehind (?=[\w`{*'\"-])",
            "--mpi behind the program is an argument of the program.", "--mpi after the program is an argument of the program."),
    Pattern("by a command", r"\b(([Ss]tart|[Rr]an|[Rr]un)\w*|[Aa]llow|copy) ([^.;,]{0,40} )?by (`anympi |x{12,}|the launcher\b|the MPI's own launcher)",
            "Start the program by `anympi run`.", "Start the program with `anympi run`."),
    Pattern("lies", r"\b(lies|lie|lay) (in|on|at|below|above|beside|next|close|far|now|from|outside)\b|\bmay lie\b",
            "The library lies in this folder.", "The library is in this folder."),
    Pattern("for ever", r"\bfor ever\b", "The process waits for ever.", "The process waits forever."),
    Pattern("whoever", r"\b[Ww]hoever\b", "Whoever can write the file chooses the library.", "A user who can write the file chooses the library."),
    Pattern("from … on", r"\b[Ff]rom the first [^.,;]{1,40} on\b", "from the first request on", "as soon as there is a request"),
]


@dataclass
class Hit:
    file: str
    line: int
    pattern: Pattern
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.pattern.name}: {self.words}"


def hits_in(text: Text, file: str) -> Iterator[Hit]:
    words = text.words
    for pattern in PATTERNS:
        if text.kind not in pattern.kinds:
            continue
        for match in re.finditer(pattern.expression, words):
            around = words[max(0, match.start() - 30):match.end() + 50].strip()
            yield Hit(file, text.line_at(match.start()), pattern, around)


def hits_of(root: Path, paths: Iterable[str] = ()) -> list[Hit]:
    """Returns the hits in the files of the repository, or in the files below `paths`, by file and line."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *paths], cwd=root,
                            capture_output=True, text=True, check=True).stdout.split("\n")
    files = (file for file in listed if file and file not in ABOUT_PATTERNS)
    hits = [hit for file in files for text in prose_of(root / file) for hit in hits_in(text, file)]
    return sorted(hits, key=lambda hit: (hit.file, hit.line))
