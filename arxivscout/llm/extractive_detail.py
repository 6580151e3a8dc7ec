"""The detail that a question asks of its subject: a paper on the subject may well not give it.

"Which GPU was used to train GFP-GAN?" is not answered by what GFP-GAN does. Told by the question's
form; one that asks for no such detail is left to relevance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.llm.terms import content_terms, overlap, stem
from arxivscout.papers import Paper

_VERB = (
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|might|may|must"
    r"|make|makes|made|give|gives|gave|used?|put|puts|show|shows|hold|holds|set|sets)"
)
_DETAIL = (
    re.compile(rf"\bhow (?P<count>many|much)\s+(?P<what>.+?)\s+{_VERB}\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:what|which)\s+(?P<what>(?!{_VERB}\b)(?:\S+\s+){{0,3}}?\S+)\s+{_VERB}\b", re.I
    ),
    re.compile(
        r"\b(?:what|which)(?:'s|’s|\s+(?:is|are|was|were))\s+(?:the|its|their)\s+(?P<what>.+?)"
        r"\s+(?:of|for|in|at|on|behind|used|between|when|that)\b",
        re.IGNORECASE,
    ),
)
_AMOUNT = re.compile(
    r"\bhow (?:many|much|long|far|fast|large|big|heavy|massive|old|hot|cold|bright|often|tall"
    r"|thick|deep|wide|distant|accurate|expensive|high|low|small|likely)\b"
    r"|\b(?:what|which) (?:year|percentage|fraction|share|number|price|cost|temperature|value|speed"
    r"|frequency|diameter|wavelength)\b|^when\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(?:where|in (?:what|which) (?:city|country|place|lab\w*))\b", re.IGNORECASE)
_KIND = re.compile(r"(?:kind|type|sort|form)s? of\b", re.IGNORECASE)
# "Which papers from 2010 are …", "Which recent work by Lee …": papers are asked for, so bounded.
_PAPERS = re.compile(
    r"(?:\w+ ){0,2}?(?:papers?|articles?|preprints?|publications?|works?|studies)"
    r"(?= (?:from|by|of|in|since|until|before|after|published|written|submitted|on|about)\b|$)",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^who(?:se)?\b", re.IGNORECASE)
# Nouns of questions that are about the subject as a whole, whatever the text calls it.
_OF_THE_WHOLE = frozenset(
    stem(word)
    for word in """role effect effects impact idea ideas difference differences relation
    relationship status evidence reason reasons purpose meaning definition cause causes use
    uses advantage advantages disadvantages method methods approach approaches technique
    techniques way ways kind kinds type types sort model models thing problem problems
    challenge challenges limitation limitations benefit benefits consequence consequences
    explanation explanations connection theory theories link outcome conclusion importance
    significance influence contribution contributions topic field fields aspect aspects
    factor factors mechanism mechanisms process processes property properties feature
    features candidate candidates example examples case cases nature origin structure future
    history state question questions part parts basis solution solutions algorithm
    algorithms tool tools experiment experiments observation observations prediction
    predictions application applications finding claim claims argument
    arguments best main""".split()
)
# What a pointed question has and an answer need not repeat.
_LIGHT = frozenset(
    stem(word)
    for word in """long far fast large big heavy massive old hot cold bright often tall
    thick deep wide high low small likely run take took come came begin began start started
    fraction share number percentage value year set become happen happened occur held hold
    invented invent discovered discover proposed propose introduced developed wrote total
    exactly away""".split()
)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
    r"|hundred|thousand|million|billion|half|third|quarter|tenth|twice|dozen|double)s?\b",
    re.IGNORECASE,
)


MOST = 0.5
COVERED = 0.67  # of a pointed question: with one of three words missing it asks something else
MOST_WORDS = 4  # a longer phrase describes the subject


@dataclass(frozen=True, slots=True)
class Detail:
    """What is asked: the terms that name it, and whether a number is; most must be in the text."""

    terms: tuple[str, ...] = ()
    amount: bool = False
    about: tuple[str, ...] = ()  # all that is asked of, where an amount, a place or a person is


NO_DETAIL = Detail()


def asked_detail(question: str) -> Detail:
    """The detail that `question` asks for; empty if it asks for none."""
    text = " ".join(question.split())[:500].strip(" ?")
    amount = bool(_AMOUNT.search(text))
    pointed = amount or _PLACE.search(text) or _PERSON.search(text)
    about = tuple(t for t in content_terms(text) if t not in _LIGHT and "-" not in t)
    about = about if pointed else ()
    for pattern in _DETAIL:
        if found := pattern.search(text):
            words = found["what"]
            terms = [t for t in content_terms(words) if t not in _OF_THE_WHOLE]
            named = len(words.split()) <= MOST_WORDS and not _KIND.match(words)
            if named and terms and not _PAPERS.match(words):
                return Detail(tuple(terms), amount, about)
            break
    return Detail((), amount, about)


def gives(detail: Detail, paper: Paper) -> bool:
    """Whether the text of `paper` can hold the detail: its words are there, and a number if asked.

    Most of its words must be: "language" without "programming" is another matter.
    """
    text = f"{paper.title}. {paper.abstract}"
    if detail.amount and not _NUMBER.search(text):
        return False
    having = frozenset(content_terms(text))
    if detail.terms and overlap(detail.terms, having) <= MOST:
        return False
    return not detail.about or overlap(detail.about, having) > COVERED
