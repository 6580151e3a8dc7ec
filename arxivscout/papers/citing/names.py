"""Authors' names in parts, as bibliographies want them.

Names come as "Given Family" (arXiv), "Family, Given" or "Family, Jr., Given" (BibTeX), with
particles ("van der Berg") and suffixes; what is no person (a collaboration) has one part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.papers.text import one_line

_GROUP = re.compile(
    r"\b(?:collaborations?|consortium|consortia|group|team|project|institute|network|committee"
    r"|community|survey|university|laboratory|initiative|task\s+force)\b",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d)\.?", re.IGNORECASE)
# Written small they are particles; written large they belong to the family name ("De Rujula").
_PARTICLES = frozenset(
    """
    af al am aus av bin bint da dal dall dalla dalle das de degli dei del dela della delle den der
    des di do dos du el ibn im la las le lo los mac 't te ten ter thoe to tot un van vande vander
    vom von y zu zum zur
    """.split()
) - {"y", "to", "un", "am", "im", "mac"}
# Between two family names ("Ortega y Gasset", "Puig i Cadafalch").
_JOINERS = frozenset({"y", "e", "i"})
_NO_PERSON = re.compile(r"(?:^|\s)(?:and|&)(?:\s|$)|^others$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name in parts; of a group only `family` is filled, and `group` is true."""

    family: str
    given: str = ""
    particle: str = ""
    suffix: str = ""
    group: bool = False

    @property
    def sorted_form(self) -> str:
        """ "van der Berg, Given, Jr.": the family first, as RIS has it."""
        last = f"{self.particle} {self.family}".strip()
        return ", ".join(part for part in (last, self.given, self.suffix) if part)

    def __str__(self) -> str:
        name = " ".join(part for part in (self.given, self.particle, self.family) if part)
        return f"{name}, {self.suffix}" if self.suffix else name


def split_name(name: str) -> PersonName:
    """The parts of one author's name."""
    name = one_line(name)
    parts = [part.strip() for part in name.split(",")]
    if _GROUP.search(name) or _NO_PERSON.search(name) or len(parts) > 3 or not all(parts):
        return PersonName(name, group=True)
    match parts:
        case [whole]:
            words = whole.split(" ")
            suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
            return _natural(words, suffix)
        case [whole, suffix] if _SUFFIX.fullmatch(suffix) and " " in whole:
            return _natural(whole.split(" "), suffix)
        case [family, given] if not _SUFFIX.fullmatch(given):
            return _inverted(family, given)
        case [family, given, suffix] if _SUFFIX.fullmatch(suffix):
            return _inverted(family, given, suffix)
        case [family, suffix, given] if _SUFFIX.fullmatch(suffix):
            return _inverted(family, given, suffix)
    return PersonName(name, group=True)


def _natural(words: list[str], suffix: str) -> PersonName:
    """ "Given particle Family": the last word is the family name, with what belongs to it."""
    start = len(words) - 1
    if start > 2 and words[start - 1] in _JOINERS:
        start -= 2
    while start > 1 and words[start - 1].casefold() in _PARTICLES:
        start -= 1
    family = " ".join(words[start:])
    return _inverted(family, " ".join(words[:start]), suffix)


def _inverted(family: str, given: str, suffix: str = "") -> PersonName:
    words = family.split(" ")
    particles = 0
    while particles < len(words) - 1 and words[particles] in _PARTICLES:
        particles += 1
    return PersonName(" ".join(words[particles:]), given, " ".join(words[:particles]), suffix)
