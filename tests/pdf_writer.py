"""Small PDFs for tests: text placed at points, in fonts that every reader has."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence

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
LIGATURES = {"fi": "\x0e", "fl": "\x0f"}
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
        if char in LIGATURES.values():
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
