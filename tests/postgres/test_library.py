"""A person's library over a real database: citing, marks, neighbours, and other people's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound, UsageError
from arxivscout.library import Library
from arxivscout.memory.knowledge import merge_papers
from arxivscout.memory.overview import memories
from arxivscout.memory.postgres import Database
from arxivscout.memory.similar import SIMILAR
from arxivscout.papers import Paper
from arxivscout.settings import Settings
from arxivscout.sources.arxiv_api import ArxivClient

MESONS = Paper(
    arxiv_id="0712.2288",
    title="CP Measurement in Quantum Teleportation of Neutral Mesons",
    abstract="Quantum teleportation with neutral mesons.",
    authors=("Yu Shi",),
    published="2007-12-14",
    version=2,
)
STRINGS = Paper(
    arxiv_id="hep-th/9901001", title="Strings", abstract="Strings are long.", withdrawn=True
)
PLAIN = Paper(arxiv_id="2301.00001", title="Plain", abstract="Plain text.")

Open = Callable[..., Library]


@pytest.fixture
def library_of(database: Database, embedder: Embedder, settings: Settings) -> Open:
    """Opens a person's library in a database with three papers, offline."""
    with database.shared() as conn:
        merge_papers(conn, [(each.cleaned(), _near(n)) for n, each in enumerate(_PAPERS)])
    offline = settings.model_copy(update={"offline": True})
    arxiv = ArxivClient(offline)

    def open_library(user: str = "tester") -> Library:
        return Library(database, embedder, arxiv, user)

    return open_library


_PAPERS = (MESONS, PLAIN, STRINGS)


def _near(place: int) -> list[float]:
    """A vector that is the further from the first, the later its place."""
    vector = np.zeros(384)
    vector[0], vector[1] = np.cos(place / 10), np.sin(place / 10)
    return [float(value) for value in vector]


@pytest.mark.parametrize(
    "form", ["0712.2288", "https://arxiv.org/abs/0712.2288v2", "arXiv:0712.2288"]
)
def test_cites_by_any_form_of_the_id(library_of: Open, form: str) -> None:
    assert library_of().cite([form], "bibtex").startswith("@misc{shi2007cp,")


def test_what_is_not_held_is_named_and_nothing_is_given(library_of: Open) -> None:
    with pytest.raises(NotFound, match=r"^arXiv:2401.00001, arXiv:2401.00002 are not held\. .*ids"):
        library_of().cite(["0712.2288", "2401.00001", "2401.00002", "2401.00001"], "bibtex")
    with pytest.raises(UsageError, match="no arXiv id"):
        library_of().cite(["0712.2288", "nonsense"], "bibtex")
    with pytest.raises(UsageError, match="no format 'endnote'"):
        library_of().cite(["0712.2288"], "endnote")  # type: ignore[arg-type]


def test_another_version_and_a_withdrawn_paper_are_told(library_of: Open) -> None:
    told: list[str] = []
    text = library_of().cite(["0712.2288v1", "hep-th/9901001"], "bibtex", notice=told.append)
    assert "note          = {Withdrawn.}" in text
    assert told == [
        "arXiv:0712.2288v1 was asked for; what is held is v2.",
        "arXiv:hep-th/9901001 is withdrawn.",
    ]


def test_marks_of_a_paper_come_together_and_go(library_of: Open) -> None:
    library = library_of()
    library.tag("0712.2288", "#Mesons", "cp")
    library.note("0712.2288", "Read the appendix.\x1b[31m")
    marked = library.read("arXiv:0712.2288v1", "reading")
    assert (marked.title, marked.status, marked.tags) == (MESONS.title, "reading", ("cp", "mesons"))
    assert marked.note == "Read the appendix."
    assert marked.noted_at is not None
    assert marked.held
    assert str(marked) == "reading #cp #mesons"
    assert library.tag("0712.2288", "CP", remove=True).tags == ("mesons",)
    assert library.note("0712.2288", "").note is None
    assert library.marks(ids=["0712.2288"])[0].noted_at is None
    library.remove("0712.2288")
    assert library.marks() == []
    with pytest.raises(NotFound, match="not in your library"):
        library.remove("0712.2288")


def test_a_paper_has_up_to_a_hundred_tags(library_of: Open) -> None:
    library = library_of()
    library.tag("0712.2288", *(f"t{number}" for number in range(99)))
    for more in (["a", "b"], [f"more{number}" for number in range(10_000)]):
        with pytest.raises(UsageError, match="A paper has up to 100"):
            library.tag("0712.2288", *more)
    assert len(library.marks()[0].tags) == 99
    assert len(library.tag("0712.2288", "t1", "last").tags) == 100
    assert len(library.tag("0712.2288", "t1", remove=True).tags) == 99


def test_marks_are_filtered(library_of: Open) -> None:
    library = library_of()
    library.tag("0712.2288", "physics", "mesons")
    library.tag("hep-th/9901001", "physics")
    library.read("2301.00001")
    ids = [each.arxiv_id for each in library.marks()]
    assert ids == ["2301.00001", "hep-th/9901001", "0712.2288"]
    assert [each.arxiv_id for each in library.marks(tag="#Physics")] == ids[1:]
    assert [each.arxiv_id for each in library.marks(status="read")] == ids[:1]
    assert library.marks(tag="physics", status="read") == []
    assert library.marks(ids=[]) == []


def test_what_can_be_no_mark_is_refused(library_of: Open) -> None:
    library = library_of()
    for call in (
        lambda: library.tag("0712.2288"),
        lambda: library.tag("0712.2288", " # "),
        lambda: library.tag("0712.2288", "a,b"),
        lambda: library.tag("0712.2288", "x" * 101),
        lambda: library.note("0712.2288", "x" * 20_001),
        lambda: library.read("0712.2288", "skimmed"),  # type: ignore[arg-type]
        lambda: library.read("12"),
    ):
        with pytest.raises(UsageError):
            call()
    with pytest.raises(NotFound, match=r"2401\.00001 is not held"):
        library.tag("2401.00001", "x")
    assert library.marks() == []


def test_marks_are_private(library_of: Open, database: Database) -> None:
    library_of("one").note("0712.2288", "mine")
    assert library_of("two").marks() == []
    library_of("two").note("0712.2288", "theirs")
    assert [each.note for each in library_of("one").marks()] == ["mine"]
    with database.transaction("two") as conn:
        rows = conn.execute("SELECT user_id, note FROM paper_mark").fetchall()
    assert rows == [("two", "theirs")]


def test_notes_stand_among_the_memories(library_of: Open, database: Database) -> None:
    library_of("two").note("0712.2288", "theirs")
    library_of().note("0712.2288", "mine")
    library_of().tag("2301.00001", "no note")
    with database.transaction("tester") as conn:
        for kind in (None, "note"):
            (item,) = memories(conn, kind, 10)
            assert (item.kind, item.text) == ("note", "arXiv:0712.2288: mine")


def test_a_changed_note_stays_in_the_change_log(library_of: Open, database: Database) -> None:
    library_of().note("0712.2288", "before")
    library_of().note("0712.2288", "after")
    with database.transaction("tester") as conn:
        rows = conn.execute("SELECT before ->> 'note', after ->> 'note' FROM change_log").fetchall()
    assert rows == [("before", "after")]


def test_export_of_a_tag(library_of: Open) -> None:
    library = library_of()
    library.tag("2301.00001", "x")
    library.read("0712.2288")
    assert library.export("ris", tag="x").count("TY  - ") == 1
    assert library.export("bibtex").index("0712.2288") < library.export("bibtex").index("2301")
    assert library.export("bibtex", tag="nothing") == ""


def test_an_export_brings_along_how_far_the_person_is(library_of: Open, tmp_path: Path) -> None:
    mine, other = library_of(), library_of("other")
    mine.read("0712.2288")
    mine.read("2301.00001", "reading")
    (tmp_path / "mine.bib").write_text(mine.export("bibtex"), "utf-8")
    other.read("2301.00001")
    other.import_bib(tmp_path / "mine.bib")
    assert {each.arxiv_id: each.status for each in other.marks()} == {
        "0712.2288": "read",
        "2301.00001": "read",
    }


def test_similar_is_by_stored_vectors_without_itself_and_the_withdrawn(library_of: Open) -> None:
    told: list[str] = []
    hits = library_of().similar("0712.2288", 10, notice=told.append)
    assert [hit.paper.arxiv_id for hit in hits] == ["2301.00001"]
    assert hits[0].score == pytest.approx(np.cos(0.1), abs=1e-5)
    assert told == ["Left out because withdrawn: arXiv:hep-th/9901001."]
    told.clear()
    hits = library_of().similar("hep-th/9901001", 1, notice=told.append)
    assert [hit.paper.arxiv_id for hit in hits] == ["2301.00001"]
    assert told == ["arXiv:hep-th/9901001 itself is withdrawn."]
    with pytest.raises(NotFound, match="not held"):
        library_of().similar("2401.00001")


def test_similar_finds_k_among_many(library_of: Open, database: Database) -> None:
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(600, 384))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    many = [
        replace(PLAIN, arxiv_id=f"2302.{n + 1:05}", withdrawn=n % 2 == 0).cleaned()
        for n in range(len(vectors))
    ]
    with database.shared() as conn:
        merge_papers(conn, list(zip(many, [row.tolist() for row in vectors], strict=True)))
    hits = library_of().similar("2302.00001", 50)
    cosines = vectors @ vectors[0]
    nearest = [n for n in np.argsort(-cosines) if n % 2][:50]
    assert len(hits) == 50
    found = {hit.paper.arxiv_id for hit in hits}
    assert len(found & {f"2302.{n + 1:05}" for n in nearest}) >= 45
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_similar_can_use_the_vector_index(library_of: Open, database: Database) -> None:
    library_of()
    with database.shared() as conn:
        conn.execute("SET LOCAL enable_seqscan = off")
        plan = conn.execute(f"EXPLAIN {SIMILAR}", {"arxiv_id": "0712.2288", "k": 5}).fetchall()
    assert sum("using knowledge_base_hnsw" in line for (line,) in plan) == 2
