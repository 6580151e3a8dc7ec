"""Full texts as records: paragraphs with the section each stands in, and a bibliography.

The form is unarXive's (https://github.com/IllDepence/unarXive), which was made from LaTeX sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arxivscout.errors import SourceError
from arxivscout.papers.fulltext import Block, BlockKind, FullText, Reference
from arxivscout.papers.ids import PaperId
from arxivscout.papers.text import clean_text, one_line
from arxivscout.sources.fulltext.outline import Outline, Path
from arxivscout.sources.fulltext.references import reference_of

_KINDS: dict[str, BlockKind] = {"list": "list", "table": "table", "caption": "caption"}


def full_text_of_records(record: Mapping[str, Any]) -> FullText:
    """The full text that `record` holds, its abstract first.

    Raises:
        SourceError: it has no paragraphs, or what stands there is no such record.
    """
    paper = _paper(record.get("arxiv_id"))
    named = paper.value if paper else "A record without an arXiv id"
    paragraphs = record.get("paragraphs")
    if not isinstance(paragraphs, list):
        raise SourceError(f"{named} has no full text.", 'It needs "paragraphs": [{"text": …}, …].')
    outline = Outline()
    if abstract := _said(record, "abstract"):
        outline.open(("Abstract",))
        outline.add(Block(abstract))
    _add_paragraphs(outline, paragraphs)
    sections = outline.sections()
    if not any(section.path != ("Abstract",) and section.blocks for section in sections):
        raise SourceError(f"{named} has no full text.", "Its paragraphs are empty.")
    return FullText(
        kind="records",
        sections=sections,
        references=_references(record.get("bibliography")),
        title=_said(record, "title") or None,
        licence=_said(record, "license") or _said(record, "licence") or None,
        arxiv_id=paper.value if paper else None,
        version=paper.version if paper else None,
        notes=_notes(paragraphs),
    )


def _paper(value: object) -> PaperId | None:
    try:
        return PaperId.parse(str(value)) if value else None
    except ValueError as error:
        raise SourceError(f"{one_line(str(error))}.", "Give the paper's id.") from None


def _said(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return one_line(value) if isinstance(value, str) else ""


def _add_paragraphs(outline: Outline, paragraphs: list[Any]) -> None:
    titles: dict[str, str] = {}  # by number, of the sections that were begun
    begun: tuple[str, str] | None = None
    for paragraph in paragraphs:
        if not isinstance(paragraph, Mapping):
            continue
        number, title = str(paragraph.get("sec_number") or ""), _said(paragraph, "section")
        if (number, title) != begun:
            begun = number, title
            outline.go_back(_path(number, title, titles))
        kind = _KINDS.get(str(paragraph.get("type")), "paragraph")
        text = paragraph.get("text")
        if isinstance(text, str):
            lines = text.splitlines() if kind in ("list", "table") else [text]
            text = "\n".join(line for line in map(one_line, lines) if line)
            if text:
                outline.add(Block(clean_text(text), kind))


def _path(number: str, title: str, titles: dict[str, str]) -> Path:
    """The headings above a section, as far as its number tells and they were begun before it."""
    if not title:
        return ()
    parts = number.split(".") if number[:1].isalnum() else []
    above = [titles.get(".".join(parts[:depth]), "") for depth in range(1, len(parts))]
    if parts:
        titles[number] = title
    return (*filter(None, above), title)


def _references(bibliography: object) -> tuple[Reference, ...]:
    entries = bibliography if isinstance(bibliography, list) else []
    return tuple(
        _reference(entry) for entry in entries if isinstance(entry, Mapping) and _said(entry, "raw")
    )


def _reference(entry: Mapping[str, Any]) -> Reference:
    read = reference_of(_said(entry, "raw"))
    try:
        told = PaperId.parse(_said(entry, "arxiv_id")).value
    except ValueError:
        told = None
    doi = _said(entry, "doi").lower() or read.doi
    return Reference(text=read.text, arxiv_id=told or read.arxiv_id, doi=doi)


def _notes(paragraphs: list[Any]) -> tuple[str, ...]:
    bad = sum(
        not isinstance(entry, Mapping) or not isinstance(entry.get("text"), str)
        for entry in paragraphs
    )
    return (f"paragraphs without text: {bad}",) if bad else ()
