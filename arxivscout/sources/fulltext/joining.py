"""Lines of print joined to running text: hyphens at line ends taken out where they only break."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_BROKEN = re.compile(r"((?:[^\W\d_]+[-‐])*[^\W\d_]+)([-‐\xad])$")
_LONGEST_TOKEN = 300  # characters before a line's end that are looked at
_NEXT = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/|10\.\d{4,9}/|arxiv\.org/)\S*$", re.IGNORECASE)
_ADDRESS_GOES_ON = re.compile(r"[/_.=&?%~#-]$")
_ADDRESS_PART = re.compile(r"[\w/%?=&~#.-]*[\d/_.=&?%~#-][\w/]*")
# First and last parts of words that are written with a hyphen wherever they stand.
_FIRST = frozenset(
    """closed cross data deep end fast fine first four full half hand high human large left light
    long low many multi near non off open quasi real right second self semi short single six small
    soft state task ten third three top two user well zero""".split()
)
_LAST = frozenset(
    """agnostic aware based dependent dimensional driven free independent invariant level like
    linear order scale shot specific step supervised trained tuned type valued wise""".split()
)


class Joiner:
    """Joins lines; whether a hyphen is part of a word is judged by the document's other words."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._seen = Counter[str]()
        broken = False
        for line in lines:
            words = [word.lower().replace("‐", "-") for word in _WORD.findall(line)]
            if broken:
                words = words[1:]  # the rest of a broken word
            broken = bool(_BROKEN.search(line.rstrip()[-_LONGEST_TOKEN:]))
            self._seen.update(words[:-1] if broken else words)

    def join(self, lines: Iterable[str]) -> str:
        """The lines as one text. No letter is lost; hyphens that broke a word are."""
        parts: list[str] = []
        for line in filter(None, map(str.strip, lines)):
            if not parts:
                parts.append(line)
            elif (glued := self._glued(parts[-1], line)) is not None:
                parts[-1] = glued
            else:
                parts.append(line)
        return " ".join(parts)

    def _glued(self, text: str, line: str) -> str | None:
        """Both together, where no blank belongs between them."""
        token = text.rsplit(maxsplit=1)[-1][-_LONGEST_TOKEN:]
        if _ADDRESS.search(token):
            goes_on = _ADDRESS_GOES_ON.search(token) and re.match(r"[\w%?=&~#]", line)
            return text + line if goes_on and _goes_on(token, line) else None
        broken = _BROKEN.search(token)
        if broken is None:
            return None
        rest = _NEXT.match(line)
        if rest is None or not line[0].islower():
            return text + line  # GPT-3, Jean-Paul
        if rest[0] in ("and", "or", "to"):
            return None  # two- and three-point functions
        if broken[2] != "\xad" and self._keeps(broken[1].lower(), rest[0].lower()):
            return text + line
        return text[:-1] + line

    def _keeps(self, left: str, right: str) -> bool:
        left = left.replace("‐", "-")
        last = left.rpartition("-")[2]
        apart, whole = self._seen[f"{left}-{right}"], self._seen[f"{left}{right}"]
        if apart != whole:
            return apart > whole
        if "-" in left:  # state-of-the-art
            return bool(self._seen[last]) or len(last) < 4
        known = bool(self._seen[right])
        return (left in _FIRST and known) or (right in _LAST and bool(self._seen[left]))


def _goes_on(address: str, line: str) -> bool:
    """Whether `line` begins with more of the address; a slash or a full stop may also end it."""
    part = line.split(maxsplit=1)[0].rstrip(".,;:)]")
    return not address.endswith(("/", ".")) or bool(_ADDRESS_PART.fullmatch(part))
