"""What a turn teaches by rule: from the person's own words, and from the papers they were shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import islice
from uuid import UUID

from arxivscout.learning.findings import findings
from arxivscout.learning.joining import join
from arxivscout.learning.named_in_papers import named_in
from arxivscout.learning.said import (
    MOST_STATEMENTS,
    WORKED_OUT,
    learn_relations,
    learn_statements,
    learn_wishes,
)
from arxivscout.learning.values import Gathering, Learned, Turn, Used
from arxivscout.papers import one_line
from arxivscout.reflection.noticing import is_mere_remark
from arxivscout.statements.own_words import keeps_nothing, own_clauses

__all__ = ["MOST_CANDIDATES", "MOST_STATEMENTS", "learned", "relations_of"]

MOST_CANDIDATES = 150  # of one turn; those that most edges join are kept
MOST_AUTHORS = 8  # of one paper; of a collaboration the first three
BY_PATTERN = 0.7  # how sure it is that a paper means it so


def learned(turn: Turn) -> Learned:
    """All that the turn teaches: statements and things, and how they are related.

    Only what the person said and what the papers say. Deterministic; linear in the length of both.
    """
    gathering = Gathering(turn)
    if not is_mere_remark(turn.words) and not keeps_nothing(turn.words):
        learn_wishes(gathering)
        learn_statements(gathering)
    for used in turn.papers:
        _paper(gathering, used)
    return _bounded(Learned(tuple(gathering.candidates), tuple(gathering.links.values())))


def relations_of(
    person: str,
    text: str,
    at: datetime,
    thread_id: str | None = None,
    turn_id: UUID | None = None,
) -> Learned:
    """What a statement as it is written relates the person to; each edge quotes all of it."""
    turn = Turn(person=person, words=text, at=at, thread_id=thread_id, turn_id=turn_id)
    gathering = Gathering(turn)
    for clause in islice(own_clauses(text), MOST_STATEMENTS):
        whole = replace(clause, sentence=one_line(text), is_alone=True)
        learn_relations(gathering, whole)
        join(gathering, whole, WORKED_OUT)
    return _bounded(Learned(tuple(gathering.candidates), tuple(gathering.links.values())))


def _paper(to: Gathering, used: Used) -> None:
    paper = used.paper
    found = {"source": paper.arxiv_id, "confidence": BY_PATTERN}
    place = to.add(
        "paper",
        f"[arXiv:{paper.arxiv_id}] {paper.title}",
        name=paper.arxiv_id,
        source=paper.arxiv_id,
        metadata={"arxiv_id": paper.arxiv_id, "title": paper.title},
    )
    for finding in findings(used):
        text = to.add(
            "finding",
            f"{finding.text} [arXiv:{paper.arxiv_id}]",
            quote=finding.text,
            filed_under="findings",
            metadata={"arxiv_ids": [paper.arxiv_id]},
            **found,
        )
        to.link(text, "supported_by", place, quote=finding.text, source=paper.arxiv_id)
    few = paper.authors[: MOST_AUTHORS if len(paper.authors) <= MOST_AUTHORS else 3]
    for name in few:
        author = to.add("author", name, name=name, source=paper.arxiv_id, confidence=WORKED_OUT)
        to.link(place, "written_by", author, source=paper.arxiv_id)
    for named in named_in(paper):
        thing = to.add(
            named.kind,
            named.name,
            name=named.name,
            aliases=named.aliases,
            quote=named.quote,
            filed_under="methods" if named.kind in ("method", "tool") else None,
            **found,
        )
        to.link(
            place,
            named.predicate,
            thing,
            quote=named.quote,
            source=paper.arxiv_id,
            confidence=BY_PATTERN,
        )


def _bounded(found: Learned) -> Learned:
    """At most `MOST_CANDIDATES`: statements first, then the things that most edges join."""
    if len(found.candidates) <= MOST_CANDIDATES:
        return found
    support = [0.0] * len(found.candidates)
    for link in found.links:
        for place in (link.subject, link.object):
            support[place] += link.confidence
    order = sorted(
        range(len(found.candidates)),
        key=lambda place: (found.candidates[place].name is not None, -support[place], place),
    )
    return found.only(order[:MOST_CANDIDATES])
