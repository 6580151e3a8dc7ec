"""LangGraph's checkpoints in Postgres: there to resume a turn that was killed, nothing else.

The conversation lives in memory, so a finished turn's checkpoints are removed, and only those are
written from which going on saves something: a plain turn's own work took longer to save after each
node than to do. A database that is lost in mid-turn costs the ability to resume that turn, not the
turn.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg.rows import dict_row

from arxivscout.agent.identity import checkpoint_thread
from arxivscout.errors import DatabaseError
from arxivscout.memory.migrate import MAINTENANCE
from arxivscout.memory.postgres import Database

_LOST = (DatabaseError, psycopg.Error)
_log = logging.getLogger(__name__)

_IS_SET_UP = """
SELECT count(*) = 3 FROM pg_policies
WHERE schemaname = 'arxivscout' AND policyname = 'own_rows'
  AND tablename IN ('checkpoints', 'checkpoint_blobs', 'checkpoint_writes')
"""

_WRITTEN = "SELECT DISTINCT thread_id FROM checkpoints"
# Only the last turn of a thread is ever asked again.
_RESUMABLE = """
SELECT turn_id, thread_id FROM (
    SELECT DISTINCT ON (thread_id) turn_id, thread_id, status FROM turn
    ORDER BY thread_id, started_at DESC
) AS newest WHERE status <> 'answered'
"""
_REMOVE = (
    "DELETE FROM checkpoints WHERE thread_id = ANY(%(left)s)",
    "DELETE FROM checkpoint_blobs WHERE thread_id = ANY(%(left)s)",
    "DELETE FROM checkpoint_writes WHERE thread_id = ANY(%(left)s)",
)

# LangGraph's tables know no person: a column that fills itself, and the same row security as ours.
_MAKE_PRIVATE = """
DO $$
DECLARE
    private REGCLASS;
BEGIN
    FOREACH private IN ARRAY ARRAY['arxivscout.checkpoints', 'arxivscout.checkpoint_blobs',
                                   'arxivscout.checkpoint_writes']::regclass[]
    LOOP
        EXECUTE format('DELETE FROM %s', private);
        EXECUTE format('ALTER TABLE %s ADD COLUMN IF NOT EXISTS user_id TEXT NOT NULL '
                       'DEFAULT arxivscout.scout_user()', private);
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('DROP POLICY IF EXISTS own_rows ON %s', private);
        EXECUTE format('CREATE POLICY own_rows ON %s '
                       'USING (user_id = (SELECT arxivscout.scout_user()))', private);
    END LOOP;
END $$
"""


# Before these nodes a model's reply is paid for, tools have run, or a person is waited for. What
# comes before them is done again in less time than it takes to save it.
_WORTH_KEEPING = frozenset({"choose_reading", "confirm_forget", "run_tools", "check"})
_NEXT = "branch:to:"  # LangGraph's channels that name the nodes to come


class ScoutSaver(PostgresSaver):
    """`PostgresSaver` in the name of one person, which goes on without a database."""

    def __init__(self, database: Database, user: str) -> None:
        # Strict: what a checkpoint may bring to life again is LangChain's own messages, no more.
        super().__init__(None, serde=JsonPlusSerializer(allowed_msgpack_modules=None))  # type: ignore[arg-type]
        self._database = database
        self._user = user
        self._unwritten: dict[str, ChannelVersions] = {}  # by thread: what skipped ones changed
        self._kept: set[str] = set()  # threads that may have rows

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[Any]:
        with self._database.transaction(self._user) as conn:
            if pipeline:
                with conn.pipeline(), conn.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
            else:
                with conn.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        try:
            found = super().get_tuple(config)
            if found:
                self._kept.add(config["configurable"]["thread_id"])
            return found
        except _LOST as error:
            _log.info("no checkpoint could be read: %s", type(error).__name__)
            return None

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        place = config["configurable"]
        thread_id = place["thread_id"]
        changed = {**self._unwritten.pop(thread_id, {}), **new_versions}
        if _is_worth_keeping(checkpoint):
            self._kept.add(thread_id)
            try:
                return super().put(config, checkpoint, metadata, changed)
            except _LOST as error:
                _log.info("a checkpoint was not written: %s", type(error).__name__)
        self._unwritten[thread_id] = changed
        return {
            "configurable": {
                "thread_id": thread_id,
                "checkpoint_ns": place.get("checkpoint_ns", ""),
                "checkpoint_id": checkpoint["id"],
            }
        }

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        # One node at a time is at work: what it returned stands in the next checkpoint. Choices and
        # answers to them are writes of a checkpoint, and nowhere else.
        if not any(channel in WRITES_IDX_MAP for channel, _ in writes):
            return
        try:
            super().put_writes(config, writes, task_id, task_path)
        except _LOST as error:
            _log.info("a checkpoint's writes were not written: %s", type(error).__name__)

    def clear(self, thread_id: str) -> None:
        """Delete the thread's checkpoints, if this saver has written or read any."""
        self._unwritten.pop(thread_id, None)
        if thread_id in self._kept:
            self.delete_thread(thread_id)
            self._kept.discard(thread_id)

    def delete_thread(self, thread_id: str) -> None:
        try:
            super().delete_thread(thread_id)
        except _LOST as error:
            _log.info("checkpoints were not removed: %s", type(error).__name__)


def _is_worth_keeping(checkpoint: Checkpoint) -> bool:
    values = checkpoint["channel_values"]
    to_come = {name.removeprefix(_NEXT) for name in values if name.startswith(_NEXT)}
    return bool(to_come & _WORTH_KEEPING or ("reason" in to_come and values.get("rounds")))


# LangGraph's own set-up fails beside another. Asked for again and again, and held until the
# connection is closed: it builds indexes concurrently, which wait for all who wait in a statement.
_ONE_AT_A_TIME = "SELECT pg_try_advisory_lock(hashtextextended('arxivscout checkpoints', 0))"


def sweep_checkpoints(database: Database, user: str) -> None:
    """Remove a person's checkpoints but for those that a turn can still be resumed from.

    A turn removes its own when it ends; a kill between its end and that leaves them, and so does
    whatever takes the turn away or gives its thread another name.
    """
    try:
        # In this order: what is read as a checkpoint here has a turn that is found below.
        with database.transaction(user) as conn:
            written = {thread_id for (thread_id,) in conn.execute(_WRITTEN)}
        if not written:
            return
        with database.transaction(user) as conn:
            resumable = {
                checkpoint_thread(user, thread_id, turn_id)
                for turn_id, thread_id in conn.execute(_RESUMABLE)
            }
            for statement in _REMOVE:
                conn.execute(statement, {"left": list(written - resumable)})
    except _LOST as error:
        _log.info("checkpoints were not removed: %s", type(error).__name__)


def set_up_checkpoints(database: Database) -> None:
    """Create LangGraph's tables in our schema, as the owner, if they aren't there."""
    with database.autocommit() as conn:
        row = conn.execute(_IS_SET_UP).fetchone()
    if row and row[0]:
        return
    with database.admin() as conn:
        conn.commit()
        conn.autocommit = True
        while conn.execute(_ONE_AT_A_TIME).fetchone() != (True,):
            time.sleep(0.05)
        conn.row_factory = dict_row
        PostgresSaver(conn).setup()
        conn.execute(_MAKE_PRIVATE)
        conn.execute(MAINTENANCE)
