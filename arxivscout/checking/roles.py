"""Who does what to whom: do two sentences relate the same things the other way round?

"A outperforms B" shares all words with "B outperforms A". Told where both have the same relation (a
verb that reads one way only, in the active or the passive, `than`, `before`, `into`, `from … to`)
and what stands on one side of it in one of them stands on the other side in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from arxivscout.llm.terms import content_terms

_VERBS = (
    "outperform beat exceed surpass dominate cause drive produce trigger induce control determine "
    "predict imply replace precede absorb emit swallow orbit attract heat cool suppress inhibit "
    "activate generate create improve reduce increase explain constrain limit contain contradict "
    "support influence shape govern regulate transform convert capture release power prevent block "
    "destroy transmit infect encode decode train teach guide steer protect kill hunt imitate "
    "detect catalyse catalyze catch need require inherit trap accelerate amplify ignore teach use"
).split()
_IRREGULAR = {"beaten": "beat", "driven": "drive", "caught": "catch", "taught": "teach"}
# Where a side of a relation ends.
_BOUNDARY = frozenset(
    "that which who whom whose where while whereas but because although though if when since so "
    "as unless until whether".split()
)
_RELATIVE = frozenset("that which who".split())
_PRONOUNS = frozenset("it they he she this these".split())
_IS = frozenset("is are was were be been being gets get".split())
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[,;:.()\[\]–—]")
_SIDE = 12  # words of a side that are looked at
MOST = 100  # relations of a text, some ten pages'
_AGREE = 0.5  # share of the fewer terms that must be the same

Kind = Literal["", "compared", "done"]


def _forms(verb: str) -> Iterator[tuple[str, str]]:
    stem = verb.removesuffix("e")
    doubled = stem + stem[-1] if re.search(r"[^aeiou][aeiou][tpn]$", stem) else stem
    for form in (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing", f"{doubled}ed"):
        yield form, verb
    if verb.endswith("y"):
        yield from ((f"{verb[:-1]}{end}", verb) for end in ("ies", "ied"))


_FORMS = dict(pair for verb in _VERBS for pair in _forms(verb)) | _IRREGULAR


@dataclass(frozen=True, slots=True)
class _Relation:
    """`left` does it to `right`, is more than it, comes before it, becomes it: terms."""

    name: str
    left: frozenset[str]
    right: frozenset[str]

    def against(self, other: _Relation) -> int:
        """1 where the other one says the same, -1 where it says it the other way round, else 0."""
        if self.name != other.name:
            return 0
        same_left, same_right = self.left & other.left, self.right & other.right
        across_left, across_right = self.left & other.right, self.right & other.left
        if _most(across_left - same_left, self.left - same_left, other.right - same_right) and (
            _most(across_right - same_right, self.right - same_right, other.left - same_left)
        ):
            return -1
        straight = _most(same_left, self.left, other.left) and _most(
            same_right, self.right, other.right
        )
        return 1 if straight else 0


def exchanged(claim: str, passage: str, text: str) -> Kind:
    """Whether `claim` relates what `passage` relates the other way round: a comparison, a deed.

    Args:
        text: all of the source; what it says elsewhere is not turned round. All of them plain.
    """
    said = tuple(islice(_relations(claim), MOST))
    there, everywhere = _kept_relations(passage), _kept_relations(text)
    turned = [
        each
        for each in said
        if _is_turned(each, there) and not any(each.against(other) > 0 for other in everywhere)
    ]
    if not turned:
        return ""
    return "compared" if all(each.name in ("than", "time") for each in turned) else "done"


def _is_turned(relation: _Relation, among: Sequence[_Relation]) -> bool:
    against = [relation.against(each) for each in among]
    return -1 in against and 1 not in against


@lru_cache(maxsize=64)  # a source is asked about each sentence of an answer
def _kept_relations(text: str) -> tuple[_Relation, ...]:
    return tuple(islice(_relations(text), MOST))


def _relations(text: str) -> Iterator[_Relation]:
    words = [word.lower() for word in _TOKEN.findall(text)]
    for at, word in enumerate(words):
        if verb := _FORMS.get(word):
            yield from _deed(words, at, verb)
        elif word in ("than", "before", "after"):
            yield from _pair("than" if word == "than" else "time", *_sides(words, at, at + 1))
        elif word == "into":
            yield from _pair("into", *_sides(words, at, at + 1))
        elif word == "from":
            yield from _change(words, at)


def _deed(words: Sequence[str], at: int, verb: str) -> Iterator[_Relation]:
    by = next((n for n in (at + 1, at + 2) if words[n : n + 1] == ["by"]), None)
    passive = words[at].endswith("ed") or words[at] in _IRREGULAR
    if passive and by is not None:
        patient, agent = _sides(words, at, by + 1)
        yield from _pair(verb, agent, patient)
    elif not (passive and at and words[at - 1] in _IS):
        yield from _pair(verb, *_sides(words, at, at + 1))


def _change(words: Sequence[str], at: int) -> Iterator[_Relation]:
    """`from X to Y`, and `to Y from X`."""
    behind = _side(words, range(at + 1, len(words)))
    before = list(reversed(_side(words, range(at - 1, -1, -1))))
    if "to" in behind:
        to = behind.index("to")
        yield from _pair("from", behind[:to], behind[to + 1 :])
    elif "to" in before:
        yield from _pair("from", behind, before[before.index("to") + 1 :])


def _sides(words: Sequence[str], left: int, right: int) -> tuple[list[str], list[str]]:
    """The words before `left`, and those from `right` on, each to the end of its clause.

    For "which" and "it" stands what is before them.
    """
    before = _side(words, range(left - 1, -1, -1))
    at = left - 1 - len(before)
    if at >= 1 and words[at] in _RELATIVE:
        at -= words[at - 1] == ","
        before += _side(words, range(at - 1, -1, -1))
    elif before and all(word in _PRONOUNS or word == "and" for word in before):
        before = _side(words, range(at, -1, -1), end=frozenset(".;:"), longest=3 * _SIDE)
    return before, _side(words, range(right, len(words)))


def _side(
    words: Sequence[str],
    places: range,
    *,
    end: frozenset[str] = _BOUNDARY | frozenset(",;:.()[]–—"),
    longest: int = _SIDE,
) -> list[str]:
    found: list[str] = []
    for at in places:
        ends = words[at] in end and not (
            words[at] == "that" and words[at + 1 : at + 2] in (["of"], ["in"])
        )
        if ends or len(found) == longest:
            break
        found.append(words[at])
    return found


def _pair(name: str, left: Sequence[str], right: Sequence[str]) -> Iterator[_Relation]:
    sides = frozenset(content_terms(" ".join(left))), frozenset(content_terms(" ".join(right)))
    if all(sides):
        yield _Relation(name, *sides)


def _most(shared: frozenset[str], one: frozenset[str], other: frozenset[str]) -> bool:
    fewer = min(len(one), len(other))
    return bool(shared) and len(shared) >= _AGREE * fewer
