"""One paper's record, and what comes with it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from arxivscout.papers.ids import PaperId
from arxivscout.papers.text import one_line

# Characters; far above what arXiv takes (an abstract there has up to 1,920, older ones some more).
# What passes them is no such field but something else in its place, and cutting it would keep half.
LIMITS = {
    "title": 2_000,
    "abstract": 50_000,
    "comments": 10_000,
    "journal_ref": 4_000,
    "doi": 1_000,
}
MAX_AUTHORS = 20_000
MAX_AUTHOR_LENGTH = 1_000
MAX_CATEGORIES = 50
_DATE = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What is known of one paper. Unknown fields are None or empty.

    `published` and `updated` are ISO dates (`YYYY-MM-DD`) or months (`YYYY-MM`) of the first and of
    this version; `authors` in order. `is_summary` marks a text of ours in the abstract's place.
    """

    arxiv_id: str
    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    primary_category: str | None = None
    published: str | None = None
    updated: str | None = None
    version: int | None = None
    doi: str | None = None
    journal_ref: str | None = None
    comments: str | None = None
    withdrawn: bool = False
    source: str | None = None
    is_summary: bool = False

    def cleaned(self) -> Paper:
        """The record as it may be stored: every field cleaned to one line, the id canonical.

        A version in the id goes to `version`; a missing or impossible `published` becomes the
        month that the id carries. Idempotent.

        Raises:
            ValueError: no arXiv id, no title, no abstract, or a field beyond its limit.
        """
        paper_id = PaperId.parse(self.arxiv_id)
        text = {name: one_line(getattr(self, name) or "") for name in LIMITS}
        for name, limit in LIMITS.items():
            if len(text[name]) > limit:
                raise ValueError(f"{name} of {len(text[name]):,} characters (limit {limit:,})")
        for name in ("title", "abstract"):
            if not text[name]:
                raise ValueError(f"{name} is empty")
        authors = tuple(name for name in map(one_line, self.authors) if name)
        if len(authors) > MAX_AUTHORS:
            raise ValueError(f"{len(authors):,} authors (limit {MAX_AUTHORS:,})")
        if longest := next((name for name in authors if len(name) > MAX_AUTHOR_LENGTH), None):
            raise ValueError(f"an author's name of {len(longest):,} characters")
        categories = tuple(dict.fromkeys(c for c in map(one_line, self.categories) if c))
        if len(categories) > MAX_CATEGORIES:
            raise ValueError(f"{len(categories):,} categories (limit {MAX_CATEGORIES})")
        primary = one_line(self.primary_category or "") or next(iter(categories), None)
        return Paper(
            arxiv_id=paper_id.value,
            title=text["title"],
            abstract=text["abstract"],
            authors=authors,
            categories=categories or ((primary,) if primary else ()),
            primary_category=primary,
            published=_date(self.published) or paper_id.month,
            updated=_date(self.updated),
            version=self.version or paper_id.version,
            doi=text["doi"] or None,
            journal_ref=text["journal_ref"] or None,
            comments=text["comments"] or None,
            withdrawn=self.withdrawn,
            source=one_line(self.source or "")[:200] or None,
            is_summary=self.is_summary,
        )

    @property
    def url(self) -> str:
        """The address of the paper's page."""
        return f"https://arxiv.org/abs/{self.arxiv_id}"

    @property
    def subjects(self) -> str:
        """The categories in one text, `quant-ph, hep-th`."""
        return ", ".join(self.categories)

    @property
    def submission_date(self) -> str | None:
        """The contract's name for `published`."""
        return self.published

    @property
    def content(self) -> str:
        """The searchable text of the contract: title, subjects and abstract, a line each."""
        return "\n".join(part for part in (self.title, self.subjects, self.abstract) if part)

    @property
    def category_keys(self) -> tuple[str, ...]:
        """Categories and their archives: `("cs.CL", "cs", "math.ST", "math")`."""
        keys: dict[str, None] = {}
        for category in self.categories:
            keys[category] = keys[category.partition(".")[0]] = None
        return tuple(keys)

    @property
    def record_hash(self) -> uuid.UUID:
        """Equal for equal records: md5 of all fields but `source` (where it was read)."""
        record = {**self.to_metadata(), "arxiv_id": self.arxiv_id}
        record.pop("source", None)
        text = json.dumps(record, sort_keys=True, ensure_ascii=True)
        return uuid.UUID(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest())

    def to_metadata(self) -> dict[str, Any]:
        """What stands in `langchain_metadata`, in printing order; the id has its own column.

        JSON values only; what is unknown, empty or false is left out.
        """
        values = {name: getattr(self, name) for name in _METADATA}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value not in (None, False, ())
        }

    @classmethod
    def from_metadata(cls, arxiv_id: str, metadata: Mapping[str, Any]) -> Paper:
        """The inverse of `to_metadata`; keys that are no field are ignored."""
        values = {name: metadata[name] for name in _METADATA if metadata.get(name) is not None}
        for name in ("authors", "categories"):
            values[name] = tuple(values.get(name, ()))
        return cls(**{"title": "", "abstract": "", **values, "arxiv_id": arxiv_id})


_METADATA = tuple(f.name for f in dataclasses.fields(Paper) if f.name != "arxiv_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperHit:
    """A paper that a search found, and why.

    `score`: 0 to 1. `legs`: the parts it was made of; `ranks`: its place among all by each.
    `words`: those of the question that it has, the rarest first. `exact`: what of it the question
    names (id, DOI, title, phrase, author). `also`: ids of near-identical papers that this hit
    stands for. `mended`: what was typed, and the known word that was searched for instead.
    """

    paper: Paper
    score: float
    legs: dict[str, float] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    exact: str | None = None
    also: tuple[str, ...] = ()
    mended: tuple[tuple[str, str], ...] = ()

    def why(self) -> dict[str, Any]:
        """Why it is there, as plain values."""
        legs = {
            name: {"score": round(self.legs.get(name, 0.0), 4), "rank": rank}
            for name, rank in self.ranks.items()
        }
        return {"exact": self.exact, **legs, "words": list(self.words)}


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was not taken: `where` (file and line) and `reason`, a line each."""

    where: str
    reason: str


def _date(text: str | None) -> str | None:
    """A day or month as it stands; None for what is none, or lies in the future of every zone."""
    if not text or not _DATE.fullmatch(text):
        return None
    return text if text <= (datetime.now(UTC) + timedelta(days=1)).date().isoformat() else None
