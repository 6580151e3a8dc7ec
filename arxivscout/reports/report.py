"""What a report says, as plain values: the machine fills it, the renderers read it.

All text is plain: no Markdown, no HTML, no citation marks. Who cites what stands beside it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Judgement = Literal["supported", "weak", "unsupported", "unchecked"]


class Value(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Sentence(Value):
    """One sentence, the papers it cites (arXiv ids, all of them in `Report.papers`), the check."""

    text: str
    papers: tuple[str, ...] = ()
    verdict: Judgement = "unchecked"
    problems: tuple[str, ...] = ()


class Section(Value):
    """A titled part of the report; each paragraph is its sentences."""

    title: str
    paragraphs: tuple[tuple[Sentence, ...], ...] = ()


class Theme(Value):
    """A group of papers that lie together by meaning, named by the terms that set it apart."""

    name: str
    terms: tuple[str, ...] = ()


class ReportPaper(Value):
    """A paper of the report: its record, why it is here, where it stands."""

    arxiv_id: str
    title: str
    authors: tuple[str, ...] = ()
    published: str = ""  # YYYY-MM-DD, YYYY-MM, YYYY or empty
    categories: tuple[str, ...] = ()  # the primary one first
    url: str
    withdrawn: bool = False
    why: str = ""  # the question it answers, or the search that found it
    score: float = 0.0  # 0 to 1, how well it fits
    theme: int | None = None  # place in `Report.themes`
    x: float = 0.0  # on the map of meaning, -1 to 1
    y: float = 0.0
    cited: bool = False
    known_since: datetime | None = None  # this person looked at it before; None: new to them


class Comparison(Value):
    """Papers side by side: `rows` maps what is compared to one cell a paper, "" if not stated."""

    papers: tuple[str, ...] = ()  # arXiv ids
    rows: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class Search(Value):
    """One search of the trail."""

    question: str  # the sub-question that it serves
    query: str
    where: str  # what was asked: the papers held, arXiv
    found: int
    seconds: float
    note: str = ""  # filters, or why it failed


class Cost(Value):
    """What the model took. Without a price `cost` is None, which is shown as unknown."""

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None  # US dollars


class Report(Value):
    """The report of one job."""

    job_id: str
    question: str
    extractive: bool = False  # sentences are quoted, none is written by a model
    digest: bool = False  # news for a watch: what is disputed or open was not looked for
    brief: tuple[Sentence, ...] = ()
    sections: tuple[Section, ...] = ()
    papers: tuple[ReportPaper, ...] = ()  # best first
    themes: tuple[Theme, ...] = ()
    comparison: Comparison = Comparison()
    disputed: tuple[Sentence, ...] = ()
    open_questions: tuple[Sentence, ...] = ()
    trail: tuple[Search, ...] = ()
    known_before: datetime | None = None  # when this person last researched the same
    cost: Cost
    started_at: datetime
    seconds: float = 0.0
    degraded: tuple[str, ...] = ()  # what did not work as it should, a line each
    problems: tuple[str, ...] = ()  # what the check found, a line each
    preferences: tuple[str, ...] = ()  # what of the person's wishes was followed, a line each
    not_found: str = ""  # why nothing answers the question, when nothing does
