"""The five vector memories of `MemoryManager`: text and metadata in, printed blocks out.

The tables are the ones that the given stores open; the SQL is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

import psycopg

from arxivscout.memory import (
    blocks,
    conversation,
    document,
    entity,
    summary,
    toolbox,
    vector_memory,
    vector_search,
    workflow,
)
from arxivscout.memory.unit_of_work import UnitOfWork
from arxivscout.memory.vector_memory import Memory, Vector, VectorTable
from arxivscout.papers import clean_text

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Connection = psycopg.Connection[Any]
Metadata = Mapping[str, Any] | None
Id = UUID | str

TABLES = (
    document.KNOWLEDGE_BASE,
    workflow.WORKFLOW,
    toolbox.TOOLBOX,
    entity.ENTITY,
    summary.SUMMARY,
)


class VectorStore(Protocol):
    """What is needed of a vector store: a `PGVectorStore` has it."""

    @property
    def embeddings(self) -> Embeddings: ...

    def get_table_name(self) -> str: ...


class VectorMemories:
    """Knowledge base, workflow, toolbox, entity and summary memory."""

    conversation_table: str = conversation.TABLE

    def __init__(self, work: UnitOfWork, *stores: VectorStore) -> None:
        """Args:
        stores: one for each of `TABLES`, in that order.
        """
        self._work = work
        self._tables = {
            table.kind: replace(table, name=store.get_table_name())
            for table, store in zip(TABLES, stores, strict=True)
        }
        self._embeddings = {
            table.kind: store.embeddings for table, store in zip(TABLES, stores, strict=True)
        }

    # knowledge base

    def write_knowledge_base(self, text: str, metadata: Metadata = None) -> str:
        """Store a text of the domain; its id. A paper (`arxiv_id`) or a text is there once."""
        table = self._tables["knowledge_base"]
        known = self._work.run(lambda c: document.is_known(c, text, metadata, store=table))
        vector = None if known else self._embed_text(table, text)
        return self._str(lambda c: document.write(c, text, vector, metadata, store=table))

    def read_knowledge_base(self, query: str, k: int = 3, filter: Metadata = None) -> str:
        """The block of the `k` texts nearest to `query` that pass `filter` (PGVectorStore's)."""
        return self._read("knowledge_base", query, k, filter)

    def update_knowledge_base(
        self, memory_id: Id, text: str | None = None, metadata: Metadata = None
    ) -> str:
        """Change a text, or merge metadata into it. NotFound if there is none."""
        table = self._tables["knowledge_base"]
        vector = None if text is None else self._embed_text(table, text)
        return self._str(
            lambda c: document.update(c, memory_id, text, vector, metadata, store=table)
        )

    def delete_knowledge_base(self, memory_id: Id) -> bool:
        """Delete a text; say whether there was one."""
        return self._delete("knowledge_base", memory_id, None)

    # workflow

    def write_workflow(self, text: str, metadata: Metadata = None) -> str:
        """Store a workflow; `workflow_type`, `outcome`, `steps` in the metadata. Its id."""
        return self._write("workflow", text, metadata)

    def read_workflow(self, query: str, k: int = 3, filter: Metadata = None) -> str:
        """The block of the `k` workflows nearest to `query`, those that succeeded before others."""
        vector = self._embed_query("workflow", query)
        table = self._tables["workflow"]
        found = self._work.run(lambda c: workflow.search(c, vector, k, filter, store=table))
        return blocks.passages("workflow", found)

    def update_workflow(
        self,
        memory_id: Id,
        text: str | None = None,
        metadata: Metadata = None,
        reason: str | None = None,
    ) -> str:
        """Change a workflow's text, or merge metadata (`outcome`) into it."""
        return self._update("workflow", memory_id, text, metadata, reason)

    def delete_workflow(self, memory_id: Id, reason: str | None = None) -> bool:
        """Delete a workflow; say whether there was one."""
        return self._delete("workflow", memory_id, reason)

    # toolbox

    def write_toolbox(self, text: str, metadata: Metadata = None) -> str:
        """Store what a tool of this person is for; its id."""
        return self._write("toolbox", text, metadata)

    def read_toolbox(self, query: str, k: int = 3) -> str:
        """The block of the `k` tools nearest to `query`."""
        return self._read("toolbox", query, k)

    def update_toolbox(
        self, memory_id: Id, text: str | None = None, metadata: Metadata = None
    ) -> str:
        """Change a tool's text, or merge metadata into it."""
        return self._update("toolbox", memory_id, text, metadata, None)

    def delete_toolbox(self, memory_id: Id) -> bool:
        """Delete a tool; say whether there was one."""
        return self._delete("toolbox", memory_id, None)

    # entity

    def write_entity(self, text: str, metadata: Metadata = None) -> str:
        """Store an entity; `category`, `name`, `reason` in the metadata. Its id."""
        table = self._tables["entity"]
        vector = self._embed_new(table, text)
        return self._str(lambda c: entity.write(c, text, vector, metadata, store=table))

    def read_entity(self, query: str, k: int = 3) -> str:
        """The block of the `k` entities nearest to `query`, as they are known now."""
        return self._read("entity", query, k)

    def update_entity(
        self,
        memory_id: Id,
        text: str | None = None,
        metadata: Metadata = None,
        reason: str | None = None,
    ) -> str:
        """Supersede an entity by another text (a new id), or merge metadata into it."""
        table = self._tables["entity"]
        vector = None if text is None else self._embed_text(table, text)
        return self._str(
            lambda c: entity.update(c, memory_id, text, vector, metadata, reason, store=table)
        )

    def delete_entity(self, memory_id: Id, reason: str | None = None) -> bool:
        """Delete an entity and its relations; say whether there was one."""
        return self._delete("entity", memory_id, reason)

    # summary

    def write_summary(self, text: str, metadata: Metadata = None) -> str:
        """Store a summary; `thread_id` and `message_ids` in the metadata link it back. Its id."""
        table, messages = self._tables["summary"], self.conversation_table
        vector = self._embed_new(table, text)
        return self._str(
            lambda c: summary.write(c, text, vector, metadata, store=table, messages_in=messages)
        )

    def read_summary_memory(self, query: str, k: int = 3) -> str:
        """The block of the `k` summaries nearest to `query`."""
        return self._read("summary", query, k)

    def read_summary_context(self, thread_id: str, k: int = 3) -> str:
        """The block of the summaries nearest to a thread's latest messages; "" if it has none."""
        table = self.conversation_table
        latest = self._work.run(lambda c: conversation.recent(c, thread_id, 5, table=table))
        query = "\n".join(message.content for message in latest)
        return self.read_summary_memory(query, k) if query else ""

    def update_summary(
        self,
        memory_id: Id,
        text: str | None = None,
        metadata: Metadata = None,
        reason: str | None = None,
    ) -> str:
        """Change a summary's text, or merge metadata into it."""
        return self._update("summary", memory_id, text, metadata, reason)

    def delete_summary(self, memory_id: Id, reason: str | None = None) -> bool:
        """Delete a summary and unmark what it condensed; say whether there was one."""
        table, messages = self._tables["summary"], self.conversation_table
        return self._work.run(
            lambda c: summary.delete(c, memory_id, reason, store=table, messages_in=messages)
        )

    # what the vector stores have in common

    def _str(self, work: Callable[[Connection], UUID]) -> str:
        """Ids of vector memories are text, as PGVectorStore returns them."""
        return str(self._work.run(work))

    def _write(self, kind: str, text: str, metadata: Metadata) -> str:
        table = self._tables[kind]
        vector = self._embed_new(table, text)
        return self._str(lambda c: vector_memory.write(c, table, text, vector, metadata))

    def _read(self, kind: str, query: str, k: int, filter: Metadata = None) -> str:
        vector, table = self._embed_query(kind, query), self._tables[kind]
        found: list[Memory] = self._work.run(
            lambda c: vector_search.search(c, table, vector, k, filter)
        )
        return blocks.passages(kind, found)

    def _update(
        self, kind: str, memory_id: Id, text: str | None, metadata: Metadata, reason: str | None
    ) -> str:
        table = self._tables[kind]
        vector = None if text is None else self._embed_text(table, text)
        return self._str(
            lambda c: vector_memory.update(c, table, memory_id, text, vector, metadata, reason)
        )

    def _delete(self, kind: str, memory_id: Id, reason: str | None) -> bool:
        table = self._tables[kind]
        return self._work.run(lambda c: vector_memory.delete(c, table, memory_id, reason))

    def _embed_new(self, table: VectorTable, text: str) -> Vector | None:
        """The vector of a text, or None if it is stored with one."""
        known = self._work.run(lambda c: vector_memory.find(c, table, text))
        return None if known and not known[1] else self._embed_text(table, text)

    def _embed_text(self, table: VectorTable, text: str) -> Vector:
        (vector,) = self._embeddings[table.kind].embed_documents([clean_text(text)])
        return vector

    def _embed_query(self, kind: str, query: str) -> Vector:
        return self._embeddings[kind].embed_query(clean_text(query))
