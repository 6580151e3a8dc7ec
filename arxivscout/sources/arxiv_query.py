"""Queries in arXiv's language out of a person's words; nothing in the words can be an operator.

Source: arXiv API User's Manual, section "Details of Query Construction"
(https://info.arxiv.org/help/api/user-manual.html).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from arxivscout.errors import ToolInputError

MOST_TERMS = 12
LONGEST_TERM = 60
LONGEST_QUERY = 20_000

# Words that carry a question but not its subject; ANDed they would find nothing.
_STOPWORDS = frozenset(
    """
    a about all an and andnot any are as at be been between by can could do does find for from give
    had has have how i in into is it its known know latest me more most new not of on or paper
    papers please recent research results show some study studies such tell than that the their
    there these they this those to us use used using was we were what when where which who why will
    with work works would you
    """.split()
)
_WITH_CLASSES = frozenset(
    "astro-ph cond-mat cs econ eess math nlin physics q-bio q-fin stat".split()
)
_CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z]+(?:-[A-Za-z]+)?)?")
_PHRASE = re.compile(r'["“”„«»]([^"“”„«»]+)["“”„«»]')
_WORD = re.compile(r"\w+(?:[-'’.+/]\w+)*")
_PART = re.compile(r"\w+")
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


@dataclass(frozen=True, slots=True)
class ArxivQuery:
    """A query's parts: terms of the text, and conditions that all must hold."""

    terms: tuple[str, ...] = ()
    conditions: tuple[str, ...] = field(default=())

    def text(self, *, any_term: bool = False) -> str:
        """What goes into `search_query`: all terms, or any of them, and all conditions."""
        joined = (" OR " if any_term else " AND ").join(self.terms)
        if any_term and len(self.terms) > 1:
            joined = f"({joined})"
        return " AND ".join([*([joined] if joined else []), *self.conditions])


def build_query(
    words: str,
    *,
    category: str | None = None,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
) -> ArxivQuery:
    """The query for `words` ("phrases in quotes" stay together) under these conditions.

    Args:
        category: `cs.CL`, or an archive such as `cs` for all of its classes.
        since, until: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both included.

    Raises:
        ToolInputError: nothing to search for, or a condition that can't be one.
    """
    conditions = [
        *([_category(category)] if category else []),
        *([_author(author)] if author else []),
        *([_dates(since, until)] if since or until else []),
    ]
    terms = _terms(words[:LONGEST_QUERY])
    if not terms and not conditions:
        raise ToolInputError("There is nothing to search for: the query has no words.")
    return ArxivQuery(tuple(f"all:{term}" for term in terms), tuple(conditions))


def build_watch_query(words: str, categories: Sequence[str]) -> ArxivQuery:
    """The query for all papers of any of these categories; without any, for those with any word.

    Raises:
        ToolInputError: neither a word nor a category, or one that can't be.
    """
    named = [_category(each) for each in categories]
    if len(named) > 1:
        return ArxivQuery(conditions=(f"({' OR '.join(named)})",))
    return ArxivQuery(conditions=tuple(named)) if named else build_query(words)


def _terms(words: str) -> list[str]:
    phrases = [_quoted(phrase) for phrase in _PHRASE.findall(words)]
    rest = _WORD.findall(_PHRASE.sub(" ", words))
    plain = [_quoted(word) for word in rest if word.lower() not in _STOPWORDS]
    # a query of stopwords only ("what is this about?") still asks for something
    found = [*phrases, *(plain or ([] if phrases else map(_quoted, rest)))]
    return list(dict.fromkeys(term for term in found if term))[:MOST_TERMS]


def _quoted(text: str) -> str:
    """One word, or several in quotes: letters and digits only, so no operator and no field."""
    parts = [part.strip("_").lower()[:LONGEST_TERM] for part in _PART.findall(text)[:MOST_TERMS]]
    joined = " ".join(part for part in parts if part)
    return f'"{joined}"' if " " in joined or joined in {"and", "or", "andnot"} else joined


def _category(category: str) -> str:
    category = category.strip()
    if not _CATEGORY.fullmatch(category):
        raise ToolInputError(
            f"{category[:60]!r} is no arXiv category.", "Categories look like cs.CL or quant-ph."
        )
    if category in _WITH_CLASSES:
        return f"(cat:{category} OR cat:{category}.*)"
    return f"cat:{category}"


def _author(author: str) -> str:
    name = _quoted(author)
    if not name:
        raise ToolInputError(f"{author[:60]!r} is no author's name.")
    return f"au:{name}"


def _dates(since: str | None, until: str | None) -> str:
    first = _day(since, last=False) if since else "19910701"
    last = _day(until, last=True) if until else "20991231"
    if first > last:
        raise ToolInputError(f"The dates are the wrong way round: since {since}, until {until}.")
    return f"submittedDate:[{first}0000 TO {last}2359]"


def _day(text: str, *, last: bool) -> str:
    match = _DATE.fullmatch(text.strip())
    if match is None:
        raise ToolInputError(
            f"{text[:60]!r} is no date.", "Dates look like 2015, 2015-03 or 2015-03-31."
        )
    year, month = int(match[1]), int(match[2] or (12 if last else 1))
    try:
        days = calendar.monthrange(year, month)[1]
    except ValueError:  # covers calendar.IllegalMonthError
        days = 0
    day = int(match[3] or (days if last else 1))
    if not (year >= 1900 and 1 <= day <= days):
        raise ToolInputError(f"{text[:60]!r} is no date.", "There is no such day.")
    return f"{year:04}{month:02}{day:02}"
