"""The words that say what a text is about."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

PREFIX = 5  # letters that words of one family share at least
FAMILY = 0.8  # what such a word counts
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")

# Words of questions and of every abstract: they tell no topic from another.
STOP_WORDS = frozenset(
    """a about above after again all also although always am among an and another any anything are
    around article articles as ask at author authors available be because been before being best
    between both but by can cannot could describe did different discuss discussed do does doing
    done due during each e.g either else et etc even ever every everything explain few find first
    for found from further gave get give given go good had has have having he hello her here hi
    him his how however i i'd i'm i've if important in info information interested interesting
    into is it its itself just kind know known last latest let like list literature look looking
    made main make many may me mean might more most much must my need newest no none nor not
    nothing now of often old on one ones only or other others our out over overview own paper
    papers paragraph people please possible prefer present published question read recent recently
    recommend related research result results review said same say says search see several shall
    she should show shows since so some something studied studies study such suggest summarise
    summarize summary tell than thank thanks that that's the their them then there these they
    thing things think this those through to today together topic topics toward towards two under
    understood until up upon us use used useful using various very via want was way ways we well
    were what what's when where whether which while who whom whose why will with within without
    work works would written wrote year years yes yet you your""".split()
)
# Of these, what also names things: question answering, search engines, mean fields.
_PART_OF_NAMES = frozenset({"information", "interest", "mean", "question", "search", "work"})

_SUFFIXES = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"),
    ("ations", "ate"),
    ("ation", "ate"), ("ising", "ize"), ("izing", "ize"), ("ised", "ize"), ("ized", "ize"),
    ("ities", "ity"), ("ments", "ment"), ("ness", ""), ("ings", ""), ("ing", ""), ("ies", "y"),
    ("ied", "y"), ("ors", "or"), ("ers", "er"), ("ed", ""), ("es", ""), ("ly", ""), ("s", ""),
)  # fmt: skip

_JOINT = re.compile(r"[-'’]")


def words_of(text: str) -> list[str]:
    """The words of `text` as they stand, in order; hyphenated ones whole."""
    return _WORD.findall(text)


@lru_cache(maxsize=50_000)  # texts are made of the same words again and again
def stem(word: str) -> str:
    """A word without its commonest English endings, so that its forms meet. Crude, and fast."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    for ending, instead in _SUFFIXES:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def content_words(text: str) -> list[str]:
    """The words of `text` that say what it is about, as they stand, each once, in order."""
    return list(
        dict.fromkeys(
            word for word in words_of(text) if word.lower() not in STOP_WORDS and len(word) > 1
        )
    )


def topic_words(text: str) -> list[str]:
    """As `content_words`, with the words of questions that are part of a name beside another.

    "Known information" is none, "quantum information" and "information theory" are.
    """
    words = words_of(text)
    says = [word.lower() not in STOP_WORDS and len(word) > 1 for word in words]
    kept = [
        word
        for at, word in enumerate(words)
        if says[at]
        or (word.lower() in _PART_OF_NAMES and any(says[at + 1 : at + 2]))
        or (word.lower() == "information" and at > 0 and says[at - 1])
    ]
    return list(dict.fromkeys(kept))


def content_terms(text: str) -> list[str]:
    """Stems of the words that say what `text` is about; a hyphenated word gives its parts too."""
    terms: dict[str, None] = {}
    for word in words_of(text):
        terms |= _stems(word)
    return list(terms)


@lru_cache(maxsize=50_000)
def _stems(word: str) -> dict[str, None]:
    parts = dict.fromkeys([word, *_JOINT.split(word)])
    return {stem(each): None for each in parts if each.lower() not in STOP_WORDS and len(each) > 1}


def overlap(terms: Sequence[str], having: Set[str]) -> float:
    """The share of `terms` that are among `having`; words of one family count nearly whole."""
    if not terms:
        return 0.0
    return sum(likeness(term, having) for term in terms) / len(terms)


def likeness(term: str, having: Set[str]) -> float:
    """1 if the stem is there, FAMILY if one that begins alike is (conduct, conductive), or 0."""
    if term in having:
        return 1.0
    begin = term[:PREFIX]
    family = len(term) >= PREFIX and any(
        other.startswith(begin) and _shared(term, other) >= 0.6 * max(len(term), len(other))
        for other in having
    )
    return FAMILY if family else 0.0


def _shared(one: str, other: str) -> int:
    """How many letters both begin with."""
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return at
    return min(len(one), len(other))
