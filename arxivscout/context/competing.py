"""Which items of a segment go in: each once, by value per token, shortened before dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.context.budget import clip, count_tokens, shorten
from arxivscout.context.segments import Item, SegmentReport

MIN_ITEM_TOKENS = 24  # an item shortened below this says nothing any more
ALIKE = 0.8  # share of word pairs that near-duplicates have in common

_WORD = re.compile(r"\w+")
# Where these differ, two texts say different things, however alike they are ("t" is of "isn't").
_TELLS_APART = re.compile(r"\d|^(?:not?|t|never|none|nor|without|cannot|non|mai|senza)$")


def fill(items: Sequence[Item], room: int, segment: SegmentReport) -> list[str]:
    """The lines of one segment within `room` tokens, in the items' order; the report is written on.

    The best item always goes in, shortened if need be. The others compete by score per token,
    without scores by their place.
    """
    sized = []
    for place, item in enumerate(_each_once(items, segment)):
        text = clip(item.text, room)
        tokens = count_tokens(text) + 1
        sized.append((place, item, tokens if text == item.text else max(tokens, room + 1)))
    if sum(tokens for *_, tokens in sized) > room:
        sized[1:] = sorted(sized[1:], key=_by_value_per_token)
    lines: dict[int, str] = {}
    for place, item, tokens in sized:
        text = item.text
        if tokens > room:
            text = shorten(item.text, room - 1) if room >= MIN_ITEM_TOKENS else ""
            reason = "shortened: no room left" if text else "no room left"
            segment.cut.append({"source": item.source, "reason": reason})
            if not text:
                continue
            tokens = count_tokens(text) + 1
        room -= tokens
        segment.tokens += tokens
        lines[place] = text
        segment.items.append(
            {"source": item.source, "score": round(item.score, 4), "tokens": tokens}
        )
    return [lines[place] for place in sorted(lines)]


def _by_value_per_token(sized: tuple[int, Item, int]) -> tuple[float, int]:
    place, item, tokens = sized
    value = item.score if item.score > 0 else 1 / (1 + place)
    return -value / tokens, place


def _each_once(items: Sequence[Item], segment: SegmentReport) -> list[Item]:
    """The items without those that say what a better one says already."""
    kept: list[Item] = []
    pairs_kept: list[frozenset[tuple[str, str]]] = []
    for item in items:
        pairs = _pairs(item.text)
        if any(alike(pairs, others) for others in pairs_kept):
            segment.cut.append({"source": item.source, "reason": "the same text again"})
            continue
        kept.append(item)
        pairs_kept.append(pairs)
    return kept


def alike(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> bool:
    """Whether two texts, as their pairs of neighbouring words, say the same."""
    if left == right:
        return True
    less, more = sorted((len(left), len(right)))
    if less < ALIKE * more:
        return False
    common = len(left & right)
    if common < ALIKE * (less + more - common):
        return False
    apart = {word for pair in left ^ right for word in pair}
    shared = {word for pair in left & right for word in pair}
    return not any(_TELLS_APART.match(word) for word in apart - shared)


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    """Neighbouring words of what an item says, without its date, id and thread."""
    head, found, said = text.partition("): ")
    words = _WORD.findall((said if found and head.startswith("- ") else text)[:4_000].casefold())
    return frozenset(zip(["", *words], [*words, ""], strict=False))
