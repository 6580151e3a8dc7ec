"""The terms of a text: words and short phrases that name things, as a reader would write them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from arxivscout.checking.plain import plain
from arxivscout.llm.terms import STOP_WORDS, stem
from arxivscout.papers import Paper
from arxivscout.papers.sentences import split_sentences
from arxivscout.research.generic import GENERIC, NEVER, ONLY_IN_PHRASE

Key = tuple[str, ...]  # the stems of a term's words
Form = TypeVar("Form", str, tuple[str, ...])

LONGEST = 4  # words of a phrase
LONGEST_WORD = 30
LONGEST_ABSTRACT = 6_000
_MATHS = re.compile(r"\$([^$]{0,400})\$|\\(?:cite|ref|label|url|href)\w*\s*\{[^{}]*\}|https?://\S+")
_LETTER = re.compile(r"\s*(?:\\(?!rm\b|it\b|bf\b)[A-Za-z]{2,8}|[^\W\d_])\s*")
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[-–'’/][^\W_]+)*[+*]?")
_BREAK = re.compile(r"[^\s\w'’/–-]|_|(?<=\s)[-–]+(?=\s)|--+|\b\d+\b")
_ADVERB = re.compile(r".*[^aeiou]ly", re.IGNORECASE)


@dataclass(slots=True)
class Terms:
    """The terms of one text: how each is written in the abstract and in the title.

    `capitals`: words as they stand in the middle of a sentence, where a capital means something.
    """

    written: dict[Key, Counter[tuple[str, ...]]] = field(default_factory=dict)
    capitals: dict[str, Counter[str]] = field(default_factory=dict)
    in_title: dict[Key, tuple[str, ...]] = field(default_factory=dict)


def terms_of(paper: Paper) -> Terms:
    """The words and phrases of title and abstract that may name what the paper is about."""
    found = Terms()
    title = _readable(paper.title)
    for key, _, words in _phrases(title):
        found.written.setdefault(key, Counter())
        found.in_title.setdefault(key, words)
    for sentence in split_sentences(_readable(paper.abstract[:LONGEST_ABSTRACT])):
        whole = list(_runs(sentence, all_words=True))
        opening = whole[0][0] if whole else ""
        for key, place, words in _phrases(sentence):
            if place == 0 and words[0] == opening:
                words = (_small(opening), *words[1:])
            if key not in found.written:
                found.written[key] = Counter()
            found.written[key][words] += 1
        for run in whole:
            for word in run:
                if word != opening:
                    small = word.lower()
                    if small not in found.capitals:
                        found.capitals[small] = Counter()
                    found.capitals[small][word] += 2
    letters = [c for c in title if c.isalpha()]
    if sum(map(str.isupper, letters)) < 0.6 * len(letters):  # a title that shouts tells no case
        for run in _runs(title):
            for word in run:
                if any(map(str.isupper, word[1:])):
                    found.capitals.setdefault(word.lower(), Counter())[word] += 1
    return found


def capitals_of(terms: Iterable[Terms]) -> dict[str, str]:
    """The commonest way of writing each word, by the word in small letters."""
    total: dict[str, Counter[str]] = {}
    for each in terms:
        for word, counts in each.capitals.items():
            total.setdefault(word, Counter()).update(counts)
    return {word: _commonest(counts) for word, counts in total.items()}


def best_written(key: Key, terms: Iterable[Terms], capitals: dict[str, str]) -> str:
    """The commonest form of a term; words that open a sentence, or stand in titles only, are
    written as they usually are."""
    total: Counter[tuple[str, ...]] = Counter()
    for each in terms:
        total.update(each.written.get(key, ()))
        if not total and key in each.in_title:
            words = tuple(word.lower() for word in each.in_title[key])
            return " ".join(capitals.get(word, word) for word in words)
    first, *rest = _commonest(total)
    return " ".join([capitals.get(first, first), *rest])


def _commonest(counts: Counter[Form]) -> Form:
    return min(counts, key=lambda form: (-counts[form], sum(map(_capitals, form)), form))


def _small(word: str) -> str:
    """A word that opens a sentence, without the capital that only its place gives it."""
    return word if any(map(str.isupper, word[1:])) else word.lower()


def _capitals(text: str) -> int:
    return sum(map(str.isupper, text))


def _readable(text: str) -> str:
    return plain(_MATHS.sub(_formula, text))


def _formula(found: re.Match[str]) -> str:
    """A formula of one letter belongs to a word (`$\\Lambda$CDM`, `$K$-theory`); others part."""
    inner = found[1]
    return f"${inner}$" if inner is not None and _LETTER.fullmatch(inner) else " ; "


def _phrases(text: str) -> Iterator[tuple[Key, int, tuple[str, ...]]]:
    """Each term: its stems, its place in its run of words, and the words as they stand."""
    for run in _runs(text):
        keys = [_key(word) for word in run]
        for size in range(1, LONGEST + 1):
            for at in range(len(run) - size + 1):
                if _may_name(run[at : at + size], keys[at : at + size]):
                    yield tuple(keys[at : at + size]), at, tuple(run[at : at + size])


def _runs(text: str, *, all_words: bool = False) -> Iterator[list[str]]:
    """Words that stand together with no stop word, mark or number between them."""
    for part in _BREAK.split(text):
        run: list[str] = []
        for word in part.split():
            bare = word.strip("'’/–-")
            usual = _WORD.fullmatch(bare) and len(bare) <= LONGEST_WORD
            if usual and (all_words or bare.lower() not in STOP_WORDS):
                run.append(bare.removesuffix("'s").removesuffix("’s"))
            elif run:
                yield run
                run = []
        if run:
            yield run


@lru_cache(maxsize=20_000)
def _key(word: str) -> str:
    return stem(word.replace("–", "-"))


def _may_name(words: list[str], keys: list[str]) -> bool:
    if any(key in NEVER or len(key) < 2 for key in keys) or len(set(keys)) < len(keys):
        return False
    if _ADVERB.fullmatch(words[0]) or _ADVERB.fullmatch(words[-1]):
        return False
    if len(words) == 1:
        return keys[0] not in ONLY_IN_PHRASE and len(words[0]) > 2
    return not all(key in GENERIC for key in keys)
