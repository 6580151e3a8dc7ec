"""Foreign text cleaned piece by piece, as `render.safe` cleans it whole.

The work is in proportion to the text, whatever it is made of: what is held never grows without
end, or is not looked at again while it grows.
"""

from __future__ import annotations

import re
import unicodedata

from arxivscout.cli import render

# A terminal sequence whose end has not come yet.
_UNFINISHED = re.compile(
    r"(?:\x1b(?:\[[0-?]*)?[ -/]*|\x9b[0-?]*[ -/]*"
    r"|(\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x9c\n]*+(\x1b?))\Z"
)
_PARAMETERS = re.compile("[0-?]*")  # of a terminal sequence, with its intermediates behind them
_INTERMEDIATES = re.compile("[ -/]*")
_PLAIN = re.compile(r"[ -~\n\t]*")
_AT_ONCE = 256  # characters looked at together: a search may look at each of them that often
_MOST_MARKS = 30  # on one letter, as Unicode's Stream-Safe Text Format has it (UAX #15, 13)


class StreamCleaner:
    """Gives back what of the text so far is complete and safe to show.

    Marks on a letter past the thirtieth are left out.
    """

    def __init__(self) -> None:
        self._sequence: list[str] = []  # one that has no end yet
        self._letter = ""  # the last one, with all that is set on it

    def feed(self, piece: str) -> str:
        """The clean text up to what may still change with the next piece."""
        starts = range(0, len(piece), _AT_ONCE)
        return "".join(self._feed(piece[start : start + _AT_ONCE]) for start in starts)

    def finish(self) -> str:
        """What is left."""
        rest = self._letters(render.without_sequences("".join(self._sequence)))
        rest += render.safe(self._letter)
        self._sequence, self._letter = [], ""
        return rest

    def _feed(self, piece: str) -> str:
        if self._sequence and _goes_on(self._sequence[-1][-1], piece):
            self._sequence.append(piece)
            return ""
        raw = "".join(self._sequence) + piece
        unfinished = _UNFINISHED.search(raw)
        end = unfinished.start() if unfinished else len(raw)
        self._sequence = []
        if unfinished and unfinished[1]:  # a title or the like, shown never: only its ends matter
            self._sequence = [unfinished[1] + unfinished[2]]
        elif unfinished:
            self._sequence = [unfinished[0]]
        return self._letters(render.without_sequences(raw[:end]))

    def _letters(self, text: str) -> str:
        """`text` and the letter before it, but for the last one: more may be set on it."""
        if not text:
            return ""
        done = []
        if _PLAIN.fullmatch(text):
            done, self._letter = [self._letter + text[:-1]], text[-1]
        else:
            for char in text:
                if not _joins(self._letter, char):
                    # What is not shown does not part a letter from its mark either.
                    if render.safe(char):
                        done.append(self._letter)
                        self._letter = char
                elif len(self._letter) <= _MOST_MARKS:
                    self._letter += char
                if self._letter.isspace() and self._letter != "\r":
                    done.append(self._letter)
                    self._letter = ""
        if self._letter.isspace() and self._letter != "\r":
            done.append(self._letter)
            self._letter = ""
        return render.safe("".join(done))


def _goes_on(last: str, piece: str) -> bool:
    """Whether a sequence that ends with `last` is as unfinished with `piece` behind it."""
    if _PARAMETERS.fullmatch(last):
        return _PARAMETERS.fullmatch(piece) is not None
    return bool(_INTERMEDIATES.fullmatch(last) and _INTERMEDIATES.fullmatch(piece))


def _joins(letter: str, char: str) -> bool:
    """Whether NFC may make one of them, or put them in another order; or it is one line end."""
    if char < "\u0300":
        return letter == "\r" and char == "\n"
    if not letter:
        return False
    if unicodedata.combining(unicodedata.normalize("NFD", char)[0]):  # U+0F73 is two that combine
        return True
    apart = unicodedata.normalize("NFC", letter) + unicodedata.normalize("NFC", char)
    return unicodedata.normalize("NFC", letter + char) != apart
