"""Foreign text cleaned piece by piece, as `render.safe` cleans it whole."""

from __future__ import annotations

import re
import unicodedata

from arxivscout.cli import render

# A terminal sequence whose end has not come yet.
_UNFINISHED = re.compile(
    r"(?:\x1b(?:\[[0-?]*)?[ -/]*|\x9b[0-?]*[ -/]*"
    r"|(?:\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x9c\n]*\x1b?)\Z"
)


class StreamCleaner:
    """Gives back what of the text so far is complete and safe to show."""

    def __init__(self) -> None:
        self._raw = ""
        self._letters = ""

    def feed(self, piece: str) -> str:
        """The clean text up to what may still change with the next piece."""
        self._raw += piece
        unfinished = _UNFINISHED.search(self._raw)
        end = unfinished.start() if unfinished else len(self._raw)
        self._letters += render.without_sequences(self._raw[:end])
        self._raw = self._raw[end:]
        end = _last_letter(self._letters)
        ready, self._letters = self._letters[:end], self._letters[end:]
        return render.safe(ready)

    def finish(self) -> str:
        """What is left."""
        rest = self._letters + render.without_sequences(self._raw)
        self._raw = self._letters = ""
        return render.safe(rest)


def _last_letter(text: str) -> int:
    """Where the last letter begins with all that is set on it: NFC may join it to what
    follows. So it is with half of a line end."""
    at = len(text) - 1
    while at > 0 and _joins(text[at - 1], text[at]):
        at -= 1
    return at if text and (text[at] == "\r" or not text[at].isspace()) else len(text)


def _joins(before: str, char: str) -> bool:
    pair = before + char
    return (
        unicodedata.combining(char) > 0
        or "\u1100" <= char <= "\u11ff"
        or unicodedata.normalize("NFC", pair) != pair
    )
