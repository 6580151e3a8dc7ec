"""Is a number of four digits a year or a count? "In 2012" is one, "2012 galaxies" the other."""

from __future__ import annotations

import re
from typing import Literal

# "" may be either.
Reads = Literal["", "year", "count"]

_YEAR = re.compile(r"(?:19|20)\d\d")
_IN_TIME = (
    r"\b(?:in|since|until|till|before|after|during|between|year|early|mid|late|end of|dated"
    r"|published|submitted|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|nel|dal|del|im|seit|en|depuis|desde)[\s-]|[(–/-]|\bet al\.?,? "
)
_OF_TIME = re.compile(rf"(?:{_IN_TIME})$", re.IGNORECASE)
# As good as these where nothing is counted behind it.
_MAY_BE_TIME = re.compile(rf"(?:{_IN_TIME}|\b(?:of|from|by|to|and|or) )$", re.IGNORECASE)
_LONGEST_BEFORE = 14
# "The 2012 results", "a 2012 survey": a year.
_DEFINITE = re.compile(r"\b(?:the|this|that|their|its|his|her|our|an?) $", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?: (?!(?:of|and|or|in|on|at|to|for|with|by|from|the|is|are)\b)[a-z-]+){1,3}"
)
# What a year stands before as readily as a count.
_OF_A_YEAR = frozenset(
    "results observations papers proceedings measurements elections conferences surveys reviews "
    "updates analyses lectures talks notes versions editions predictions forecasts runs campaigns "
    "values estimates limits constraints prices levels data shows finds gives reports presents "
    "proposes argues introduces uses proves studies suggests describes derives measures".split()
)


def reads_as(text: str, start: int, end: int) -> Reads:
    """How the number without a unit at `start` to `end` of `text` (plain) is read."""
    if not _YEAR.fullmatch(text, start, end):
        return "count"
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    behind = _BEHIND.match(text, end)
    plural = next((word for word in behind[0].split() if _is_plural(word)), "") if behind else ""
    if not plural:
        return "year" if _MAY_BE_TIME.search(before) else ""
    if plural in _OF_A_YEAR or _DEFINITE.search(before) or _OF_TIME.search(before):
        return ""
    return "count"


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))
