"""One person's graph, as the doors see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import entity
from arxivscout.memory.graph import rules as rule_store
from arxivscout.memory.graph.finding import find_nodes, need_nodes
from arxivscout.memory.graph.inference import infer, infer_by
from arxivscout.memory.graph.matching import LIMIT as MOST_MATCHES
from arxivscout.memory.graph.matching import Matches, match
from arxivscout.memory.graph.node import ALL, Edge, Node, View, predicate_key
from arxivscout.memory.graph.paths import shortest_path
from arxivscout.memory.graph.pattern import parse_pattern
from arxivscout.memory.graph.rules import NamedRule
from arxivscout.memory.graph.timeline import LIMIT as MOST_EVENTS
from arxivscout.memory.graph.timeline import Event, timeline, timeline_of_thread
from arxivscout.memory.graph.walks import LIMIT, Reached, closure, neighbours, related

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

MOST_NEAR = 20
FARTHEST = 0.55  # cosine distance of a memory that is about a topic


@dataclass(frozen=True, slots=True)
class Around:
    """What a name means, and what was reached from there."""

    starts: list[Node]
    reached: list[Reached]


class Graph:
    """Asks a person's graph; each method is a transaction."""

    def __init__(self, database: Database, embedder: Embedder, user: str) -> None:
        self._database = database
        self._embedder = embedder
        self._user = user

    def neighbours(
        self,
        name: str,
        *,
        depth: int = 1,
        predicates: Sequence[str] = (),
        limit: int = LIMIT,
        view: View = ALL,
    ) -> Around:
        """What is joined to a thing within `depth` steps.

        Raises:
            NotFound: nothing has that name.
        """
        keys = [predicate_key(each) for each in predicates] or None
        with self._database.transaction(self._user) as conn:
            starts = need_nodes(conn, name, view=view)
            return Around(
                starts,
                neighbours(conn, starts, depth=depth, predicates=keys, limit=limit, view=view),
            )

    def closure(
        self, name: str, predicate: str, *, backward: bool = False, view: View = ALL
    ) -> Around:
        """All that a predicate leads to from a thing, over any number of steps.

        Raises:
            NotFound: nothing has that name.
        """
        with self._database.transaction(self._user) as conn:
            starts = need_nodes(conn, name, view=view)
            key = predicate_key(predicate)
            return Around(starts, closure(conn, starts, key, backward=backward, view=view))

    def related(self, name: str, *, limit: int = LIMIT, view: View = ALL) -> Around:
        """What shares most with a thing.

        Raises:
            NotFound: nothing has that name.
        """
        with self._database.transaction(self._user) as conn:
            starts = need_nodes(conn, name, view=view)
            return Around(starts, related(conn, starts, limit=limit, view=view))

    def path(
        self, start: str, end: str, *, predicates: Sequence[str] = (), view: View = ALL
    ) -> list[Edge] | None:
        """The shortest way between two things; None if there is none, [] if they are the same.

        Raises:
            NotFound: nothing has one of the names.
        """
        keys = [predicate_key(each) for each in predicates] or None
        with self._database.transaction(self._user) as conn:
            ends = need_nodes(conn, start, view=view), need_nodes(conn, end, view=view)
            return shortest_path(conn, *ends, predicates=keys, view=view)

    def timeline(self, about: str, *, limit: int = MOST_EVENTS, view: View = ALL) -> list[Event]:
        """What happened with a thing or a topic, oldest first."""
        vector = self._embedder.embed_query(about) if view.own and about.strip() else None
        with self._database.transaction(self._user) as conn:
            nodes = find_nodes(conn, about, view=view)
            near = [] if vector is None else self._near(conn, vector)
            words = about if view.own else ""
            return timeline(conn, nodes, words=words, near=near, view=view, limit=limit)

    def _near(self, conn: Connection[Any], vector: Sequence[float]) -> list[UUID]:
        found = entity.search(conn, vector, MOST_NEAR)
        return [each.id for each in found if each.distance <= FARTHEST]

    def timeline_of_thread(
        self, thread_id: str, *, limit: int = MOST_EVENTS, view: View = ALL
    ) -> list[Event]:
        """What happened in a thread, oldest first."""
        with self._database.transaction(self._user) as conn:
            return timeline_of_thread(conn, thread_id, limit=limit, view=view)

    def match(self, pattern: str, *, limit: int = MOST_MATCHES, view: View = ALL) -> Matches:
        """All that a pattern fits.

        Raises:
            UsageError: it can't be read, or names nothing to begin from.
            ToolInputError: it takes too long.
        """
        triples = parse_pattern(pattern)
        with self._database.transaction(self._user) as conn:
            return match(conn, triples, limit=limit, view=view)

    def rules(self) -> list[NamedRule]:
        """All rules, those that come along first."""
        with self._database.transaction(self._user) as conn:
            return rule_store.rules(conn)

    def add_rule(self, text: str, name: str | None = None) -> tuple[NamedRule, int]:
        """Add a rule and infer by it; how many edges that gave.

        Raises:
            UsageError: it can't be read or added.
        """
        with self._database.transaction(self._user) as conn:
            rule = rule_store.add_rule(conn, text, name)
            inferred = infer_by(conn, rule)
        return rule, inferred + infer(self._database, self._user)

    def remove_rule(self, name: str) -> NamedRule:
        """Take a rule away, or switch one off that comes along; what it inferred ends.

        Raises:
            NotFound: there is no such rule.
        """
        with self._database.transaction(self._user) as conn:
            rule = rule_store.remove_rule(conn, name)
        infer(self._database, self._user)
        return rule

    def restore_rule(self, name: str) -> tuple[NamedRule, int]:
        """Switch on again a rule that comes along, and infer by it.

        Raises:
            NotFound: none of that name is switched off.
        """
        with self._database.transaction(self._user) as conn:
            rule = rule_store.restore_rule(conn, name)
            inferred = infer_by(conn, rule)
        return rule, inferred + infer(self._database, self._user)
