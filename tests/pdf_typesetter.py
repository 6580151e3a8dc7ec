"""Papers set as PDFs for tests: one or two columns, justified, hyphenated, with floats.

Letters are set one word at a time without blanks between, as TeX does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pdf_writer import LIGATURES, Pdf, text_width


@dataclass(frozen=True)
class Part:
    """What is set: kind is title, heading, subheading, paragraph, formula, table, caption, entry
    or footnote."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    number: str = ""
    wide: bool = False  # over all columns; only before the first part that isn't


@dataclass
class Setting:
    """How `typeset` sets a paper."""

    columns: int = 1
    hyphenate: bool = False
    ligatures: bool = False
    header: str = ""
    footer: str = ""
    page_numbers: bool = False
    stamp: str = ""
    size: float = 10
    margin: float = 60
    gutter: float = 18
    broken: list[str] = field(default_factory=list)  # the words that were hyphenated


def typeset(parts: Sequence[Part], setting: Setting) -> bytes:
    """The PDF of a paper."""
    typesetter = _Typesetter(setting)
    for part in parts:
        typesetter.add(part)
    return typesetter.pdf.data()


class _Typesetter:
    def __init__(self, setting: Setting) -> None:
        self.setting, self.pdf = setting, Pdf()
        self.pages = 0
        self.column = 0
        self.y = 0.0
        self.top = 0.0
        self._new_page()

    def _new_page(self) -> None:
        setting, pdf = self.setting, self.pdf
        pdf.page()
        self.pages += 1
        self.column, self.y = 0, pdf.height - setting.margin - 12
        self.top = self.y
        if setting.header:
            pdf.text(setting.margin, pdf.height - 40, setting.header, "italic", 9)
        if setting.footer:
            pdf.text(setting.margin, 28, f"{setting.footer} {self.pages}", "roman", 8)
        if setting.page_numbers:
            pdf.text(pdf.width / 2 - 5, 42, str(self.pages), "roman", 10)
        if setting.stamp and self.pages == 1:
            pdf.text(30, 220, setting.stamp, "roman", 20, turned=90)

    def _frame(self, wide: bool) -> tuple[float, float]:
        """Left edge and width of where the next line goes."""
        setting = self.setting
        whole = self.pdf.width - 2 * setting.margin
        if wide or setting.columns == 1:
            return setting.margin, whole
        width = (whole - setting.gutter) / 2
        return setting.margin + self.column * (width + setting.gutter), width

    def _advance(self, height: float, wide: bool) -> None:
        self.y -= height
        if self.y < self.setting.margin:
            self.column += 1
            if wide or self.column >= self.setting.columns:
                self._new_page()
            self.y = self.top
        elif wide:
            self.top = self.y - 20

    def add(self, part: Part) -> None:
        size, wide = self.setting.size, part.wide
        if part.kind == "title":
            self._centred(part.text, "bold", size * 1.7, wide)
        elif part.kind in {"heading", "subheading"}:
            self._advance(size * 0.8, wide)
            height = size * (1.2 if part.kind == "heading" else 1.05)
            self._flow(part.text, "bold", height, wide, justify=False)
            self._advance(size * 0.3, wide)
        elif part.kind == "formula":
            self._formula(part)
        elif part.kind == "table":
            self._table(part)
        elif part.kind == "entry":
            self._flow(part.text, "roman", size * 0.9, wide, hang=14)
        elif part.kind in {"caption", "footnote"}:
            self._advance(size * 0.6, wide)
            self._flow(part.text, "roman", size * 0.9, wide)
            self._advance(size * 0.8, wide)
        else:
            self._flow(part.text, "roman", size, wide, indent=12)

    def _centred(self, text: str, font: str, size: float, wide: bool) -> None:
        left, width = self._frame(wide)
        for line, _ in _lines(text.split(), font, size, width * 0.8, width * 0.8, None):
            line_text = " ".join(line)
            self._advance(size * 1.3, wide)
            self._words(line, left + (width - text_width(line_text, font, size)) / 2, font, size)
        self._advance(size, wide)

    def _flow(
        self, text: str, font: str, size: float, wide: bool, *,
        indent: float = 0, hang: float = 0, justify: bool = True,
    ) -> None:  # fmt: skip
        words = text.split()
        if self.setting.ligatures:
            words = [_with_ligatures(word) for word in words]
        broken = self.setting.broken if self.setting.hyphenate and justify else None
        width = self._frame(wide)[1]
        first = True
        for line, last in _lines(words, font, size, width - indent, width - hang, broken):
            self._advance(size * 1.2, wide)
            left, width = self._frame(wide)
            shift = indent if first else hang
            room = width - shift - text_width("".join(line), font, size)
            gap = room / (len(line) - 1) if justify and not last and len(line) > 1 else size * 0.25
            self._words(line, left + shift, font, size, gap)
            first = False

    def _words(
        self, words: Sequence[str], x: float, font: str, size: float, gap: float = 0
    ) -> None:
        gap = gap or size * 0.25
        for word in words:
            self.pdf.text(x, self.y, word, font, size)
            x += text_width(word, font, size) + gap

    def _formula(self, part: Part) -> None:
        size = self.setting.size
        self._advance(size * 2, part.wide)
        left, width = self._frame(part.wide)
        start = left + (width - text_width(part.text, "italic", size)) / 2
        self._words(part.text.split(), start, "italic", size)
        if part.number:
            number_width = text_width(part.number, "roman", size)
            self.pdf.text(left + width - number_width, self.y, part.number, "roman", size)
        self._advance(size * 0.8, part.wide)

    def _table(self, part: Part) -> None:
        size = self.setting.size * 0.9
        self._advance(size, part.wide)
        for row in part.rows:
            self._advance(size * 1.25, part.wide)
            left, width = self._frame(part.wide)
            for place, cell in enumerate(row):
                self._words(cell.split(), left + place * width / len(row), "roman", size)
        self._advance(size, part.wide)


def _lines(
    words: Sequence[str], font: str, size: float, first: float, rest: float,
    broken: list[str] | None,
) -> Iterator[tuple[list[str], bool]]:  # fmt: skip
    """Lines of words that fit, and whether each is the last; `broken` gets hyphenated words."""
    blank = text_width(" ", font, size)
    width, used = first, 0.0
    line: list[str] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        needs = text_width(word, font, size) + (blank if line else 0)
        if used + needs <= width or not line:
            line.append(word)
            used += needs
            continue
        room = width - used - blank - text_width("-", font, size)
        if broken is not None and (cut := _cut(word, font, size, room)):
            line.append(word[:cut] + "-")
            broken.append(word)
            word = word[cut:]
        yield line, False
        line, width, used = [], rest, 0.0
        waiting.append(word)
    if line:
        yield line, True


def _cut(word: str, font: str, size: float, room: float) -> int:
    """Where `word` may be hyphenated so that its first part fits; 0 where it can't be."""
    if not word.strip(".,;:").isalpha():
        return 0
    for place in range(len(word.rstrip(".,;:")) - 3, 2, -1):
        at_boundary = word[place - 1] in "aeiou" and word[place] not in "aeiou"
        if at_boundary and text_width(word[:place], font, size) <= room:
            return place
    return 0


def _with_ligatures(word: str) -> str:
    for letters, ligature in LIGATURES.items():
        word = word.replace(letters, ligature)
    return word
