"""Plain text as LaTeX, and back.

arXiv's titles are plain text with mathematics between dollar signs and, in older ones, accents as
LaTeX writes them. Letters beyond ASCII stay: LaTeX has read UTF-8 by default since 2018, as biber
does, and BibTeX passes it through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from arxivscout.papers.accents import accents_to_unicode
from arxivscout.papers.citing.mathematics import MATHS, only_prints

# A brace is counted by BibTeX also behind a backslash, so that `\{` alone would break the file.
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
}
_SPECIAL = re.compile(r"[\\{}~^&%$#_]")
_SIGNS = {text.strip("\\{}"): sign for sign, text in _ESCAPES.items()}
_KNOWN = re.compile(
    r"\\(text(?:backslash|braceleft|braceright|ascii(?:tilde|circum))(?![A-Za-z])|[&%$#_])"
    r"(?:(?<=[a-z])(?:\{\}|\s+))?"
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s*")
_PARAGRAPH = re.compile(r"\\par(?![A-Za-z])\s?|\n[ \t]*\n\s*")
# What LaTeX takes for a comment, a parameter or a column also in mathematics.
_BARE = re.compile(r"((?<!\\)(?:\\\\)*)([%#&])")


def to_latex(text: str) -> str:
    """One line of plain text as LaTeX that prints it, braces balanced; mathematics that only
    prints stays as it is, where its braces are in pairs, and accents become letters."""
    parts: list[str] = []
    for part, is_maths in _by_maths(text):
        if is_maths and _balanced(part) and only_prints(part):
            parts.append(_BARE.sub(r"\1\\\2", part))
        else:
            parts.append(_SPECIAL.sub(lambda found: _ESCAPES[found[0]], accents_to_unicode(part)))
    return "".join(parts)


def from_latex(text: str) -> str:
    """The plain text that LaTeX text prints, on one line: escapes and accents as characters,
    other commands, grouping braces and ties gone; mathematics stays."""
    parts = (part if is_maths else _printed(part) for part, is_maths in _by_maths(text))
    return " ".join("".join(parts).split())


def exact_latex(text: str) -> str:
    """Text of one or more lines as LaTeX that `lines_from_latex` reads back the same, white space
    within a line apart: mathematics stays mathematics where that can be."""
    return "\\par\n".join(map(_exact, text.split("\n")))


def lines_from_latex(text: str) -> str:
    """The plain text that LaTeX text prints, with a line for each of its paragraphs."""
    lines = map(from_latex, _PARAGRAPH.split(text))
    return "\n".join(lines).strip()


def _exact(line: str) -> str:
    written = to_latex(line)
    if from_latex(written) != " ".join(line.split()):
        written = _SPECIAL.sub(lambda found: _ESCAPES[found[0]], line)
    return written


def _by_maths(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is mathematics."""
    end = 0
    for match in MATHS.finditer(text):
        yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    yield text[end:], False


def _printed(text: str) -> str:
    # What an escape prints is not read again: the text is taken apart at them first.
    pieces = _KNOWN.split(text)
    for place, piece in enumerate(pieces):
        if place % 2:
            pieces[place] = _SIGNS[piece]
        else:
            piece = _COMMAND.sub("", accents_to_unicode(piece).replace("~", " "))
            pieces[place] = re.sub(r"[{}\\]", "", piece)
    return "".join(pieces)


def _balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0
