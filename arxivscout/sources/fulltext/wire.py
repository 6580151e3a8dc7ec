"""A full text as JSON, as it comes out of the process that parsed it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from arxivscout.papers.fulltext import Block, FullText, Reference, Section


def to_json(text: FullText) -> str:
    return json.dumps(asdict(text), ensure_ascii=False, separators=(",", ":"))


def from_json(value: dict[str, Any]) -> FullText:
    """The full text that `to_json` gave; its values are trusted to have their types."""
    sections = tuple(
        Section(tuple(section["path"]), tuple(_block(block) for block in section["blocks"]))
        for section in value["sections"]
    )
    references = tuple(Reference(**reference) for reference in value["references"])
    rest = {**value, "sections": sections, "references": references, "notes": tuple(value["notes"])}
    return FullText(**rest)


def _block(value: dict[str, Any]) -> Block:
    return Block(**{**value, "page_starts": tuple(value["page_starts"])})
