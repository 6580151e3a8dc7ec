"""Token counts without a network, and how a window is shared out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

# A match is a token, except that some characters outside ASCII count twice.
_TOKEN = re.compile(r"[A-Za-z]{1,7}|[0-9]{1,3}|[!-/:-@\[-`{-~]{1,2}|\n|[^\s!-~]")
_OUTSIDE_ASCII = re.compile(r"[^\s\0-\x7f]")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s")


def count_tokens(text: str) -> int:
    """Tokens in `text`, estimated from its characters: an upper guess rather than a lower one.

    Byte-pair tokenizers give about one token per English word of up to seven letters, per three
    digits, per two punctuation marks, and one to two per character outside ASCII.
    """
    tokens = len(_TOKEN.findall(text))
    if not text.isascii():
        outside = _OUTSIDE_ASCII.findall(text)
        tokens += sum(not each.isalpha() or each >= "\u2e80" for each in outside)
    return tokens


def shorten(text: str, tokens: int) -> str:
    """`text` cut to at most `tokens`, at a sentence's end where one is near, else at a word."""
    if count_tokens(text) <= tokens:
        return text
    mark = " […]"
    room = tokens - count_tokens(mark)
    if room <= 0:
        return ""
    low, high = 0, len(text)
    while low < high:  # the longest prefix that fits
        middle = (low + high + 1) // 2
        if count_tokens(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    cut = text[:low]
    ends = [end.start() for end in _SENTENCE_END.finditer(cut)]
    if ends and ends[-1] > len(cut) // 2:
        cut = cut[: ends[-1]]
    elif " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip() + mark if cut.strip() else ""


def share_out(
    room: int, wants: Mapping[str, int], shares: Mapping[str, float], priority: Sequence[str]
) -> dict[str, int]:
    """Tokens that each segment gets: at most its want, together at most `room`.

    Each gets its share of `room` first; what it leaves unused goes to the others in the order of
    `priority`.
    """
    room = max(room, 0)
    whole = sum(shares.values()) or 1.0
    given = {name: min(wants[name], int(room * shares[name] / max(whole, 1.0))) for name in wants}
    spare = room - sum(given.values())
    for name in priority:
        more = min(spare, wants[name] - given[name])
        given[name] += more
        spare -= more
    return given
