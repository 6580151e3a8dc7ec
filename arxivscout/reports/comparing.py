"""Papers side by side on a page: a block for each, since what they state is whole sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arxivscout.reports.facts import (
    NOT_STATED,
    address,
    compared,
    short_name,
    stated_by_none,
)
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.mathematics import with_mathematics
from arxivscout.reports.prose import citation
from arxivscout.reports.report import Report, ReportPaper
from arxivscout.reports.shell import arxiv_link


def comparison(report: Report, cited: Mapping[str, int]) -> Markup:
    """What each paper states of each point that one of them states; nothing without papers."""
    found = compared(report)
    none = stated_by_none(found)
    return joined(
        *(
            _paper(paper, {name: text for name, text in said.items() if name not in none}, cited)
            for paper, said in found
        ),
        tag("p", f"None of these papers states: {', '.join(none)}.", class_="soft") if none else "",
    )


def _paper(paper: ReportPaper, said: Mapping[str, str], cited: Mapping[str, int]) -> Markup:
    number = cited.get(paper.arxiv_id)
    link = arxiv_link(short_name(paper), address(paper.arxiv_id))
    return joined(
        tag("h3", link, " ", citation(number) if number else ""),
        tag("p", with_mathematics(paper.title), class_="soft", lang=""),
        tag("dl", *_points(said), class_="compared") if said else "",
    )


def _points(said: Mapping[str, str]) -> Iterator[Markup]:
    for name, text in said.items():
        if text:
            yield joined(tag("dt", name), tag("dd", with_mathematics(text), lang=""))
    if unsaid := ", ".join(name for name, text in said.items() if not text):
        yield joined(tag("dt", NOT_STATED), tag("dd", unsaid, class_="soft"))
