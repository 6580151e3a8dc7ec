"""The tables of a report. Where papers find no room they become cards; the others scroll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arxivscout.papers import one_line
from arxivscout.reports.drawing import key, letter
from arxivscout.reports.facts import (
    NOT_STATED,
    address,
    byline,
    duration,
    novelty,
    theme_of,
    year,
)
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.mathematics import with_mathematics
from arxivscout.reports.prose import citation
from arxivscout.reports.report import Report, ReportPaper
from arxivscout.reports.shell import arxiv_link

Cell = tuple[str, str]  # a class, what it says


def table(caption: str, heads: Sequence[str], rows: Sequence[Markup], class_: str = "") -> Markup:
    """A table with its caption, in a box of its own that scrolls where it is too wide."""
    head = tag("tr", *(tag("th", each, scope="col", role="columnheader") for each in heads))
    whole = tag(
        "table",
        tag("caption", caption),
        tag("thead", head, role="rowgroup"),
        tag("tbody", *rows, role="rowgroup"),
        class_=class_ or None,
        # A table that is shown as cards is still told as a table.
        role="table",
    )
    return tag("div", whole, class_="scroll", role="region", tabindex="0", aria_label=caption)


def row(heads: Sequence[str], cells: Sequence[str], first: int = 0, place: str = "") -> Markup:
    """A row whose cell number `first` is its head; each cell knows its column's name."""
    parts = [
        tag("th", each, scope="row", role="rowheader", data_label=heads[number])
        if number == first
        else tag("td", each, role="cell", data_label=heads[number])
        for number, each in enumerate(cells)
    ]
    return tag("tr", *parts, role="row", id=place or None)


def papers_table(report: Report, cited: Mapping[str, int]) -> Markup:
    """Every paper: what it is, and why it is here."""
    heads = ["No.", "Title", "Authors", "Year", "Category", "Why it is here", "arXiv"]
    rows = [
        row(heads, _paper(report, paper, cited), first=1, place=f"paper-{number}")
        for number, paper in enumerate(report.papers, start=1)
    ]
    return table("Papers, best first", heads, rows, "papers")


def _paper(report: Report, paper: ReportPaper, cited: Mapping[str, int]) -> list[str]:
    number = cited.get(paper.arxiv_id)
    theme = theme_of(report, paper)
    known = novelty(report, paper)
    return [
        citation(number) if number else _unsaid("–", "not cited"),
        joined(
            joined(key(theme, number is not None), " "),
            tag("span", with_mathematics(paper.title), lang=""),
            withdrawn(paper),
        ),
        byline(paper.authors) or _unsaid("–", NOT_STATED),
        year(paper) or _unsaid("–", NOT_STATED),
        one_line(paper.categories[0]) if paper.categories else _unsaid("–", NOT_STATED),
        joined(
            tag("span", one_line(paper.why)),
            joined(" ", tag("span", f"theme {letter(theme)}", class_="tag"))
            if theme is not None
            else "",
            joined(" ", tag("span", known, class_="tag")) if known else "",
        ),
        arxiv_link(one_line(paper.arxiv_id), address(paper.arxiv_id)),
    ]


def withdrawn(paper: ReportPaper) -> Markup:
    """The warning beside a withdrawn paper, else nothing."""
    if not paper.withdrawn:
        return Markup()
    return joined(" ", tag("strong", "withdrawn", class_="mark unsupported"))


def trail_table(report: Report) -> Markup:
    """Every search: what for, where, what came of it."""
    heads = ["Query", "Where", "Found", "Time", "For the question"]
    rows = [
        row(
            heads,
            [
                one_line(each.query),
                one_line(each.where),
                f"{each.found:,}",
                duration(each.seconds),
                joined(
                    tag("span", one_line(each.question)),
                    joined(" ", tag("span", one_line(each.note), class_="soft")),
                )
                if one_line(each.note)
                else one_line(each.question),
            ],
        )
        for each in report.trail
    ]
    return table("Searches, in their order", heads, rows, "trail")


def _unsaid(sign: str, words: str) -> Markup:
    """A sign for the eye, words for the ear."""
    seen = tag("span", sign, aria_hidden="true", class_="soft")
    return joined(seen, tag("span", words, class_="unseen"))
