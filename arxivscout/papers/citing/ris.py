"""RIS, as reference managers import it: two letters, two blanks, a dash, the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arxivscout.papers.citing.facts import NOTHING, Own, date_parts, doi_of, remark
from arxivscout.papers.citing.names import split_name
from arxivscout.papers.record import Paper
from arxivscout.papers.text import one_line


def ris(papers: Sequence[Paper], own: Mapping[str, Own]) -> str:
    """A record for each paper, with a blank line between them."""
    records = (_record(paper, own.get(paper.arxiv_id, NOTHING)) for paper in papers)
    return "\n".join("".join(f"{line}\n" for line in record) for record in records)


def _record(paper: Paper, own: Own) -> Iterator[str]:
    yield _line("TY", "JOUR" if paper.journal_ref else "UNPB")
    if paper.title:
        yield _line("TI", paper.title)
    for name in paper.authors:
        yield _line("AU", split_name(name).sorted_form)
    date = date_parts(paper)
    if date:
        yield _line("PY", f"{date[0]:04}")
        # Year, month, day and anything else, with a slash behind each that is there or not.
        parts = [f"{date[0]:04}", *(f"{part:02}" for part in date[1:]), "", ""]
        yield _line("DA", "/".join(parts[:3]))
    if paper.journal_ref:
        yield _line("JO", paper.journal_ref)
    for word in (*paper.categories, *own.tags):
        yield _line("KW", word)
    yield _line("AN", f"arXiv:{paper.arxiv_id}")
    yield _line("DO", doi_of(paper))
    yield _line("UR", paper.url)
    if remark(paper):
        yield _line("N1", remark(paper))
    if own.note:
        yield _line("N1", own.note)
    yield "ER  - "


def _line(tag: str, value: str) -> str:
    return f"{tag}  - {one_line(value)}"
