"""Our tables as LangChain's PGVectorStores, and tables of other names."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_postgres import PGEngine, PGVectorStore
from langchain_postgres.v2.indexes import DistanceStrategy, HNSWIndex

from arxivscout import (
    MemoryManager,
    StoreManager,
    create_conversational_history_table,
    create_tool_log_table,
)
from arxivscout.errors import DatabaseError, EmbeddingMismatch, UsageError
from arxivscout.memory.postgres import Database

NAMES = {
    "knowledge_base": "semantic_memory",
    "workflow": "workflow_memory",
    "toolbox": "toolbox_memory",
    "entity": "entity_memory",
    "summary": "summary_memory",
}
EMBEDDING = DeterministicFakeEmbedding(size=384)
INDEXES = ["knowledge_base_hnsw", "workflow_hnsw", "toolbox_hnsw", "entity_hnsw", "summary_hnsw"]


class Engines:
    """Engines of several people on one database."""

    def __init__(self) -> None:
        self.made: list[PGEngine] = []

    def __call__(self, url: str) -> PGEngine:
        self.made.append(PGEngine.from_connection_string(url))
        return self.made[-1]


@pytest.fixture
def engines() -> Iterator[Engines]:
    engines = Engines()
    yield engines
    for engine in engines.made:
        asyncio.run(engine.close())


def opened(engine: PGEngine, names: dict[str, str] = NAMES, size: int = 384) -> StoreManager:
    cosine = DistanceStrategy.COSINE_DISTANCE
    return StoreManager(
        engine, EMBEDDING, names, cosine, "conversational_memory", size, "tool_log_memory"
    )


def five(manager: StoreManager) -> list[PGVectorStore]:
    return [
        manager.get_knowledge_base_store(),
        manager.get_workflow_store(),
        manager.get_toolbox_store(),
        manager.get_entity_store(),
        manager.get_summary_store(),
    ]


def test_each_of_the_five_is_a_vector_store(database: Database, engines: Engines) -> None:
    for store in five(opened(engines(database.user_url("ann", driver=True)))):
        assert isinstance(store, PGVectorStore)
        ids = store.add_texts(["one", "two", "three"], metadatas=[{"n": i} for i in range(3)])
        vector = EMBEDDING.embed_query("two")
        assert store.similarity_search("two", k=1)[0].page_content == "two"
        assert store.similarity_search("two", k=1)[0].metadata["n"] == 1
        (document, distance), *rest = store.similarity_search_with_score_by_vector(vector, k=3)
        assert (document.page_content, len(rest)) == ("two", 2)
        assert distance == pytest.approx(0, abs=1e-5)
        assert store.similarity_search_by_vector(vector, k=2)[0].id == ids[1]
        assert len(store.similarity_search_with_score("two", k=3)) == 3
        assert store.similarity_search("two", k=3, filter={"n": {"$gte": 2}})[0].id == ids[2]
        assert store.max_marginal_relevance_search("two", k=2)[0].id == ids[1]
        assert [document.id for document in store.get_by_ids(ids[:1])] == ids[:1]
        assert store.delete(ids[:2]) is True
        assert [document.id for document in store.similarity_search("two", k=9)] == ids[2:]


def test_each_of_the_five_works_without_waiting(database: Database, engines: Engines) -> None:
    async def use(store: PGVectorStore) -> None:
        ids = await store.aadd_texts(["one", "two"])
        vector = EMBEDDING.embed_query("two")
        assert (await store.asimilarity_search("two", k=1))[0].id == ids[1]
        assert (await store.asimilarity_search_with_score("two", k=1))[0][0].id == ids[1]
        assert (await store.asimilarity_search_by_vector(vector, k=1))[0].id == ids[1]
        assert (await store.asimilarity_search_with_score_by_vector(vector, k=1))[0][0].id == ids[1]
        assert (await store.amax_marginal_relevance_search("two", k=1))[0].id == ids[1]
        await store.adelete(ids)

    async def use_all(stores: list[PGVectorStore]) -> None:
        for store, index in zip(stores, INDEXES, strict=True):
            await use(store)
            await store.aapply_vector_index(HNSWIndex(name=index))
        await stores[0].aapply_hybrid_search_index()

    stores = five(opened(engines(database.user_url("ann", driver=True))))
    asyncio.run(use_all(stores))


def test_people_see_their_own_and_share_the_papers(database: Database, engines: Engines) -> None:
    ann = five(opened(engines(database.user_url("ann", driver=True))))
    bob = five(opened(engines(database.user_url("bob", driver=True))))
    for store in ann:
        store.add_texts(["Ann's"])
    seen = [len(store.similarity_search("Ann's")) for store in bob]
    assert seen == [1, 0, 0, 0, 0]


def test_a_hybrid_search_goes_by_its_own_words(database: Database, engines: Engines) -> None:
    """The library keeps the first query's, and gives back five rows at most."""
    store = opened(engines(database.user_url("ann", driver=True))).get_knowledge_base_store()
    store.add_texts([f"common {word}" for word in "apple pear plum fig lime date kiwi".split()])
    for word in ("kiwi", "apple", "fig"):
        found = [document.page_content for document in store.similarity_search(word, k=3)]
        assert f"common {word}" in found[:2]
    assert len(store.similarity_search("common", k=7)) == 7
    assert len(store.similarity_search_by_vector(EMBEDDING.embed_query("x"), k=7)) == 7


def test_what_the_manager_writes_the_store_reads(database: Database, engines: Engines) -> None:
    stores = opened(engines(database.user_url("ann", driver=True)))
    manager = MemoryManager.for_user(database, EMBEDDING, "ann")
    paper = {"arxiv_id": "0704.0001", "subjects": "hep-ph", "title": "A", "year": 2007}
    memory_id = manager.write_knowledge_base("A calculation of diphotons", paper)
    (document,) = stores.get_knowledge_base_store().similarity_search("diphotons", k=1)
    assert document.id == memory_id
    assert document.metadata == {**paper, "submission_date": None}
    assert f"({document.metadata})" in manager.read_knowledge_base("diphotons")


def test_another_dimension_is_refused(database: Database, engines: Engines) -> None:
    engine = engines(database.user_url("ann", driver=True))
    with pytest.raises(EmbeddingMismatch, match=r"384 dimensions, not 768.*reembed"):
        opened(engine, size=768)


def test_a_missing_name_is_refused(database: Database, engines: Engines) -> None:
    engine = engines(database.user_url("ann", driver=True))
    with pytest.raises(UsageError, match="lacks entity, summary"):
        opened(engine, {k: v for k, v in NAMES.items() if k not in ("entity", "summary")})


OTHER = {kind: f"My {kind}" for kind in NAMES}


def test_tables_of_other_names_are_made(database: Database, engines: Engines) -> None:
    """By the schema's owner; then the application uses them like its own, row security included."""
    with psycopg.connect(database.admin_url) as owner:
        conversations = create_conversational_history_table(owner, "talks")
        logs = create_tool_log_table(owner, "calls")
    url = database.admin_user_url().replace("postgresql://", "postgresql+psycopg://", 1)
    owner_engine = engines(url)
    made = opened(owner_engine, OTHER)
    made.get_knowledge_base_store().apply_hybrid_search_index()
    made.get_workflow_store().apply_vector_index(HNSWIndex(name="my_workflow_hnsw"))

    ann, bob = (
        MemoryManager(
            database,
            conversations,
            *five(opened(engines(database.user_url(user, driver=True)), OTHER)),
            logs,
            user=user,
        )
        for user in ("ann", "bob")
    )
    for memory in (ann, bob, ann):
        memory.write_workflow("search, read")
        memory.write_entity("likes new papers", {"category": "preference", "name": "age"})
        memory.write_knowledge_base("Paper", {"arxiv_id": "0704.0001"})
        memory.write_toolbox("search")
    message = ann.write_conversational_memory("t", "user", "hello")
    ann.write_summary("They said hello", {"message_ids": [message]})
    ann.write_tool_log("t", "search", {"q": 1})
    assert "hello" in ann.read_conversational_memory("t")
    assert "search" in ann.read_tool_logs("t")
    assert "(no result)" in bob.read_conversational_memory("t")
    assert "(no result)" in bob.read_tool_logs("t")
    for memory in (ann, bob):
        for read in (memory.read_workflow, memory.read_entity, memory.read_knowledge_base):
            assert "[1]" in read("x")
            assert "[2]" not in read("x")
    with database.transaction("ann") as conn:
        assert conn.execute("SELECT count(*) FROM workflow_memory").fetchone() == (0,)
        names = {row[0] for row in conn.execute("SELECT indexname FROM pg_indexes")}
    assert {"idx_talks_thread_id", "idx_talks_timestamp", "idx_calls_status"} <= names
    assert {"idx_calls_thread_ts", "idx_calls_tool_name", "my_workflow_hnsw"} <= names


def test_the_application_may_not_make_tables(database: Database, engines: Engines) -> None:
    with (
        psycopg.connect(database.user_url("ann")) as conn,
        pytest.raises(DatabaseError, match=r"table talks is not there.*db url --admin"),
    ):
        create_conversational_history_table(conn, "talks")
    with pytest.raises(DatabaseError, match="can't be created"):
        opened(engines(database.user_url("ann", driver=True)), OTHER)


def test_a_name_is_never_read_as_sql(database: Database) -> None:
    name = 'x"; DROP TABLE turn; --'
    with psycopg.connect(database.admin_url) as owner:
        assert create_tool_log_table(owner, name) == name
        assert owner.execute("SELECT to_regclass('turn')").fetchone() == ("turn",)
        manager = MemoryManager.for_user(database, EMBEDDING, "ann")
        manager.tool_log_table = name
        log_id = manager.write_tool_log("t", "search")
        assert isinstance(log_id, uuid.UUID)


def test_the_tables_are_found_from_a_pool_and_from_a_database(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    from psycopg_pool import ConnectionPool

    assert create_tool_log_table(database) == "tool_log_memory"
    with ConnectionPool(database.user_url("ann"), min_size=1, open=True) as pool:
        assert create_conversational_history_table(pool) == "conversational_memory"
    assert capsys.readouterr().out.count("created successfully with indexes") == 2
