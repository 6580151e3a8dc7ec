"""A conversation condensed by rule: the sentences that carry what must not be lost."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.context.budget import count_tokens
from arxivscout.papers import find_paper_ids, one_line
from arxivscout.papers.sentences import split_sentences
from arxivscout.preferences import find_preferences

_DECIDES = re.compile(
    r"\b(decid|conclu|agree|chose|choose|will use|we use|must|require|constraint|deadline|found|"
    r"shows?|result|because|prefer|avoid|never|always|wrong|correct|error|fail|"
    r"decis|scel|deve|vincolo|errore|perch[eé]|prefer)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")


def condense(messages: Sequence[tuple[str, str]], tokens: int) -> str:
    """The sentences of `messages` that matter most, in their order, within `tokens`.

    Every question stays; then sentences with paper ids, preferences, decisions and numbers.

    Args:
        messages: (role, text), oldest first.
    """
    candidates: list[tuple[float, int, str]] = []
    for position, (role, text) in enumerate(messages):
        for at, sentence in enumerate(split_sentences(text)):
            line = one_line(sentence)
            if line:
                weight = _weight(role, line, first=at == 0)
                candidates.append(
                    (weight + position / (1000 * len(messages)), len(candidates), f"{role}: {line}")
                )
    chosen: list[tuple[int, str]] = []
    room = tokens
    for _, order, line in sorted(candidates, key=lambda each: (-each[0], each[1])):
        cost = count_tokens(line) + 1
        if cost <= room:
            chosen.append((order, line))
            room -= cost
    return "\n".join(line for _, line in sorted(chosen))


def _weight(role: str, line: str, *, first: bool) -> float:
    weight = 0.5
    if role == "user":
        weight += 0.4 if first or line.endswith("?") else 0.2
        weight += 0.4 if find_preferences(line) else 0.0
    weight += 0.4 if find_paper_ids(line) else 0.0
    weight += 0.3 if _DECIDES.search(line) else 0.0
    weight += 0.1 if _NUMBER.search(line) else 0.0
    return weight
