"""The edges at nodes: the one step of which every walk through the graph is made.

One round trip, whatever the number of nodes. Of each node no more than `fan_out` edges in each
direction are read, the surest and newest first, so that a hub costs no more than any other. That a
person looked at papers, at many and again and again, is read beside: it hides nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.graph.node import (
    ALL,
    ONLY_BY_NAME,
    SHARED,
    SHARED_PREDICATES,
    Edge,
    Node,
    View,
    entity_node,
)
from arxivscout.memory.graph.paper_edges import OF_PAPERS, edge_of_papers
from arxivscout.papers.search_form import search_form

FAN_OUT = 12

_HOLDS_NOW = "{0}.valid_to IS NULL"
_HELD_THEN = """
{0}.valid_from <= %(as_of)s AND ({0}.valid_to IS NULL OR {0}.valid_to > %(as_of)s)
"""

# The order is that of the indexes: with `IS NULL` on valid_to they give it without a sort.
_PRIVATE: LiteralString = """
WITH start AS MATERIALIZED (
    SELECT langchain_id, category, name, content FROM entity_memory AS entity
    WHERE langchain_id = ANY (%(ids)s::uuid[]) AND {entity}
    UNION
    SELECT langchain_id, category, name, content FROM entity_memory AS entity
    WHERE user_id = scout_user() AND category = 'paper' AND name = ANY (%(papers)s::text[])
      AND {entity}
    UNION
    SELECT langchain_id, category, name, content
    FROM entity_name JOIN entity_memory AS entity ON langchain_id = entity_id
    WHERE entity_name.user_id = scout_user() AND key = ANY (%(authors)s::text[])
      AND category = 'author' AND {entity}
)
SELECT start.langchain_id, start.category, start.name, left(start.content, 300), outward,
       predicate, other.langchain_id, other.category, other.name, left(other.content, 300),
       edge.id, edge.valid_from, edge.valid_to, edge.confidence, edge.quote, edge.source,
       edge.reason, edge.derived_by
FROM start CROSS JOIN LATERAL (
    (SELECT edge.*, object_id AS other_id, true AS outward FROM relation_memory AS edge
     WHERE subject_id = start.langchain_id AND {edge} AND {wanted} AND %(outward)s
       AND predicate <> 'looked_at'
     ORDER BY valid_to DESC, confidence DESC, valid_from DESC LIMIT %(fan_out)s)
    UNION ALL
    (SELECT edge.*, subject_id, false FROM relation_memory AS edge
     WHERE object_id = start.langchain_id AND {edge} AND {wanted} AND %(inward)s
       AND predicate <> 'looked_at'
     ORDER BY valid_to DESC, confidence DESC, valid_from DESC LIMIT %(fan_out)s)
) AS edge
JOIN entity_memory AS other ON other.langchain_id = edge.other_id
WHERE {other} AND (other.thread_id IS NULL OR other.thread_id <> ALL (%(hidden)s::text[]))
"""
_WANTED = """
(%(predicates)s::text[] IS NULL OR predicate = ANY (%(predicates)s::text[]))
AND (edge.properties ->> 'thread_id' IS NULL
     OR edge.properties ->> 'thread_id' <> ALL (%(hidden)s::text[]))
"""
_PARTS = ("entity", "edge", "other")
_NOW = _PRIVATE.format(wanted=_WANTED, **{part: _HOLDS_NOW.format(part) for part in _PARTS})
_THEN = _PRIVATE.format(wanted=_WANTED, **{part: _HELD_THEN.format(part) for part in _PARTS})

# The newest look at each paper; of a paper, the newest look at it.
_LOOKED: LiteralString = """
SELECT start.langchain_id, start.category, start.name, left(start.content, 300), outward,
       predicate, other.langchain_id, other.category, other.name, left(other.content, 300),
       edge.id, edge.valid_from, edge.valid_to, edge.confidence, edge.quote, edge.source,
       edge.reason, edge.derived_by
FROM entity_memory AS start CROSS JOIN LATERAL (
    (SELECT * FROM (
        SELECT DISTINCT ON (object_id) edge.*, object_id AS other_id, true AS outward
        FROM relation_memory AS edge
        WHERE start.category = 'person' AND subject_id = start.langchain_id AND {edge}
          AND {wanted} AND predicate = 'looked_at' AND %(outward)s
        ORDER BY object_id, valid_from DESC) AS looked
     ORDER BY valid_from DESC LIMIT %(fan_out)s)
    UNION ALL
    (SELECT edge.*, subject_id, false FROM relation_memory AS edge
     WHERE start.category = 'paper' AND object_id = start.langchain_id AND {edge} AND {wanted}
       AND predicate = 'looked_at' AND %(inward)s
     ORDER BY valid_from DESC LIMIT 1)
) AS edge
JOIN entity_memory AS other ON other.langchain_id = edge.other_id
WHERE start.langchain_id = ANY (%(lookers)s::uuid[]) AND {other}
  AND (other.thread_id IS NULL OR other.thread_id <> ALL (%(hidden)s::text[]))
"""
_LOOKED_NOW = _LOOKED.format(
    wanted=_WANTED, edge=_HOLDS_NOW.format("edge"), other=_HOLDS_NOW.format("other")
)
_LOOKED_THEN = _LOOKED.format(
    wanted=_WANTED, edge=_HELD_THEN.format("edge"), other=_HELD_THEN.format("other")
)

_WITH: LiteralString = """
SELECT start.langchain_id, start.category, start.name, left(start.content, 300), true, predicate,
       other.langchain_id, other.category, other.name, left(other.content, 300), edge.id,
       edge.valid_from, edge.valid_to, edge.confidence, edge.quote, edge.source, edge.reason,
       edge.derived_by
FROM relation_memory AS edge
JOIN entity_memory AS start ON start.langchain_id = edge.subject_id
JOIN entity_memory AS other ON other.langchain_id = edge.object_id
WHERE edge.user_id = scout_user() AND {edge} AND {start} AND {other} AND {asked}
ORDER BY confidence DESC, edge.valid_from DESC, edge.id LIMIT %(limit)s
"""
_BY_PREDICATE = """
predicate = %(predicate)s
AND (edge.properties ->> 'thread_id' IS NULL
     OR edge.properties ->> 'thread_id' <> ALL (%(hidden)s::text[]))
"""
_ENDS = ("edge", "start", "other")
_WITH_NOW = _WITH.format(asked=_BY_PREDICATE, **{end: _HOLDS_NOW.format(end) for end in _ENDS})
_WITH_THEN = _WITH.format(asked=_BY_PREDICATE, **{end: _HELD_THEN.format(end) for end in _ENDS})
_BY_ID = _WITH.format(
    asked="edge.id = ANY (%(ids)s::uuid[])", **{end: _HOLDS_NOW.format(end) for end in _ENDS}
)

_ENDED = _WITH.format(
    edge="edge.valid_to IS NOT NULL AND edge.derived_by IS NULL",
    start=_HOLDS_NOW.format("start"),
    other=_HOLDS_NOW.format("other"),
    asked="""(edge.subject_id = ANY (%(ids)s::uuid[]) OR edge.object_id = ANY (%(ids)s::uuid[]))
        AND COALESCE(start.thread_id <> ALL (%(hidden)s::text[]), true)
        AND COALESCE(other.thread_id <> ALL (%(hidden)s::text[]), true)
        AND COALESCE(edge.properties ->> 'thread_id' <> ALL (%(hidden)s::text[]), true)""",
)


def edges_at(
    conn: Connection[Any],
    nodes: Iterable[Node],
    *,
    predicates: Sequence[str] | None = None,
    view: View = ALL,
    fan_out: int = FAN_OUT,
    outward: bool = True,
    inward: bool = True,
    looked: Collection[str] = (),
) -> list[Edge]:
    """The edges at `nodes` that hold in this view, between nodes that do.

    Args:
        predicates: only these; None: all but those of `ONLY_BY_NAME`.
        fan_out: how many of a node, in each direction and of each kind.
        outward: also those of which a node is the subject.
        inward: also those of which a node is the object.
        looked: also that the person looked at papers, at nodes of these kinds: person, paper.
    """
    here = {node.key: node for node in nodes}
    if not here:
        return []
    given = [each for each in SHARED_PREDICATES if _asked(each, predicates)]
    bound: dict[str, Any] = {
        "ids": [node.id for node in here.values() if node.id],
        "papers": _values(here, "paper"),
        "authors": _values(here, "author"),
        "categories": _values(here, "category"),
        "topics": _values(here, "topic"),
        "words": [search_form(each) for each in _values(here, "topic")],
        "predicates": None if predicates is None else list(predicates),
        "given": given,
        "as_of": view.as_of,
        "hidden": sorted(view.hidden),
        "fan_out": fan_out,
        "outward": outward,
        "inward": inward,
        "lookers": _lookers(here, looked, predicates),
    }
    # What can't have rows is not asked: planning it would be a good part of a step's time.
    of_papers = bool(given) and any(node.kind in SHARED for node in here.values())
    with (
        conn.pipeline(),
        conn.cursor(row_factory=tuple_row) as own,
        conn.cursor(row_factory=tuple_row) as looks,
        conn.cursor(row_factory=tuple_row) as shared,
    ):
        of_looks = bool(view.own and bound["lookers"])
        if view.own:
            own.execute((_THEN if view.as_of else _NOW).encode(), bound)
        if of_looks:
            looks.execute((_LOOKED_THEN if view.as_of else _LOOKED_NOW).encode(), bound)
        if of_papers:
            shared.execute(OF_PAPERS.encode(), bound)
        rows = own.fetchall() if view.own else []
        rows += looks.fetchall() if of_looks else []
        papers = shared.fetchall() if of_papers else []
    found = [_private(row) for row in rows] + [edge_of_papers(row, here) for row in papers]
    # The surest of those that say the same, and a person's own before what the papers give.
    first: dict[tuple[str, str, str], Edge] = {}
    for edge in found:
        first.setdefault((edge.subject.key, edge.predicate, edge.object.key), edge)
    return list(first.values())


def edges_with(
    conn: Connection[Any], predicate: str, *, view: View = ALL, limit: int
) -> list[Edge]:
    """The person's own edges with this predicate, the surest and newest first."""
    if not view.own:
        return []
    bound = {
        "predicate": predicate,
        "as_of": view.as_of,
        "hidden": sorted(view.hidden),
        "limit": limit,
    }
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute((_WITH_THEN if view.as_of else _WITH_NOW).encode(), bound)
        return [_private(row) for row in cursor]


def edges_by_id(conn: Connection[Any], ids: Sequence[UUID]) -> list[Edge]:
    """Those of the edges that hold now between nodes that do."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_BY_ID.encode(), {"ids": list(ids), "limit": len(ids)})
        return [_private(row) for row in cursor]


def edges_ended(
    conn: Connection[Any], ids: Sequence[UUID], *, view: View = ALL, limit: int
) -> list[Edge]:
    """The person's own edges at these entities that no longer hold, between things that do."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        bound = {"ids": list(ids), "hidden": sorted(view.hidden), "limit": limit}
        cursor.execute(_ENDED.encode(), bound)
        return [_private(row) for row in cursor]


def _lookers(
    here: Mapping[str, Node], looked: Collection[str], predicates: Sequence[str] | None
) -> list[UUID]:
    """The nodes at which looks at papers are read: all where that is what is asked for."""
    if predicates is not None:
        looked = ("person", "paper") if "looked_at" in predicates else ()
    return [node.id for node in here.values() if node.id and node.kind in looked]


def _asked(predicate: str, predicates: Sequence[str] | None) -> bool:
    return predicate not in ONLY_BY_NAME if predicates is None else predicate in predicates


def _values(nodes: Mapping[str, Node], kind: str) -> list[str]:
    return [node.value for node in nodes.values() if node.key.startswith(f"{kind}:")]


def _private(row: tuple[Any, ...]) -> Edge:
    start, other = entity_node(*row[0:4]), entity_node(*row[6:10])
    subject, object_ = (start, other) if row[4] else (other, start)
    return Edge(subject, row[5], object_, *row[10:18])
