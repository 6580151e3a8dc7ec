"""A conversation condensed by rule: what was decided, found, counted and named stays in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arxivscout.context.budget import count_tokens
from arxivscout.context.importance import BASE, decides, facts, importance
from arxivscout.papers import one_line
from arxivscout.papers.sentences import split_sentences

MOST_KEPT = 0.6  # of the conversation: a summary as long as what it condenses is none
ALSO = "also said:"  # the line of facts whose sentences were left out
_WORDS_AROUND = 2  # a fact is shown with so many words on each side
_LEAST_WORDS = 5
_WORD = re.compile(r"\S+")


def condense(messages: Sequence[tuple[str, str]], tokens: int, *, whole: bool = True) -> str:
    """The sentences of `messages` that matter most, in their order.

    Every decision stays, then the rest by importance within `tokens`; the ids, dates and numbers of
    what was left out stand in a last line, with the words around them.

    Args:
        messages: (role, text), oldest first; a summary has the role "summary".
        tokens: aimed at. With `whole`, decisions and facts may take more, up to 60 % of the
            conversation; without, the summary ends there.
    """
    sentences = list(_sentences(messages))
    costs = [count_tokens(f"{role}: {line}") + 1 for _, role, line, _ in sentences]
    most = max(tokens, int(sum(costs) * MOST_KEPT)) if whole else tokens
    chosen: set[int] = set()
    room = tokens
    order = sorted(range(len(sentences)), key=lambda at: (-sentences[at][3], at))
    for at in order:
        must = whole and decides(sentences[at][2])
        if not sentences[at][3] > 0.01:
            continue
        if costs[at] <= (room + most - tokens if must else room):
            chosen.add(at)
            room -= costs[at]
    text = _joined([sentences[at] for at in sorted(chosen)])
    left = [sentences[at][2] for at in range(len(sentences)) if at not in chosen]
    also = _also_said(left, text, most - count_tokens(text) - 1)
    return f"{text}\n{also}".strip() if also else text


def _sentences(messages: Sequence[tuple[str, str]]) -> Iterable[tuple[int, str, str, float]]:
    """(message, role, line, weight) of each sentence, once; later ones weigh a little more."""
    seen: set[str] = set()
    for place, (role, text) in enumerate(messages):
        parts = text.split("\n") if role == "summary" else split_sentences(text)
        for sentence in parts:
            line = one_line(sentence)
            if line and line not in seen:
                seen.add(line)
                asked = role == "user" and line.endswith("?")
                weight = importance(line, asked=asked)
                if weight == BASE and line.count(" ") < _LEAST_WORDS:
                    weight = 0.0  # a greeting, a thank-you
                yield place, role, line, weight + place / (1000 * len(messages))


def _joined(chosen: Iterable[tuple[int, str, str, float]]) -> str:
    """A line a message, its role in front; lines of a summary have theirs already."""
    lines: list[str] = []
    last = None
    for place, role, line, _ in chosen:
        if role == "summary":
            lines.append(line)
        elif place == last:
            lines[-1] += f" {line}"
        else:
            lines.append(f"{role}: {line}")
        last = place
    return "\n".join(lines)


def _also_said(sentences: Sequence[str], text: str, room: int) -> str:
    """The facts of `sentences` that `text` lacks, as a line of at most `room` tokens."""
    room -= count_tokens(ALSO)
    shown: dict[str, None] = {}
    held = set(facts(text))
    for sentence in sentences:
        for fact in facts(sentence):
            if fact in held:
                continue
            snippet = _with_words_around(sentence, fact)
            cost = count_tokens(snippet) + 1
            if cost <= room:
                shown[snippet] = None
                held.update(facts(snippet))
                room -= cost
    return f"{ALSO} {'; '.join(shown)}" if shown else ""


def _with_words_around(sentence: str, fact: str) -> str:
    begin = sentence.casefold().find(fact.casefold())
    if begin < 0:  # an id that is written in another form
        return fact
    words = list(_WORD.finditer(sentence))
    first = next(at for at, word in enumerate(words) if word.end() > begin)
    last = next(at for at, word in enumerate(words) if word.end() >= begin + len(fact))
    around = words[max(first - _WORDS_AROUND, 0) : last + _WORDS_AROUND + 1]
    return " ".join(word.group() for word in around)
