"""Lines of print joined to running text: hyphens at line ends taken out where they only break."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_BROKEN = re.compile(r"((?:[^\W\d_]+[-‐])*[^\W\d_]+)([-‐\xad])$")
_LAST_TOKEN = re.compile(r"\S+$")
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
            broken = bool(_BROKEN.search(line))
            self._seen.update(words[:-1] if broken else words)

    def join(self, lines: Sequence[str]) -> str:
        """The lines as one text. No letter is lost; hyphens that broke a word are."""
        text = ""
        for line in lines:
            text = self.two(text, line)
        return text

    def two(self, text: str, line: str) -> str:
        text, line = text.rstrip(), line.lstrip()
        if not text or not line:
            return text or line
        broken = _BROKEN.search(text)
        last = _LAST_TOKEN.search(text)
        token = last[0] if last else ""
        if _ADDRESS.search(token):
            goes_on = _ADDRESS_GOES_ON.search(text) and re.match(r"[\w%?=&~#]", line)
            return text + ("" if goes_on and _goes_on(text, line) else " ") + line
        if broken is None:
            return f"{text} {line}"
        rest = _NEXT.match(line)
        if rest is None or not line[0].islower():
            return text + line  # GPT-3, Jean-Paul
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
    """Whether `line` begins with more of the address: a full stop may also end it."""
    part = line.split(maxsplit=1)[0]
    return not address.endswith(".") or bool(_ADDRESS_PART.fullmatch(part))
