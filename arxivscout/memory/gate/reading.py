"""A statement as it is compared: what it speaks of, whether it is turned round, what it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from arxivscout.memory.gate import signs
from arxivscout.memory.gate.lexicon import LONGEST, Meaning, folded, meaning_of, stem
from arxivscout.memory.gate.numerals import read_numbers
from arxivscout.papers import find_paper_ids, one_line
from arxivscout.papers.search_form import search_form


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text says.

    `terms`: keys of what it speaks of, in order; `optional`: those that may be left unsaid.
    `turned`: whether an odd number of its words turn it round. `values`: what it counts and dates;
    `labels`: numbers and ranks that are part of names; `attributes`: values of attributes that have
    one at a time. `hedges`: some, may. `gone`: what it says is no longer so. `foreign`: whether a
    word of it is not English.
    """

    terms: tuple[str, ...]
    optional: frozenset[str]
    turned: bool
    values: tuple[str, ...]
    labels: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    hedges: frozenset[str]
    gone: frozenset[str]
    agents: tuple[str, ...]
    passive: bool
    compares: bool
    together: bool
    past: bool
    now: bool
    foreign: bool


@lru_cache(maxsize=20_000)
def read(text: str) -> Statement:
    """Read a statement, without the reason that it gives."""
    shown = signs.REASON.sub("", signs.AT_FIRST.sub("", one_line(text)))
    if found := signs.FRONTED.match(shown):
        shown = f"{found['rest'].rstrip(' .!')} {found['front']}"
    ended = [*signs.GONE.finditer(shown), *signs.BUT_NOT.finditer(shown)]
    gone_text = " ".join(found["gone"] for found in ended)
    papers = frozenset(f"paper {each.value}" for each in find_paper_ids(shown))
    plain = signs.PAPER.sub(" ", shown) if papers else shown
    for pattern, instead in signs.CONTRACTED:
        plain = pattern.sub(instead, plain)
    numbers = read_numbers(folded(search_form(plain)))
    words = _words(numbers.rest)
    written = re.findall(r"\b[^\W\d_a-z]{2,}\b", "" if plain.isupper() else plain)
    proper = frozenset(folded(word) for word in written if word.isupper())
    terms, optional, turns, attributes, foreign = _terms(words, proper)
    gone = _terms(_words(folded(search_form(gone_text))), proper)[0]
    return Statement(
        terms,
        optional,
        bool(turns % 2),
        numbers.values,
        numbers.labels | papers,
        attributes,
        frozenset(word for word in words if word in signs.SOME) | _not_all(shown),
        frozenset(gone),
        _agents(shown),
        bool(signs.PASSIVE.search(shown)),
        bool(signs.THAN.search(shown)),
        bool(signs.TOGETHER.search(shown)),
        bool(signs.PAST.search(shown)),
        bool(signs.NOW.search(shown)),
        foreign,
    )


def _words(text: str) -> list[str]:
    """The words of a folded text; hyphenated ones apart, unless a digit makes them a name."""
    found: list[str] = []
    for word in signs.TOKEN.findall(text):
        parts = [word] if any(map(str.isdigit, word)) else re.split("[-']", word)
        found += [part.strip(".'-") for part in parts if part.strip(".'-")]
    return found


def _terms(
    words: list[str], proper: frozenset[str]
) -> tuple[tuple[str, ...], frozenset[str], int, frozenset[tuple[str, str]], bool]:
    terms: dict[str, None] = {}
    optional: set[str] = set()
    attributes: set[tuple[str, str]] = set()
    turns, at, foreign = 0, 0, False
    before: tuple[Meaning, int] | None = None  # the meaning before, and where it ends
    while at < len(words):
        if words[at] in proper and not _is_english(words[at]):  # MIT is no German preposition
            terms[words[at]] = None
            at += 1
            continue
        if length := _negation(words, at):
            turns += 1
            at += length
            continue
        meaning, length = _longest(words, at)
        word = words[at]
        if meaning is None or (length == 1 and word in signs.STOP and meaning.key not in _KEPT):
            if word in signs.LESS and at + 1 < len(words):
                turns += 1
            elif word not in signs.STOP and word not in signs.SOME:
                terms[stem(word)] = None
            at += 1
            continue
        if word in signs.MORE and at + 1 < len(words) and _gradable(words, at + 1):
            at += 1
            continue
        if not (before and _again(meaning, before[0], words[before[1] : at])):
            turns += meaning.turns
        at += length
        before = meaning, at
        foreign = foreign or not meaning.english
        if meaning.attribute:
            attributes.add((meaning.attribute, meaning.key))
        elif meaning.key:
            terms[meaning.key] = None
            if meaning.key in OPTIONAL:
                optional.add(meaning.key)
    return tuple(terms), frozenset(optional), turns, frozenset(attributes), foreign


def _again(meaning: Meaning, before: Meaning, between: list[str]) -> bool:
    """Whether two words side by side say one thing: "long, detailed" turns "short" round once."""
    return (meaning.key, meaning.turns) == (before.key, before.turns) and not set(between) - _AND


_AND = frozenset(("and", "e", "ed", "und", "et", "y"))
# May be left unsaid: "only papers after 2015" and "show me what is from 2016 on".
OPTIONAL = frozenset(
    {"want", "paper", "use", "work", "group", "decide", "plan", "about", "data", "method"}
)
_KEPT = frozenset({"after", "grow"})


def _not_all(shown: str) -> frozenset[str]:
    """ "Not all" is some that do not, and no denial of each."""
    return frozenset({"some"} if signs.NOT_ALL.search(shown) else ())


def _is_english(word: str) -> bool:
    meaning = meaning_of((word,))
    return meaning is not None and meaning.english


def _negation(words: list[str], at: int) -> int:
    """How many words at `at` are one denial; 0 if they are none."""
    for phrase in signs.NOT_PHRASES:
        if tuple(words[at : at + len(phrase)]) == phrase:
            return len(phrase)
    if words[at] not in signs.NOT:
        return 0
    if words[at] == "not" and words[at + 1 : at + 2] == ["only"]:
        return 0
    return 1


def _longest(words: list[str], at: int) -> tuple[Meaning | None, int]:
    for length in range(min(LONGEST, len(words) - at), 0, -1):
        if meaning := meaning_of(tuple(words[at : at + length])):
            return meaning, length
    return None, 1


def _gradable(words: list[str], at: int) -> bool:
    meaning, _ = _longest(words, at)
    return words[at].endswith("ly") or (meaning is not None and meaning.key in _GRADABLE)


_GRADABLE = frozenset({"speed", "good", "short", "recent", "stable", "robust", "grow", "theory"})


def _agents(shown: str) -> tuple[str, ...]:
    """Names and the person in the order in which they stand."""
    found: dict[str, None] = {}
    for word in re.findall(r"[^\W_]+(?:[-.][^\W_]+)*", shown):
        if word in ("I", "me", "Me"):
            found["i"] = None
        elif any(letter.isupper() for letter in word):
            found[folded(word)] = None
    return tuple(found)
