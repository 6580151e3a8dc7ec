"""MemoryManager: reads and writes of all memories behind one interface, the contract's.

Every call is one transaction of our own; embedding happens outside of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

import psycopg

from arxivscout.memory import blocks, conversation, tool_log
from arxivscout.memory.postgres import Database
from arxivscout.memory.unit_of_work import UnitOfWork
from arxivscout.memory.vector_memories import TABLES, Id, Metadata, VectorMemories, VectorStore

if TYPE_CHECKING:
    import psycopg_pool
    from langchain_core.embeddings import Embeddings


@dataclass(frozen=True, slots=True)
class _OurStore:
    """A store on one of our tables, for callers that have no use for LangChain's."""

    embeddings: Embeddings
    table_name: str

    def get_table_name(self) -> str:
        return self.table_name


class MemoryManager(VectorMemories):
    """Reads, writes, changes and deletes all kinds of memory."""

    DESCRIPTORS: ClassVar[dict[str, tuple[str, str, str]]] = blocks.DESCRIPTORS

    def __init__(
        self,
        conn: psycopg.Connection[Any] | psycopg_pool.ConnectionPool[Any] | Database,
        conversation_table: str,
        knowledge_base_vs: VectorStore,
        workflow_vs: VectorStore,
        toolbox_vs: VectorStore,
        entity_vs: VectorStore,
        summary_vs: VectorStore,
        tool_log_table: str,
        *,
        user: str | None = None,
    ) -> None:
        """Args:
        conn: a psycopg connection or pool of one person (`Database.user_url`), or a `Database`.
        user: the person, for a `Database`.
        """
        super().__init__(
            UnitOfWork(conn, user),
            knowledge_base_vs,
            workflow_vs,
            toolbox_vs,
            entity_vs,
            summary_vs,
        )
        self.conn = conn
        self.conversation_table = conversation_table
        self.tool_log_table = tool_log_table

    @classmethod
    def for_user(cls, database: Database, embedder: Embeddings, user: str) -> MemoryManager:
        """A manager of this person's memories, on our own tables."""
        papers, ways, tools, entities, summaries = (
            _OurStore(embedder, table.name) for table in TABLES
        )
        return cls(
            database,
            conversation.TABLE,
            papers,
            ways,
            tools,
            entities,
            summaries,
            tool_log.TABLE,
            user=user,
        )

    # conversation

    def write_conversational_memory(
        self, thread_id: str, role: str, content: str, metadata: Metadata = None
    ) -> UUID:
        """Add a message to a thread; its id."""
        table = self.conversation_table
        return self._work.run(
            lambda c: conversation.append(c, thread_id, role, content, metadata, table=table)
        )

    def read_conversational_memory(self, thread_id: str, limit: int = 20) -> str:
        """The block of a thread's newest `limit` messages, in chronological order."""
        return blocks.conversation(self._recent_messages(thread_id, limit))

    def update_conversational_memory(
        self,
        memory_id: Id,
        content: str | None = None,
        metadata: Metadata = None,
        reason: str | None = None,
    ) -> UUID:
        """Correct a message, or merge metadata into it."""
        table = self.conversation_table
        return self._work.run(
            lambda c: conversation.update(c, memory_id, content, metadata, reason, table=table)
        )

    def delete_conversational_memory(self, memory_id: Id, reason: str | None = None) -> bool:
        """Delete one message; say whether there was one."""
        table = self.conversation_table
        return self._work.run(lambda c: conversation.delete(c, memory_id, reason, table=table))

    def _recent_messages(self, thread_id: str, limit: int) -> list[conversation.Message]:
        table = self.conversation_table
        return self._work.run(lambda c: conversation.recent(c, thread_id, limit, table=table))

    # tool log

    def write_tool_log(
        self,
        thread_id: str,
        tool_name: str,
        tool_input: Any = None,
        tool_output: Any = None,
        status: str = "success",
        error_message: str | None = None,
        duration_ms: float | None = None,
        metadata: Metadata = None,
    ) -> UUID:
        """Log a tool call; its id."""
        given = (thread_id, tool_name, tool_input, tool_output, status, error_message)
        return self._work.run(
            lambda c: tool_log.append(c, *given, duration_ms, metadata, table=self.tool_log_table)
        )

    def read_tool_logs(self, thread_id: str, limit: int = 10, only_errors: bool = False) -> str:
        """The block of a thread's newest `limit` calls, or failures, in chronological order."""
        table = self.tool_log_table
        return blocks.tool_logs(
            self._work.run(lambda c: tool_log.recent(c, thread_id, limit, only_errors, table=table))
        )

    def search_tool_logs(
        self, arguments: Mapping[str, Any], limit: int = 10
    ) -> list[tool_log.ToolLog]:
        """The newest calls, in any thread, whose input contains `arguments`; newest first."""
        return self._work.run(lambda c: tool_log.search(c, arguments, limit))

    def tool_statistics(self) -> list[tool_log.ToolStatistics]:
        """Failure rate and latency of each tool."""
        return self._work.run(lambda c: tool_log.statistics(c, table=self.tool_log_table))

    def update_tool_log(
        self,
        log_id: Id,
        *,
        tool_output: Any = None,
        status: str | None = None,
        error_message: str | None = None,
        duration_ms: float | None = None,
        metadata: Metadata = None,
    ) -> UUID:
        """Complete a logged call; None leaves a field as it is."""
        return self._work.run(
            lambda c: tool_log.update(
                c,
                log_id,
                tool_output=tool_output,
                status=status,
                error_message=error_message,
                duration_ms=duration_ms,
                metadata=metadata,
                table=self.tool_log_table,
            )
        )

    def delete_tool_log(self, log_id: Id) -> bool:
        """Delete one log; say whether there was one."""
        return self._work.run(lambda c: tool_log.delete(c, log_id, table=self.tool_log_table))
