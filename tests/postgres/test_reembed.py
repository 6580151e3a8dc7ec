"""Another embedder: refused at opening; then all vectors anew, also after a stop in the middle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from arxivscout.app import open_services
from arxivscout.embedding import Embedder, load_embedder
from arxivscout.embedding.foreign import Foreign
from arxivscout.errors import EmbeddingMismatch
from arxivscout.ingest import ingest_papers, reembed
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.memory.vector_columns import VECTOR_INDEXES
from arxivscout.papers import Paper
from arxivscout.settings import Settings

PAPERS = [
    Paper(arxiv_id=f"2401.{i:05d}", title=f"Paper number {i}", abstract=f"It is about {i}.")
    for i in range(1, 121)
]


@pytest.fixture
def other() -> Embedder:
    """Another model, of another dimension."""
    return Foreign("other:12", DeterministicFakeEmbedding(size=12), "another fingerprint")


@pytest.fixture
def filled(database: Database, embedder: Embedder) -> Database:
    ingest_papers(database, embedder, PAPERS)
    for user in ("ada", "bob"):
        with database.transaction(user) as conn:
            conn.execute(
                "INSERT INTO entity_memory (content, embedding, category) "
                "VALUES (%s, %s::vector, 'preference')",
                [f"{user} likes it short", str(embedder.embed_query(user))],
            )
    return database


def vectors(database: Database, table: str) -> dict[str, np.ndarray]:
    with database.admin() as admin:
        rows = admin.execute(f"SELECT content, embedding::text FROM arxivscout.{table}").fetchall()
    return {content: np.array(text.strip("[]").split(","), float) for content, text in rows}


def test_every_row_of_everybody_gets_a_vector_of_the_new_model(
    filled: Database, settings: Settings, other: Embedder, embedder: Embedder
) -> None:
    with pytest.raises(EmbeddingMismatch, match=r"all-MiniLM.*384.*other:12.*db reembed"):
        open_database(settings, identity=other.identity)
    told: list[tuple[int, int]] = []
    assert reembed(filled, other, lambda done, total: told.append((done, total))) == 122
    assert told[0] == (0, 122) and told[-1] == (122, 122)
    for table, rows in {"semantic_memory": 120, "entity_memory": 2}.items():
        made = vectors(filled, table)
        assert len(made) == rows
        for content in list(made)[:5]:
            assert np.allclose(made[content], other.embed_query(content), atol=1e-4)
    open_database(settings, identity=other.identity).close()
    with pytest.raises(EmbeddingMismatch):
        open_database(settings, identity=embedder.identity)
    with filled.admin() as admin:
        indexes = admin.execute("SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%_hnsw'")
        assert indexes.fetchone() == (len(VECTOR_INDEXES),)
        changes = "SELECT count(*) FROM arxivscout.change_log WHERE action <> 'insert'"
        assert admin.execute(changes).fetchone() == (0,)
        assert admin.execute("SELECT to_regclass('arxivscout.reembedding')").fetchone() == (None,)
    assert reembed(filled, other) == 0


class Stopped(Exception):
    pass


def test_stopped_in_the_middle_it_keeps_the_old_and_goes_on(
    filled: Database, settings: Settings, other: Embedder, embedder: Embedder
) -> None:
    before = vectors(filled, "semantic_memory")

    def stop(done: int, total: int) -> None:
        if done >= 96:
            raise Stopped

    with pytest.raises(Stopped):
        reembed(filled, other, stop)
    # The old model works on, and the new one is told that the work is half done.
    database = open_database(settings, identity=embedder.identity)
    database.close()
    after = vectors(filled, "semantic_memory")
    assert all(np.array_equal(after[content], before[content]) for content in before)
    with pytest.raises(EmbeddingMismatch, match="re-embedding is unfinished"):
        open_database(settings, identity=other.identity)
    # What changes in the meantime is not forgotten.
    news = Paper(arxiv_id="2401.00001", title="Changed", abstract="Changed.", version=2)
    late = Paper(arxiv_id="2402.00001", title="Late", abstract="Late.")
    ingest_papers(filled, embedder, [news, late])
    with filled.shared() as conn:
        assert conn.execute("SELECT count(*) FROM reembedding").fetchone() == (0,)  # not theirs

    assert reembed(filled, other) in range(26, 30)
    made = vectors(filled, "semantic_memory")
    assert len(made) == 121
    for content in ("Changed\nChanged.", "Late\nLate.", "Paper number 7\nIt is about 7."):
        assert np.allclose(made[content], other.embed_query(content), atol=1e-4)
    open_database(settings, identity=other.identity).close()


def test_another_model_in_the_middle_begins_anew(
    filled: Database, settings: Settings, other: Embedder
) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 48:
            raise Stopped

    with pytest.raises(Stopped):
        reembed(filled, other, stop)
    third = Foreign("third:20", DeterministicFakeEmbedding(size=20), "a third fingerprint")
    assert reembed(filled, third) == 122
    open_database(settings, identity=third.identity).close()
    assert all(len(v) == 20 for v in vectors(filled, "semantic_memory").values())


def test_papers_that_are_used_come_first(filled: Database, other: Embedder) -> None:
    texts: list[str] = []

    class Noting(Foreign):
        def embed_array(self, given: Sequence[str]) -> np.ndarray:
            texts.extend(given)
            return super().embed_array(given)

    with filled.transaction("ada") as conn:
        conn.execute("INSERT INTO paper_mark (arxiv_id) VALUES ('2401.00099'), ('2401.00050')")
        for _ in range(2):
            conn.execute(
                "INSERT INTO turn (turn_id, thread_id, question, citations)"
                " VALUES (gen_random_uuid(), 't', 'what?', %s)",
                ['[{"arxiv_id": "2401.00050"}, {"arxiv_id": "2401.00101"}]'],
            )
    noting = Noting("other:12", DeterministicFakeEmbedding(size=12), "another fingerprint")
    assert reembed(filled, noting) == 122
    assert [text.splitlines()[0] for text in texts[:3]] == [
        "Paper number 50", "Paper number 101", "Paper number 99",
    ]  # fmt: skip


def test_searches_and_writers_go_on_until_the_vectors_change_places(
    filled: Database, settings: Settings, embedder: Embedder, other: Embedder
) -> None:
    found: list[str] = []

    def look(done: int, total: int) -> None:
        if done == total:  # the vectors change places
            return
        with filled.shared() as conn:
            hits = search_papers(conn, text="", vector=embedder.embed_query("Paper number 7"), k=1)
        found.extend(hit.paper.arxiv_id for hit in hits)

    reembed(filled, other, look)
    assert len(found) >= 3 and set(found) == {"2401.00007"}
    database = open_database(settings, identity=other.identity)
    with database.shared() as conn:
        hits = search_papers(
            conn, text="", vector=other.embed_query("Paper number 7\nIt is about 7."), k=1
        )
    database.close()
    assert [hit.paper.arxiv_id for hit in hits] == ["2401.00007"]


def test_after_it_the_default_commands_take_the_database_as_it_is(
    filled: Database, settings: Settings
) -> None:
    static = load_embedder(settings.model_copy(update={"embedding": "static"}))
    reembed(filled, static)
    unnamed = Settings(**settings.model_dump(exclude_unset=True, exclude={"embedding"}))
    with open_services(unnamed) as services:
        assert services.embedder.identity == static.identity
        assert services.settings.embedding == "static"
    with (
        pytest.raises(EmbeddingMismatch, match="the settings name all-MiniLM"),
        open_services(settings.model_copy(update={"embedding": "minilm"})),
    ):
        pass
