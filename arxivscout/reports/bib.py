"""The papers of a report as a BibTeX file."""

from __future__ import annotations

import re

from arxivscout.papers import Paper, PaperId, one_line
from arxivscout.papers.citing import render_citations
from arxivscout.reports.report import Report, ReportPaper

_DATE = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")


def to_bib(report: Report) -> str:
    """An entry for each paper, best first, behind the job's id; nothing for none."""
    entries = render_citations([as_paper(paper) for paper in report.papers], "bibtex")
    # What stands before the first @ is a comment, with or without the sign.
    return f"% Job: {one_line(report.job_id).replace('@', ' at ')}\n\n{entries}" if entries else ""


def as_paper(paper: ReportPaper) -> Paper:
    """The paper's record, as far as a report has it.

    Raises:
        ValueError: its id is none of arXiv's.
    """
    arxiv_id = PaperId.parse(paper.arxiv_id)
    categories = tuple(filter(None, map(one_line, paper.categories)))
    return Paper(
        arxiv_id=arxiv_id.value,
        version=arxiv_id.version,
        title=one_line(paper.title),
        abstract="",
        authors=tuple(filter(None, map(one_line, paper.authors))),
        categories=categories,
        primary_category=categories[0] if categories else None,
        published=paper.published if _DATE.fullmatch(paper.published) else arxiv_id.month,
        withdrawn=paper.withdrawn,
    )
