"""Citations as numbered footnotes: `[1]` in the answer, the paper below it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.papers import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from arxivscout.agent.events import Citation

MARKS = {
    "weak": "weakly supported by what is held of it",
    "unsupported": "not supported by what is held of it",
}
MOST_PROBLEMS = 3  # shown at once; JSON and the export have all of them


class Footnotes:
    """The numbers of one answer's citations, in the order in which they appear."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, arxiv_id: str) -> int:
        """The number of this paper, the next one when it is new."""
        return self._numbers.setdefault(arxiv_id, len(self._numbers) + 1)

    def clear(self) -> None:
        """What was said so far is not the answer: its first citation is number one."""
        self._numbers.clear()

    def numbered(self, citations: Sequence[Citation]) -> dict[int, Citation]:
        """The answer's citations by the numbers they were shown with."""
        return dict(sorted((self.number(each.arxiv_id), each) for each in citations))

    def show(self, citations: Sequence[Citation], console: Console) -> None:
        """The cited papers: title, first author and year, link, and what speaks against them."""
        if not citations:
            return
        render.line(console=console)
        for number, each in self.numbered(citations).items():
            show_footnote(number, each, console)


def show_footnote(number: int, citation: Citation, console: Console) -> None:
    """One cited paper."""
    mark = f"[{number}] "
    hang = " " * len(mark)
    title = one_line(render.safe(citation.title)) or f"arXiv:{citation.arxiv_id}"
    render.line(_fitted(mark + title, hang, console), console=console)
    facts = [first_author(citation.authors), citation.year]
    told = ", ".join(one_line(fact) for fact in facts if fact)
    render.line(hang + " · ".join(filter(None, [told, citation.url])), "dim", console=console)
    problems = [MARKS[citation.verdict]] if citation.verdict in MARKS else []
    if problems or citation.problems:
        text = "; ".join([*problems, *first_few([one_line(each) for each in citation.problems])])
        style = "red" if citation.verdict == "unsupported" else "yellow"
        render.line(_fitted(f"{hang}! {text}", hang + "  ", console), style,
                    console=console)  # fmt: skip


def first_few(problems: Sequence[str]) -> list[str]:
    """The first problems, and how many more there are."""
    told = list(dict.fromkeys(problems))
    more = len(told) - MOST_PROBLEMS
    return [*told[:MOST_PROBLEMS], f"and {more} more"] if more > 0 else told


def first_author(authors: Sequence[str]) -> str:
    """Who wrote it: one or two by name, of more the first."""
    if len(authors) > 2:
        return f"{authors[0]} et al."
    return " and ".join(authors)


def _fitted(text: str, hang: str, console: Console) -> str:
    if not console.is_terminal:
        return text
    width = max(console.width - 1, len(hang) + 10)
    return "\n".join(textwrap.wrap(text, width, subsequent_indent=hang, drop_whitespace=True))
