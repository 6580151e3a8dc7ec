"""Token counts without a network, and how a window is shared out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arxivscout.window_shares import Share

# A match is a token, except that some characters outside ASCII count twice.
_TOKEN = re.compile(r"[A-Za-z]{1,7}|[0-9]{1,3}|[!-/:-@\[-`{-~]{1,2}|\n|[^\s!-~]")
_OUTSIDE_ASCII = re.compile(r"[^\s\0-\x7f]")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s")
_CHARACTERS = 8  # the most that one token stands for: a word of seven letters and its blank
MARK = " […]"  # stands where a text was cut


def count_tokens(text: str) -> int:
    """Tokens in `text`, estimated from its characters: an upper guess rather than a lower one.

    Byte-pair tokenizers give about one token per English word of up to seven letters, per three
    digits, per two punctuation marks, and one to two per character outside ASCII.
    """
    tokens = len(_TOKEN.findall(text))
    if not text.isascii():
        tokens += sum(map(_counts_twice, _OUTSIDE_ASCII.findall(text)))
    return tokens


def _counts_twice(character: str) -> bool:
    return not character.isascii() and (not character.isalpha() or character >= "\u2e80")


def clip(text: str, tokens: int) -> str:
    """The beginning of `text`, more than `tokens` of it: enough to count and shorten it there.

    So that what has no end costs no more than what there is room for.
    """
    most = (tokens + 2) * _CHARACTERS
    return text if len(text) <= most else text[:most]


def shorten(text: str, tokens: int) -> str:
    """`text` cut to at most `tokens`, at a sentence's end where one is near, else at a word."""
    if _fits(text, tokens):
        return text
    room = tokens - count_tokens(MARK)
    cut = _prefix(text, room) if room > 0 else ""
    ends = [end.start() for end in _SENTENCE_END.finditer(cut)]
    if ends and ends[-1] > len(cut) // 2:
        cut = cut[: ends[-1]]
    elif " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip() + MARK if cut.strip() else ""


def _fits(text: str, tokens: int) -> bool:
    if clip(text, tokens) is text:  # counted faster than walked through
        return count_tokens(text) <= tokens
    return len(_prefix(text, tokens)) == len(text)


def _prefix(text: str, tokens: int) -> str:
    """The longest beginning of `text` that takes at most `tokens`."""
    for match in _TOKEN.finditer(text):
        tokens -= 1 + _counts_twice(match.group()[0])
        if tokens < 0:
            return text[: match.start()]
    return text


def share_out(
    room: int,
    wants: Mapping[str, int],
    shares: Mapping[str, Share],
    priority: Sequence[str],
    window: int,
) -> dict[str, int]:
    """Tokens that each part gets: at most its want and its most, together at most `room`.

    First each gets its least, then its share of the window (all shares smaller alike where the room
    does not hold them), and then what is left over, in the order of `priority`.
    """
    spare = max(room, 0)
    whole = sum(shares[name].share for name in wants) * window
    scale = min(1.0, spare / whole) if whole else 0.0
    given = dict.fromkeys(wants, 0)
    for limit, order in (
        # Who is last in all else has that at least.
        (lambda part: part.least, [*priority[-1:], *priority[:-1]]),
        (lambda part: int(part.share * window * scale), priority),
        (lambda part: part.most, priority),
    ):
        for name in order:
            part = shares[name]
            more = min(limit(part), wants[name], part.most) - given[name]
            more = max(min(more, spare), 0)
            given[name] += more
            spare -= more
    return given
