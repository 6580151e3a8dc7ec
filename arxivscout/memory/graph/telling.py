"""Edges in words: what is said, since when, and who says so."""

from __future__ import annotations

from collections.abc import Sequence

from arxivscout.memory.graph.node import Edge
from arxivscout.papers import PaperId, one_line

# Predicates that are no verb in the present tense.
_READ = {
    "about": "is about",
    "based_on": "is based on",
    "evaluated_on": "was evaluated on",
    "in_category": "is in the category",
    "interested_in": "is interested in",
    "part_of": "is part of",
    "related_to": "is related to",
    "trained_on": "was trained on",
    "used_before": "used before",
    "was_interested_in": "was interested in",
    "written_by": "was written by",
    "authored": "wrote",
}
# Where it stands what the papers give.
_BY_PAPERS = {"cites": "by the list of references", "about": "by its words"}


def verb(predicate: str) -> str:
    """A predicate as it stands between its subject and its object."""
    return _READ.get(predicate, predicate.replace("_", " "))


def sentence(edge: Edge) -> str:
    """The edge as a sentence without a stop: `LoRA extends fine-tuning`."""
    return f"{edge.subject.label} {verb(edge.predicate)} {edge.object.label}"


def grounds(edge: Edge) -> str:
    """What the edge rests on, in a few words; empty where nothing is known."""
    parts = []
    if edge.since is not None:
        until = f" until {edge.until:%Y-%m-%d}" if edge.until else ""
        parts.append(f"since {edge.since:%Y-%m-%d}{until}")
    if edge.derived_by:
        parts.append(f"inferred by the rule {edge.derived_by}")
    if edge.source and _is_paper(edge.source):
        parts.append(f"arXiv:{edge.source} says so")
    elif edge.id is None:
        parts.append(_BY_PAPERS.get(edge.predicate, "by the record"))
    if edge.quote:
        parts.append(f"“{one_line(edge.quote)[:200]}”")
    if edge.reason:
        parts.append(f"because {one_line(edge.reason)[:200]}")
    return ", ".join(parts)


def explained(edges: Sequence[Edge]) -> list[str]:
    """A line an edge: the sentence, and in brackets what it rests on."""
    told = []
    for edge in edges:
        known = grounds(edge)
        told.append(f"{sentence(edge)} ({known})" if known else sentence(edge))
    return told


def _is_paper(source: str) -> bool:
    try:
        PaperId.parse(source)
    except ValueError:
        return False
    return True
