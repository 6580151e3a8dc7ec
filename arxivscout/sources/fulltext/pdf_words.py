"""The words of a PDF's pages, each with its place and its font, as pdfium finds them.

pdfium gives characters; words are made of them here, by the gaps between them, because many PDFs
(all of TeX's) hold no blanks. Coordinates are points from the page's upper left corner, as the
words are read: what stands sideways is turned first.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium

from arxivscout.sources.fulltext.pdf_accents import Glyph, with_accents
from arxivscout.sources.fulltext.pdf_figures import Figures, address, figures_of

_WIDEST_JOINT = 0.2  # of the font's size: a wider gap parts two words
_MOST_CHARS = 200_000  # on one page; the densest real ones have some 20,000
_FARTHEST = 20_000.0  # points; a page has 14,400 at most
_HYPHENS = {0x02, 0xFFFE}  # what pdfium makes of a hyphen at the end of a line
_UNKNOWN = {0, 0xFFFD}
_BOLD = re.compile(r"bold|black|heavy|medi(?!um-?it)|cmbx|cmb\d|cmssbx|sfbx|-b$|bd$", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|cmti|cmsl|sfti|-it|-i$", re.IGNORECASE)
_MATH = re.compile(r"cmmi|cmsy|cmex|msam|msbm|math|symbol|cambria-?m|stix.*m|mtmi", re.IGNORECASE)


class Unreadable(Exception):
    """pdfium can't open the file; `reason` is one of encrypted, broken."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Word:
    """Letters without a gap. `y` is the baseline of the line it belongs to, downwards."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    math: bool
    raised: bool = False  # smaller than the word beside it, above or below its line


@dataclass(slots=True)
class PageWords:
    """A page's words in the order of the file: those read upright, and those turned, by angle."""

    number: int
    width: float
    height: float
    words: list[Word]
    turned: dict[int, list[Word]] = field(default_factory=dict)
    unknown: int = 0  # characters whose letter the file doesn't tell
    left_out: int = 0  # characters past what is read of one page, or off it
    labels: int = 0  # characters in figures, which are not read


@dataclass(frozen=True, slots=True)
class _Style:
    size: float
    angle: int
    bold: bool
    italic: bool
    math: bool
    x: float  # of its first character's origin, in the page's own coordinates
    y: float


class PdfFile:
    """An open PDF. Pages are read one at a time, and nothing of one is kept after it."""

    def __init__(self, path: Path) -> None:
        pdfium.FPDF_InitLibrary()
        self._document = pdfium.FPDF_LoadDocument(bytes(path), None)
        if not self._document:
            locked = pdfium.FPDF_GetLastError() in (
                pdfium.FPDF_ERR_PASSWORD,
                pdfium.FPDF_ERR_SECURITY,
            )
            raise Unreadable("encrypted" if locked else "broken")
        self.pages: int = pdfium.FPDF_GetPageCount(self._document)

    def close(self) -> None:
        pdfium.FPDF_CloseDocument(self._document)

    def page(self, number: int) -> PageWords | None:
        """The words of page `number`, from 1; None where the page can't be read."""
        page = pdfium.FPDF_LoadPage(self._document, number - 1)
        if not page:
            return None
        text = pdfium.FPDFText_LoadPage(page)
        try:
            if not text:
                return None
            size = (pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page))
            rotation = pdfium.FPDFPage_GetRotation(page) * 90
            return _words_of(text, number, size, rotation, figures_of(page, size))
        finally:
            if text:
                pdfium.FPDFText_ClosePage(text)
            pdfium.FPDF_ClosePage(page)


def _words_of(
    text: Any, number: int, size: tuple[float, float], rotation: int, figures: Figures
) -> PageWords:
    found = PageWords(number, *size, words=[])
    by_angle = _joined(text, found, figures)
    # a page shown turned is read turned
    upright = rotation % 360
    if upright not in by_angle and by_angle:
        upright = max(by_angle, key=lambda angle: len(by_angle[angle]))
    for angle, words in by_angle.items():
        _to_page(words, angle, found)
        _settle_raised(words)
    found.words = by_angle.pop(upright, [])
    found.turned = {(angle - upright) % 360: words for angle, words in by_angle.items()}
    return found


def _joined(text: Any, found: PageWords, figures: Figures) -> dict[int, list[Word]]:
    """The words of a page by the angle that they are read at, in the order of the file."""
    styles: dict[int, _Style] = {}
    glyphs: list[Glyph | None] = []
    for char, box, style in _characters(text, found, figures):
        glyph = Glyph(char, *_upright(box, style), style.size, style.angle) if char else None
        glyphs.append(glyph)
        styles[id(glyph)] = style
    by_angle: dict[int, list[Word]] = {}
    last: Word | None = None
    last_key: tuple[float, int] | None = None
    for glyph in with_accents(glyphs):
        if glyph is None:
            last = None
            continue
        gap = glyph.x0 - last.x1 if last is not None else 0.0
        joint = _WIDEST_JOINT * glyph.size
        key = (glyph.y, glyph.angle)
        if last is not None and last_key == key and -joint < gap < joint:
            last.text += glyph.char
            last.x1 = max(last.x1, glyph.x1)
            continue
        style = styles[id(glyph)]
        last = Word(
            glyph.char, glyph.x0, glyph.x1, glyph.y, glyph.size,
            style.bold, style.italic, style.math,
        )  # fmt: skip
        last_key = key
        by_angle.setdefault(glyph.angle, []).append(last)
    return by_angle


def _characters(
    text: Any, found: PageWords, figures: Figures
) -> Iterator[tuple[str | None, Any, _Style]]:
    """Each character with its box and style; None for a blank, which ends a word."""
    box = pdfium.FS_RECTF()
    styles: dict[int | None, _Style] = {}
    fonts: dict[int | None, tuple[bool, bool, bool]] = {}
    nothing = _Style(0, 0, False, False, False, 0, 0)
    count = pdfium.FPDFText_CountChars(text)
    found.left_out = max(count - _MOST_CHARS, 0)
    for index in range(min(count, _MOST_CHARS)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if code in _HYPHENS:
            code = 0x2D
        if chr(code).isspace():
            yield None, box, nothing
            continue
        if code in _UNKNOWN:
            found.unknown += 1
            continue
        handle = pdfium.FPDFText_GetTextObject(text, index)
        key = address(handle)
        style = styles.get(key)
        if style is None:
            style = styles[key] = _style(text, index, handle, fonts)
        if not pdfium.FPDFText_GetLooseCharBox(text, index, box) or not _is_placed(box, style):
            found.left_out += 1
            continue
        if figures.hold(key, box):
            found.labels += 1
        else:
            yield chr(code), box, style


def _is_placed(box: Any, style: _Style) -> bool:
    """Whether the character has a size, and stands where a page may be."""
    numbers = (box.left, box.right, box.bottom, box.top, style.x, style.y)
    return 0 < style.size < _FARTHEST and all(abs(number) < _FARTHEST for number in numbers)


def _style(
    text: Any, index: int, handle: Any, fonts: dict[int | None, tuple[bool, bool, bool]]
) -> _Style:
    matrix = pdfium.FS_MATRIX()
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetMatrix(text, index, matrix)
    pdfium.FPDFText_GetCharOrigin(text, index, x, y)
    size = pdfium.FPDFText_GetFontSize(text, index) * math.hypot(matrix.c, matrix.d)
    angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) * 90 % 360
    bold, italic, is_math = _font(handle, fonts)
    return _Style(size, angle, bold, italic, is_math, x.value, y.value)


def _font(handle: Any, fonts: dict[int | None, tuple[bool, bool, bool]]) -> tuple[bool, bool, bool]:
    font = pdfium.FPDFTextObj_GetFont(handle) if handle else None
    key = address(font) if font else None
    if key not in fonts:
        name = ctypes.create_string_buffer(128)
        if font:
            pdfium.FPDFFont_GetBaseFontName(font, name, len(name))
        shown = name.value.decode("utf-8", "replace").rpartition("+")[2]
        fonts[key] = (
            bool(_BOLD.search(shown)),
            bool(_ITALIC.search(shown)),
            bool(_MATH.search(shown)),
        )
    return fonts[key]


def _upright(box: Any, style: _Style) -> tuple[float, float, float]:
    """Where the character begins and ends along its line, and its baseline, seen upright."""
    if style.angle == 90:
        return box.bottom, box.top, style.x
    if style.angle == 180:
        return -box.right, -box.left, style.y
    if style.angle == 270:
        return -box.top, -box.bottom, -style.x
    return box.left, box.right, -style.y


def _to_page(words: list[Word], angle: int, page: PageWords) -> None:
    """Move upright coordinates so that none is negative on the page."""
    across = {0: 0.0, 90: 0.0, 180: page.width, 270: page.height}[angle]
    down = {0: page.height, 90: 0.0, 180: 0.0, 270: page.width}[angle]
    for word in words:
        word.x0 += across
        word.x1 += across
        word.y += down


def _settle_raised(words: list[Word]) -> None:
    """Give each index, exponent and mark the baseline of the word it stands by."""
    base: Word | None = None
    for place, word in enumerate(words):
        if base is not None and _hangs_on(word, base, words[place - 1]):
            word.y, word.raised = base.y, True
            continue
        base = word
        before = words[place - 1] if place else None
        if before is not None and not before.raised and _stands_before(before, word):
            before.y, before.raised = word.y, True


def _hangs_on(word: Word, base: Word, before: Word) -> bool:
    near = -0.3 * base.size < word.x0 - before.x1 < 0.35 * base.size
    near |= abs(word.x0 - base.x1) < 0.35 * base.size  # an index under an exponent
    return near and word.size < 0.86 * base.size and abs(word.y - base.y) < 0.6 * base.size


def _stands_before(mark: Word, word: Word) -> bool:
    near = -0.2 * word.size < word.x0 - mark.x1 < 0.5 * word.size
    raised = 0 <= word.y - mark.y < 0.6 * word.size
    return near and raised and mark.size < 0.86 * word.size
