"""CSL-JSON, as citeproc, Pandoc and Zotero read it (schema 1.0.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from arxivscout.papers.citing.facts import NOTHING, Own, date_parts, doi_of, remark
from arxivscout.papers.citing.keys import citation_keys
from arxivscout.papers.citing.names import PersonName, split_name
from arxivscout.papers.record import Paper


def csl(papers: Sequence[Paper], own: Mapping[str, Own]) -> str:
    """A JSON list with one item for each paper; [] for none."""
    keys = citation_keys(papers)
    items = [
        _item(paper, keys[paper.arxiv_id], own.get(paper.arxiv_id, NOTHING)) for paper in papers
    ]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _item(paper: Paper, key: str, own: Own) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": key,
        "type": "article-journal" if paper.journal_ref else "article",
        "genre": "" if paper.journal_ref else "preprint",
        "title": paper.title,
        "author": [_name(split_name(name)) for name in paper.authors],
        "issued": {"date-parts": [date_parts(paper)]} if date_parts(paper) else None,
        "container-title": paper.journal_ref,
        "publisher": "" if paper.journal_ref else "arXiv",
        "archive": "arXiv",
        "number": f"arXiv:{paper.arxiv_id}",
        "version": str(paper.version or ""),
        "keyword": ", ".join([*paper.categories, *own.tags]),
        "DOI": doi_of(paper),
        "URL": paper.url,
        "note": "\n".join(filter(None, [remark(paper), own.note])),
    }
    return {name: value for name, value in item.items() if value}


def _name(name: PersonName) -> dict[str, str]:
    if name.group:
        return {"literal": name.family}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {part: text for part, text in parts.items() if text}
