"""Which of the papers shown are so: "Which of these are from 2026?", "Do any of them use MCMC?"

Dates, authors and categories are told by the records; anything else by the abstracts, in which all
words that are asked for must stand in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from arxivscout.llm.extractive_answer import MODE, Written, ids_named, paper_line
from arxivscout.llm.extractive_filters import Filters, find_filters
from arxivscout.llm.relevance import sentences_of
from arxivscout.llm.terms import content_terms, likeness
from arxivscout.papers import Paper
from arxivscout.preferences import Wishes
from arxivscout.preferences.wishes import same_author

_AMONG = re.compile(
    r"\W*(?:(?:and|but|so|now|ok(?:ay)?)\W+)*(?:(?:which|what|how many)(?: ones?| papers?)?"
    r"|(?:is|are|was|were|do|does|did|has|have) (?:any|one|some|all))"
    r" (?:of|among) (?:(?:these|those|them)(?: \w+)? (?:papers|articles|results|ones)"
    r"|these|those|them|the above)\b(?: papers| articles| ones| results)?(?P<what>.*)"
    r"|\W*(?:e )?qual[ei] (?:di|tra|fra) (?:quest[ie]|quell[ie]|essi|loro)\b(?P<cosa>.*)",
    re.IGNORECASE | re.DOTALL,
)
# Of all of them one thing is asked, which records tell or a comparison.
_OF_ALL = re.compile(
    r"\b(?:newest|oldest|latest|earliest|most recent|more recent|best|most cited|longest"
    r"|shortest)\b",
    re.IGNORECASE,
)
# What papers do with what they speak of.
_SAY = re.compile(
    r"^(?:(?:are|is|do|does|did|has|have|actually|also|only|really) )*(?:mention|contain|discuss"
    r"|cover|deal(?:s|t)? with|treat|speak of|report|consider|include|employ|apply|rel(?:y|ies) on"
    r"|study|investigate|analy[sz]e|propose|us)(?:s|ed|e|es|ing|ies)?\b",
    re.IGNORECASE,
)
LEAST_LIKE = 0.8  # a word of one family counts


def asks_among(question: str) -> str | None:
    """What the papers shown are to be or have; None where nothing of them is asked so."""
    found = _AMONG.fullmatch(question.strip())
    if found is None or _OF_ALL.search(question):
        return None
    what = (found["what"] or found["cosa"] or "").strip(" ?!.")
    return what or None


def among_answer(what: str, papers: Sequence[Paper], today: date) -> Written:
    """Those of the papers that are so, with what tells it; and the others, by their ids."""
    topic, filters = find_filters(f"papers {_SAY.sub('', what)}", Wishes(), today)
    terms = content_terms(topic)
    lines: list[str] = []
    quoted: list[str] = []
    others: list[Paper] = []
    for paper in papers:
        said = _sentence(paper, terms) if terms else ""
        if not _fits(paper, filters) or (terms and not said):
            others.append(paper)
            continue
        lines.append(f"- {_record(paper, filters)}")
        if said:
            line = f"{said} [arXiv:{paper.arxiv_id}]"
            lines.append(f"  {line}")
            quoted.append(line)
    asked = what.strip()
    if not lines:
        of = "the one paper" if len(papers) == 1 else f"none of the {len(papers)} papers"
        tell = "does not say so" if len(papers) == 1 else "says so"
        return Written(
            f"{MODE}: of the last answer, {of} {tell}, by the record or in what is held of the "
            f"abstract (“{asked}”): {ids_named([paper.arxiv_id for paper in papers])}."
        )
    count = f"{len(papers) - len(others)} of the {len(papers)} papers of the last answer"
    parts = [f"{MODE}: {count} (“{asked}”).", "\n".join(lines)]
    if others:
        not_so = "Not said of" if terms else "Not so"
        parts.append(f"{not_so}: {ids_named([paper.arxiv_id for paper in others])}.")
    return Written("\n\n".join(parts), tuple(quoted))


def _fits(paper: Paper, filters: Filters) -> bool:
    if filters.author and not any(same_author(filters.author, each) for each in paper.authors):
        return False
    dated = filters.since or filters.until
    return filters.admits(paper) and bool(paper.published or not dated)


def _record(paper: Paper, filters: Filters) -> str:
    day = f": {paper.published}" if filters.since or filters.until else ""
    return f"{paper_line(paper)}{day}"


def _sentence(paper: Paper, terms: Sequence[str]) -> str:
    """The first sentence in which all words stand, or the title; "" if there is none."""
    for text in (*sentences_of(paper), paper.title):
        held = frozenset(content_terms(text))
        if all(likeness(term, held) >= LEAST_LIKE for term in terms):
            return text
    return ""
