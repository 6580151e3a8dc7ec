"""Questions that a paper's record answers: who wrote it, when, which of them is the newest.

And questions with no content of their own, which go on from what was said: "tell me more".
"""

from __future__ import annotations

import re
from typing import Literal

from arxivscout.llm.terms import content_terms, words_of
from arxivscout.papers import find_paper_ids

Asked = Literal["newest", "oldest", "authors", "date", "subjects"]

_ORDER = re.compile(
    r"\b(?:(?P<newest>newest|latest|most recent|newer|youngest|pi[uù] (?:recente|nuovo))"
    r"|(?P<oldest>oldest|earliest|older|first published|pi[uù] vecchio))\b",
    re.IGNORECASE,
)
# "The latest papers" are asked of the whole collection, "the latest of them" of what was shown.
_OF_THOSE = re.compile(
    r"\b(?:of|among|tra|fra|di) (?:them|these|those|the|all|quest[ie]|loro)\b|\bones?\b"
    r"|\b(?:it|they|them|these|those|which|qual[ei]?)\b|\bpaper\b|\barticle\b",
    re.IGNORECASE,
)
# "The newest paper on …", "the most recent work about …"; "newer methods" are none.
_ORDERED = re.compile(
    r"\b(?:newest|latest|most recent|oldest|earliest|first published) (?:\w+ )?(?:papers?|articles?"
    r"|preprints?|works?|stud(?:y|ies)|results?)\b"
    r"|\b(?:articol[oi]|lavor[oi]) pi[uù] (?:recent[ei]|nuov[oi]|vecchi[oi]?)\b",
    re.IGNORECASE,
)
_FACTS: tuple[tuple[Asked, re.Pattern[str]], ...] = (
    ("authors", re.compile(
        r"\bwho\b|\bwhose\b|\bauthors?\b|\bwritten by\b|\bchi\b|\bautor[ei]\b", re.I)),
    ("date", re.compile(
        r"\bwhen\b|\bwhat (?:year|date)\b|\bwhich year\b|\bhow (?:old|recent|new)\b"
        r"|\bdates?\b|\byears?\b|\bquando\b", re.I)),
    ("subjects", re.compile(r"\b(?:subjects?|categor(?:y|ies)|categori[ae])\b", re.I)),
)  # fmt: skip
# What such a question may say beside the words of every question.
_ITS_WORDS = re.compile(
    r"\b(?:wrote|written|write|writes|published|publish|posted|submitted|appear(?:ed)?|come|came"
    r"|released|authors?|names?|dates?|years?|old|recent|new|exactly|subjects?|categor(?:y|ies)"
    r"|articles?|chi|ha|scritto|hanno|autor[ei]|quando|stato|pubblicato|qual[ei]?|il|lo|la|l|è|e"
    r"|di|tra|fra|lor[oi]|quest[oaie]|quell[oaie]|sono|gli|i|categori[ae]|anno"
    r"|(?:first|second|third|fourth|fifth|last)(?: (?:two|three|four))?|primo|secondo|terzo)\b",
    re.IGNORECASE,
)
_OF_A_TEXT = re.compile(
    r"[\"“«]|\b(?:papers?|articles?|published|publish|posted|submitted|wrote|written|appear(?:ed)?"
    r"|c[oa]me out|released|categor(?:y|ies))\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:compare[ds]?|comparison|contrast|differ(?:s|ences?|ent)?|side by side"
    r"|confront[ai]\w*|paragon[ai]\w*|differenz[ae]|diversi)\b",
    re.IGNORECASE,
)
# What such a question may say of the papers.
_OF_PAPERS = re.compile(
    r"\b(?:each|both|two|three|four|all|other|another|between|works?|stud(?:y|ies)|methods?|results?"
    r"|findings?|limit(?:ation)?s?|data(?: ?sets?)?|approach(?:es)?|conclusions?"
    r"|articoli|due|tutti)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\W*(?:(?:please|and|so|ok(?:ay)?|yes|now|then|e|s[iì]|can you|could you|would you)[\s,]+)*"
    r"(?:(?:tell|show|give|say|explain|write)(?: (?:me|us))?(?: (?:it|that|this))?"
    r"(?: (?:some|a (?:bit|little)))? (?:more|again)(?: (?:about|on) (?:it|this|that|them))?"
    r"|(?:more|elaborate|continue|expand|explain|go (?:on|ahead|deeper)|carry on|keep going"
    r"|what else|anything else|and then|next|go into (?:more )?detail"
    r"|altro|ancora|continua|vai avanti|dimmi di pi[uù]|di pi[uù]|spiega(?:ti)?(?: meglio)?"
    r"|approfondisci|cos['’]altro)"
    r"(?: (?:more|further|it|that|this|them|please|on (?:it|this|that)|in (?:more )?detail"
    r"|(?:more )?details?))*)"
    r"[\s,]*(?:please|per favore)?\W*",
    re.IGNORECASE,
)


def asks_record(question: str) -> Asked | None:
    """Which fact of the record `question` asks for and nothing beside it; None if it asks more."""
    text = " ".join(question.split())[:300]
    order = _ORDER.search(text)
    rest = _ITS_WORDS.sub(" ", _ORDER.sub(" ", re.sub(r"\([^)]*\)|\[[^]]*\]|\S*\d\S*", " ", text)))
    if content_terms(rest):
        return None
    if order and _OF_THOSE.search(text) and not re.search(r"\bwhich papers\b", text, re.I):
        return "newest" if order["newest"] else "oldest"
    if order:
        return None
    return next((fact for fact, words in _FACTS if words.search(text)), None)


def order_asked(question: str) -> Literal["newest", "oldest"] | None:
    """By which date papers on a subject are asked for: "the newest paper on dark energy"."""
    found = _ORDERED.search(" ".join(question.split())[:300])
    if found is None:
        return None
    order = _ORDER.search(found[0])
    return "oldest" if order is None or not order["newest"] else "newest"


def asks_record_of(question: str, title: str) -> Asked | None:
    """Which fact of the record `question` asks of the paper that it names by its title.

    "How old is dark energy?" asks nothing of a paper that is called "Dark energy".
    """
    rest = _beside_title(question, title)
    fact = asks_record(rest) if rest else None
    if fact in ("newest", "oldest"):
        return None
    named = len(content_terms(title)) > 2 or fact == "authors" or _OF_A_TEXT.search(question)
    return fact if named else None


def _beside_title(question: str, title: str) -> str | None:
    """What `question` asks beside `title`, if it names a paper by that; None if it does not.

    Its words may stand in any case and with other marks; a small word of it may be missing.
    """
    asked, name = _plain(question), _plain(title)
    terms = content_terms(title)
    if len(terms) < 2:  # one word names a subject ("Neutrinos"), unless it is quoted
        quoted = name and re.search(rf"[\"“«‘']\s*{re.escape(title.strip())}", question, re.I)
        return f" {asked} ".replace(f" {name} ", " ", 1).strip() if quoted else None
    if f" {name} " in f" {asked} ":
        return f" {asked} ".replace(f" {name} ", " ", 1).strip()
    beside = _ITS_WORDS.sub(" ", asked)
    if set(content_terms(beside)) == set(content_terms(_ITS_WORDS.sub(" ", name))):
        own = set(terms)
        return " ".join(word for word in asked.split() if not own & set(content_terms(word)))
    return None


def _plain(text: str) -> str:
    return " ".join(words_of(text.casefold()))


def asks_comparison(question: str) -> bool:
    """Whether papers, named by id or shown before, are to be compared, and nothing beside it."""
    text = " ".join(question.split())[:300]
    if not _COMPARES.search(text):
        return False
    rest = re.sub(r"\([^)]*\)|\[[^]]*\]|\S*\d\S*", " ", text)
    for words in (_COMPARES, _OF_PAPERS, _ITS_WORDS):
        rest = words.sub(" ", rest)
    return not content_terms(rest)


def leans_on_papers(question: str) -> bool:
    """Whether a question speaks of papers that were shown, naming none itself.

    It asks for what their records say, or for a comparison.
    """
    asked = asks_record(question) or asks_comparison(question)
    return bool(asked) and not find_paper_ids(question)


def asks_more(question: str) -> bool:
    """Whether `question` has no content of its own and goes on from what was said."""
    return len(question) < 100 and bool(_MORE.fullmatch(question))
