"""What a question narrows its search by (dates, author, category), and what it is about beside."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from arxivscout.llm.terms import content_terms, topic_words
from arxivscout.papers import Paper, cut_at_word
from arxivscout.papers.categories import ARCHIVES, GROUPED, within
from arxivscout.papers.language import without_small_words
from arxivscout.preferences import Wishes
from arxivscout.preferences.dates import find_period
from arxivscout.preferences.wishes import mentions, same_author

LONGEST_TOPIC = 2_000  # characters of a question that are read for what it is about
LONGEST_QUERY = 400  # characters that are searched for

_YEAR = r"(?:19|20)\d\d(?:-\d\d)?"
_WHEN = re.compile(
    rf"\b(?:published |written |from )?(?:(?:since|before|after|from|until|up to|prior to"
    rf"|older than|newer than|starting (?:in|from)|in|during|between|dal|dopo|prima del|fino al)\s+"
    rf"(?:the year )?{_YEAR}(?:\s*(?:and|to|until|e|al|-|–)\s*{_YEAR})?(?:\s+on(?:wards?)?)?)"
    r"|\b(?:in|of|from|over|within|during)?\s*(?:the )?(?:last|past)\s+(?:\w+\s+)?"
    r"(?:years?|months?|decades?)\b",
    re.IGNORECASE,
)
_IN_YEAR = re.compile(
    rf"\b(?:published |written )?(?:in|from|of|during)\s+(?P<year>{_YEAR})\b"
    r"(?!\s*(?:on\b|onwards|to\b|and\b|until\b|data\b|[-–]))",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\b(?:papers?|articles?|works?|preprints?|published|written|studies)\b", re.IGNORECASE
)
_CATEGORY = re.compile(
    rf"\b(?P<full>{GROUPED}\.[A-Za-z]{{2}}(?:-[a-z]{{2,4}})?)\b"
    rf"|\b(?:in|from|of|on|category|archive|under)\s+(?P<archive>{ARCHIVES})\b",
)
_PARTICLE = r"(?:de|del|della|di|da|van|von|der|den|la|le|el|al|ten|'t)"
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_NAME = (
    rf"(?:{_PARTICLE}\s+)*{_CAPITAL}[\w'’.-]*(?:\s+(?:{_PARTICLE}\s+)*{_CAPITAL}[\w'’.-]*){{0,3}}"
)
# Of two words at least: "articoli di Fisica" are by nobody.
_WHOLE_NAME = rf"(?=\S+\s+(?:{_PARTICLE}\s+)*{_CAPITAL}){_NAME}"
# Works of somebody, and what somebody has written, as other languages say it.
_WORKS_OF = (
    r"\b(?i:articol[oi]|lavor[oi]|pubblicazion[ei]|scritti|articles?|travaux|publications?"
    r"|artículos?|trabajos?|publicaciones|artigos?|trabalhos?|publicações|artikel|arbeiten"
    r"|veröffentlichungen|aufsätze|artikelen|publicaties|papers?)\s+"
    r"(?:scritt[oi]\s+da|de|di|da|dal|von|van|par|por)"
)
_HAS_WRITTEN = (
    r"\b(?i:(?:che\s+)?(?:cosa|che)\s+ha\s+(?:scritto|pubblicato)|was\s+(?:hat|schrieb)"
    r"|qué\s+(?:ha\s+)?(?:escrito|escribió|publicado)|qu['’]a\s+(?:écrit|publié)"
    r"|o\s+que\s+escreveu|wat\s+(?:heeft|schreef))"
)
_WRITTEN = re.compile(r"\b(?i:geschrieben|veröffentlicht|publiziert|geschreven|gepubliceerd)\b")
_AUTHOR = re.compile(
    r"\b(?i:papers?|articles?|works?|preprints?|publications?|anything|something|written|authored"
    rf"|published|studies|research|everything)\b[^.?!]{{0,80}}?\bby\s+(?P<by>{_NAME})"
    rf"|\b(?i:what\s+(?:has|have|did|does))\s+(?P<what>{_NAME})\s+(?:writ\w+|wrote|publish\w*"
    r"|work\w*|say|said|show\w*|prove\w*|find|found)\b"
    rf"|\b(?P<own>{_NAME})['’]s?\s+(?i:papers?|articles?|works?|preprints?|publications?)\b"
    rf"|\b(?i:author(?:ed by|:)?)\s+(?P<author>{_NAME})"
    rf"|(?:{_WORKS_OF}|{_HAS_WRITTEN})\s+(?P<elsewhere>{_WHOLE_NAME})",
)
_NO_NAME = frozenset(
    "Monte Markov Bayes Bayesian Fourier Gaussian Newton Hubble Planck Higgs".split()
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the search tools take beside the query.

    `by_question`: the question names dates. `wished`: what remembered wishes alone have set.
    """

    since: str | None = None
    until: str | None = None
    author: str | None = None
    category: str | None = None
    by_question: bool = False
    wished: tuple[str, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether the question narrows itself; remembered bounds alone say nothing of a topic."""
        return any(name not in self.wished for name in self.arguments())

    def without_wishes(self) -> Filters:
        """What the question itself narrows."""
        return replace(
            self,
            since=None if "since" in self.wished else self.since,
            until=None if "until" in self.wished else self.until,
            category=None if "category" in self.wished else self.category,
            wished=(),
        )

    def admits(self, paper: Paper) -> bool:
        """Whether the paper's date and categories, where they are known, are within these bounds:
        what memory recalls beside a search has passed no filter."""
        day = paper.published or ""
        if day and self.since and day < self.since[: len(day)]:
            return False
        if self.until and day[: len(self.until)] > self.until[: len(day)]:
            return False
        return not (self.category and paper.categories) or within(paper.categories, self.category)

    def arguments(self) -> dict[str, str]:
        """As arguments of `search_papers` and `search_arxiv`."""
        given = {
            "since": self.since,
            "until": self.until,
            "author": self.author,
            "category": self.category,
        }
        return {name: value for name, value in given.items() if value}

    def described(self) -> str:
        """In words, for a person."""
        parts = [
            f"since {shown_date(self.since)}" if self.since else "",
            f"until {shown_date(self.until, end=True)}" if self.until else "",
            f"by {self.author}" if self.author else "",
            f"in {self.category}" if self.category else "",
        ]
        return ", ".join(part for part in parts if part)


def find_filters(topic: str, wishes: Wishes, today: date) -> tuple[str, Filters]:
    """What `topic` is about without its filters, and the filters; what is wished for fills in.

    Dates and a category that the question names itself win over remembered ones.
    """
    rest, filters = cut_at_word(topic, LONGEST_TOPIC), Filters()
    if found := _AUTHOR.search(rest):
        group = next(g for g, name in found.groupdict().items() if name)
        name = found[group].strip(" .")
        if name.split()[0] not in _NO_NAME and not name.isupper():
            begin = found.start(group)
            if group == "by":
                begin = rest.rindex("by", 0, begin)
            if group == "elsewhere":  # what asks in that language says nothing of a topic
                behind = _WRITTEN.sub(" ", rest[found.end() :])
                rest = without_small_words(f"{rest[: found.start()]} {behind}") or "papers"
            else:
                rest = rest[:begin] + " " + rest[found.end(group) :]
            filters = replace(filters, author=name)
    if found := _CATEGORY.search(rest):
        filters = replace(filters, category=found["full"] or found["archive"])
        rest = rest[: found.start()] + " " + rest[found.end() :]
    since, until = _dates(rest, today)
    if since or until:
        filters = replace(filters, since=since, until=until, by_question=True)
        rest = _WHEN.sub(" ", _IN_YEAR.sub(" ", rest))
    return " ".join(rest.split()), with_wishes(filters, wishes)


def with_wishes(filters: Filters, wishes: Wishes) -> Filters:
    """The filters with what remembered wishes add where the question says nothing else."""
    added: dict[str, str] = {}
    if wishes.since and not filters.since and not _before(filters.until, wishes.since):
        added["since"] = wishes.since
    if wishes.until and not filters.until and not _before(wishes.until, filters.since):
        added["until"] = wishes.until
    if len(wishes.categories) == 1 and not filters.category:
        added["category"] = wishes.categories[0]
    return replace(
        filters,
        since=added.get("since", filters.since),
        until=added.get("until", filters.until),
        category=added.get("category", filters.category),
        wished=tuple(added),
    )


def _before(day: str | None, other: str | None) -> bool:
    """Whether one day, month or year is before another, as far as both tell."""
    if not day or not other:
        return False
    known = min(len(day), len(other))
    return day[:known] < other[:known]


def query_of(topic: str) -> str:
    """The words to search for: those that say what `topic` is about, at most 40."""
    words = topic_words(topic)[:40]
    return cut_at_word(" ".join(words), LONGEST_QUERY) if content_terms(topic) else ""


def for_this_question(wishes: Wishes, question: str, filters: Filters) -> tuple[Wishes, list[str]]:
    """The wishes as far as the question does not go against them, and what was set aside."""
    aside: list[str] = []
    outside = (wishes.since and (not filters.since or _before(filters.since, wishes.since))) or (
        wishes.until and (not filters.until or _before(wishes.until, filters.until))
    )
    if filters.by_question and outside:
        wishes = replace(wishes, since=None, until=None)
        aside.append("your preference on dates")
    category = filters.category if "category" not in filters.wished else None
    if category:
        others = wishes.categories and not any(within([category], c) for c in wishes.categories)
        refused = [c for c in wishes.categories_unwanted if within([category], c)]
        if others or refused:
            aside.append("your preference on categories")
            wishes = replace(
                wishes,
                categories=() if others else wishes.categories,
                categories_unwanted=tuple(
                    c for c in wishes.categories_unwanted if c not in refused
                ),
            )
    named = [term for term in wishes.unwanted if mentions(question, term)]
    named_authors = [
        name
        for name in wishes.authors_unwanted
        if name.split()[-1].lower() in question.lower()
        or (filters.author and same_author(name, filters.author))
    ]
    aside += [f"your wish not to see {name}" for name in (*named, *named_authors)]
    return (
        replace(
            wishes,
            unwanted=tuple(term for term in wishes.unwanted if term not in named),
            authors_unwanted=tuple(n for n in wishes.authors_unwanted if n not in named_authors),
        ),
        aside,
    )


def shown_date(day: str | None, *, end: bool = False) -> str:
    """A bound as a person says it: the year alone when it is the whole year."""
    if not day:
        return ""
    return day[:4] if day.endswith("-12-31" if end else "-01-01") else day


def _dates(text: str, today: date) -> tuple[str | None, str | None]:
    if (found := _IN_YEAR.search(text)) and _WORKS.search(text):
        year, _, month = found["year"].partition("-")
        if month:
            return f"{year}-{month}", f"{year}-{month}"
        return f"{year}-01-01", f"{year}-12-31"
    if not (found := _WHEN.search(text)):
        return None, None
    # Only the phrase: "new physics since 2015" would else be taken for a wish for new papers.
    period = find_period(found.group(), today)
    if period is None:
        return None, None
    return (
        period.since.isoformat() if period.since else None,
        period.until.isoformat() if period.until else None,
    )
