"""What memory holds of a question that a tool asks: as a turn recalls it, and the things nearest.

Statements by meaning, words and graph; beside them, by meaning alone, what has a name: papers
looked at, methods, people. Both lists become one by reciprocal rank fusion.
"""

from __future__ import annotations

from typing import Any

from arxivscout.agent.tools import TurnScope
from arxivscout.context.memories import cited_line
from arxivscout.memory import entity
from arxivscout.memory.hybrid.deep import asked_recall
from arxivscout.memory.remembering import consent, recalled
from arxivscout.papers import neutralise

MOST = 50
_RANK = 60  # as Cormack, Clarke and Büttcher (2009) chose it


def entity_rows(scope: TurnScope, query: str, k: int) -> list[dict[str, Any]]:
    """The `k` memories that bear on the question most, as far as this thread may know them."""
    services = scope.services
    allowed = consent(services.database, scope.user, scope.thread_id)
    vector = services.embedder.embed_query(query)
    said = asked_recall(
        services.database, scope.user, scope.thread_id, query, services.vector(query), allowed
    )
    with scope.transaction() as conn:
        near = entity.search(conn, vector, MOST)
    named = [
        {
            "id": str(each.id),
            "text": each.content,
            "kind": each.metadata.get("category"),
            "thread_id": each.metadata.get("thread_id"),
            "reason": each.metadata.get("reason"),
        }
        for each in near
        if each.metadata.get("category") != "person"
    ]
    ranks: dict[str, float] = {}
    rows: dict[str, dict[str, Any]] = {}
    for found in (said, recalled(named, scope.thread_id, allowed)):
        for rank, row in enumerate(found, start=1):
            ranks[str(row["id"])] = ranks.get(str(row["id"]), 0.0) + 1 / (_RANK + rank)
            rows.setdefault(str(row["id"]), row)
    return [rows[each] for each in sorted(rows, key=lambda each: -ranks[each])][:k]


def entity_line(row: dict[str, Any]) -> str:
    """A memory as a model reads it."""
    about = [str(row[key]) for key in ("kind", "thread_id") if row.get(key)]
    reason = f" | because: {neutralise(str(row['reason']))}" if row.get("reason") else ""
    label = ", ".join([f"id {row['id']}", *map(neutralise, about)])
    return f"- ({label}): {cited_line(row['text'])}{reason}"
