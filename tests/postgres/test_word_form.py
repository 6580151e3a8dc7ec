"""Words stored by an older program are spelled anew once, and a stop on the way costs nothing."""

from __future__ import annotations

from contextlib import suppress

from arxivscout.embedding import Embedder, EmbeddingIdentity
from arxivscout.ingest import ingest_papers
from arxivscout.ingest_fulltext import ingest_full_texts
from arxivscout.memory import word_form
from arxivscout.memory.document import write
from arxivscout.memory.opening import is_ready, open_database
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import Paper
from arxivscout.papers.fulltext import Block, FullText, Section
from arxivscout.settings import Settings
from arxivscout.sources.documents import Document

PAPERS = [
    Paper(
        arxiv_id=f"2401.{n:05d}", title=f"Growth of MoS$_2$ on wafer {n}",
        abstract="Layers of WS$_2$ and the equation of Schr\\\"odinger.",
        authors=("Jan N{\\o}rg{\\aa}rd",),
    )
    for n in range(1, 8)
]  # fmt: skip

TEXT = Document(
    arxiv_id="2401.00001",
    source="text.jsonl",
    paper=PAPERS[0],
    text=FullText(
        kind="records",
        sections=(
            Section((), (Block("Films of H$_2$O stay out."),)),
            Section(("Growth", "Of WSe$_2$"), (Block("Vapour of SeO$_2$ flows for an hour."),)),
        ),
    ),
)

WORDS = "SELECT arxiv_id, content_tsv::text, authors_tsv::text FROM semantic_memory ORDER BY 1, 2"
PASSAGE_WORDS = "SELECT position, content_tsv::text FROM passage_memory ORDER BY 1"
OLD = """
UPDATE passage_memory SET content_tsv = to_tsvector('english', content);
UPDATE semantic_memory SET content_tsv = to_tsvector('english', content);
UPDATE word_form SET form = 0, done_to = NULL;
"""


def words(database: Database) -> list[tuple[str, ...]]:
    with database.shared() as conn:
        return conn.execute(WORDS).fetchall() + conn.execute(PASSAGE_WORDS).fetchall()


def found(database: Database, text: str) -> int:
    with database.shared() as conn:
        hits = search_papers(conn, text=text, vector=None)
    return sum(hit.legs["lexical"] > 0.5 for hit in hits)


def test_old_words_are_spelled_anew_when_the_database_is_opened(
    settings: Settings, database: Database, embedder: Embedder, identity: EmbeddingIdentity
) -> None:
    ingest_papers(database, embedder, PAPERS)
    ingest_full_texts(database, embedder, [TEXT], ask=lambda _: ())
    with database.shared() as conn:
        write(conn, "A text of H$_2$O", embedder.embed_query("water"), {"title": "A text"})
    new = words(database)
    with database.admin() as conn:
        conn.execute(OLD)
    assert words(database) != new and found(database, "MoS2") == 0
    assert not is_ready(database, identity)
    said: list[str] = []
    open_database(settings, identity=identity, notice=said.append).close()
    assert words(database) == new and found(database, "MoS2") == 7
    assert is_ready(database, identity) and len(said) == 1


def test_it_goes_on_where_it_was_stopped(database: Database, embedder: Embedder) -> None:
    ingest_papers(database, embedder, PAPERS)
    ingest_full_texts(database, embedder, [TEXT], ask=lambda _: ())
    new = words(database)
    with database.admin() as conn:
        conn.execute(OLD)

    class Stopped(Exception):
        pass

    def stop(_: str) -> None:
        raise Stopped

    with database.admin() as conn:
        conn.autocommit = True
        with suppress(Stopped):
            word_form.write_words_anew(conn, stop)
        # as if two had been done
        conn.execute(
            "UPDATE word_form SET done_to = ("
            " SELECT langchain_id FROM (SELECT langchain_id FROM semantic_memory"
            "  UNION ALL SELECT langchain_id FROM passage_memory) AS either"
            " ORDER BY 1 OFFSET 1 LIMIT 1)"
        )
        word_form.write_words_anew(conn, lambda _: None)
    changed = [old != now for old, now in zip(words(database), new, strict=True)]
    assert sum(changed) == 2  # of papers and passages those that it was told were done
