"""A paper's full text as its parts: what a parser gives, and what passages are cut from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["paragraph", "formula", "table", "caption", "list"]
TextKind = Literal["pdf", "html", "records"]


def page_at(page: int | None, page_starts: Sequence[int], place: int) -> int | None:
    """The page of a place in a text that begins on `page` and goes on as `page_starts` say."""
    return page if page is None else page + bisect_right(page_starts, place)


@dataclass(frozen=True, slots=True)
class Block:
    """What stands together: a paragraph, a formula, a table, a caption or a list; cleaned.

    `text` keeps line ends in tables and lists only. `page` counts from 1; None where there is none.
    `page_starts` are the places in `text`, in characters, at which the pages after it begin.
    """

    text: str
    kind: BlockKind = "paragraph"
    page: int | None = None
    page_starts: tuple[int, ...] = ()

    def page_at(self, place: int) -> int | None:
        """The page on which the character at `place` stands, as far as that is known."""
        return page_at(self.page, self.page_starts, place)


@dataclass(frozen=True, slots=True)
class Section:
    """A section's own blocks, in reading order, without those of its subsections.

    `path` holds the headings from the outermost, numbers left out: `("Methods", "Data")`; empty
    for what stands before the first heading.
    """

    path: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """An entry of the list of references, as printed, and what it names."""

    text: str
    arxiv_id: str | None = None
    doi: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FullText:
    """A document's text: sections in reading order, references apart.

    `arxiv_id` and `version` are what the document itself says it is, by arXiv's stamp or its
    record; None where it doesn't. `notes` say in a line each what is missing or doubtful ("page 7
    has no text").
    """

    kind: TextKind
    sections: tuple[Section, ...]
    references: tuple[Reference, ...] = ()
    pages: int | None = None
    title: str | None = None
    licence: str | None = None
    arxiv_id: str | None = None
    version: int | None = None
    notes: tuple[str, ...] = field(default=())
