"""What foreign text goes through before it is kept, shown or sent."""

from __future__ import annotations

import re
import unicodedata

# Out: control characters (Postgres refuses NUL, a terminal obeys ESC), lone surrogates (no UTF-8),
# bidi overrides (text shown in another order than it is read), tag characters and zero-width
# blanks (text nobody sees but a model). Marks that scripts need (ZWJ, ZWNJ, LRM, RLM) stay.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\u200b\u2060\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
# What a terminal would obey goes as a whole: with only its ESC gone, "[31m" would stay in the text.
# Only what is complete, and only with ESC: most C1 characters are quotation marks decoded wrongly.
# Each run ends at the next ESC, so that no text makes it look at a character twice.
_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, the cursor
    r"|\x1b[\]PX^_][^\x07\x1b\n\r]*(?:\x07|\x1b\\)"  # OSC and its kin: titles, links
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def clean_text(text: str) -> str:
    """`text` without what a database, a terminal or a reader can't bear; in NFC; idempotent.

    Every kind of line end becomes a newline; newlines and tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text:
        text = _SEQUENCES.sub("", text)
    return unicodedata.normalize("NFC", _UNWANTED.sub("", _LINE_ENDS.sub("\n", text)))


def one_line(text: str) -> str:
    """`text` cleaned, each run of white space one blank, none at the ends."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(clean_text(text).split())


def cut_at_word(text: str, most: int) -> str:
    """At most `most` characters of `text`, cut between words where there are several."""
    if len(text) <= most:
        return text
    whole = text[: most + 1].rstrip().rsplit(maxsplit=1)
    return whole[0] if len(whole) > 1 else text[:most]


# Letters that Unicode doesn't take apart into a plain one and a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE",
     "œ": "oe", "Œ": "OE", "ı": "i", "ð": "d", "þ": "th", "Þ": "Th"}
)  # fmt: skip


def fold_accents(text: str) -> str:
    """`text` in plain letters, as it is compared in searches: `Schrödinger` is `Schrodinger`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).translate(_PLAIN)
