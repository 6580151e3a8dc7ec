"""Full texts on a real server: stored whole, replaced whole, searched from papers down."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import psycopg
import pytest
from arxiv_server import Reply, Script, arxiv_server, entry, feed
from embedders import Counting
from langchain_core.embeddings import DeterministicFakeEmbedding
from pdf_typesetter import Part, Setting, typeset
from warm import WarmCommands

from arxivscout.embedding import Embedder
from arxivscout.embedding.foreign import Foreign
from arxivscout.embedding.remembered import Remembered
from arxivscout.embedding.whole import READ, embed_whole, mean_vector
from arxivscout.errors import SourceError
from arxivscout.ingest import IngestReport, reembed
from arxivscout.ingest_fulltext import ingest_full_texts
from arxivscout.memory.backup import backup, reset, restore
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.passage_search import (
    FLAT,
    LEXICAL_CANDIDATES,
    Breadth,
    PassageHit,
    TextFilter,
    search_passages,
)
from arxivscout.memory.passages import (
    nearest_in_words,
    outline,
    passages_of_section,
    put_full_text,
    settle_passages,
)
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper, Skipped
from arxivscout.papers.fulltext import Block, FullText, Reference, Section
from arxivscout.papers.passages import Part as Cut
from arxivscout.papers.passages import Passage
from arxivscout.sources.documents import Document

Search = Callable[..., list[PassageHit]]


def paper(arxiv_id: str, title: str, abstract: str, **fields: object) -> Paper:
    return Paper(arxiv_id=arxiv_id, title=title, abstract=abstract, **fields)  # type: ignore[arg-type]


def filler(about: str, count: int = 10) -> str:
    return " ".join(
        f"In step {i} the {about} is prepared once more and the {about} is looked at with care "
        "by two people, who write down what they see."
        for i in range(count)
    )


MESONS = Document(
    arxiv_id="0712.2288",
    source="0712.2288v2.pdf",
    version=2,
    paper=paper(
        "0712.2288", "Teleportation of neutral mesons", "Neutral mesons are teleported.",
        published="2007-12-14", categories=("quant-ph",),
    ),
    text=FullText(
        kind="pdf",
        pages=9,
        licence="http://creativecommons.org/licenses/by/4.0/",
        references=(Reference(text="[1] E. Noether, 1918. arXiv:quant-ph/9904051"),),
        sections=(
            Section(("Introduction",), (Block(filler("meson"), page=1),)),
            Section(
                ("Methods", "Detector"),
                (
                    Block(filler("calorimeter", 10), page=3),
                    Block(
                        "The calorimeter of lead glass was cooled to 77 kelvin with liquid "
                        "nitrogen before each run.", page=4,
                    ),
                    Block(filler("calorimeter", 10), page=4),
                ),
            ),
            Section(("Results",), (Block(filler("asymmetry"), page=7),)),
        ),
    ),
)  # fmt: skip
ATTENTION = Document(
    arxiv_id="1706.03762",
    source="texts.jsonl",
    paper=paper(
        "1706.03762", "Attention in networks", "Networks of attention translate languages.",
        published="2017-06-12", categories=("cs.CL",),
    ),
    text=FullText(
        kind="records",
        sections=(
            Section(("Model",), (Block(filler("attention head")),)),
            Section(
                ("Training",),
                (
                    Block(filler("optimizer")),
                    Block("The learning rate was warmed up over 4000 steps and decayed then."),
                ),
            ),
        ),
    ),
)  # fmt: skip


class Remembering(Counting):
    """The same, which makes the vectors of a text once: these tests store the same texts."""

    def __init__(self, real: Embedder) -> None:
        super().__init__(real)
        self._remembered = Remembered(real.embed_array, 1_000)

    def embed_array(self, texts: Sequence[str]) -> np.ndarray:
        return self._remembered(texts)


@pytest.fixture(scope="module")
def quick(embedder: Embedder) -> Remembering:
    return Remembering(embedder)


def nobody(arxiv_id: str) -> Iterable[Paper | Skipped]:
    raise SourceError("ArxivScout is offline: arXiv is not asked.")


def store(database: Database, embedder: Embedder, *documents: Document | Skipped) -> IngestReport:
    return ingest_full_texts(database, embedder, documents, ask=nobody)


@pytest.fixture
def search(database: Database, quick: Embedder) -> Search:
    report = store(database, quick, MESONS, ATTENTION)
    assert (report.read, report.new, report.skipped) == (2, 2, [])

    def ask(text: str, **options: object) -> list[PassageHit]:
        with database.shared() as conn:
            vector = quick.embed_query(text)
            return search_passages(conn, text=text, vector=vector, **options)[0]  # type: ignore[arg-type]

    return ask


def rows(database: Database, query: str) -> list[tuple[object, ...]]:
    with database.shared() as conn:
        return conn.execute(query.encode()).fetchall()


COUNTS = "SELECT (SELECT count(*) FROM full_text), (SELECT count(*) FROM passage_memory)"


def test_a_passage_is_found_with_its_paper_section_and_page(search: Search) -> None:
    first, *_ = search("To what temperature was the lead glass cooled?")
    assert (first.paper.arxiv_id, first.passage.path) == ("0712.2288", ("Methods", "Detector"))
    assert "77 kelvin" in first.passage.text
    assert first.passage.page is not None and first.passage.page <= 4 <= first.passage.last_page
    assert (first.kind, first.version, first.licence) == ("pdf", 2, MESONS.text.licence)
    assert 0 < first.score <= 1 and set(first.legs) == {"vector", "lexical"}
    assert first.before == first.behind == ()


def test_neighbours_come_along_when_asked(search: Search) -> None:
    first, *_ = search("lead glass cooled to 77 kelvin", around=1)
    assert first.before or first.behind
    near = [*first.before, first.passage, *first.behind]
    assert [each.page for each in near] == sorted(each.page for each in near)
    assert all(each.text != first.passage.text for each in (*first.before, *first.behind))


@pytest.mark.parametrize(
    ("filters", "papers"),
    [
        (TextFilter(), {"0712.2288", "1706.03762"}),
        (TextFilter(kind="pdf"), {"0712.2288"}),
        (TextFilter(kind="html"), set()),
        (TextFilter(licence="BY/4.0"), {"0712.2288"}),
        (TextFilter(papers=PaperFilter(category="cs")), {"1706.03762"}),
        (TextFilter(papers=PaperFilter(until="2010")), {"0712.2288"}),
        (TextFilter(papers=PaperFilter(only_ids=("1706.03762",))), {"1706.03762"}),
        (TextFilter(papers=PaperFilter(only_ids=("1706.03762",)), kind="pdf"), set()),
    ],
)
def test_filters_hold_for_papers_and_documents(
    search: Search, filters: TextFilter, papers: set[str]
) -> None:
    hits = search("the learning rate of the calorimeter", filters=filters, k=50)
    assert {hit.paper.arxiv_id for hit in hits} == papers


@pytest.mark.parametrize("text", ["", "the of and", "'", "\\ & | ! <-> :*", "zzzqqq", "x" * 9_000])
def test_any_text_can_be_searched_for(search: Search, text: str) -> None:
    assert len(search(text, k=3)) == 3


def test_going_down_compares_less_than_all_and_says_how_much(
    database: Database, quick: Embedder, search: Search
) -> None:
    text = "learning rate warmed up"
    with database.shared() as conn:
        vector = quick.embed_query(text)
        _, compared = search_passages(conn, text=text, vector=vector)
        flat, all_of_them = search_passages(conn, text=text, vector=vector, breadth=FLAT)
    ((_, held),) = rows(database, COUNTS)
    assert all_of_them.passages == held and (compared.papers, compared.sections) == (2, 5)
    assert "4000 steps" in flat[0].passage.text


def test_a_rare_word_is_found_beside_one_that_no_abstract_has_and_most_passages(
    database: Database, quick: Embedder
) -> None:
    store(database, quick, MESONS)
    texts = [f"Footnote {number} tells of the apparatus." for number in range(400)]
    texts[-1] += " It was coated with zirconium."
    passages = tuple(Passage(text, ("Notes",)) for text in texts)
    vectors = np.ones((len(texts), len(quick.embed_query("a"))), np.float32)
    with database.shared() as conn:
        put_full_text(
            conn, "0712.2288", replace(MESONS.text, kind="html"), [Cut(("Notes",), passages)],
            vectors, version=2, source=None,
        )  # fmt: skip
    with database.admin() as conn:
        settle_passages(conn)
    question = "a footnote on zirconium"
    with database.shared() as conn:
        (best, *_), compared = search_passages(
            conn,
            text=question,
            vector=quick.embed_query(question),
            breadth=Breadth(papers=0, sections=0),
        )
    assert "zirconium" in best.passage.text
    assert compared.passages <= LEXICAL_CANDIDATES


def test_what_is_held_is_not_embedded_again_and_what_changed_is_replaced_whole(
    database: Database, quick: Embedder
) -> None:
    counting = Counting(quick)
    store(database, counting, MESONS)
    before = rows(database, COUNTS)
    counting.texts.clear()
    assert store(database, counting, MESONS).unchanged == 1
    assert counting.texts == []

    older = replace(MESONS, version=1, text=replace(MESONS.text, sections=MESONS.text.sections[:1]))
    assert store(database, counting, older).unchanged == 1, "an older version replaces no newer"
    assert rows(database, COUNTS) == before
    newer = replace(older, version=3)
    assert store(database, counting, newer).updated == 1
    assert rows(database, "SELECT DISTINCT path, version FROM passage_memory") == [
        (["Introduction"], 3)
    ]
    assert rows(database, "SELECT count(*) FROM section_memory") == [(1,)]


def test_a_document_that_fails_in_the_middle_leaves_the_old_one(
    database: Database, quick: Embedder
) -> None:
    store(database, quick, MESONS)
    before = rows(database, COUNTS)

    class Wrong(Counting):
        def embed_array(self, texts: Sequence[str]) -> np.ndarray:
            return self.real.embed_array(texts)[:, :7]  # refused by the column of vectors

    changed = replace(MESONS, text=replace(MESONS.text, sections=MESONS.text.sections[:1]))
    with pytest.raises(psycopg.Error):
        store(database, Wrong(quick), changed)
    assert rows(database, COUNTS) == before


def test_two_that_store_the_same_paper_at_once_leave_one_whole_text(
    database: Database, quick: Embedder
) -> None:
    texts = [replace(MESONS, text=replace(MESONS.text, notes=(f"{i}",))) for i in range(4)]
    store(database, quick, MESONS)
    held = rows(database, COUNTS)
    threads = [
        threading.Thread(target=store, args=(database, quick, document)) for document in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(database, COUNTS) == held


def test_a_paper_that_is_deleted_takes_its_full_text_along(
    database: Database, quick: Embedder
) -> None:
    store(database, quick, MESONS, ATTENTION)
    with database.shared() as conn:
        conn.execute("DELETE FROM semantic_memory WHERE arxiv_id = '0712.2288'")
    assert rows(database, "SELECT DISTINCT arxiv_id FROM passage_memory") == [("1706.03762",)]


def test_a_record_that_is_missing_is_asked_for_or_the_text_is_skipped(
    database: Database, quick: Embedder
) -> None:
    bare = replace(MESONS, paper=None)
    report = store(database, quick, bare, Skipped("x.pdf", "it is scanned"))
    assert [each.where for each in report.skipped] == ["0712.2288v2.pdf", "x.pdf"]
    assert "the record of 0712.2288 is not held" in report.skipped[0].reason
    asked: list[str] = []

    def ask(arxiv_id: str) -> list[Paper | Skipped]:
        asked.append(arxiv_id)
        return [MESONS.paper] if MESONS.paper else []

    assert ingest_full_texts(database, quick, [bare], ask=ask).new == 1
    assert ingest_full_texts(database, quick, [bare], ask=ask).unchanged == 1
    assert asked == ["0712.2288"]


def test_a_text_without_words_is_skipped(database: Database, quick: Embedder) -> None:
    empty = replace(MESONS, text=FullText(kind="pdf", sections=()))
    (skipped,) = store(database, quick, empty).skipped
    assert "has no text" in skipped.reason


def test_sections_are_listed_and_read_in_order(database: Database, search: Search) -> None:
    with database.shared() as conn:
        headings = outline(conn, "0712.2288")
        detector = passages_of_section(conn, "0712.2288", 1)
        assert outline(conn, "2401.00001") == []
    assert [heading.path for heading in headings] == [
        ("Introduction",), ("Methods", "Detector"), ("Results",)
    ]  # fmt: skip
    assert (headings[1].page, headings[1].last_page) == (3, 4)
    assert "77 kelvin" in " ".join(passage.text for passage in detector)


def test_the_passages_of_a_paper_nearest_to_an_answer_are_told_by_words(
    database: Database, search: Search
) -> None:
    with database.shared() as conn:
        ids = ["0712.2288", "1706.03762", "2401.00001"]
        found = nearest_in_words(conn, ids, "The lead glass was cooled with liquid nitrogen.")
        assert nearest_in_words(conn, ids, "")
    first = next(passage for arxiv_id, passage in found if arxiv_id == "0712.2288")
    assert "77 kelvin" in first.text


def test_a_sections_vector_is_the_mean_of_its_passages(database: Database, search: Search) -> None:
    found = rows(
        database,
        "SELECT section.embedding::real[], array_agg(passage.embedding::real[]) "
        "FROM section_memory AS section JOIN passage_memory AS passage "
        "ON passage.arxiv_id = section.arxiv_id AND passage.section = section.position "
        "GROUP BY section.arxiv_id, section.position, section.embedding::real[]",
    )
    for section, passages in found:
        np.testing.assert_allclose(section, mean_vector(np.asarray(passages)), atol=1e-5)


def test_a_long_text_is_embedded_in_parts_that_are_read_whole(embedder: Embedder) -> None:
    counting = Counting(embedder)
    long = filler("meson", 30)
    (vector,) = embed_whole(counting, [long])
    assert "".join(counting.texts) == long and len(counting.texts) > len(long) / 4 / READ / 2
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    counting.texts.clear()
    short = embed_whole(counting, ["short", "texts"])
    np.testing.assert_allclose(short, embedder.embed_array(["short", "texts"]), atol=1e-6)
    assert embed_whole(counting, []).shape == (0, 384)


def test_another_embedder_makes_the_vectors_of_passages_and_sections_anew(
    database: Database, quick: Embedder
) -> None:
    store(database, quick, MESONS)
    other = Foreign("other:12", DeterministicFakeEmbedding(size=12), "another fingerprint")
    reembed(database, other)
    found = rows(
        database,
        "SELECT section.embedding::real[], array_agg(passage.embedding::real[]), "
        "array_agg(passage.content) "
        "FROM section_memory AS section JOIN passage_memory AS passage "
        "ON passage.arxiv_id = section.arxiv_id AND passage.section = section.position "
        "GROUP BY section.position, section.embedding::real[]",
    )
    assert len(found) == 3
    for section, passages, contents in found:
        assert isinstance(contents, list)
        np.testing.assert_allclose(passages, embed_whole(other, contents), atol=1e-5)
        np.testing.assert_allclose(section, mean_vector(np.asarray(passages)), atol=1e-5)


def test_a_backup_brings_full_texts_back(
    database: Database, quick: Embedder, tmp_path: Path
) -> None:
    store(database, quick, MESONS, ATTENTION)
    held = rows(database, COUNTS)
    dump = tmp_path / "all.dump"
    backup(database, dump)
    reset(database, notice=lambda text: None)
    restore(database, dump, notice=lambda text: None)
    assert rows(database, COUNTS) == held
    with database.shared() as conn:
        conn.execute("DELETE FROM semantic_memory WHERE arxiv_id = '0712.2288'")
    assert rows(database, "SELECT DISTINCT arxiv_id FROM passage_memory") == [("1706.03762",)]


def test_full_texts_from_the_command_line(
    environment: dict[str, str], tmp_path: Path, warm: WarmCommands
) -> None:
    paragraphs = [
        {"section": section.path[-1], "sec_number": str(i), "text": block.text}
        for i, section in enumerate(MESONS.text.sections, start=1)
        for block in section.blocks
    ]
    record = {
        "arxiv_id": "0712.2288", "title": "Teleportation of neutral mesons",
        "abstract": "Neutral mesons are teleported.", "categories": ["quant-ph"],
        "license": MESONS.text.licence, "paragraphs": paragraphs,
    }  # fmt: skip
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps(record) + "\n")

    def run(*words: str) -> object:
        done = warm.run(["-m", "arxivscout", *words, "--json"], environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    told = run("ingest", "fulltext", str(path))
    assert isinstance(told, dict) and (told["read"], told["new"]) == (1, 1)
    told = run("ingest", "fulltext", str(path))
    assert isinstance(told, dict) and (told["new"], told["unchanged"]) == (0, 1)
    hits = run("passages", "lead glass cooled", "--paper", "0712.2288", "--kind", "records")
    assert isinstance(hits, list)
    assert (hits[0]["arxiv_id"], hits[0]["section"]) == ("0712.2288", ["Detector"])
    assert "77 kelvin" in hits[0]["text"]
    refused = warm.run(["-m", "arxivscout", "ingest", "pdf", "no such file"], environment)
    assert refused.returncode == 2 and "neither a file nor an arXiv id" in refused.stderr
    away = warm.run(["-m", "arxivscout", "ingest", "pdf", "2212.11867"], environment)
    assert away.returncode == 1 and "offline" in away.stderr


BROKEN = "is a broken PDF, or one cut short. Get it again."


def test_a_pdf_file_and_what_arxiv_has_are_read(
    environment: dict[str, str], tmp_path: Path, warm: WarmCommands
) -> None:
    path = tmp_path / "2212.11867v2.pdf"
    parts = [Part("heading", "Methods", number="1"), Part("paragraph", filler("spectrograph", 12))]
    path.write_bytes(typeset(parts, Setting(columns=2)))
    broken = tmp_path / "2401.00001.pdf"
    broken.write_bytes(b"%PDF-1.5 and no more")
    page = (
        '<html><article class="ltx_document"><section class="ltx_section">'
        '<h2 class="ltx_title ltx_title_section">Data</h2>'
        f'<div class="ltx_para"><p class="ltx_p">{filler("telescope")}</p></div>'
        "</section></article></html>"
    )

    def run(script: Script, *words: str) -> dict[str, object]:
        online = {"ARXIVSCOUT_OFFLINE": "0", "ARXIVSCOUT_ARXIV_INTERVAL_S": "0"}
        there = environment | online | {"ARXIVSCOUT_ARXIV_URL": script.url}
        done = warm.run(["-m", "arxivscout", "ingest", "pdf", *words, "--json"], there)
        told: dict[str, object] = json.loads(done.stdout)
        assert done.returncode == (7 if told["skipped"] else 0), done.stderr
        return told

    entries = (Reply(feed(entry("2212.11867v2"))), Reply(feed(entry("2402.08954v1"))))
    with arxiv_server(entries[0], Reply(page.encode()), entries[1]) as script:
        told = run(script, str(path), "2402.08954", str(broken))
        assert (told["new"], told["unchanged"]) == (2, 0)
        assert script.paths == ["/api/query", "/html/2402.08954", "/api/query"]
        told = run(script, str(path), "2402.08954")
        assert (told["new"], told["unchanged"]) == (0, 2)
        assert len(script.paths) == 3, "kept for a day"
        (tmp_path / "notes.txt").write_text("no paper")
        told = run(script, str(tmp_path))
    assert told["unchanged"] == 1, "the documents of a folder"
    assert told["skipped"] == [{"where": str(broken), "reason": BROKEN}]
