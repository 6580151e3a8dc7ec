"""A person's memories kept in order when a turn is over: filed, counted, condensed in groups.

Beside the next turn, bounded, each step whole or not at all: what a killed process leaves undone
the next turn does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np

from arxivscout.agent.services import Services
from arxivscout.agent.summarising import summarise
from arxivscout.context.budget import count_tokens
from arxivscout.memory import categories
from arxivscout.memory.hybrid import grouping
from arxivscout.memory.hybrid.clustering import Point, groups, joining
from arxivscout.memory.hybrid.grouping import Due, Loose
from arxivscout.memory.hybrid.use import count_uses, shown_memories

LENGTH = 0.35  # of what is condensed, aimed at
LEAST_TOKENS = 60
MOST_AT_ONCE = 5  # summaries after one turn


def after_turn(services: Services, state: Mapping[str, Any]) -> None:
    """Do in the background what a turn leaves to be done."""
    user, turn_id = state["user"], UUID(state["turn_id"])
    shown = shown_memories(state.get("context_report") or ())

    def work() -> None:
        count_uses(services.database, user, turn_id, shown)
        categories.file_what_is_not(services.database, services.embedder, user)
        consolidate(services, user)

    services.later.run(work)


def consolidate(
    services: Services, user: str, category: str | None = None, *, new: int = grouping.NEW_SINCE
) -> list[UUID]:
    """Condense groups of related memories; the summaries stored.

    Args:
        category: only there; None: everywhere.
        new: so many memories must have come to a category since it was last looked.

    Raises:
        DatabaseError, psycopg.Error: those before are stored.
    """
    made: list[UUID] = []
    with services.database.transaction(user) as conn:
        places = grouping.due(conn, category, new)
        found = [
            (where, grouping.loose(conn, where), grouping.held(conn, where)) for where in places
        ]
    for where, memories, held in found:
        for details, before in _to_condense(memories, held):
            if len(made) == MOST_AT_ONCE:
                return made  # the rest waits for the next time
            stored = _condense(services, user, where, details, before)
            if stored is not None:
                made.append(stored)
    if found:
        with services.database.transaction(user) as conn:
            grouping.looked(conn)
    return made


def _to_condense(
    memories: Sequence[Loose], held: Mapping[UUID, Sequence[Loose]]
) -> Iterator[tuple[list[Loose], UUID | None]]:
    """What there is to condense: groups that more has come to, each with its summary so far, and
    new groups of the rest."""
    points = [_point(each) for each in memories]
    joins = joining(points, [[_point(each) for each in group] for group in held.values()])
    for (summary, group), more in zip(held.items(), joins, strict=True):
        if more:
            all_of_it = [*group, *(memories[at] for at in more)]
            yield sorted(all_of_it, key=lambda each: (each.at, str(each.id))), summary
    rest = sorted(set(range(len(memories))) - {at for more in joins for at in more})
    for chosen in groups([points[at] for at in rest]):
        yield [memories[rest[at]] for at in chosen], None


def _condense(
    services: Services,
    user: str,
    where: Due,
    details: Sequence[Loose],
    before: UUID | None,
) -> UUID | None:
    said = [(each.kind, _cited(each)) for each in details]
    tokens = int(sum(count_tokens(text) for _, text in said) * LENGTH)
    summary = summarise(services, said, max(tokens, LEAST_TOKENS))
    first, last = details[0].at, details[-1].at
    text = f"{len(details)} memories, {first:%Y-%m-%d} to {last:%Y-%m-%d}\n{summary.text}"
    vector = services.embedder.embed_query(text)
    with services.database.transaction(user) as conn:
        return grouping.store(
            conn,
            where,
            details,
            text,
            vector,
            extractive=summary.extractive,
            instead_of=before,
        )


def _point(memory: Loose) -> Point:
    vector = np.fromstring(memory.vector.strip("[]"), dtype=np.float32, sep=",")
    return Point(vector / max(float(np.linalg.norm(vector)), 1e-9), frozenset(memory.things))


def _cited(memory: Loose) -> str:
    if memory.source is None or memory.source in memory.text:
        return memory.text
    return f"{memory.text} [arXiv:{memory.source}]"
