"""The contract, sections 1 to 9, step by step as its text has them.

Four things are other than there: the connection, the embedder, where the papers come from, and that
nothing is dropped.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import psycopg
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_postgres import PGEngine
from langchain_postgres.v2.indexes import DistanceStrategy, HNSWIndex

from arxivscout import (
    MemoryManager,
    StoreManager,
    create_conversational_history_table,
    create_tool_log_table,
)
from arxivscout.memory.postgres import Database

PAPERS = [
    {
        "arxiv_id": "0712.2288",
        "title": "CP Measurement in Quantum Teleportation of Neutral Mesons",
        "subjects": "quant-ph; hep-ph",
        "abstract": "Quantum teleportation using neutral pseudoscalar mesons shows novel features.",
        "submission_date": "2007-12-14",
    },
    {
        "arxiv_id": "1501.00001",
        "title": "Paths of small probes to the outer planets",
        "primary_subject": "astro-ph.EP",
        "abstract": " We plan missions of light spacecraft to Neptune and beyond. ",
        "submission_date": "2015-01-01",
    },
    {
        "arxiv_id": "hep-th/9901001",
        "title": "Branes and their boundaries",
        "subjects": "hep-th",
        "abstract": None,
        "submission_date": "1999-01-01",
    },
    {"arxiv_id": "1501.00002", "title": " ", "subjects": None, "abstract": ""},
]


@pytest.fixture(params=[384, 768])
def size(request: pytest.FixtureRequest) -> int:
    """The embedder's dimension: the default's, and the one of the contract's model."""
    return int(request.param)


@pytest.fixture
def stores(size: int, request: pytest.FixtureRequest) -> tuple[Database, Embeddings]:
    if size == 384:
        return request.getfixturevalue("database"), request.getfixturevalue("embedder")
    return request.getfixturevalue("database_768"), DeterministicFakeEmbedding(size=768)


@pytest.fixture
def urls(stores: tuple[Database, Embeddings]) -> tuple[str, str]:
    database, _ = stores
    return database.user_url("ann"), database.user_url("ann", driver=True)


@pytest.fixture
def database_connection(urls: tuple[str, str]) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(urls[0]) as connection:
        yield connection


@pytest.fixture
def pg_engine(urls: tuple[str, str]) -> Iterator[PGEngine]:
    engine = PGEngine.from_connection_string(url=urls[1])
    yield engine
    asyncio.run(engine.close())


def test_walkthrough(
    database_connection: psycopg.Connection[Any],
    pg_engine: PGEngine,
    stores: tuple[Database, Embeddings],
    size: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # 1. Connection
    with database_connection.cursor() as cur:
        cur.execute("CREATE EXTENSION IF NOT EXISTS vector")
    database_connection.commit()
    assert database_connection.info.user == "arxivscout_app"

    # 2. The embedder
    _, embedding_model = stores

    # 3. The tables' names; nothing is dropped
    CONVERSATIONAL_TABLE = "conversational_memory"
    KNOWLEDGE_BASE_TABLE = "semantic_memory"
    WORKFLOW_TABLE = "workflow_memory"
    TOOLBOX_TABLE = "toolbox_memory"
    ENTITY_TABLE = "entity_memory"
    SUMMARY_TABLE = "summary_memory"
    TOOL_LOG_TABLE = "tool_log_memory"

    # 4. The SQL tables, twice: they are there, and stay
    for _ in range(2):
        CONVERSATION_HISTORY_TABLE = create_conversational_history_table(
            database_connection, CONVERSATIONAL_TABLE
        )
        TOOL_LOG_HISTORY_TABLE = create_tool_log_table(database_connection, TOOL_LOG_TABLE)
        assert capsys.readouterr().out == (
            "Table conversational_memory created successfully with indexes\n"
            "Table tool_log_memory created successfully with indexes\n"
        )

    # 5. The vector stores
    store_manager = StoreManager(
        engine=pg_engine,
        embedding_function=embedding_model,
        table_names={
            "knowledge_base": KNOWLEDGE_BASE_TABLE,
            "workflow": WORKFLOW_TABLE,
            "toolbox": TOOLBOX_TABLE,
            "entity": ENTITY_TABLE,
            "summary": SUMMARY_TABLE,
        },
        distance_strategy=DistanceStrategy.COSINE_DISTANCE,
        conversational_table=CONVERSATION_HISTORY_TABLE,
        vector_size=size,
        tool_log_table=TOOL_LOG_HISTORY_TABLE,
    )
    conversation_table = store_manager.get_conversational_table()
    knowledge_base_vs = store_manager.get_knowledge_base_store()
    workflow_vs = store_manager.get_workflow_store()
    toolbox_vs = store_manager.get_toolbox_store()
    entity_vs = store_manager.get_entity_store()
    summary_vs = store_manager.get_summary_store()
    tool_log_table = store_manager.get_tool_log_table()
    assert (conversation_table, tool_log_table) == ("conversational_memory", "tool_log_memory")

    # 6. The indexes
    knowledge_base_vs.apply_vector_index(
        HNSWIndex(name="knowledge_base_hnsw", m=16, ef_construction=64)
    )
    workflow_vs.apply_vector_index(HNSWIndex(name="workflow_hnsw"))
    toolbox_vs.apply_vector_index(HNSWIndex(name="toolbox_hnsw"))
    entity_vs.apply_vector_index(HNSWIndex(name="entity_hnsw"))
    summary_vs.apply_vector_index(HNSWIndex(name="summary_hnsw"))
    knowledge_base_vs.apply_hybrid_search_index()

    # 7. The Memory Manager
    memory_manager = MemoryManager(
        conn=database_connection,
        conversation_table=CONVERSATION_HISTORY_TABLE,
        knowledge_base_vs=knowledge_base_vs,
        workflow_vs=workflow_vs,
        toolbox_vs=toolbox_vs,
        entity_vs=entity_vs,
        summary_vs=summary_vs,
        tool_log_table=TOOL_LOG_HISTORY_TABLE,
    )
    check_empty_blocks(memory_manager)

    # 8. Writing to the knowledge base, twice: the second run changes nothing
    for _ in range(2):
        for paper in islice(PAPERS, 100):
            title = (paper.get("title") or "").strip()
            abstract = (paper.get("abstract") or "").strip()
            subjects = (paper.get("subjects") or paper.get("primary_subject") or "").strip()
            submission_date = (paper.get("submission_date") or "").strip()
            if not (title or abstract or subjects):
                continue
            text = "\n".join([part for part in (title, subjects, abstract) if part])
            memory_manager.write_knowledge_base(
                text=text,
                metadata={
                    "arxiv_id": paper.get("arxiv_id"),
                    "title": title,
                    "subjects": subjects,
                    "abstract": abstract,
                    "submission_date": submission_date,
                },
            )

    # 9. Reading from it
    results = memory_manager.read_knowledge_base(query="space exploration")
    check_papers(results, nearest_is_known=size == 384)
    check_every_other_memory(memory_manager)
    assert database_connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


KNOWLEDGE_HEAD = (
    "MEMORY TYPE: Knowledge Base Memory (semantic memory)\n\n"
    "DESCRIPTION: Contains domain knowledge ingested from external sources. "
    "Query this memory with natural language questions about the domain.\n\n"
    "USAGE: Use the retrieved passages as factual grounding. Cite the source metadata "
    "when relevant. Do not invent information that is not present here.\n\n"
    "RETRIEVED PASSAGES:\n"
)


def check_empty_blocks(memory: MemoryManager) -> None:
    assert memory.read_knowledge_base("anything") == KNOWLEDGE_HEAD + "(no result)"
    assert memory.read_workflow("anything") == (
        "MEMORY TYPE: Workflow Memory (procedural memory)\n\n"
        "DESCRIPTION: Contains sequences of steps already executed by the agent, with their "
        "outcome.\n\n"
        "USAGE: Reuse a past workflow when the current task resembles it. Prefer the ones that "
        "succeeded.\n\n"
        "RETRIEVED PASSAGES:\n(no result)"
    )
    assert memory.read_conversational_memory("t") == (
        "MEMORY TYPE: Conversational Memory (episodic memory)\n\n"
        "DESCRIPTION: Contains the chat history of the current thread, in chronological order."
        "\n\n"
        "USAGE: Use it to keep continuity with what has already been said in this thread.\n\n"
        "CONVERSATION HISTORY:\n(no result)"
    )
    assert memory.read_tool_logs("t") == (
        "MEMORY TYPE: Tool Log (audit trail)\n\n"
        "DESCRIPTION: Contains raw input/output and execution status of past tool calls.\n\n"
        "USAGE: Use it to check whether a tool has already been called and how it failed.\n\n"
        "TOOL EXECUTIONS:\n(no result)"
    )
    assert memory.read_summary_context("t") == ""


def check_papers(results: str, nearest_is_known: bool) -> None:
    passages = {
        "Paths of small probes to the outer planets\nastro-ph.EP\n"
        "We plan missions of light spacecraft to Neptune and beyond.   "
        "({'title': 'Paths of small probes to the outer planets', "
        "'abstract': 'We plan missions of light spacecraft to Neptune and beyond.', "
        "'arxiv_id': '1501.00001', 'subjects': 'astro-ph.EP', 'submission_date': '2015-01-01'})",
        "CP Measurement in Quantum Teleportation of Neutral Mesons\nquant-ph; hep-ph\n"
        "Quantum teleportation using neutral pseudoscalar mesons shows novel features.   "
        "({'title': 'CP Measurement in Quantum Teleportation of Neutral Mesons', "
        "'abstract': 'Quantum teleportation using neutral pseudoscalar mesons shows novel "
        "features.', 'arxiv_id': '0712.2288', 'subjects': 'quant-ph; hep-ph', "
        "'submission_date': '2007-12-14'})",
        "Branes and their boundaries\nhep-th   "
        "({'title': 'Branes and their boundaries', 'abstract': '', "
        "'arxiv_id': 'hep-th/9901001', 'subjects': 'hep-th', 'submission_date': '1999-01-01'})",
    }
    assert results.startswith(KNOWLEDGE_HEAD + "[1] ")
    printed = re.split(r"\n?\[[1-3]\] ", results.removeprefix(KNOWLEDGE_HEAD))[1:]
    assert set(printed) == passages
    assert len(printed) == 3
    if nearest_is_known:
        assert printed[0].startswith("Paths of small probes to the outer planets")


def check_every_other_memory(memory: MemoryManager) -> None:
    ids = [
        memory.write_workflow("1. search 2. read", {"outcome": "success"}),
        memory.write_toolbox("search_papers: finds papers", {"name": "search_papers"}),
        memory.write_entity("Ann prefers new papers"),
        memory.write_summary("They spoke of mesons", {"thread_id": "t"}),
    ]
    assert all(isinstance(memory_id, str) for memory_id in ids)
    passages = "RETRIEVED PASSAGES:\n[1] "
    assert memory.read_workflow("search", filter={"outcome": "success"}).endswith(
        passages + "1. search 2. read   ({'outcome': 'success'})"
    )
    assert memory.read_workflow("search", k=1, filter={"outcome": "failure"}).endswith(
        "RETRIEVED PASSAGES:\n(no result)"
    )
    assert memory.read_toolbox("search").endswith(
        passages + "search_papers: finds papers   ({'name': 'search_papers'})"
    )
    assert memory.read_entity("papers").endswith(passages + "Ann prefers new papers   ({})")
    summaries = passages + "They spoke of mesons   ({'thread_id': 't'})"
    assert memory.read_summary_memory("mesons").endswith(summaries)

    memory.write_conversational_memory("t", "user", "Find papers on mesons")
    memory.write_conversational_memory("t", "assistant", "I found three")
    assert memory.read_summary_context("t").endswith(summaries)
    assert re.search(
        r"\nCONVERSATION HISTORY:\n"
        r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] user: Find papers on mesons\n"
        r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] assistant: I found three$",
        memory.read_conversational_memory("t"),
    )
    memory.write_tool_log("t", "search", {"query": "mesons"}, "3 papers", duration_ms=12)
    memory.write_tool_log("t", "search", status="timeout", error_message="took too long")
    assert re.search(
        r"\nTOOL EXECUTIONS:\n"
        r"\[\d\d:\d\d:\d\d\] search\(\{'query': 'mesons'\}\) -> success in 12 ms\n    3 papers\n"
        r"\[\d\d:\d\d:\d\d\] search\(\{\}\) -> timeout\n    took too long$",
        memory.read_tool_logs("t"),
    )
    assert "success in" not in memory.read_tool_logs("t", only_errors=True)
