"""Edges inferred by rules: marked, grounded in others, and ended with the first ground that ends.

The database notes each new edge, and each inferred one that ended, in `relation_news`, and ends
what rests on what ended; here the news are worked off. A round is one transaction, so that it can
be killed at any time, and two that do it at once take turns.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import Connection
from psycopg.rows import tuple_row
from psycopg.types.json import Json

from arxivscout.errors import ToolInputError
from arxivscout.memory.graph.edges import edges_by_id, edges_with
from arxivscout.memory.graph.finding import find_nodes
from arxivscout.memory.graph.matching import Row, extend, fits
from arxivscout.memory.graph.node import Edge, Node, entity_node
from arxivscout.memory.graph.pattern import Named, Rule, Triple, Variable
from arxivscout.memory.graph.rules import NamedRule, rules
from arxivscout.memory.graph.telling import sentence
from arxivscout.memory.vector_memory import LOCK_KIND

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

_log = logging.getLogger(__name__)

BATCH = 500  # news of a round
MOST_ROUNDS = 20
MOST_INFERRED = 1_000  # edges of a rule in a round
# An inferred edge is less sure than its grounds together, and none is inferred that is hardly sure:
# so chains of inferences end.
KEPT = 0.9
LEAST_CONFIDENCE = 0.1

_NOT_ERASED = "SELECT stay_erased(NULL)"

_TAKE_NEWS = """
DELETE FROM relation_news WHERE user_id = scout_user() AND relation_id IN (
    SELECT relation_id FROM relation_news WHERE user_id = scout_user()
    ORDER BY relation_id LIMIT %(batch)s)
RETURNING relation_id
"""

_ENDED = """
SELECT predicate, subject.langchain_id, subject.category, subject.name, left(subject.content, 300),
       object.langchain_id, object.category, object.name, left(object.content, 300)
FROM relation_memory AS edge
JOIN entity_memory AS subject ON subject.langchain_id = subject_id
JOIN entity_memory AS object ON object.langchain_id = object_id
WHERE id = ANY (%(ids)s::uuid[]) AND edge.valid_to IS NOT NULL AND derived_by IS NOT NULL
  AND subject.valid_to IS NULL AND object.valid_to IS NULL
"""

_DROP_NEWS = "DELETE FROM relation_news WHERE user_id = scout_user()"

# Whoever wants to end a ground waits, and finds then what rests on it.
_LOCK_GROUNDS = """
SELECT id FROM relation_memory WHERE id = ANY (%(ids)s::uuid[]) AND valid_to IS NULL FOR SHARE
"""

# What somebody said, or another rule inferred, is not inferred once more.
_INFER = """
INSERT INTO relation_memory (subject_id, predicate, object_id, properties, reason, confidence,
                             derived_by)
SELECT %(subject)s, %(predicate)s, %(object)s, %(properties)s, %(reason)s, %(confidence)s,
       %(rule)s
WHERE NOT EXISTS (SELECT FROM relation_memory
                  WHERE user_id = scout_user() AND subject_id = %(subject)s
                    AND predicate = %(predicate)s AND object_id = %(object)s AND valid_to IS NULL)
RETURNING id
"""

_GROUND = """
INSERT INTO relation_ground (derived_id, ground_id)
SELECT %(derived)s, unnest(%(grounds)s::uuid[]) ON CONFLICT DO NOTHING
"""


def infer(database: Database, user: str) -> int:
    """Work off what is new in a person's graph; how many edges were inferred."""
    inferred = 0
    for _ in range(MOST_ROUNDS):
        try:
            with database.transaction(user) as conn:
                news, made = _round(conn)
        except (ToolInputError, psycopg.errors.QueryCanceled):
            # The same news would take as long the next time, and after every turn.
            _log.warning("inference took too long: what is new is left without conclusions")
            with database.transaction(user) as conn:
                conn.execute(_DROP_NEWS)
            break
        inferred += made
        if news < BATCH and not made:
            break
    return inferred


def infer_by(conn: Connection[Any], rule: NamedRule) -> int:
    """Infer all that follows by one rule from what is known; how many edges that are."""
    _lock(conn)
    named = _named(conn, rule.rule)
    first, *rest = rule.rule.body
    edges = edges_with(conn, first.predicate, limit=BATCH * MOST_ROUNDS)
    rows = [row for edge in edges if (row := fits(edge, first, named))]
    return _conclude(conn, rule, _extended(conn, rows, rest, named))


def _round(conn: Connection[Any]) -> tuple[int, int]:
    """How many news there were, and how many edges were inferred from them."""
    _lock(conn)
    with conn.cursor(row_factory=tuple_row) as cursor:
        news = [row[0] for row in cursor.execute(_TAKE_NEWS, {"batch": BATCH})]
        if not news:
            return 0, 0
        ended = [
            (row[0], entity_node(*row[1:5]), entity_node(*row[5:9]))
            for row in cursor.execute(_ENDED, {"ids": news})
        ]
    fresh = edges_by_id(conn, news)
    made = 0
    for rule in rules(conn):
        if rule.active:
            rows = _rows(conn, rule.rule, fresh, ended)
            made += _conclude(conn, rule, rows)
    return len(news), made


def _lock(conn: Connection[Any]) -> None:
    """Wait for an erasure and for other writers of the person's memories."""
    conn.execute(_NOT_ERASED)
    conn.execute(LOCK_KIND, {"kind": "entity"})


def _rows(
    conn: Connection[Any],
    rule: Rule,
    fresh: Sequence[Edge],
    ended: Sequence[tuple[str, Node, Node]],
) -> list[Row]:
    """All ways in which the rule follows from a new edge, or again for one that ended."""
    again = [
        Row(_head_bound(rule, subject, object_))
        for predicate, subject, object_ in ended
        if predicate == rule.head.predicate
    ]
    predicates = {triple.predicate for triple in rule.body}
    new = [edge for edge in fresh if edge.predicate in predicates]
    if not again and not new:
        return []
    named = _named(conn, rule)
    rows = _extended(conn, again, rule.body, named)
    for place, triple in enumerate(rule.body):
        begun = [row for edge in new if (row := fits(edge, triple, named))]
        rows += _extended(conn, begun, [*rule.body[:place], *rule.body[place + 1 :]], named)
    return rows


def _head_bound(rule: Rule, subject: Node, object_: Node) -> dict[str, Node]:
    head = rule.head
    assert isinstance(head.subject, Variable) and isinstance(head.object, Variable)
    return {head.subject.name: subject, head.object.name: object_}


def _named(conn: Connection[Any], rule: Rule) -> dict[str, list[Node]]:
    """The nodes that a rule names."""
    return {
        term.text: find_nodes(conn, term.text)
        for triple in rule.body
        for term in (triple.subject, triple.object)
        if isinstance(term, Named)
    }


def _extended(
    conn: Connection[Any],
    rows: list[Row],
    body: Sequence[Triple],
    named: dict[str, list[Node]],
) -> list[Row]:
    if not rows:
        return []
    found, complete = extend(conn, rows, body, named, own=True)
    if not complete:
        _log.info("a rule fits more than is inferred at once")
    return found


def _conclude(conn: Connection[Any], rule: NamedRule, rows: Sequence[Row]) -> int:
    """Draw the edges that follow; how many there are."""
    head = rule.rule.head
    assert isinstance(head.subject, Variable) and isinstance(head.object, Variable)
    made = 0
    for row in sorted(rows, key=lambda row: -row.sureness):
        subject, object_ = row.bound[head.subject.name], row.bound[head.object.name]
        confidence = row.sureness * KEPT
        grounds = [edge.id for edge in row.edges]
        if subject.id is None or object_.id is None or confidence < LEAST_CONFIDENCE:
            continue
        if len(conn.execute(_LOCK_GROUNDS, {"ids": grounds}).fetchall()) < len(set(grounds)):
            continue
        bound = {
            "subject": subject.id,
            "predicate": head.predicate,
            "object": object_.id,
            "properties": Json({}),
            "reason": "; ".join(map(sentence, row.edges))[:1000],
            "confidence": confidence,
            "rule": rule.name,
        }
        if derived := conn.execute(_INFER, bound).fetchone():
            conn.execute(_GROUND, {"derived": derived[0], "grounds": grounds})
            made += 1
        if made == MOST_INFERRED:
            _log.info("the rule %s infers more than %d edges at once", rule.name, MOST_INFERRED)
            break
    return made
