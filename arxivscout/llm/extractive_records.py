"""Answers from the records of papers that were named or shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.llm.extractive_answer import MODE, RECORD, Written, paper_line
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.extractive_searched import without_answer
from arxivscout.llm.limitations import asks_limitations, limitation_cue
from arxivscout.llm.record_questions import Asked
from arxivscout.llm.relevance import Judged, sentences_of
from arxivscout.papers import Paper
from arxivscout.papers.places import names_place

MOST_AUTHORS = 20
_ABSTRACT = re.compile(
    r"\b(?:abstract|sommario|zusammenfassung|résumé|resumen) (?:of|for|di|von|de)?\b", re.I
)


def record_answer(
    reading: Reading, fact: Asked, papers: Sequence[Paper], asked: Sequence[str]
) -> Written:
    """What the records of `papers` say of `fact`; of `asked`, what is missing is said to be."""
    held = {paper.arxiv_id: paper for paper in papers}
    shown = [held[arxiv_id] for arxiv_id in asked if arxiv_id in held]
    if not shown:
        return paper_answer(reading, [], asked)
    missing = [arxiv_id for arxiv_id in asked if arxiv_id not in held]
    if fact in ("newest", "oldest"):
        lines = _in_order(shown, newest=fact == "newest")
    else:
        lines = [f"{_title(paper)}: {_fact(paper, fact)}." for paper in shown]
    lines += [f"arXiv:{arxiv_id} is not held here." for arxiv_id in missing]
    return Written("\n\n".join([f"{MODE}: from the records.", "\n".join(lines)]))


def paper_answer(reading: Reading, judged: Sequence[Judged], asked: Sequence[str]) -> Written:
    """What the records of the papers asked for by id say."""
    parts: list[str] = []
    quoted: list[str] = []
    for arxiv_id in asked:
        one = next((one for one in judged if one.paper.arxiv_id == arxiv_id), None)
        if one is None:
            result = next(
                (r for r in reading.results if arxiv_id in str(r.arguments.get("arxiv_id"))), None
            )
            parts.append(_not_held(arxiv_id, result.text if result else ""))
            continue
        paper = one.paper
        authors = ", ".join(paper.authors[:5]) + (" and others" if len(paper.authors) > 5 else "")
        lines = [paper_line(paper)]
        if paper.withdrawn:
            lines.append("This paper is withdrawn: don't build on it.")
        lines.append(
            f"Authors: {authors or 'not in the record'}. Date: {paper.published or 'unknown'}. "
            f"Subjects: {', '.join(paper.categories) or 'unknown'}."
        )
        order = sentences_of(paper)
        best = sorted(one.sentences[:4], key=lambda s: order.index(s.text)) or []
        texts = [s.text for s in best] or order[:3] or [paper.abstract]
        if _ABSTRACT.search(reading.question):
            texts = order or [paper.abstract]
        if asks_limitations(reading.question):
            late = order[(len(order) - 1) // 2 :]  # abstracts begin with what others could not do
            stated = [text for text in late if limitation_cue(text)]
            texts = stated or texts
            lines += [] if stated else ["What is held of its abstract states no limitation of it."]
        said = [f"{text} [arXiv:{arxiv_id}]" for text in texts if text]
        quoted += [lines[0], *said]
        parts.append("\n".join([*lines, *said]))
    return Written("\n\n".join([f"{RECORD}.", *parts]), tuple(quoted))


def comparison_answer(reading: Reading) -> Written | None:
    """The papers side by side, as `compare_papers` gave them; None if it gave nothing."""
    result = reading.called("compare_papers")
    if result is None or result.status != "ok":
        return None
    parts, silent = [f"{RECORD}s, side by side."], list[str]()
    lacking: dict[str, list[str]] = {}
    for row in result.text.split("\n\n"):
        name, *cells = row.split("\n")
        said = [cell for cell in cells if cell.endswith("]")]
        missing = [cell.rpartition(" ")[2] for cell in cells if cell not in said]
        if not said:
            silent.append(name)
            continue
        for arxiv_id in missing:
            lacking.setdefault(arxiv_id, []).append(name)
        parts.append("\n".join([f"**{name.capitalize()}**\n", *said]))
    told = [f"{', '.join(rows)} of {arxiv_id}" for arxiv_id, rows in lacking.items()]
    if silent:
        told.append(f"{', '.join(silent)} of any of them")
    if told:
        parts.append(f"Not stated in what is held: {'; '.join(told)}.")
    quoted = tuple(c.removeprefix("- ") for c in result.text.split("\n") if c.endswith("]"))
    return Written("\n\n".join(parts), quoted)


def _not_held(arxiv_id: str, why: str) -> str:
    """One line on a paper that is not held, with what can be done about it."""
    if "known to arXiv" in why:
        return f"arXiv:{arxiv_id} is neither held here nor known to arXiv."
    if "could not be asked" in why:
        told = without_answer("arXiv", why.partition("could not be asked: ")[2])
        return (
            f"arXiv:{arxiv_id} is not held here, and arXiv could not be asked "
            f"({told.partition(': ')[2]})."
        )
    return f"arXiv:{arxiv_id} is not held here. To add it: arxivscout ingest arxiv --ids {arxiv_id}"


def lost_answer(reading: Reading) -> str:
    """What is said to a question that goes on from papers or a topic that the thread has not."""
    if names_place(reading.question) and reading.earlier:
        return (
            "The last answer that cites has no paper of that place or number, so I can't tell "
            "which you mean. Name it by its arXiv id, or ask about a topic."
        )
    if reading.earlier:
        return (
            "The last answer cites no paper, so there is nothing to tell about one. Name an arXiv "
            "id, or ask about a topic."
        )
    return (
        "There is nothing in this thread to go on from yet. Ask about a topic, a paper or an "
        "author."
    )


def _in_order(papers: Sequence[Paper], *, newest: bool) -> list[str]:
    dated = [paper for paper in papers if paper.published]
    dated.sort(key=lambda paper: paper.published or "", reverse=newest)
    lines: list[str] = []
    if dated:
        first = [paper for paper in dated if _same_time(paper, dated[0])]
        lines.append(_first_of(first, len(papers), "newest" if newest else "oldest"))
        lines += [f"- {_title(paper)}: {paper.published}" for paper in dated if paper not in first]
    lines += [
        f"{_title(paper)}: the record gives no date." for paper in papers if paper not in dated
    ]
    return lines


def _same_time(one: Paper, other: Paper) -> bool:
    """Whether the records tell no order: the same day, or a year alone that has the other's day."""
    a, b = one.published or "", other.published or ""
    return a.startswith(b) or b.startswith(a)


def _first_of(first: Sequence[Paper], count: int, word: str) -> str:
    """Which is the newest or oldest of `count`; a tie is told as one."""
    if len(first) == 1:
        of = f" of these {count}" if count > 1 else ""
        return f"The {word}{of} is {_title(first[0])}: {first[0].published}."
    dates = {paper.published for paper in first}
    when = f"of {first[0].published}" if len(dates) == 1 else "of dates that tell no order"
    named = [f"- {_title(paper)}: {paper.published}" for paper in first]
    all_of = "Both are" if count == 2 else f"All {count} are"
    lead = (
        f"{all_of} {when}: none is the {word}."
        if len(first) == count
        else f"{len(first)} of these {count} are equally the {word}, {when}."
    )
    return "\n".join([lead, *named])


def _fact(paper: Paper, fact: Asked) -> str:
    if fact == "authors":
        more = len(paper.authors) - MOST_AUTHORS
        others = f" and {more} more" if more > 0 else ""
        names = ", ".join(paper.authors[:MOST_AUTHORS])
        return f"{names}{others}" if names else "the record names no authors"
    if fact == "date":
        return paper.published or "the record gives no date"
    return ", ".join(paper.categories) or "the record names no subjects"


def _title(paper: Paper) -> str:
    return f"{paper.title or 'Untitled'} [arXiv:{paper.arxiv_id}]"
