"""The tool that notes how two things are related, which the person names in their own words."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import Field

from arxivscout.agent.keeping_tools import held_papers, may_keep, texts_of
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.agent.wishes import stands_in
from arxivscout.errors import NotFound, ToolInputError
from arxivscout.learning.things import kind_of, thing_name
from arxivscout.memory import gate, relation
from arxivscout.memory.candidate import THINGS, Candidate
from arxivscout.memory.graph.finding import find_nodes
from arxivscout.memory.graph.node import View, predicate_key
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.papers import clean_text, find_paper_ids, one_line
from arxivscout.redaction import redacted

SAID = 0.9  # how sure an edge is that a model drew from the person's words


class Link(Arguments):
    subject: str = Field(
        max_length=200, description="A name the researcher said, or a memory's id."
    )
    predicate: str = Field(
        pattern=r"^[A-Za-z][A-Za-z _-]{1,30}$",
        description="How they are related, as a verb: extends, depends on, part of, contradicts.",
    )
    object: str = Field(max_length=200, description="As `subject`.")


def _link(scope: TurnScope, subject: str, predicate: str, object: str) -> ToolResult:
    view = View(hidden=may_keep(scope).hidden)
    ends = [_end(scope, each, view) for each in (subject, object)]
    candidates = [each for each in ends if isinstance(each, Candidate)]
    vectors = scope.services.embedder.embed_documents([each.text for each in candidates])
    with scope.transaction() as conn:
        made = iter(gate.remember(conn, candidates, [], vectors))
        one, other = (next(made).id if isinstance(each, Candidate) else each for each in ends)
        if one == other:
            raise ToolInputError("A thing is not linked to itself.")
        edge = (one, predicate_key(predicate), other)
        if edge not in relation.holding(conn, [edge]):
            relation.add(
                conn,
                *edge,
                {"thread_id": scope.thread_id},
                turn_id=UUID(scope.turn_id),
                quote=redacted(one_line(scope.question)[:1_000]),
                confidence=SAID,
            )
    return ToolResult(f"Linked: {one_line(subject)} {predicate} {one_line(object)}.", "1 link kept")


def _end(scope: TurnScope, given: str, view: View) -> Candidate | UUID:
    """One end of a link: a memory's id as it stands, a held paper, a thing that is known or new."""
    given = redacted(clean_text(given)).strip()
    try:
        memory_id = UUID(given)
    except ValueError:
        pass
    else:
        with scope.transaction() as conn:
            if not texts_of(conn, memory_id):
                raise NotFound(f"There is no memory {memory_id}.")
        return memory_id
    place: dict[str, Any] = {"thread_id": scope.thread_id, "turn_id": UUID(scope.turn_id)}
    if papers := find_paper_ids(given):
        (arxiv_id, *_) = held_papers(scope, [str(papers[0])])
        with scope.services.database.shared() as conn:
            paper = paper_by_id(conn, arxiv_id)
        assert paper is not None  # it was just found to be held
        text = f"[arXiv:{arxiv_id}] {paper.title}"
        return Candidate("paper", text, name=arxiv_id, source=arxiv_id, **place)
    name = thing_name(given)
    if name and stands_in(name, scope.question):
        with scope.transaction() as conn:
            found = find_nodes(conn, name, view=view)
        for node in found:
            if node.kind in THINGS and node.id:
                return node.id
    else:
        raise ToolInputError(
            f"{given[:60]!a} is no memory's id, no paper's, and no name in the researcher's words."
        )
    return Candidate(kind_of(name), name, name=name, confidence=SAID, **place)


LINK_TOOLS = (
    ScoutTool(
        name="link",
        description=(
            "Note how two things are related that the researcher names: methods, tools, papers, "
            "people, memories."
        ),
        args_schema=Link,
        function=_link,
    ),
)
