"""A turn taken back: all that it changed in memory is as if it had not been asked.

The change log has every change of a turn. What the turn inserted is deleted, what it changed or
deleted is put back as it stood, and the changes are marked undone, together with those that undid
them. What another turn has changed since stays as that one left it: then the older change is logged
under that turn, which takes it back when it is taken back itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory.condensing import dissolve
from arxivscout.memory.exchanges import LastTurn
from arxivscout.memory.postgres import SET_TURN
from arxivscout.memory.vector_memory import LOCK_KIND, Vector, give_reason, vector_text
from arxivscout.papers import one_line

# For each row that the turn changed: the entry that holds what stood before it, and who has changed
# or used the row since. Where undone changes stand right before the turn's first, the oldest of
# them leads back to what held before all of them.
_CHANGED = """
WITH touched AS (
    SELECT table_name, row_id, min(id) AS first, max(id) AS last
    FROM change_log WHERE turn_id = %(turn)s AND undone_at IS NULL
    GROUP BY table_name, row_id
)
SELECT touched.table_name, touched.row_id, origin.id, origin.action, ended.successor,
       later.id IS NOT NULL OR used.id IS NOT NULL, COALESCE(later.turn_id, used.turn_id)
FROM touched
CROSS JOIN LATERAL (
    SELECT id, action FROM change_log
    WHERE row_id = touched.row_id AND user_id = scout_user() AND id <= touched.first
      AND id > COALESCE((SELECT max(id) FROM change_log
                         WHERE row_id = touched.row_id AND user_id = scout_user()
                           AND id < touched.first AND undone_at IS NULL), 0)
    ORDER BY id LIMIT 1
) AS origin
LEFT JOIN LATERAL (
    SELECT (after ->> 'superseded_by')::uuid AS successor FROM change_log WHERE id = touched.last
) AS ended ON true
LEFT JOIN LATERAL (
    SELECT id, turn_id FROM change_log
    WHERE row_id = touched.row_id AND user_id = scout_user() AND id > touched.first
      AND undone_at IS NULL AND turn_id IS DISTINCT FROM %(turn)s
      AND reason IS DISTINCT FROM %(taken_over)s::text
    ORDER BY id LIMIT 1
) AS later ON touched.table_name IN ('entity_memory', 'summary_memory')
LEFT JOIN LATERAL (
    SELECT id, turn_id FROM relation_memory
    WHERE touched.row_id IN (subject_id, object_id) AND turn_id IS DISTINCT FROM %(turn)s
    ORDER BY recorded_at LIMIT 1
) AS used ON touched.table_name = 'entity_memory' AND origin.action = 'insert'
ORDER BY touched.last DESC
"""

_HAND_OVER = """
INSERT INTO change_log (
    user_id, table_name, row_id, action, before, after, metadata, reason, turn_id)
SELECT user_id, table_name, row_id, action, before, after, metadata, %(taken_over)s::text,
       %(keeper)s
FROM change_log WHERE id = %(entry)s
"""

# In this order: an entity's edges go before it does. By turn as well as by row, for turns older
# than the log of insertions.
_DELETE = {
    "relation_memory": """
        DELETE FROM relation_memory WHERE id = ANY(%(rows)s) OR turn_id = %(turn)s
        RETURNING id
        """,
    "conversational_memory": """
        DELETE FROM conversational_memory WHERE id = ANY(%(rows)s) OR turn_id = %(turn)s
        RETURNING id
        """,
    "workflow_memory": """
        DELETE FROM workflow_memory WHERE langchain_id = ANY(%(rows)s) OR turn_id = %(turn)s
        RETURNING langchain_id
        """,
    "summary_memory": """
        DELETE FROM summary_memory WHERE langchain_id = ANY(%(rows)s) RETURNING langchain_id
        """,
    "entity_memory": """
        DELETE FROM entity_memory WHERE langchain_id = ANY(%(rows)s) RETURNING langchain_id
        """,
}

# Vectors are not taken from the log: another embedder may be bound by now. In this order: an edge
# needs its entities. An entity whose name or words were given to another one since stays ended.
_PUT_BACK = {
    "entity_memory": """
        INSERT INTO entity_memory AS kept (
            langchain_id, content, langchain_metadata, user_id, category, name, valid_from,
            valid_to, superseded_by, reason, thread_id, turn_id, created_at, updated_at)
        SELECT old.langchain_id, old.content, log.metadata, old.user_id, old.category,
               old.name, old.valid_from, old.valid_to, old.superseded_by, old.reason,
               old.thread_id, old.turn_id, old.created_at, old.updated_at
        FROM change_log AS log
        CROSS JOIN jsonb_populate_record(NULL::entity_memory, log.before - 'embedding') AS old
        WHERE log.id = ANY(%(entries)s) AND (old.valid_to IS NOT NULL OR NOT EXISTS (
            SELECT FROM entity_memory AS other
            WHERE other.user_id = scout_user() AND other.valid_to IS NULL
              AND other.langchain_id <> old.langchain_id
              AND other.category IS NOT DISTINCT FROM old.category
              AND (other.name = old.name OR other.content_hash = md5(old.content)::uuid)))
        ON CONFLICT (langchain_id) DO UPDATE
        SET content = EXCLUDED.content, category = EXCLUDED.category, name = EXCLUDED.name,
            langchain_metadata = EXCLUDED.langchain_metadata,
            embedding = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding END,
            valid_from = EXCLUDED.valid_from, valid_to = EXCLUDED.valid_to,
            superseded_by = EXCLUDED.superseded_by, reason = EXCLUDED.reason,
            thread_id = EXCLUDED.thread_id, turn_id = EXCLUDED.turn_id,
            updated_at = EXCLUDED.updated_at
        RETURNING langchain_id
        """,
    "relation_memory": """
        INSERT INTO relation_memory (
            id, user_id, subject_id, predicate, object_id, properties, source, reason, turn_id,
            valid_from, valid_to, recorded_at)
        SELECT old.id, old.user_id, old.subject_id, old.predicate, old.object_id, old.properties,
               old.source, old.reason, old.turn_id, old.valid_from, old.valid_to, old.recorded_at
        FROM change_log AS log
        CROSS JOIN jsonb_populate_record(NULL::relation_memory, log.before) AS old
        JOIN entity_memory AS subject ON subject.langchain_id = old.subject_id
        JOIN entity_memory AS object ON object.langchain_id = old.object_id
        WHERE log.id = ANY(%(entries)s)
        ON CONFLICT (id) DO UPDATE
        SET properties = EXCLUDED.properties, source = EXCLUDED.source, reason = EXCLUDED.reason,
            turn_id = EXCLUDED.turn_id, valid_to = EXCLUDED.valid_to
        RETURNING id
        """,
    "summary_memory": """
        INSERT INTO summary_memory AS kept (
            langchain_id, content, langchain_metadata, user_id, thread_id, created_at, updated_at)
        SELECT old.langchain_id, old.content, log.metadata, old.user_id, old.thread_id,
               old.created_at, old.updated_at
        FROM change_log AS log
        CROSS JOIN jsonb_populate_record(NULL::summary_memory, log.before - 'embedding') AS old
        WHERE log.id = ANY(%(entries)s)
        ON CONFLICT (langchain_id) DO UPDATE
        SET content = EXCLUDED.content, langchain_metadata = EXCLUDED.langchain_metadata,
            embedding = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding END,
            thread_id = EXCLUDED.thread_id, updated_at = EXCLUDED.updated_at
        RETURNING langchain_id
        """,
    "workflow_memory": """
        INSERT INTO workflow_memory AS kept (
            langchain_id, content, langchain_metadata, user_id, workflow_type, outcome, thread_id,
            turn_id, created_at, updated_at)
        SELECT old.langchain_id, old.content, log.metadata, old.user_id,
               old.workflow_type, old.outcome, old.thread_id, old.turn_id, old.created_at,
               old.updated_at
        FROM change_log AS log
        CROSS JOIN jsonb_populate_record(NULL::workflow_memory, log.before - 'embedding') AS old
        WHERE log.id = ANY(%(entries)s)
        ON CONFLICT (langchain_id) DO UPDATE
        SET content = EXCLUDED.content, langchain_metadata = EXCLUDED.langchain_metadata,
            embedding = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding END,
            workflow_type = EXCLUDED.workflow_type, outcome = EXCLUDED.outcome,
            updated_at = EXCLUDED.updated_at
        RETURNING langchain_id
        """,
    "conversational_memory": """
        UPDATE conversational_memory AS kept
        SET content = old.content, metadata = old.metadata, summary_id = old.summary_id
        FROM change_log AS log
        CROSS JOIN jsonb_populate_record(NULL::conversational_memory, log.before) AS old
        WHERE log.id = ANY(%(entries)s) AND kept.id = old.id
        RETURNING kept.id
        """,
}

_WITHOUT_VECTOR = """
SELECT 'entity_memory', langchain_id, content FROM entity_memory
WHERE langchain_id = ANY(%(rows)s) AND embedding IS NULL
UNION ALL SELECT 'summary_memory', langchain_id, content FROM summary_memory
WHERE langchain_id = ANY(%(rows)s) AND embedding IS NULL
UNION ALL SELECT 'workflow_memory', langchain_id, content FROM workflow_memory
WHERE langchain_id = ANY(%(rows)s) AND embedding IS NULL
"""
_GIVE_VECTOR = {
    "entity_memory": """
        UPDATE entity_memory SET embedding = %(vector)s::vector WHERE langchain_id = %(row)s
        """,
    "summary_memory": """
        UPDATE summary_memory SET embedding = %(vector)s::vector WHERE langchain_id = %(row)s
        """,
    "workflow_memory": """
        UPDATE workflow_memory SET embedding = %(vector)s::vector WHERE langchain_id = %(row)s
        """,
}

_REST = """
WITH logs AS (DELETE FROM tool_log_memory WHERE turn_id = %(turn)s),
     asked AS (DELETE FROM turn WHERE turn_id = %(turn)s)
UPDATE change_log SET undone_at = clock_timestamp()
WHERE turn_id = %(turn)s AND undone_at IS NULL
"""

# The reason of a change that another turn takes back from now on; it is no change of that turn's.
_TAKEN_OVER = "taken over from a turn that was taken back"
MEMORIES = ("entity_memory", "summary_memory", "workflow_memory")


@dataclass(frozen=True, slots=True)
class Undone:
    """A turn that was taken back: what was asked, and how many messages and memories that took."""

    question: str
    messages: int
    memories: int


@dataclass(slots=True)
class _Change:
    """What a turn did to one row."""

    table: str
    row: UUID
    entry: int  # of the change log: how the row stood before
    action: str  # insert: there was no such row
    successor: UUID | None
    stays: bool
    keeper: UUID | None  # the turn that takes it back from now on, if one does


def undo_turn(
    conn: Connection[Any], turn: LastTurn, embed: Callable[[list[str]], Sequence[Vector]]
) -> Undone:
    """Take a turn back, in a transaction of which it is all there is.

    Args:
        embed: gives the vectors of texts that come back.
    """
    conn.execute(SET_TURN, [str(turn.turn_id)])
    give_reason(conn, f"the turn was taken back: {one_line(turn.question)[:200]}")
    for kind in ("entity", "summary"):
        conn.execute(LOCK_KIND, {"kind": kind})
    bound = {"turn": turn.turn_id, "taken_over": _TAKEN_OVER}
    changes = [_Change(*row) for row in conn.execute(_CHANGED, bound).fetchall()]
    dissolve(conn, turn.turn_id)
    _keep_superseded(changes)
    for change in changes:
        if change.stays and change.keeper is not None:
            handed = {**bound, "entry": change.entry, "keeper": change.keeper}
            conn.execute(_HAND_OVER, handed)
    taken = [change for change in changes if not change.stays]
    removed, memories = 0, set[UUID]()
    for table, delete in _DELETE.items():
        rows = [each.row for each in taken if each.table == table and each.action == "insert"]
        gone = conn.execute(delete, {"rows": rows, "turn": turn.turn_id}).fetchall()
        removed += len(gone) if table == "conversational_memory" else 0
        memories |= {row for (row,) in gone} if table in MEMORIES else set()
    for table, put_back in _PUT_BACK.items():
        entries = [each.entry for each in taken if each.table == table and each.action != "insert"]
        if entries:
            back = conn.execute(put_back, {"entries": entries}).fetchall()
            memories |= {row for (row,) in back} if table in MEMORIES else set()
    _embed(conn, list(memories), embed)
    conn.execute(_REST, bound)
    return Undone(turn.question, removed, len(memories))


def _keep_superseded(changes: Sequence[_Change]) -> None:
    """What was superseded stays so where its successor stays: else both would hold."""
    staying = {change.row: change.keeper for change in changes if change.stays}
    for change in changes:
        if change.successor in staying and not change.stays:
            change.stays, change.keeper = True, staying[change.successor]


def _embed(
    conn: Connection[Any], rows: list[UUID], embed: Callable[[list[str]], Sequence[Vector]]
) -> None:
    bare = conn.execute(_WITHOUT_VECTOR, {"rows": rows}).fetchall()
    vectors = embed([content for _, _, content in bare]) if bare else []
    for (table, row, _), vector in zip(bare, vectors, strict=True):
        conn.execute(_GIVE_VECTOR[table], {"vector": vector_text(vector), "row": row})
