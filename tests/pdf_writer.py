"""Small PDFs for tests, set as papers are: one or two columns, justified, hyphenated, with floats.

`Pdf` places text at points, as a PDF does; `typeset` lays out the parts of a paper with it. The
fonts are those that every reader has, so that a file is a few kilobytes; letters are set one word
at a time without blanks between, as TeX does it.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

# Widths of the characters 32 to 126 in thousandths of the font's size (Adobe's font metrics).
_WIDTHS = {
    "roman": "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500"
    " 500 500 500 500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722"
    " 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500"
    " 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500"
    " 444 480 200 480 541",
    "bold": "250 333 555 500 500 1000 833 278 333 333 500 570 250 333 250 278 500 500 500 500 500"
    " 500 500 500 500 500 333 333 570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778"
    " 667 944 722 778 611 778 722 556 667 722 722 1000 722 722 667 333 278 333 581 500 333 500 556"
    " 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556 444 389 333 556 500 722 500 500"
    " 444 394 220 394 520",
    "italic": "250 333 420 500 500 833 778 214 333 333 500 675 250 333 250 278 500 500 500 500 500"
    " 500 500 500 500 500 333 333 675 675 675 500 920 611 611 667 722 611 611 722 722 333 444 667"
    " 556 833 667 722 611 722 611 500 556 722 611 833 611 556 556 389 278 389 422 500 333 500 500"
    " 444 500 444 278 500 500 278 278 444 278 722 500 500 500 500 389 389 278 500 444 667 444 444"
    " 389 400 275 400 541",
}
_CHAR_WIDTHS = {font: tuple(map(int, widths.split())) for font, widths in _WIDTHS.items()}
_FONTS = {"roman": "Times-Roman", "bold": "Times-Bold", "italic": "Times-Italic"}
_LIGATURES = {"fi": "\x0e", "fl": "\x0f"}
_LIGATURE_WIDTH = 556
_OTHER_WIDTHS = {"—": 1000, "•": 350, "’": 333, "‘": 333, "©": 760, "®": 760}  # 500: the rest


def text_width(text: str, font: str, size: float) -> float:
    """How wide `text` is set, in points."""
    widths = _CHAR_WIDTHS[font]
    total = 0
    for char in text:
        # a letter with a mark is as wide as the letter
        char = unicodedata.normalize("NFD", char)[0]
        code = ord(char) - 32
        if char in _LIGATURES.values():
            total += _LIGATURE_WIDTH
        elif 0 <= code < len(widths):
            total += widths[code]
        else:
            total += _OTHER_WIDTHS.get(char, 500)
    return total * size / 1000


class Pdf:
    """A PDF in the making: text placed on pages, then `data()`."""

    def __init__(self, width: float = 612, height: float = 792) -> None:
        self.width, self.height = width, height
        self._pages: list[list[str]] = []

    def page(self) -> None:
        self._pages.append([])

    def text(
        self, x: float, y: float, text: str, font: str = "roman", size: float = 10, turned: int = 0
    ) -> None:
        """`text` with its baseline at (x, y); `turned` 90 reads upwards."""
        a, b = ("0", "1") if turned == 90 else ("1", "0")
        shown = re.sub(r"([\\()])", r"\\\1", text)
        self._pages[-1].append(
            f"BT /{font} {size:g} Tf {a} {b} -{b} {a} {x:.2f} {y:.2f} Tm ({shown}) Tj ET"
        )

    def line(self, x0: float, x1: float, y: float) -> None:
        self._pages[-1].append(f"{x0:.2f} {y:.2f} m {x1:.2f} {y:.2f} l S")

    def raw(self, operators: str) -> None:
        self._pages[-1].append(operators)

    def data(self) -> bytes:
        streams = ["\n".join(page).encode("cp1252", "replace") for page in self._pages]
        return document(streams, self.width, self.height)


def document(pages: Sequence[bytes], width: float = 612, height: float = 792) -> bytes:
    """A whole PDF whose pages have these content streams."""
    fonts = " ".join(
        f"/{name} << /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding << /BaseEncoding"
        " /WinAnsiEncoding /Differences [14 /fi /fl] >> >>"
        for name, base in _FONTS.items()
    )
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} /MediaBox [0 0 {width:g} {height:g}]"
        f" /Resources << /Font << {fonts} >> >> >>".encode(),
    ]
    for number, content in enumerate(pages):
        packed = zlib.compress(content)
        objects.append(f"<< /Type /Page /Parent 2 0 R /Contents {4 + 2 * number} 0 R >>".encode())
        head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + packed + b"\nendstream")
    return assemble(objects)


def assemble(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """A PDF of numbered objects, the first of which is its catalogue."""
    out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for place in places:
        out += f"{place:010d} 00000 n \n".encode()
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\n".encode()
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


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
    for letters, ligature in _LIGATURES.items():
        word = word.replace(letters, ligature)
    return word
