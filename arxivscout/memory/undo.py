"""Changes taken back, a whole turn's or one: memory is as if they had not been made.

The change log has every change, and this goes by it for every table that is logged. What the
changes inserted is deleted, what they changed or deleted is put back as it stood, and they are
marked undone, together with those that undid them. What was changed by others since stays as they
left it: of a turn such a change is logged under the turn that made the later one, which takes it
back when it is taken back itself; one change alone is then not taken back at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory.condensing import dissolve
from arxivscout.memory.exchanges import LastTurn
from arxivscout.memory.logged_tables import LoggedTable, logged_tables
from arxivscout.memory.postgres import SET_TURN
from arxivscout.memory.vector_memory import LOCK_KIND, Vector, give_reason, vector_text
from arxivscout.papers import one_line

_NAME_CHANGE = "SELECT set_config('arxivscout.change', 'undo', true)"
_OF_TURN = "SELECT id FROM change_log WHERE turn_id = %(turn)s AND undone_at IS NULL"
_NEWEST = "SELECT COALESCE(max(id), 0) FROM change_log WHERE user_id = scout_user()"

# A superseding is two entries, the end of the old memory and the new one, and the edges that went
# over; each of them stands for all.
_TOGETHER = """
WITH asked AS (
    SELECT * FROM change_log WHERE id = %(change)s AND user_id = scout_user()
), memories AS (
    SELECT log.* FROM asked JOIN change_log AS log
        ON log.user_id = scout_user() AND log.undone_at IS NULL
       AND (log.id = asked.id
            OR asked.change = 'supersede' AND log.action = 'insert' AND log.id > asked.id
               AND log.row_id = (asked.after ->> 'superseded_by')::uuid
            OR asked.action = 'insert' AND asked.table_name = log.table_name
               AND log.change = 'supersede' AND log.id BETWEEN asked.id - %(apart)s AND asked.id
               AND log.after ->> 'superseded_by' = asked.row_id::text)
), edges AS (
    SELECT log.id FROM change_log AS log JOIN memories
        ON memories.change = 'supersede' AND log.table_name = 'relation_memory'
       AND memories.row_id::text IN (log.before ->> 'subject_id', log.before ->> 'object_id')
    WHERE log.user_id = scout_user() AND log.undone_at IS NULL AND log.action = 'update'
      AND log.before ->> 'valid_to' IS NULL AND log.after ->> 'valid_to' IS NOT NULL
      AND log.id BETWEEN memories.id - %(apart)s AND memories.id + %(apart)s
)
SELECT id FROM memories UNION SELECT id FROM edges ORDER BY id
"""
_APART = 20_000  # entries: more than one transaction of the gate writes

_READ = """
SELECT table_name, undone_at FROM change_log WHERE id = %(change)s AND user_id = scout_user()
"""

# For each row that was changed: the entry that holds what stood before it, and who has changed or
# used the row since. Where undone changes stand right before the first, the oldest of them leads
# back to what held before all of them. What memory does by itself (filing,
# condensing, fading) does not keep a row.
_CHANGED = """
WITH touched AS (
    SELECT table_name, row_id, min(id) AS first, max(id) AS last
    FROM change_log WHERE id = ANY(%(entries)s) GROUP BY table_name, row_id
)
SELECT touched.table_name, touched.row_id, origin.id, origin.action, ended.successor,
       later.id IS NOT NULL OR used.id IS NOT NULL, COALESCE(later.turn_id, used.turn_id), later.id
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
      AND undone_at IS NULL AND id <> ALL(%(entries)s)
      AND reason IS DISTINCT FROM %(taken_over)s::text
      AND (turn_id IS NOT NULL OR change <> ALL(%(by_itself)s))
    ORDER BY id LIMIT 1
) AS later ON touched.table_name <> ALL(%(of_one_turn)s)
LEFT JOIN LATERAL (
    SELECT id, turn_id FROM relation_memory
    WHERE touched.row_id IN (subject_id, object_id) AND turn_id IS DISTINCT FROM %(turn)s
      AND derived_by IS NULL
    ORDER BY recorded_at LIMIT 1
) AS used ON touched.table_name = 'entity_memory' AND origin.action = 'insert'
         AND %(turn)s::uuid IS NOT NULL
ORDER BY touched.last DESC
"""

_HAND_OVER = """
INSERT INTO change_log (
    user_id, table_name, row_id, action, before, after, metadata, reason, turn_id, change)
SELECT user_id, table_name, row_id, action, before, after, metadata, %(taken_over)s::text,
       %(keeper)s, change
FROM change_log WHERE id = %(entry)s
"""

# Of turns older than the log of insertions.
_UNLOGGED = (
    ("relation_memory", "SELECT id FROM relation_memory WHERE turn_id = %(turn)s"),
    ("conversational_memory", "SELECT id FROM conversational_memory WHERE turn_id = %(turn)s"),
    ("workflow_memory", "SELECT langchain_id FROM workflow_memory WHERE turn_id = %(turn)s"),
)

_REST = """
WITH logs AS (DELETE FROM tool_log_memory WHERE turn_id = %(turn)s),
     asked AS (DELETE FROM turn WHERE turn_id = %(turn)s)
SELECT
"""

_MARK = """
UPDATE change_log SET undone_at = clock_timestamp()
WHERE user_id = scout_user() AND undone_at IS NULL
  AND (id = ANY(%(entries)s) OR turn_id = %(turn)s OR (id > %(newest)s AND change = 'undo'))
"""

# The reason of a change that another turn takes back from now on; it is no change of that turn's.
_TAKEN_OVER = "taken over from a turn that was taken back"
# Their rows are the turn's that inserted them, whatever happens to them later.
_OF_ONE_TURN = ("conversational_memory", "workflow_memory", "relation_memory", "episode_memory")
_BY_ITSELF = ("archive", "consolidate", "decay", "file")
_NO_MEMORIES = ("conversational_memory", "relation_memory", "episode_memory", "lesson_evidence")

Embed = Callable[[list[str]], Sequence[Vector]]


@dataclass(frozen=True, slots=True)
class Undone:
    """A turn that was taken back: what was asked, and how many messages and memories that took."""

    question: str
    messages: int
    memories: int


@dataclass(slots=True)
class _Change:
    """What happened to one row."""

    table: str
    row: UUID
    entry: int  # of the change log: how the row stood before
    action: str  # insert: there was no such row
    successor: UUID | None
    stays: bool
    keeper: UUID | None  # the turn that takes it back from now on, if one does
    later: int | None  # the first change by others since


def undo_turn(conn: Connection[Any], turn: LastTurn, embed: Embed) -> Undone:
    """Take a turn back, in a transaction of which it is all there is.

    Args:
        embed: gives the vectors of texts that come back.
    """
    conn.execute(SET_TURN, [str(turn.turn_id)])
    newest = _begin(conn, f"the turn was taken back: {one_line(turn.question)[:200]}")
    entries = [row[0] for row in conn.execute(_OF_TURN, {"turn": turn.turn_id}).fetchall()]
    changes = _changes(conn, entries, turn.turn_id)
    dissolve(conn, turn.turn_id)
    _keep_superseded(changes)
    for change in changes:
        if change.stays and change.keeper is not None:
            bound = {"taken_over": _TAKEN_OVER, "entry": change.entry, "keeper": change.keeper}
            conn.execute(_HAND_OVER, bound)
    taken = [change for change in changes if not change.stays]
    known = {(change.table, change.row) for change in changes}
    for table, unlogged in _UNLOGGED:
        for (row,) in conn.execute(unlogged, {"turn": turn.turn_id}).fetchall():
            if (table, row) not in known:
                taken.append(_Change(table, row, 0, "insert", None, False, None, None))
    done = _take_back(conn, taken, embed)
    conn.execute(_REST, {"turn": turn.turn_id})
    conn.execute(_MARK, {"entries": entries, "turn": turn.turn_id, "newest": newest})
    messages = sum(table == "conversational_memory" for table, _ in done)
    memories = {row for table, row in done if table not in _NO_MEMORIES}
    return Undone(turn.question, messages, len(memories))


def undo_change(conn: Connection[Any], change: int, embed: Embed) -> int:
    """Take one change back, with all that belongs to it; how many rows that took.

    Args:
        change: its number in the change log.
        embed: gives the vectors of texts that come back.

    Raises:
        NotFound: this person has no such change.
        UsageError: it is taken back already, or what it changed was changed again since.
    """
    newest = _begin(conn, f"change {change} was taken back")
    found = conn.execute(_READ, {"change": change}).fetchone()
    if found is None or found[0] in _OF_ONE_TURN[:2]:
        raise NotFound(f"There is no change {change}.", "`arxivscout memory log` lists them.")
    if found[1] is not None:
        raise UsageError(f"The change {change} is taken back already.")
    bound = {"change": change, "apart": _APART}
    entries = [row[0] for row in conn.execute(_TOGETHER, bound).fetchall()]
    changes = _changes(conn, entries, None)
    for each in changes:
        if each.stays:
            raise UsageError(
                f"What change {change} did was changed again since, by change {each.later}.",
                f"Take that back first: `arxivscout memory undo {each.later}`.",
            )
    done = _take_back(conn, changes, embed)
    conn.execute(_MARK, {"entries": entries, "turn": None, "newest": newest})
    return len(done)


def _begin(conn: Connection[Any], reason: str) -> int:
    """Name what follows in the change log, let nobody write meanwhile; its newest entry."""
    give_reason(conn, reason)
    for kind in ("entity", "summary"):
        conn.execute(LOCK_KIND, {"kind": kind})
    conn.execute(_NAME_CHANGE)
    row = conn.execute(_NEWEST).fetchone()
    return int(row[0]) if row else 0


def _changes(conn: Connection[Any], entries: list[int], turn: UUID | None) -> list[_Change]:
    bound = {
        "entries": entries,
        "turn": turn,
        "taken_over": _TAKEN_OVER,
        "of_one_turn": list(_OF_ONE_TURN),
        "by_itself": list(_BY_ITSELF),
    }
    return [_Change(*row) for row in conn.execute(_CHANGED, bound).fetchall()]


def _keep_superseded(changes: Sequence[_Change]) -> None:
    """What was superseded stays so where its successor stays: else both would hold."""
    staying = {change.row: change.keeper for change in changes if change.stays}
    for change in changes:
        if change.successor in staying and not change.stays:
            change.stays, change.keeper = True, staying[change.successor]


def _take_back(
    conn: Connection[Any], changes: Sequence[_Change], embed: Embed
) -> set[tuple[str, UUID]]:
    """Delete what was inserted, children first; then put back the rest, parents first."""
    tables = logged_tables(conn)
    done: set[tuple[str, UUID]] = set()
    for table in reversed(tables):
        rows = [each.row for each in _of(changes, table) if each.action == "insert"]
        if rows:
            gone = conn.execute(table.delete, {"rows": rows}).fetchall()
            done |= {(table.name, row) for (row,) in gone}
    for table in tables:
        entries = [each.entry for each in _of(changes, table) if each.action != "insert"]
        if entries:
            back = [row for (row,) in conn.execute(table.put_back, {"entries": entries}).fetchall()]
            done |= {(table.name, row) for row in back}
            _embed(conn, table, back, embed)
    return done


def _of(changes: Iterable[_Change], table: LoggedTable) -> list[_Change]:
    return [each for each in changes if each.table == table.name]


def _embed(conn: Connection[Any], table: LoggedTable, rows: list[UUID], embed: Embed) -> None:
    if table.without_vector is None or table.give_vector is None:
        return
    bare = conn.execute(table.without_vector, {"rows": rows}).fetchall()
    vectors = embed([content for _, content in bare]) if bare else []
    for (row, _), vector in zip(bare, vectors, strict=True):
        conn.execute(table.give_vector, {"vector": vector_text(vector), "row": row})
