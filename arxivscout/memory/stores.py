"""StoreManager: the handles of all stores, and the two SQL tables, under the contract's names.

Nothing is ever dropped: a table that is there is opened as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, LiteralString

import psycopg

from arxivscout.errors import DatabaseError, EmbeddingMismatch, UsageError
from arxivscout.memory import conversation, other_tables, tool_log
from arxivscout.memory.document import COLUMNS
from arxivscout.memory.postgres import Database
from arxivscout.memory.unit_of_work import UnitOfWork

if TYPE_CHECKING:
    import psycopg_pool
    from langchain_core.embeddings import Embeddings
    from langchain_postgres import PGEngine
    from langchain_postgres.v2.indexes import DistanceStrategy

    from arxivscout.memory.vector_store import ScoutVectorStore

# Whose form a store's table has.
_TEMPLATES = {
    "knowledge_base": "semantic_memory",
    "workflow": "workflow_memory",
    "toolbox": "toolbox_memory",
    "entity": "entity_memory",
    "summary": "summary_memory",
}


def create_conversational_history_table(
    conn: psycopg.Connection[Any] | psycopg_pool.ConnectionPool[Any] | Database,
    table_name: str = conversation.TABLE,
) -> str:
    """See that the table of conversational memory is there, and return its name.

    Raises:
        DatabaseError: it is not, and this login may not create it.
    """
    return _create_table(conn, table_name, conversation.TABLE)


def create_tool_log_table(
    conn: psycopg.Connection[Any] | psycopg_pool.ConnectionPool[Any] | Database,
    table_name: str = tool_log.TABLE,
) -> str:
    """See that the table of tool logs is there, and return its name.

    Raises:
        DatabaseError: it is not, and this login may not create it.
    """
    return _create_table(conn, table_name, tool_log.TABLE)


def _create_table(
    conn: psycopg.Connection[Any] | psycopg_pool.ConnectionPool[Any] | Database,
    table: str,
    template: LiteralString,
) -> str:
    def create(c: psycopg.Connection[Any]) -> None:
        names = {"table": table, "template": template}
        if c.execute(other_tables.FIND, names).fetchone() is None:
            c.execute(other_tables.NAME_COPY, names)
            c.execute(other_tables.COPY)

    try:
        UnitOfWork(conn, user="nobody").run(create)
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedTable) as error:
        raise _cannot_create(table, error) from error
    except psycopg.errors.DuplicateTable:
        pass  # another process was faster
    print(f"Table {table} created successfully with indexes")  # noqa: T201 (the contract's line)
    return table


class StoreManager:
    """Opens the five vector stores as PGVectorStores, and knows the names of the SQL tables."""

    def __init__(
        self,
        engine: PGEngine,
        embedding_function: Embeddings,
        table_names: Mapping[str, str],
        distance_strategy: DistanceStrategy,
        conversational_table: str,
        vector_size: int = 768,
        tool_log_table: str | None = None,
    ) -> None:
        """Args:
        engine: on `Database.user_url(user, driver=True)`: bound to one person.
        embedding_function: the embedder that made the stored vectors.
        table_names: of knowledge_base, workflow, toolbox, entity and summary.
        distance_strategy: for the returned stores; our indexes serve cosine distance, and
            `MemoryManager` always goes by it.
        vector_size: the embedder's dimension.

        Raises:
            EmbeddingMismatch: the stored vectors have another dimension.
            DatabaseError: a table is missing, and this login may not create it.
        """
        if missing := _TEMPLATES.keys() - table_names.keys():
            raise UsageError(f"table_names lacks {', '.join(sorted(missing))}.")
        self.engine = engine
        self.embedding_function = embedding_function
        self.distance_strategy = distance_strategy
        self.vector_size = vector_size
        self._conversational_table = conversational_table
        self._tool_log_table = tool_log_table
        stores = {kind: self._open(kind, table_names[kind]) for kind in _TEMPLATES}
        self._knowledge_base_vs = stores["knowledge_base"]
        self._workflow_vs = stores["workflow"]
        self._toolbox_vs = stores["toolbox"]
        self._entity_vs = stores["entity"]
        self._summary_vs = stores["summary"]

    def _open(self, kind: str, table: str) -> ScoutVectorStore:
        from langchain_postgres.v2.hybrid_search_config import (
            HybridSearchConfig,
            weighted_sum_ranking,
        )

        from arxivscout.memory.vector_store import ScoutVectorStore

        template = _TEMPLATES[kind]
        schema, dimension = self.engine._run_as_sync(_found_or_made(self.engine, table, template))
        if dimension not in (-1, self.vector_size):
            raise EmbeddingMismatch(
                f"The vectors in {table} have {dimension} dimensions, not {self.vector_size}.",
                "Use the embedder that made them, or run `arxivscout db reembed`.",
            )
        hybrid = None
        if kind == "knowledge_base":
            hybrid = HybridSearchConfig(
                tsv_column="content_tsv",
                tsv_lang="pg_catalog.english",
                fusion_function=weighted_sum_ranking,
                primary_top_k=5,
                secondary_top_k=5,
                index_name=_text_index(table),
                index_type="GIN",
            )
        store = ScoutVectorStore.create_sync(
            engine=self.engine,
            embedding_service=self.embedding_function,
            table_name=table,
            schema_name=schema,
            metadata_columns=list(COLUMNS) if kind == "knowledge_base" else [],
            distance_strategy=self.distance_strategy,
            hybrid_search_config=hybrid,
        )
        assert isinstance(store, ScoutVectorStore)
        store.hybrid = hybrid
        return store

    def get_knowledge_base_store(self) -> ScoutVectorStore:
        """Return the knowledge base vector store."""
        return self._knowledge_base_vs

    def get_workflow_store(self) -> ScoutVectorStore:
        """Return the workflow vector store."""
        return self._workflow_vs

    def get_toolbox_store(self) -> ScoutVectorStore:
        """Return the toolbox vector store."""
        return self._toolbox_vs

    def get_entity_store(self) -> ScoutVectorStore:
        """Return the entity vector store."""
        return self._entity_vs

    def get_summary_store(self) -> ScoutVectorStore:
        """Return the summary vector store."""
        return self._summary_vs

    def get_conversational_table(self) -> str:
        """Return the conversational history table name."""
        return self._conversational_table

    def get_tool_log_table(self) -> str | None:
        """Return the tool log table name."""
        return self._tool_log_table


def _text_index(table: str) -> str:
    """The full text index's name, one for each table; the library does not quote it."""
    return (
        "kb_tsv_index" if table == "semantic_memory" else re.sub(r"\W", "_", f"{table}_tsv").lower()
    )


async def _found_or_made(engine: PGEngine, table: str, template: str) -> tuple[str, int]:
    """(schema, dimension of the vectors) of a store's table, made like `template` if missing."""
    from sqlalchemy import text
    from sqlalchemy.exc import ProgrammingError

    names = {"table": table, "template": template}
    try:
        async with engine._pool.begin() as conn:
            found = (await conn.exec_driver_sql(other_tables.FIND, names)).fetchone()
            if found is None:
                await conn.exec_driver_sql(other_tables.NAME_COPY, names)
                await conn.execute(text(other_tables.COPY))
                found = (await conn.exec_driver_sql(other_tables.FIND, names)).one()
    except ProgrammingError as error:
        raise _cannot_create(table, error.orig or error) from error
    return tuple(found)


def _cannot_create(table: str, error: BaseException) -> DatabaseError:
    reason = str(error).partition("\n")[0]
    return DatabaseError(
        f"The table {table} is not there, and can't be created: {reason}.",
        "Run `arxivscout db migrate`, or connect as `arxivscout db url --admin` says.",
    )
