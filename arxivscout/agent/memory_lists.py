"""What is remembered, listed for a model: findings, the library, and what a new wish replaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.agent.said_here import said_here
from arxivscout.agent.tools import ToolResult, TurnScope
from arxivscout.context.budget import shorten
from arxivscout.context.memories import cited_line
from arxivscout.learning.things import Related, related
from arxivscout.memory import gate, overview
from arxivscout.memory.graph.node import name_key
from arxivscout.memory.marks import marks
from arxivscout.memory.own_relations import OwnRelation, own_relations
from arxivscout.memory.remembering import consent
from arxivscout.papers import neutralise, one_line
from arxivscout.preferences import overridden
from arxivscout.statements.ending import NOW_AND_THEN
from arxivscout.statements.stating import told

SHOWN_TOKENS = 250  # of one remembered text
MOST_SAID = 200  # statements of a kind that are read for what the person uses and works on
_SAID = ("fact", "preference")

_HELD = "SELECT count(*) FROM semantic_memory WHERE arxiv_id IS NOT NULL"


def replaced_by(conn: Connection[Any], question: str, text: str, successor: UUID) -> list[str]:
    """Let a new preference supersede those that the question contradicts or says anew; their texts.

    Judged by the person's own words: what a model saves may come from a paper.
    """
    held = overview.memories(conn, "preference", 50)[::-1]
    held = [memory for memory in held if memory.text != text and memory.id != str(successor)]
    gone = [held[at] for at in overridden([memory.text for memory in held], question)]
    gate.supersede(conn, [UUID(memory.id) for memory in gone], successor, "said anew")
    return [memory.text for memory in gone]


def kept(scope: TurnScope, kind: str, k: int) -> ToolResult:
    """The newest memories of one kind: what was decided, left open, found."""
    with scope.transaction() as conn:
        found = overview.memories(conn, kind, k)
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    found = [each for each in found if each.thread_id not in allowed.hidden]
    if allowed.choice == "nothing":
        found = [each for each in found if each.thread_id == scope.thread_id]
    return listed(
        [
            f"- {each.at:%Y-%m-%d} (id {each.id}, {kind}, thread "
            f"{neutralise(each.thread_id or '?')}): {shown(each.text)}"
            + (f" | because: {neutralise(each.reason)}" if each.reason else "")
            for each in found
        ],
        f"{kind}s",
    )


def relations(scope: TurnScope, k: int) -> ToolResult:
    """What the person uses, works on and avoids, where they work, each with their words for it."""
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    found: list[OwnRelation] = []
    with scope.transaction() as conn:
        if allowed.choice != "nothing":
            found = own_relations(conn, k, allowed.hidden)
        said = [each for kind in _SAID for each in overview.memories(conn, kind, MOST_SAID)]
    said = [each for each in said if each.thread_id not in allowed.hidden]
    if allowed.choice == "nothing":
        said = [each for each in said if each.thread_id == scope.thread_id]
    own = [(each.at, str(each.id), each.text) for each in said]
    if not allowed.may_learn("fact"):
        own += [(each.valid_from, str(each.id), each.text) for each in said_here(scope)]
    lines = [
        f"- {each.at:%Y-%m-%d} (id {each.thing}, {each.predicate}, {each.kind}): "
        f"{neutralise(each.name)}" + (f" | said: {neutralise(each.quote)}" if each.quote else "")
        for each in found
    ]
    known: set[tuple[str, str]] = set()
    for each in found:
        known |= _decided_by((each.predicate, name_key(each.name)))
    return listed([*lines, *_without_edge(own, known)][:k], "relations")


def _without_edge(
    said: Sequence[tuple[datetime, str, str]], known: set[tuple[str, str]]
) -> Iterator[str]:
    """What statements say of the person that no edge does: a line for each relation of one.

    Args:
        said: when, the id, and the words of each.
    """
    for at, memory_id, text in said:
        new: dict[str, list[Related]] = {}
        for thing in (each for one in told(text) for each in related(one)):
            key = (thing.predicate, name_key(thing.name))
            if key not in known:
                known |= _decided_by(key)
                new.setdefault(thing.predicate, []).append(thing)
        for predicate, things in new.items():
            kinds = ", ".join(dict.fromkeys(each.kind for each in things))
            names = ", ".join(each.name for each in things)
            yield (
                f"- {at:%Y-%m-%d} (id {memory_id}, {predicate}, {kinds}): "
                f"{neutralise(names)} | said: {neutralise(one_line(text))}"
            )


def _decided_by(relation: tuple[str, str]) -> set[tuple[str, str]]:
    """What a relation that holds leaves older words nothing to say of: what was, no longer is."""
    predicate, name = relation
    return {relation, (NOW_AND_THEN.get(predicate, predicate), name)}


def library(scope: TurnScope, k: int) -> ToolResult:
    with scope.transaction() as conn:
        marked = marks(conn)[:k]
        row = conn.execute(_HELD).fetchone()
    if consent(scope.services.database, scope.user).choice == "nothing":
        marked = []
    held = int(row[0]) if row else 0
    lines = [
        f"- {each.updated_at:%Y-%m-%d} ({neutralise(str(each))}): [arXiv:{each.arxiv_id}] "
        f"{neutralise(each.title or '?')}" + (f" | noted: {shown(each.note)}" if each.note else "")
        for each in marked
    ]
    count = f"{held:,} paper{'s are' if held != 1 else ' is'} held."
    return ToolResult("\n".join([count, *lines]), f"{len(lines)} marked papers, {held:,} held")


def shown(text: str) -> str:
    return shorten(cited_line(text), SHOWN_TOKENS)


def listed(lines: Sequence[str], what: str) -> ToolResult:
    if len(lines) == 1:
        what = f"{what[:-3]}y" if what.endswith("ies") else what.removesuffix("s")
    return ToolResult(
        "\n".join(lines) or "Nothing was found.", f"{len(lines)} {what}", (), empty=not lines
    )
