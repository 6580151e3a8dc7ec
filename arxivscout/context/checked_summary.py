"""A model's summary of a conversation, held against what was said: nothing invented, nothing lost.

A line with an id, a date or a number that nobody said is left out; decisions and facts that the
model left out are added in the speakers' own words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from arxivscout.context.budget import count_tokens
from arxivscout.context.condense import MOST_KEPT, condense
from arxivscout.context.importance import decides, facts
from arxivscout.papers import one_line
from arxivscout.papers.sentences import split_sentences

LOST = "in their words:"  # heads what the model left out


def checked_summary(text: str, messages: Sequence[tuple[str, str]], tokens: int) -> str:
    """The summary `text` without what was not said, and with what may not be lost.

    Args:
        text: a model's.
        messages: (role, text), oldest first.
        tokens: aimed at; what may not be lost may take more, up to 60 % of the conversation.

    Returns:
        "" where nothing of the text stands the test.
    """
    said = {fact.casefold() for _, each in messages for fact in facts(each)}
    kept = [
        sentence
        for line in text.splitlines()
        for sentence in split_sentences(one_line(line))
        if sentence and all(fact.casefold() in said for fact in facts(sentence))
    ]
    # A model that goes on and on has not summarised.
    whole = sum(count_tokens(each) for _, each in messages)
    most = max(tokens, int(whole * MOST_KEPT))
    beyond = bisect_right(range(len(kept)), most, key=lambda at: _tokens(kept[: at + 1]))
    kept = kept[:beyond]
    if not kept:
        return ""
    summary = "\n".join(kept)
    room = most - count_tokens(f"{summary}\n{LOST}\n")
    rest = _unsaid(summary, messages)
    added = condense(rest, room, whole=False) if rest and room > 0 else ""
    return f"{summary}\n{LOST}\n{added}" if added else summary


def _tokens(lines: Sequence[str]) -> int:
    return count_tokens("\n".join(lines))


def _unsaid(summary: str, messages: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The sentences that decide something or hold a fact that the summary lacks."""
    held = {fact.casefold() for fact in facts(summary)}
    words = set(_words(summary))
    rest = []
    for role, text in messages:
        parts = text.split("\n") if role == "summary" else split_sentences(text)
        lacking = [
            part
            for part in parts
            if any(fact.casefold() not in held for fact in facts(part))
            or (decides(part) and not _told(part, words))
        ]
        if lacking:
            rest.append((role, ("\n" if role == "summary" else " ").join(lacking)))
    return rest


def _told(sentence: str, words: set[str]) -> bool:
    """Whether most words of a sentence stand in the summary."""
    own = _words(sentence)
    return bool(own) and sum(word in words for word in own) >= 0.7 * len(own)


def _words(text: str) -> list[str]:
    return [word for word in text.casefold().split() if len(word) > 3]
