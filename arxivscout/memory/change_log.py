"""Every change to a person's memory, before and after, and how one is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory.logged_tables import logged_tables
from arxivscout.memory.postgres import Database
from arxivscout.memory.undo import undo_change

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder

# What a conversation leaves by itself: shown where all is asked for.
_TRACES = ("conversational_memory", "workflow_memory", "episode_memory", "relation_memory",
           "lesson_evidence")  # fmt: skip

# What an insertion stored is known from the row, or from the first change after it.
_LOG = """
SELECT log.id, changed_at, COALESCE(change, action), table_name, row_id, before,
       COALESCE(log.after, (SELECT next.before FROM change_log AS next
                            WHERE next.user_id = scout_user() AND next.row_id = log.row_id
                              AND next.id > log.id ORDER BY next.id LIMIT 1)),
       reason, turn_id, undone_at, action
FROM change_log AS log
WHERE user_id = scout_user() AND (%(all)s OR (undone_at IS NULL AND table_name <> ALL(%(traces)s)))
  AND (%(since)s::timestamptz IS NULL OR changed_at >= %(since)s)
  AND (%(change)s::text IS NULL OR change = %(change)s)
  AND (%(memory)s::uuid IS NULL OR row_id = %(memory)s)
ORDER BY log.id DESC LIMIT %(limit)s
"""
_KINDS = {"conversational_memory": "message", "paper_mark": "mark", "lesson_evidence": "evidence"}
_MOST_READ = 5_000  # entries, when most of them are of other kinds than the one that is asked for


@dataclass(frozen=True, slots=True)
class Change:
    """One change to one memory.

    `kind` is what the memory is (preference, finding, relation, …), `change` what was done,
    `before` and `after` what it said; of a superseded one `after` is what took its place. `undone`
    says when the change was taken back.
    """

    id: int
    at: datetime
    change: str
    kind: str
    memory_id: UUID
    before: str | None
    after: str | None
    reason: str | None
    turn_id: UUID | None
    undone: datetime | None


class ChangeLog:
    """The changes to one person's memory."""

    def __init__(self, database: Database, embedder: Embedder, user: str) -> None:
        self._database = database
        self._embedder = embedder
        self._user = user

    def changes(
        self,
        limit: int,
        *,
        since: datetime | date | None = None,
        kind: str | None = None,
        change: str | None = None,
        memory: UUID | None = None,
        everything: bool = False,
    ) -> list[Change]:
        """The newest changes, newest first.

        Args:
            since: none before it.
            kind: only of memories of this kind.
            change: only those called so: add, merge, edit, supersede, …
            memory: only of this one.
            everything: also messages, ways of working and edges, and what was taken back.
        """
        bound = {
            "limit": _MOST_READ if kind else limit,
            "since": since,
            "change": change,
            "memory": memory,
            "all": everything,
            "traces": list(_TRACES),
        }
        with self._database.transaction(self._user) as conn:
            rows = conn.execute(_LOG, bound).fetchall()
            now = _states(conn, rows)
        read = [_change(row, now) for row in rows]
        return [each for each in read if kind is None or each.kind == kind][:limit]

    def take_back(self, change: int) -> int:
        """Undo one change, and all that belongs to it; how many rows that took.

        Raises:
            NotFound: this person has no such change.
            UsageError: it is taken back already, or what it changed was changed again since.
        """
        with self._database.transaction(self._user) as conn:
            return undo_change(conn, change, self._embedder.embed_documents)


def _states(conn: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> dict[UUID, dict[str, Any]]:
    """The memories as they stand that the log does not hold: those added, those that succeeded."""
    wanted: dict[str, set[UUID]] = {}
    for row in rows:
        if row[10] == "insert" and row[6] is None:
            wanted.setdefault(row[3], set()).add(row[4])
        if row[2] == "supersede" and row[6] and row[6].get("superseded_by"):
            wanted.setdefault(row[3], set()).add(UUID(row[6]["superseded_by"]))
    if not wanted:
        return {}
    return {
        key: state
        for table in logged_tables(conn)
        if table.name in wanted
        for key, state in conn.execute(table.read, {"rows": list(wanted[table.name])}).fetchall()
    }


def _change(row: tuple[Any, ...], now: Mapping[UUID, dict[str, Any]]) -> Change:
    entry, at, change, table, memory, before, after, reason, turn, undone, action = row
    if action == "insert":
        after = after or now.get(memory)
    state = after or before or {}
    if change == "supersede" and after:
        reason = after.get("ended_because") or reason
        after = now.get(UUID(after["superseded_by"])) if after.get("superseded_by") else None
    elif change == "forget":
        reason, after = reason or (after or {}).get("ended_because"), None
    said = _said(before), _said(after)
    return Change(entry, at, change, _kind(table, state), memory, *said, reason, turn, undone)


def _kind(table: str, state: Mapping[str, Any]) -> str:
    """What a row is: an entity's category, or what its table holds."""
    if table == "entity_memory":
        return str(state.get("category") or "entity")
    return _KINDS.get(table, table.removesuffix("_memory"))


def _said(state: Mapping[str, Any] | None) -> str | None:
    """What a row says, as a person reads it."""
    if state is None:
        return None
    if "predicate" in state:
        return f"{state['subject_id']} {state['predicate']} {state['object_id']}"
    told = state.get("content") or state.get("note") or state.get("arxiv_id")
    return None if told is None else str(told)
