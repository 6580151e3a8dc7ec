"""What a document of a thread is made from, and how its citations are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from arxivscout.papers import Paper, PaperId

# As the answers have them: the id of a stored paper in brackets.
_CITATION = re.compile(r"\[arXiv:([^\[\]\s]{1,40})\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A question and its answer; `remarks` are what a check of the answer found wanting."""

    question: str
    asked_at: datetime | None = None
    answer: str = ""
    status: str | None = None  # answered, interrupted, failed
    model: str | None = None
    feedback: str | None = None
    remarks: Sequence[tuple[str, str]] = ()  # (arXiv id or "", what is wrong)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A thread: its sections in order, and the papers that it cites by their ids."""

    title: str
    thread_id: str
    sections: Sequence[Section]
    papers: Mapping[str, Paper] = field(default_factory=dict)


def numbered(sections: Sequence[Section]) -> dict[str, int]:
    """Each cited paper's number, from 1 in the order in which the answers name them."""
    cited = (arxiv_id for section in sections for arxiv_id in cited_in(section.answer))
    return {arxiv_id: number for number, arxiv_id in enumerate(dict.fromkeys(cited), start=1)}


def cited_in(answer: str) -> list[str]:
    """The ids that an answer cites, each once, in order."""
    return list(dict.fromkeys(filter(None, (paper for _, paper in split_at_citations(answer)))))


def split_at_citations(text: str) -> Iterator[tuple[str, str | None]]:
    """The parts of `text`: (words, None), or (words of the citation, its id) for a citation."""
    end = 0
    for match in _CITATION.finditer(text):
        try:
            paper = PaperId.parse(match[1]).value
        except ValueError:
            continue  # no id: it stays words
        if match.start() > end:
            yield text[end : match.start()], None
        yield match[0], paper
        end = match.end()
    if end < len(text):
        yield text[end:], None


def paper_of(transcript: Transcript, arxiv_id: str) -> Paper:
    """The record of a cited paper; its id alone where it is no longer held."""
    return transcript.papers.get(arxiv_id) or Paper(
        arxiv_id=arxiv_id, title=f"arXiv:{arxiv_id}", abstract=""
    )
