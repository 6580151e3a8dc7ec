"""Near-identical papers are one hit that names both; as many others come as were asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.paper_search import find_papers
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper, PaperHit

CORES = Paper(
    arxiv_id="0901.0001",
    title="Rotation curves of spiral galaxies and cores of halos",
    abstract="We measure the rotation curves of forty spiral galaxies by their neutral hydrogen, "
    "and find that halos of dark matter with a core fit eleven of them better than a cusp does.",
    authors=("Anna Müller", "Yu Shi"),
)
OTHERS = [
    Paper(
        arxiv_id=f"1001.{n:04d}",
        title=f"Galaxies and their halos in {place}",
        abstract=f"The rotation of galaxies near {place} tells of dark matter there.",
        authors=(f"{place} Author",),
    )
    for n, place in enumerate(["Virgo", "Coma", "Fornax", "Perseus", "Hydra"], start=1)
]
Find = Callable[..., list[PaperHit]]


@pytest.fixture
def find(database: Database, embedder: Embedder) -> Find:
    def store(*papers: Paper) -> Find:
        ingest_papers(database, embedder, [CORES, *OTHERS, *papers])
        return lambda query, **more: find_papers(database, embedder, query, **more)

    return store


def ids(hits: list[PaperHit]) -> list[str]:
    return [hit.paper.arxiv_id for hit in hits]


def test_a_resubmission_is_named_with_the_paper(find: Find) -> None:
    search = find(replace(CORES, arxiv_id="0902.0002", authors=("A. Müller", "Y. Shi")))
    hits = search("rotation curves of spiral galaxies, cores of halos", k=3)
    assert len(hits) == 3
    both = {hits[0].paper.arxiv_id, *hits[0].also}
    assert both == {"0901.0001", "0902.0002"}
    assert all(hit.also == () for hit in hits[1:])


def test_as_many_others_come_as_were_asked_for(find: Find) -> None:
    copies = [replace(CORES, arxiv_id=f"0903.{n:04d}") for n in range(1, 30)]
    hits = find(*copies)("rotation curves of spiral galaxies", k=5)
    assert len(hits) == 5
    assert len(hits[0].also) == 29


def test_parts_errata_and_comments_stay(find: Find) -> None:
    about = [
        replace(CORES, arxiv_id="0904.0001", title=f"{CORES.title}. II"),
        replace(CORES, arxiv_id="0904.0002", title=f"Erratum: {CORES.title}"),
        replace(CORES, arxiv_id="0904.0003", title=f"Comment on {CORES.title}"),
    ]
    hits = find(*about)("rotation curves of spiral galaxies and cores of halos", k=9)
    assert len(hits) == 9 and all(hit.also == () for hit in hits)


def test_diverse_hits_differ(find: Find) -> None:
    alike = [
        replace(
            CORES,
            arxiv_id=f"0905.000{n}",
            title=f"Rotation curves of spiral galaxies, sample {n}",
            abstract=f"{CORES.abstract} This is sample {n} with {word} of its own kind.",
        )
        for n, word in enumerate(["gas", "dust", "stars"], start=1)
    ]
    search = find(*alike)
    query = "rotation curves of spiral galaxies by neutral hydrogen"
    plain, diverse = ids(search(query, k=4)), ids(search(query, k=4, diverse=0.8))
    assert plain[0] == diverse[0]
    kin = {"0901.0001", *(paper.arxiv_id for paper in alike)}
    assert len(kin & set(diverse)) < len(kin & set(plain))
    assert ids(search(query, k=4, diverse=1e-9)) == plain
    assert set(ids(search(query, k=9, diverse=True))) == set(ids(search(query, k=9)))


def test_a_hit_tells_why(find: Find) -> None:
    hit, *_ = find()("rotation curves of spiral galaxies with cores")
    why = hit.why()
    assert why["vector"]["rank"] == why["lexical"]["rank"] == 1
    assert 0 < why["vector"]["score"] <= 1 and 0 < why["lexical"]["score"] <= 1
    assert set(why["words"]) >= {"rotation", "curves", "spiral", "cores"}
    assert why["exact"] is None
    for query, exact in [
        ("0901.0001", "id"),
        (CORES.title, "title"),
        (CORES.title.lower().replace(" and", ",") + "!", "title"),
        ("spiral galaxies and cores", "part of the title"),
        ('"forty spiral galaxies"', "phrase"),
        ("Anna Müller", "author"),
    ]:
        first, *_ = find()(query)
        assert (first.paper.arxiv_id, first.exact) == ("0901.0001", exact), query
