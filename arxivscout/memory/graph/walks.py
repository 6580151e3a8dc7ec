"""Walks: neighbours, what one predicate leads to in the end, what shares neighbours.

Weight spreads from the start as `enrich` has it: half at each step, less the more edges a node
has; what is reached from several sides adds up. Every walk is bounded in depth, in the nodes that
it goes on from, and in the edges that it reads of each; no node is gone on from twice, so that
cycles end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from arxivscout.memory.graph.edges import FAN_OUT, edges_at
from arxivscout.memory.graph.node import ALL, Edge, Node, View

MOST_DEPTH = 4
LIMIT = 10
MOST_STARTS = 24  # nodes that a step goes on from, for ten that are wanted
MOST_CLOSURE = 1_000
MOST_CLOSURE_DEPTH = 20
MOST_SHARED = 32  # edges of a neighbour, in each direction, that are read to see what else has it
LOOKED_AT = 0.1  # of what another edge is worth
MOST_BETWEEN = 48  # neighbours through which others are looked for


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that a walk came to.

    Attributes:
        distance: edges from the start.
        score: the weight that reached it.
        via: the edge by which most of it came, whose other end is nearer to the start.
        shared: the neighbours that it has in common with the start, where that was asked.
    """

    node: Node
    distance: int
    score: float
    via: Edge
    shared: tuple[Node, ...] = ()


def neighbours(
    conn: Connection[Any],
    starts: Sequence[Node],
    *,
    depth: int = 1,
    predicates: Sequence[str] | None = None,
    limit: int = LIMIT,
    view: View = ALL,
) -> list[Reached]:
    """The nodes within `depth` steps to which most weight leads, the best first.

    A person's own node is joined to all that is theirs, so no walk goes through it.

    Args:
        depth: 1 to 4; one round trip each.
        predicates: only along these; None: along all but memberships of categories.
    """
    most = max(MOST_STARTS, 2 * limit)
    began = {node.key for node in starts}
    weight = dict.fromkeys(began, 1.0)
    reached: dict[str, Reached] = {}
    going_on = list(starts)
    for distance in range(1, min(depth, MOST_DEPTH) + 1):
        edges = edges_at(
            conn,
            going_on,
            predicates=predicates,
            view=view,
            fan_out=max(FAN_OUT, limit),
            looked=("person",),
        )
        new = _spread(going_on, edges, weight)
        for node, score, via in new:
            if node.key in began:
                continue
            if before := reached.get(node.key):
                reached[node.key] = Reached(
                    before.node, before.distance, before.score + score, before.via
                )
            else:
                reached[node.key] = Reached(node, distance, score, via)
        fresh = [each for each in reached.values() if each.distance == distance]
        fresh.sort(key=_best)
        weight = {each.node.key: each.score for each in fresh}
        going_on = [each.node for each in fresh if each.node.kind != "person"][:most]
        if not going_on:
            break
    return sorted(reached.values(), key=_best)[:limit]


def _best(reached: Reached) -> tuple[float, int, float, str]:
    """The weightiest first; of what weighs the same the nearest, and then the newest."""
    since = reached.via.since
    newest = -since.timestamp() if since else 0.0
    return -reached.score, reached.distance, newest, reached.node.key


def _spread(
    nodes: Sequence[Node], edges: Sequence[Edge], weight: dict[str, float]
) -> list[tuple[Node, float, Edge]]:
    """What each edge brings from the nodes at hand to its other end; the best of a node first."""
    at: dict[str, list[Edge]] = {node.key: [] for node in nodes}
    for edge in edges:
        for key in {edge.subject.key, edge.object.key} & at.keys():
            at[key].append(edge)
    brought = [
        (edge.beyond(key), weight[key] * _worth(edge) / 2 / (1 + math.log(len(met))), edge)
        for key, met in at.items()
        for edge in met
        if edge.subject.key != edge.object.key
    ]
    return sorted(brought, key=lambda each: -each[1])


def _worth(edge: Edge) -> float:
    """How much an edge leads on; to have looked at a paper says little beside all that is said."""
    return edge.confidence * (LOOKED_AT if edge.predicate == "looked_at" else 1)


def closure(
    conn: Connection[Any],
    starts: Sequence[Node],
    predicate: str,
    *,
    backward: bool = False,
    view: View = ALL,
) -> list[Reached]:
    """All that one predicate leads to over any number of steps, the nearest first.

    Args:
        backward: what leads to the start instead: all that depends on it, that cites it.
    """
    seen = {node.key for node in starts}
    reached: list[Reached] = []
    going_on = list(starts)
    for distance in range(1, MOST_CLOSURE_DEPTH + 1):
        edges = edges_at(
            conn,
            going_on,
            predicates=[predicate],
            view=view,
            fan_out=MOST_CLOSURE,
            outward=not backward,
            inward=backward,
        )
        going_on = []
        for edge in edges:
            node = edge.subject if backward else edge.object
            if node.key not in seen and len(reached) < MOST_CLOSURE:
                seen.add(node.key)
                going_on.append(node)
                reached.append(Reached(node, distance, edge.confidence, edge))
        if not going_on:
            break
    return reached


def related(
    conn: Connection[Any],
    starts: Sequence[Node],
    *,
    limit: int = LIMIT,
    view: View = ALL,
) -> list[Reached]:
    """The nodes that share most neighbours with the start and are not joined to it themselves.

    By Adamic and Adar (2003): each shared neighbour counts one over the logarithm of how many edges
    it has; of one with `MOST_SHARED` or more it is not known how many, and it counts least.
    """
    began = {node.key for node in starts}
    first = edges_at(conn, starts, view=view, fan_out=MOST_SHARED)
    joined = {end.key for edge in first for end in (edge.subject, edge.object)}
    middle: dict[str, Node] = {}
    for edge in first:
        for node in (edge.subject, edge.object):
            if node.key not in began and node.kind != "person" and len(middle) < MOST_BETWEEN:
                middle.setdefault(node.key, node)
    edges = edges_at(conn, middle.values(), view=view, fan_out=MOST_SHARED)
    at: dict[str, dict[str, Edge]] = {key: {} for key in middle}
    for edge in edges:
        for key in {edge.subject.key, edge.object.key} & at.keys():
            at[key].setdefault(edge.beyond(key).key, edge)
    shared: dict[str, list[tuple[float, str, Edge]]] = {}
    for key, met in at.items():
        counts = len(met) if len(met) < MOST_SHARED else MOST_SHARED**2
        for other, edge in met.items():
            if other not in began and other not in joined:
                shared.setdefault(other, []).append((1 / math.log(1 + counts), key, edge))
    found = []
    for _other, ways in shared.items():
        ways.sort(key=lambda way: (-way[0], way[1]))
        _, key, edge = ways[0]
        node = edge.beyond(key)
        if node.kind != "person":
            score = sum(way[0] for way in ways)
            found.append(Reached(node, 2, score, edge, tuple(middle[way[1]] for way in ways)))
    return sorted(found, key=_best)[:limit]
