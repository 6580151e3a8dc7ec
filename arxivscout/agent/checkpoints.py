"""LangGraph's checkpoints in Postgres: there to resume a turn that was killed, nothing else.

The conversation lives in memory, so a finished turn's checkpoints are removed. A database that is
lost in mid-turn costs the ability to resume that turn, not the turn.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg.rows import dict_row

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


class ScoutSaver(PostgresSaver):
    """`PostgresSaver` in the name of one person, which goes on without a database."""

    def __init__(self, database: Database, user: str) -> None:
        # Strict: what a checkpoint may bring to life again is LangChain's own messages, no more.
        super().__init__(None, serde=JsonPlusSerializer(allowed_msgpack_modules=None))  # type: ignore[arg-type]
        self._database = database
        self._user = user

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
            return super().get_tuple(config)
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
        try:
            return super().put(config, checkpoint, metadata, new_versions)
        except _LOST as error:
            _log.info("a checkpoint was not written: %s", type(error).__name__)
            place = config["configurable"]
            return {
                "configurable": {
                    "thread_id": place["thread_id"],
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
        try:
            super().put_writes(config, writes, task_id, task_path)
        except _LOST as error:
            _log.info("a checkpoint's writes were not written: %s", type(error).__name__)

    def delete_thread(self, thread_id: str) -> None:
        try:
            super().delete_thread(thread_id)
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
        conn.row_factory = dict_row
        PostgresSaver(conn).setup()
        conn.execute(_MAKE_PRIVATE)
        conn.execute(MAINTENANCE)
