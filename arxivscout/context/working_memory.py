"""What of the running conversation stays in the window: this thread's turns, by a strategy.

window      the newest 20 messages, as many as fit
summaries   what no summary holds yet, the newest first; summaries stand in their own segment
importance  the last exchanges, then those that matter most, in their order
hybrid      what no summary holds yet: the newest, and of older ones those that matter most

An exchange is what the person said with all that follows it, so that no call stands without its
result and no answer without its question.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arxivscout.context.budget import clip, count_tokens, shorten
from arxivscout.context.importance import importance
from arxivscout.context.segments import Said
from arxivscout.window_shares import Strategy

WINDOW_MESSAGES = 20
LAST_EXCHANGES = 2  # always in, whatever a summary holds
RECENT_SHARE = 0.75  # of the room: for the newest, before older ones compete by importance
MESSAGE_TOKENS = 4  # what a chat format adds to each message
LEAST_SHORTENED = 24  # tokens; a message cut below says nothing any more
LONGEST_SAMPLED = 150  # tokens of a message that stays for its importance
MOST_LOOKED_AT = 400  # messages; older ones are recalled by meaning, or a summary has them
_LOOKED_AT = 2_000  # characters of a message that tell how much it matters

Exchange = list[tuple[int, Said]]  # messages with their places in the thread
Kept = dict[int, Said]  # by place; a message may be shortened
Cut = tuple[str, str]  # source and reason


def select_turns(
    messages: Sequence[Said], tokens: int, strategy: Strategy = "hybrid"
) -> tuple[list[Said], list[Cut]]:
    """The messages that stay within `tokens`, oldest first, and those left out with the reason.

    Args:
        messages: of the thread, oldest first.
        strategy: one of those above.
    """
    older, messages = len(messages[:-MOST_LOOKED_AT]), messages[-MOST_LOOKED_AT:]
    kept, others = _by_age(messages, tokens, strategy)
    kept |= _important(others, tokens - _taken(kept), kept)
    cut = [(f"{older} older messages", "no room left")] if older else []
    for place, said in enumerate(messages):
        if place not in kept:
            reason = "a summary holds it" if said.condensed else "no room left"
            cut.append((said.source, reason))
        elif kept[place].text != said.text:
            cut.append((said.source, "shortened: no room left"))
    return [kept[place] for place in sorted(kept)], cut


def newest_whole(messages: Sequence[Said], tokens: int, strategy: Strategy = "hybrid") -> int:
    """How many of the newest messages stay whole, one after the other, where there are at least
    `tokens`: what is recalled need not bring them. What would stay for its importance is not among
    them: with more room something longer may take its place."""
    messages = messages[-MOST_LOOKED_AT:]
    kept, _ = _by_age(messages, tokens, strategy)
    whole = 0
    for place in reversed(range(len(messages))):
        if kept.get(place) != messages[place]:
            break
        whole += 1
    return whole


def _by_age(
    messages: Sequence[Said], tokens: int, strategy: Strategy
) -> tuple[Kept, list[Exchange]]:
    """What stays since it is new, and the exchanges that compete for the rest of the room."""
    whole = exchanges(messages)
    certain = whole[-LAST_EXCHANGES:]
    if strategy == "window":
        first = len(messages) - WINDOW_MESSAGES
        return _newest([each for each in whole if each[0][0] >= first], tokens), []
    if strategy == "importance":
        return _newest(certain, tokens), whole
    open_ones = [*_not_condensed(whole[:-LAST_EXCHANGES]), *certain]
    kept = _newest(open_ones, tokens)
    if strategy == "summaries" or len(kept) == sum(map(len, open_ones)):
        return kept, []
    return _newest(open_ones, int(tokens * RECENT_SHARE)), open_ones


def exchanges(messages: Sequence[Said]) -> list[Exchange]:
    """The messages, parted before each of the person's; what stands before the first of those
    answers nothing that is known, and is left out."""
    found: list[Exchange] = []
    for place, said in enumerate(messages):
        if said.role == "user":
            found.append([])
        if found:
            found[-1].append((place, said))
    return found


def _not_condensed(whole: Sequence[Exchange]) -> list[Exchange]:
    return [each for each in whole if not all(said.condensed for _, said in each)]


def _newest(whole: Sequence[Exchange], tokens: int) -> Kept:
    """The newest exchanges that fit; the first that does not is shortened, and is the last one."""
    kept: Kept = {}
    for exchange in reversed(whole):
        cost = sum(_cost(said.text, tokens) for _, said in exchange)
        if cost <= tokens:
            kept |= dict(exchange)
            tokens -= cost
            continue
        kept |= _shortened(exchange, tokens)
        break
    return kept


def _important(whole: Sequence[Exchange], tokens: int, kept: Kept) -> Kept:
    """Of the exchanges not in `kept` those that matter most, each message within bounds."""
    left = [each for each in whole if each[0][0] not in kept]
    left.sort(key=lambda each: (-_value(each), -each[0][0]))
    more: Kept = {}
    for exchange in left:
        short = [
            (place, said._replace(text=shorten(said.text, LONGEST_SAMPLED)))
            for place, said in exchange
        ]
        cost = sum(_cost(said.text, LONGEST_SAMPLED) for _, said in short)
        if cost <= tokens and all(said.text for _, said in short):
            more |= dict(short)
            tokens -= cost
        if tokens < LEAST_SHORTENED:
            break
    return more


def _value(exchange: Exchange) -> float:
    return max(_weight(said.text[:_LOOKED_AT]) for _, said in exchange)


@lru_cache(maxsize=1_000)
def _weight(text: str) -> float:  # the same messages are weighed turn after turn
    return importance(text)


def _shortened(exchange: Exchange, tokens: int) -> Kept:
    """The exchange within `tokens`, or nothing: each message may take the same, what a short one
    leaves goes to the next."""
    kept: Kept = {}
    for number, (place, said) in enumerate(exchange):
        room = tokens // (len(exchange) - number) - MESSAGE_TOKENS
        text = shorten(said.text, room) if room > 0 else ""
        if not text or (text != said.text and room < LEAST_SHORTENED):
            return {}
        kept[place] = said._replace(text=text)
        tokens -= count_tokens(text) + MESSAGE_TOKENS
    return kept


def _cost(text: str, most: int) -> int:
    """Tokens of a message; some number over `most` where it takes more."""
    clipped = clip(text, most)
    tokens = count_tokens(clipped) + MESSAGE_TOKENS
    return tokens if clipped is text else max(tokens, most + 1)


def _taken(kept: Kept) -> int:
    return sum(count_tokens(said.text) + MESSAGE_TOKENS for said in kept.values())
