"""Accents that a PDF sets as characters of their own, put upon the letters that they stand over.

TeX's old fonts have no ö: they set ¨ and o at the same place, and pdfium may tell the accent far
from its letter. Where each stands says what belongs together.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_MARKS = dict(
    zip(
        "´¨ˆ˜ˇ˘˚¯˙`˝¸˛",
        "\u0301\u0308\u0302\u0303\u030c\u0306\u030a\u0304\u0307\u0300\u030b\u0327\u0328",
        strict=True,
    )
)
_DOTLESS = {"ı": "i", "ȷ": "j"}
_OFF = 0.25  # of the size: so far the middle of an accent may be from that of its letter
_RAISED = 0.45  # of the size: so far it is raised over a capital
_STRIP = 20.0  # points: letters are looked for within such strips


@dataclass(slots=True)
class Glyph:
    """A character, seen upright: where it begins and ends, its baseline downwards, its size."""

    char: str
    x0: float
    x1: float
    y: float
    size: float
    angle: int


def with_accents(glyphs: Sequence[Glyph | None]) -> list[Glyph | None]:
    """The glyphs, None for blanks, with accents upon their letters; other accents stay."""
    accents = [glyph for glyph in glyphs if glyph and glyph.char in _MARKS]
    if not accents:
        return list(glyphs)
    letters: dict[tuple[int, int], list[Glyph]] = defaultdict(list)
    for glyph in glyphs:
        if glyph and glyph.char.isalpha() and glyph.char not in _MARKS:
            letters[glyph.angle, int(_middle(glyph) // _STRIP)].append(glyph)
    gone: set[int] = set()
    for accent in accents:
        strip = int(_middle(accent) // _STRIP)
        near = [letter for step in (-1, 0, 1) for letter in letters[accent.angle, strip + step]]
        under = [letter for letter in near if _stands_over(accent, letter)]
        if under:
            letter = min(under, key=lambda each: abs(_middle(each) - _middle(accent)))
            base = _DOTLESS.get(letter.char, letter.char)
            letter.char = unicodedata.normalize("NFC", base + _MARKS[accent.char])
            gone.add(id(accent))
    return [glyph for glyph in glyphs if glyph is None or id(glyph) not in gone]


def _middle(glyph: Glyph) -> float:
    return (glyph.x0 + glyph.x1) / 2


def _stands_over(accent: Glyph, letter: Glyph) -> bool:
    raised = letter.y - accent.y
    level = -0.05 * letter.size < raised < _RAISED * letter.size
    near = abs(_middle(letter) - _middle(accent)) < _OFF * letter.size
    alike = 0.8 * letter.size < accent.size < 1.25 * letter.size
    return level and near and alike
