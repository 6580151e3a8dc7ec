"""Authors written as one text, as arXiv's own records and the Kaggle snapshot have them."""

from __future__ import annotations

import re

from arxivscout.papers.accents import latex_to_unicode

MOST_NESTED = 10
_INNERMOST = re.compile(r"\(([^()]*)\)")
_COLLABORATION = re.compile(
    r"^(?:for|on behalf of|representing)?\s*(?:the\s+)?(.+\b(?:collaborations?|consortium))\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_SEPARATOR = re.compile(r"[,;]\s*(?:and|&)\s+|[,;]|\s+(?:and|&)\s+", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d)\.?", re.IGNORECASE)
_NO_NAME = re.compile(r"(?:et\.?\s+al\.?|and others|others|\d*)", re.IGNORECASE)


def split_authors(text: str) -> tuple[str, ...]:
    """Names out of "A. B. One, C. D. Two (Some U.) and the X Collaboration", in order.

    Affiliations in brackets go, collaborations stay, LaTeX accents become letters, "et al." goes.
    """
    text = latex_to_unicode(text)
    for _ in range(MOST_NESTED):  # from the inside out, for brackets stand in brackets
        text, found = _INNERMOST.subn(_bracketed, text)
        if not found:
            break
    names: list[str] = []
    for part in _SEPARATOR.split(text):
        for name in re.split(r"(?<=collaboration):|(?<=Collaboration):", part.partition("(")[0]):
            name = " ".join(name.replace(")", " ").split())
            if _SUFFIX.fullmatch(name) and names:
                names[-1] = f"{names[-1]}, {name}"
            elif name and not _NO_NAME.fullmatch(name):
                match = _COLLABORATION.match(name)
                names.append(match[1] if match else re.sub(r"^and\s+", "", name))
    return tuple(names)


def joined_name(last: str, first: str = "", suffix: str = "", *_: str) -> str:
    """A name of the Kaggle snapshot's `authors_parsed`: last, first, suffix[, affiliations]."""
    return latex_to_unicode(" ".join(f"{first} {last} {suffix}".split()))


def turned_names(names: list[str]) -> list[str]:
    """Names without brackets and accents in LaTeX; "Last, First" turned if all are written so."""
    names = [_INNERMOST.sub(" ", latex_to_unicode(name)) for name in names]
    names = [" ".join(name.split()) for name in names]
    parts = [name.split(", ") for name in names if "ollaboration" not in name]
    if parts and all(len(part) == 2 and not _SUFFIX.fullmatch(part[1]) for part in parts):
        return [" ".join(reversed(name.split(", "))) if ", " in name else name for name in names]
    return names


def _bracketed(match: re.Match[str]) -> str:
    collaboration = _COLLABORATION.match(match[1].strip())
    return f", {collaboration[1]}, " if collaboration and "," not in collaboration[1] else " "
