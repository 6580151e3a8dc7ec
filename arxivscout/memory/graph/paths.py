"""The shortest way between two things, and what each of its steps rests on.

Both ends are gone out from, the one with fewer nodes at hand first, a whole step at a time: where
they meet, no way is shorter among the edges that were read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from arxivscout.memory.graph.edges import edges_at
from arxivscout.memory.graph.node import ALL, Edge, Node, View

MOST_STEPS = 6
FAN_OUT = 64  # edges of a node, in each direction
MOST_AT_HAND = 1_000  # nodes of a step


@dataclass(frozen=True, slots=True)
class _Way:
    """How a node was reached: from the start, or from the end, in so many steps."""

    steps: int
    sureness: float
    node: Node
    edge: Edge | None = None
    before: str | None = None


def shortest_path(
    conn: Connection[Any],
    starts: Sequence[Node],
    ends: Sequence[Node],
    *,
    predicates: Sequence[str] | None = None,
    view: View = ALL,
    most_steps: int = MOST_STEPS,
) -> list[Edge] | None:
    """The edges of a shortest way from any of `starts` to any of `ends`; the surest of those.

    A person's own node, to which all of theirs is joined, is no way between two other things.

    Returns:
        the edges in order; [] if a start is an end; None if there is no way of `most_steps`.
    """
    from_start = {node.key: _Way(0, 1.0, node) for node in starts}
    from_end = {node.key: _Way(0, 1.0, node) for node in ends}
    if from_start.keys() & from_end.keys():
        return []
    sides = [(from_start, list(starts)), (from_end, list(ends))]
    for _ in range(most_steps):
        sides.sort(key=lambda side: len(side[1]))
        reached, at_hand = sides[0]
        if not at_hand:
            return None
        edges = edges_at(
            conn,
            at_hand,
            predicates=predicates,
            view=view,
            fan_out=FAN_OUT,
            looked=("person", "paper"),
        )
        fresh = _go_on(reached, at_hand, edges)
        other = sides[1][0]
        if met := [key for key in fresh if key in other]:
            return _joined(from_start, from_end, met)
        passable = [way for way in fresh.values() if way.node.kind != "person"]
        passable.sort(key=lambda way: (-way.sureness, way.node.key))
        sides[0] = (reached, [way.node for way in passable[:MOST_AT_HAND]])
    return None


def _go_on(
    reached: dict[str, _Way], at_hand: Sequence[Node], edges: Sequence[Edge]
) -> dict[str, _Way]:
    """The nodes one step further, each by its surest edge; they count as reached from now on."""
    here = {node.key for node in at_hand}
    fresh: dict[str, _Way] = {}
    for edge in edges:
        for key in {edge.subject.key, edge.object.key} & here:
            node = edge.beyond(key)
            before = reached[key]
            way = _Way(before.steps + 1, before.sureness * edge.confidence, node, edge, key)
            if node.key not in reached and (
                node.key not in fresh or fresh[node.key].sureness < way.sureness
            ):
                fresh[node.key] = way
    reached.update(fresh)
    return fresh


def _joined(
    from_start: Mapping[str, _Way], from_end: Mapping[str, _Way], met: Sequence[str]
) -> list[Edge]:
    def order(key: str) -> tuple[int, float, str]:
        one, other = from_start[key], from_end[key]
        return one.steps + other.steps, -one.sureness * other.sureness, key

    best = min(met, key=order)
    return [*reversed(_back(from_start, best)), *_back(from_end, best)]


def _back(reached: Mapping[str, _Way], key: str | None) -> list[Edge]:
    """The edges from a node back to where that side began."""
    edges: list[Edge] = []
    while key is not None and (way := reached[key]).edge is not None:
        edges.append(way.edge)
        key = way.before
    return edges
