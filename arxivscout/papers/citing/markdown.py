"""Papers as a Markdown list that a person reads; nothing in a title becomes markup or a link."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arxivscout.papers.citing.facts import Own
from arxivscout.papers.citing.mathematics import MATHS, only_prints
from arxivscout.papers.citing.names import split_name
from arxivscout.papers.record import Paper
from arxivscout.papers.text import one_line

_MOST_AUTHORS = 10
_SHOWN_AUTHORS = 3
_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&])")
_ADDRESS = re.compile(r"(?i)(:(?=//)|www(?=\.))")
# Mathematics stays for those who render it, unless it could be markup or a link for the others.
_HARMFUL = re.compile(r"[\[\]<>`!&|@*~]|\\\\|:/|(?i:www)\.")
# An underscore that could begin emphasis: before a blank it cannot, and mathematics stays the same.
_OPENING = re.compile(r"(?<![^\W_])_+(?=\S)")


def markdown(papers: Sequence[Paper], own: Mapping[str, Own]) -> str:
    """A list item for each paper."""
    return "".join(f"- {_entry(paper)}\n" for paper in papers)


def escape_markdown(text: str) -> str:
    """One line of foreign text as Markdown that shows it and does nothing else."""
    text = one_line(text)
    parts: list[str] = []
    end = 0
    for match in MATHS.finditer(text):
        if not _HARMFUL.search(match[0]) and only_prints(match[0]):
            parts += [_escaped(text[end : match.start()]), _OPENING.sub(r"\g<0> ", match[0])]
            end = match.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return without_links(_MARKS.sub(r"\\\1", text))


def without_links(markdown: str) -> str:
    """Markdown in which no address that stands bare becomes a link."""
    # A word joiner parts them; as a reference, since its character is cleaned away on its way out.
    return _ADDRESS.sub(r"\1&#8288;", markdown)


def _entry(paper: Paper) -> str:
    names = [escape_markdown(str(split_name(name))) for name in paper.authors]
    if len(names) > _MOST_AUTHORS:
        names[_SHOWN_AUTHORS:] = [f"and {len(names) - _SHOWN_AUTHORS:,} others"]
    facts = [
        ", ".join(names),
        f"*{escape_markdown(paper.title)}*" if paper.title else "",
        escape_markdown(paper.journal_ref or ""),
        (paper.published or "")[:4],
        f"[arXiv:{paper.arxiv_id}]({paper.url})",
    ]
    entry = ". ".join(fact.rstrip(".") for fact in facts if fact)
    return f"{entry}. {'**Withdrawn.**' if paper.withdrawn else ''}".strip()
