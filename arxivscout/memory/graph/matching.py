"""Patterns matched edge by edge: each step is one round trip for all rows at hand.

The edge that is best known goes first, and each next one begins from what is bound by then. Rows
and the edges of a node are bounded; what was cut is said. Two variables never stand for one node,
and no edge is counted as two: nobody has written with themselves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import Connection

from arxivscout.errors import ToolInputError, UsageError
from arxivscout.memory.graph.edges import edges_at, edges_with
from arxivscout.memory.graph.finding import find_nodes
from arxivscout.memory.graph.node import ALL, Edge, Node, View
from arxivscout.memory.graph.pattern import EXAMPLE, Named, Term, Triple, Variable

LIMIT = 20
FAN_OUT = 500  # edges of a node
MOST_ROWS = 5_000
MOST_SECONDS = 5.0

_WITHIN = "SELECT set_config('statement_timeout', %(milliseconds)s, true)"


@dataclass(frozen=True, slots=True)
class Row:
    """What the variables stand for, and the edges that say so."""

    bound: Mapping[str, Node]
    edges: tuple[Edge, ...] = ()

    @property
    def sureness(self) -> float:
        """How sure all its edges are together."""
        return math.prod(edge.confidence for edge in self.edges)


@dataclass(frozen=True, slots=True)
class Matches:
    """Rows, the surest first; `complete` is False where there may be more."""

    rows: list[Row]
    complete: bool


def match(
    conn: Connection[Any], pattern: Sequence[Triple], *, view: View = ALL, limit: int = LIMIT
) -> Matches:
    """All that a pattern fits, up to `limit` rows.

    Args:
        conn: in a transaction of its own: its statements are limited to a few seconds from here on.

    Raises:
        UsageError: it names nothing to begin from.
        ToolInputError: it takes too long.
    """
    named = {
        term.text: find_nodes(conn, term.text, topic=True, view=view)
        for triple in pattern
        for term in (triple.subject, triple.object)
        if isinstance(term, Named)
    }
    try:
        rows, complete = extend(conn, [Row({})], pattern, named, view=view)
    except psycopg.errors.QueryCanceled:
        raise _too_long() from None
    rows = [row for row in rows if len(set(map(_ends, row.edges))) == len(row.edges)]
    first = {
        tuple((name, row.bound[name].key) for name in sorted(row.bound)): row for row in rows[::-1]
    }
    found = sorted(first.values(), key=lambda row: (-row.sureness, _keys(row)))
    return Matches(found[:limit], complete and len(found) <= limit)


def extend(
    conn: Connection[Any],
    rows: list[Row],
    pattern: Sequence[Triple],
    named: Mapping[str, Sequence[Node]],
    *,
    view: View = ALL,
    own: bool = False,
) -> tuple[list[Row], bool]:
    """The rows with all edges of the pattern added, and whether none was cut.

    Args:
        rows: each binds the same variables.
        named: the nodes of each name in the pattern.
        own: only edges of the person, not what the papers give.
    """
    until = time.monotonic() + MOST_SECONDS
    left, complete = list(pattern), True
    while left and rows:
        seconds = until - time.monotonic()
        if seconds <= 0:
            raise _too_long()
        conn.execute(_WITHIN, {"milliseconds": str(math.ceil(seconds * 1000))})
        bound = frozenset(rows[0].bound)
        triple = max(left, key=lambda each: _known(each, bound))
        left.remove(triple)
        edges, cut = _edges(conn, rows, triple, named, view)
        if own:
            edges = [edge for edge in edges if edge.id]
        rows, more = _joined(rows, triple, edges, named)
        complete = complete and not cut and not more
    return rows, complete


def fits(edge: Edge, triple: Triple, named: Mapping[str, Sequence[Node]]) -> Row | None:
    """The row that an edge alone makes of a pattern's edge; None if it is none of its kind."""
    if edge.predicate != triple.predicate:
        return None
    return _with(Row({}), triple, edge, _names(named))


def _known(triple: Triple, bound: frozenset[str]) -> tuple[int, int]:
    """How much is known of an edge: its bound ends, a name before a variable."""
    ends = (triple.subject, triple.object)
    names = sum(isinstance(end, Named) for end in ends)
    return names + len(triple.variables & bound), names


def _edges(
    conn: Connection[Any],
    rows: Sequence[Row],
    triple: Triple,
    named: Mapping[str, Sequence[Node]],
    view: View,
) -> tuple[list[Edge], bool]:
    """The edges that may continue the rows; whether some were cut."""
    sides = {
        side: nodes
        for side, term in (("subject", triple.subject), ("object", triple.object))
        if (nodes := _at_hand(rows, term, named)) is not None
    }
    if not sides:
        edges = edges_with(conn, triple.predicate, view=view, limit=MOST_ROWS)
        if not edges and all(isinstance(e, Variable) for e in (triple.subject, triple.object)):
            raise UsageError(
                f"Nothing remembered is joined by {triple.predicate}, and the pattern names "
                "nothing to begin from.",
                f"Name something: {EXAMPLE}",
            )
        return edges, len(edges) >= MOST_ROWS
    side = min(sides, key=lambda each: len(sides[each]))
    edges = edges_at(
        conn,
        sides[side],
        predicates=[triple.predicate],
        view=view,
        fan_out=FAN_OUT,
        outward=side == "subject",
        inward=side == "object",
    )
    counts: dict[str, int] = {}
    for edge in edges:
        key = (edge.subject if side == "subject" else edge.object).key
        counts[key] = counts.get(key, 0) + 1
    return edges, max(counts.values(), default=0) >= FAN_OUT


def _at_hand(
    rows: Sequence[Row], term: Term, named: Mapping[str, Sequence[Node]]
) -> list[Node] | None:
    """The nodes that a place can have by now; None if it is open."""
    if isinstance(term, Named):
        return list(named[term.text])
    if term.name not in rows[0].bound:
        return None
    return list({row.bound[term.name].key: row.bound[term.name] for row in rows}.values())


def _joined(
    rows: Sequence[Row],
    triple: Triple,
    edges: Sequence[Edge],
    named: Mapping[str, Sequence[Node]],
) -> tuple[list[Row], bool]:
    """Each row with each edge that continues it; whether there were more than are kept."""
    names = _names(named)
    by_ends: dict[tuple[str | None, str | None], list[Edge]] = {}
    for edge in edges:
        for ends in (
            (edge.subject.key, edge.object.key),
            (edge.subject.key, None),
            (None, edge.object.key),
            (None, None),
        ):
            by_ends.setdefault(ends, []).append(edge)
    found: list[Row] = []
    for row in rows:
        known = (_key(row, triple.subject), _key(row, triple.object))
        for edge in by_ends.get(known, ()):
            longer = _with(row, triple, edge, names)
            if longer is None:
                continue
            if len(found) == MOST_ROWS:
                return found, True
            found.append(longer)
    return found, False


def _key(row: Row, term: Term) -> str | None:
    node = row.bound.get(term.name) if isinstance(term, Variable) else None
    return node.key if node else None


def _names(named: Mapping[str, Sequence[Node]]) -> dict[str, frozenset[str]]:
    return {text: frozenset(node.key for node in nodes) for text, nodes in named.items()}


def _with(row: Row, triple: Triple, edge: Edge, names: Mapping[str, frozenset[str]]) -> Row | None:
    """The row with the edge in it, if that fits."""
    bound = dict(row.bound)
    for term, node in ((triple.subject, edge.subject), (triple.object, edge.object)):
        if isinstance(term, Named):
            if node.key not in names[term.text]:
                return None
            continue
        if term.kind and term.kind != node.kind:
            return None
        held = bound.get(term.name)
        if held is None:
            if any(other.key == node.key for other in bound.values()):
                return None
            bound[term.name] = node
        elif held.key != node.key:
            return None
    return Row(bound, (*row.edges, edge))


def _ends(edge: Edge) -> tuple[str, str, str]:
    return edge.subject.key, edge.predicate, edge.object.key


def _keys(row: Row) -> list[str]:
    return [row.bound[name].key for name in sorted(row.bound)]


def _too_long() -> ToolInputError:
    return ToolInputError(
        f"The pattern takes longer than {MOST_SECONDS:g} s.",
        "Name more of what it is about, or leave out an edge.",
    )
