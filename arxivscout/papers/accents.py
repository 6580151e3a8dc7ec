"""LaTeX accents as letters. Titles and abstracts are stored with their LaTeX: it carries
mathematics there."""

from __future__ import annotations

import re
import unicodedata

_COMBINING = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß",
    "l": "ł",
    "L": "Ł",
    "o": "ø",
    "O": "Ø",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "i",  # dotless only to carry an accent
    "j": "j",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "dj": "đ",
    "DJ": "Đ",
    "ng": "ŋ",
}
_ACCENT = re.compile(
    r"""\\(?:(["'`^~=.])\s*|([uvHckrdb])(?:\s+|(?=[{\\])))"""
    r"""(?:\{\s*(\\[ij]|\w)\s*\}|(\\[ij](?![A-Za-z])\s?|[^\W\d_]))"""
)
_LETTER = re.compile(
    r"\\(ss|l|L|o|O|ae|AE|oe|OE|aa|AA|i|j|dh|DH|th|TH|dj|DJ|ng)(?:\{\}|(?![A-Za-z])\s?)"
)
_MATHS = re.compile(r"\$[^$]*\$")


# BibTeX wants a letter's command in braces of its own: {\'e}, {\ss}.
_ACCENT_IN_BRACES = re.compile(rf"\{{\s*{_ACCENT.pattern}\s*\}}")
_LETTER_IN_BRACES = re.compile(rf"\{{\s*{_LETTER.pattern}\s*\}}")


def accents_to_unicode(text: str) -> str:
    """`text` with LaTeX accents and letters as Unicode, and nothing else changed."""
    if "\\" not in text:
        return text
    for accent in (_ACCENT_IN_BRACES, _ACCENT):
        text = accent.sub(_accented, text)
    for letter in (_LETTER_IN_BRACES, _LETTER):
        text = letter.sub(lambda match: _LETTERS[match[1]], text)
    return unicodedata.normalize("NFC", text)


def latex_to_unicode(text: str) -> str:
    """`text` with LaTeX accents and letters as Unicode; braces, ties and foot-note marks gone."""
    if not re.search(r"[\\{}$~]", text):
        return text
    text = accents_to_unicode(_MATHS.sub("", text))
    text = re.sub(r"\\([&%$#_ ,-])", r"\1", text).replace("~", " ")
    text = re.sub(r"\\[A-Za-z]+\s?|[{}\\]", "", text)
    return unicodedata.normalize("NFC", text)


def _accented(match: re.Match[str]) -> str:
    letter = (match[3] or match[4]).strip().removeprefix("\\").replace("ı", "i")
    return unicodedata.normalize("NFC", letter + _COMBINING[match[1] or match[2]])
