"""What happened with a thread, a topic or a thing, in order: asked, read, learned, decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.candidate import STATEMENTS
from arxivscout.memory.graph.edges import edges_at, edges_ended
from arxivscout.memory.graph.node import ALL, LONGEST_LABEL, Edge, Node, View, entity_node
from arxivscout.memory.graph.telling import sentence
from arxivscout.papers import one_line

LIMIT = 50
_MOST_AROUND = 200  # memories joined to a thing

# What it is called that a memory of some kind came to be known.
_BEGAN = {
    "preference": "preferred",
    "finding": "found",
    "decision": "decided",
    "question": "left open",
    "correction": "corrected",
}

# A memory with all that it took the place of, and what took its place.
_VERSIONS = """
WITH RECURSIVE version AS (
    SELECT langchain_id, superseded_by FROM entity_memory
    WHERE langchain_id = ANY (%(ids)s::uuid[])
    UNION
    SELECT near.langchain_id, near.superseded_by
    FROM version JOIN entity_memory AS near
      ON near.superseded_by = version.langchain_id OR near.langchain_id = version.superseded_by
)
SELECT entity.langchain_id, category, name, left(content, 500), valid_from, valid_to, reason,
       ended_because, thread_id, (SELECT left(content, 200) FROM entity_memory AS successor
                                  WHERE successor.langchain_id = entity.superseded_by
                                    AND (valid_to IS NULL OR superseded_by IS NOT NULL))
FROM version JOIN entity_memory AS entity USING (langchain_id)
WHERE category IS DISTINCT FROM 'person'
"""

_OF_THREAD = """
SELECT langchain_id, category, name, left(content, 500), valid_from, valid_to, reason,
       ended_because, thread_id, (SELECT left(content, 200) FROM entity_memory AS successor
                                  WHERE successor.langchain_id = entity.superseded_by
                                    AND (valid_to IS NULL OR superseded_by IS NOT NULL))
FROM entity_memory AS entity
WHERE user_id = scout_user() AND thread_id = %(thread)s::text
  AND category IS DISTINCT FROM 'person' AND category IS DISTINCT FROM 'paper'
ORDER BY valid_from DESC LIMIT %(limit)s
"""

_LOOKED_AT = """
SELECT paper.langchain_id, left(paper.content, 500), edge.valid_from,
       edge.properties ->> 'question', edge.properties ->> 'thread_id'
FROM relation_memory AS edge JOIN entity_memory AS paper ON paper.langchain_id = object_id
WHERE edge.user_id = scout_user() AND predicate = 'looked_at' AND paper.valid_to IS NULL
  AND edge.valid_to IS NULL
  AND (object_id = ANY (%(ids)s::uuid[]) OR edge.properties ->> 'thread_id' = %(thread)s::text)
ORDER BY edge.valid_from DESC LIMIT %(limit)s
"""

_TURNS = """
SELECT turn_id, question, started_at, thread_id, status FROM turn
WHERE user_id = scout_user() AND thread_id = %(thread)s::text
ORDER BY started_at DESC LIMIT %(limit)s
"""

# The person's own messages that have every word of the topic.
_SAID = """
WITH asked AS MATERIALIZED (
    SELECT tsvector_to_array(message_words(%(words)s::text)) AS words
)
SELECT said.turn_id, said.content, message.said_at, said.thread_id, NULL
FROM (SELECT thread, place FROM message_word
      WHERE user_id = scout_user() AND lexeme = ANY ((SELECT words FROM asked)::text[])
      GROUP BY thread, place HAVING count(*) = (SELECT cardinality(words) FROM asked)
      ORDER BY thread DESC, place DESC LIMIT %(limit)s) AS found
JOIN message_index AS message USING (thread, place)
JOIN conversational_memory AS said ON said.id = message.langchain_id
WHERE message.user_id = scout_user() AND said.role = 'user'
"""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes:
        what: asked, looked at, learned, found, decided, preferred, left open, corrected, joined,
            superseded, parted.
        why: the reason that was given, or the question that led to a paper.
        id: of the memory, where it is one.
    """

    at: datetime
    what: str
    text: str
    why: str | None = None
    thread_id: str | None = None
    id: UUID | None = None


def timeline_of_thread(
    conn: Connection[Any], thread_id: str, *, view: View = ALL, limit: int = LIMIT
) -> list[Event]:
    """What was asked, read, learned and decided in a thread; the newest `limit`, oldest first."""
    bound = {"thread": thread_id, "limit": limit, "ids": []}
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        turns, memories, looked = (
            cursor.execute(each.encode(), bound).fetchall()
            for each in (_TURNS, _OF_THREAD, _LOOKED_AT)
        )
    return _newest([*_asked(turns), *_of_memories(memories), *_looked(looked)], view, limit)


def timeline(
    conn: Connection[Any],
    nodes: Sequence[Node],
    *,
    words: str = "",
    near: Iterable[UUID] = (),
    view: View = ALL,
    limit: int = LIMIT,
) -> list[Event]:
    """What happened with some things: the newest `limit` events, oldest first.

    Args:
        nodes: the things; what is joined to them and says something counts as theirs.
        words: of the topic: the person's own messages that have all of them count.
        near: ids of memories that are about it, found in another way.
    """
    edges = edges_at(conn, nodes, view=view, fan_out=_MOST_AROUND) if nodes else []
    around = {
        node.id
        for edge in edges
        for node in (edge.subject, edge.object)
        if node.id and node.kind in STATEMENTS
    }
    own = {node.id for node in nodes if node.id}
    own |= {
        end.id
        for edge in edges
        for end in (edge.subject, edge.object)
        if end.id and end.key in {node.key for node in nodes}
    }
    if view.own and own:
        edges += edges_ended(conn, list(own), view=view, limit=limit)
    ids = list(own | around | set(near))
    bound = {"ids": ids, "thread": None, "words": words, "limit": limit}
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        memories, looked, said = (
            cursor.execute(each.encode(), bound).fetchall()
            for each in (_VERSIONS, _LOOKED_AT, _SAID)
        )
    if not words.strip():
        said = []
    events = [*_of_memories(memories), *_looked(looked), *_asked(said), *_joined(edges)]
    return _newest(events, view, limit)


def _asked(rows: Sequence[tuple[Any, ...]]) -> list[Event]:
    return [
        Event(at, "asked", one_line(question), None if status != "failed" else "it failed", thread)
        for _, question, at, thread, status in rows
    ]


def _looked(rows: Sequence[tuple[Any, ...]]) -> list[Event]:
    return [
        Event(
            at,
            "looked at",
            one_line(text),
            question and f"asked: {one_line(question)}",
            thread,
            id_,
        )
        for id_, text, at, question, thread in rows
    ]


def _of_memories(rows: Sequence[tuple[Any, ...]]) -> list[Event]:
    events = []
    for id_, kind, name, text, since, until, reason, ended, thread, successor in rows:
        if until is not None and successor is None:
            continue  # forgotten: not even told of
        node = entity_node(id_, kind, name, text)
        told = one_line(text) if kind in STATEMENTS or kind == "paper" else _of_thing(node, text)
        events.append(Event(since, _BEGAN.get(kind, "learned"), told, reason, thread, id_))
        if until is not None:
            why = "; ".join(each for each in (f"now: {one_line(successor)}", ended) if each)
            events.append(Event(until, "superseded", told, why, thread, id_))
    return events


def _of_thing(node: Node, text: str) -> str:
    """A thing's name, and what is said of it where that is more."""
    said = one_line(text)[:LONGEST_LABEL]
    return said if node.label.lower() in said.lower() else f"{node.label}: {said}"


def _joined(edges: Sequence[Edge]) -> list[Event]:
    """When things were joined; what is said of them, and what was looked at, is told by itself."""
    events = []
    for edge in edges:
        said = edge.subject.kind in STATEMENTS or edge.object.kind in STATEMENTS
        if edge.since is None or edge.predicate == "looked_at" or said:
            continue
        events.append(Event(edge.since, "joined", sentence(edge), edge.reason))
        if edge.until is not None:
            events.append(Event(edge.until, "parted", sentence(edge)))
    return events


def _newest(events: Iterable[Event], view: View, limit: int) -> list[Event]:
    seen = [
        event
        for event in dict.fromkeys(events)
        if event.thread_id not in view.hidden and (view.as_of is None or event.at <= view.as_of)
    ]
    return (
        sorted(seen, key=lambda event: (event.at, event.what, event.text))[-limit:] if limit else []
    )
