"""What replaces what in the knowledge base, on a real server."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from arxivscout.memory.knowledge import (
    held_records,
    merge_papers,
    only_starter,
    paper_by_id,
    paper_count,
    papers_by_ids,
)
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper

VECTOR = [1.0] + [0.0] * 383
OTHER = [0.0, 1.0] + [0.0] * 382


def paper(**fields: object) -> Paper:
    given = {
        "arxiv_id": "0712.2288",
        "title": "CP Measurement in Quantum Teleportation of Neutral Mesons",
        "abstract": "Quantum teleportation using neutral pseudoscalar mesons.",
        "authors": ("Yu Shi",),
        "categories": ("quant-ph", "hep-ph"),
        "published": "2007-12-14",
        **fields,
    }
    return Paper(**given).cleaned()  # type: ignore[arg-type]


def store(
    database: Database, *papers: Paper, vector: list[float] | None = VECTOR
) -> tuple[int, int]:
    with database.shared() as conn:
        return merge_papers(conn, [(each, vector) for each in papers])


def held(database: Database, arxiv_id: str = "0712.2288") -> Paper:
    with database.shared() as conn:
        found = paper_by_id(conn, arxiv_id)
    assert found is not None
    return found


def test_another_paper_makes_it_more_than_the_starter_collection(database: Database) -> None:
    def starter_only() -> bool:
        with database.shared() as conn:
            return only_starter(conn)

    store(database, paper(is_summary=True))
    assert starter_only()
    store(database, paper(arxiv_id="0704.0001"))
    assert not starter_only()


def test_a_paper_comes_back_as_it_was_stored(database: Database) -> None:
    whole = paper(
        version=3, updated="2008-06-01", doi="10.1000/1", journal_ref="J. 1", comments="4 pages",
        source="a.jsonl", authors=("Erwin Schrödinger", "张伟"),
    )  # fmt: skip
    assert store(database, whole) == (1, 0)
    assert held(database) == whole
    assert held(database, "https://arxiv.org/abs/0712.2288v1") == whole
    with database.shared() as conn:
        row = conn.execute(
            "SELECT content, subjects, submission_date, category_keys, authors_tsv::text,"
            " content_tsv::text FROM semantic_memory"
        ).fetchone()
        assert row is not None
        assert row[:3] == (whole.content, "quant-ph, hep-ph", "2007-12-14")
        assert row[3] == ["quant-ph", "hep-ph"]
        assert "'schrodinger'" in row[4]
        assert "'teleport':5A" in row[5] and "'pseudoscalar':" in row[5]
        assert papers_by_ids(conn, ["no id", "2401.00001", "0712.2288"]) == [whole]
        assert paper_by_id(conn, "what") is None
        assert paper_count(conn) == 1


def test_the_same_record_again_is_not_written(database: Database) -> None:
    store(database, paper())
    with database.shared() as conn:
        before = conn.execute("SELECT xmin::text, updated_at FROM semantic_memory").fetchone()
    assert store(database, paper()) == (0, 0)
    with database.shared() as conn:
        after = conn.execute("SELECT xmin::text, updated_at FROM semantic_memory").fetchone()
    assert before == after


REAL, SUMMARY = False, True


@pytest.mark.parametrize(
    ("first", "second", "replaces"),
    [
        ((1, REAL), (2, REAL), True),
        ((2, REAL), (1, REAL), False),
        ((2, REAL), (2, REAL), True),
        ((None, REAL), (None, REAL), True),
        ((None, REAL), (1, REAL), True),
        ((1, REAL), (None, REAL), False),
        ((1, SUMMARY), (1, REAL), True),
        ((None, SUMMARY), (None, REAL), True),
        ((2, SUMMARY), (None, REAL), True),
        ((2, SUMMARY), (1, REAL), False),
        ((1, REAL), (1, SUMMARY), False),
        ((1, REAL), (2, SUMMARY), False),
        ((1, SUMMARY), (1, SUMMARY), True),
    ],
)
def test_what_replaces_what(
    database: Database,
    first: tuple[int | None, bool],
    second: tuple[int | None, bool],
    replaces: bool,
) -> None:
    old = paper(version=first[0], is_summary=first[1], comments="first")
    new = paper(version=second[0], is_summary=second[1], comments="second", title="Another title")
    store(database, old)
    with database.shared() as conn:
        known = held_records(conn, ["0712.2288", "2401.00001"])
    assert list(known) == ["0712.2288"]
    assert known["0712.2288"].replaced_by(new) is replaces
    assert store(database, new) == (0, int(replaces))
    assert held(database) == (new if replaces else old)


def test_without_a_vector_the_stored_one_stays_with_the_content(database: Database) -> None:
    store(database, paper(comments="first"))
    assert store(database, paper(comments="second"), vector=None) == (0, 1)
    assert store(database, paper(title="Other words", comments="third"), vector=None) == (0, 0)
    assert store(database, paper(arxiv_id="2401.00001"), vector=None) == (0, 0)
    assert held(database).comments == "second"
    with database.shared() as conn:
        (vector,) = conn.execute("SELECT embedding::text FROM semantic_memory").fetchall()
    assert np.allclose(np.fromstring(vector[0].strip("[]"), sep=","), VECTOR)


def test_a_row_that_lost_its_vector_gets_one(database: Database) -> None:
    store(database, paper())
    with database.shared() as conn:
        conn.execute("UPDATE semantic_memory SET embedding = NULL")
        assert held_records(conn, ["0712.2288"])["0712.2288"].replaced_by(paper())
    assert store(database, paper(), vector=OTHER) == (0, 1)


def test_a_thousand_authors_and_a_long_abstract(database: Database) -> None:
    many = tuple(f"Åsa Nørgaard-{i} {'x' * 200}" for i in range(5_000))
    store(database, paper(authors=many, abstract=" ".join(f"word{i}é" for i in range(5_000))))
    assert held(database).authors == many


def test_two_processes_store_the_same_papers_in_opposite_order(database: Database) -> None:
    papers = [paper(arxiv_id=f"2401.{i:05d}") for i in range(1, 121)]

    def write(order: list[Paper], version: int) -> int:
        newer = [dataclasses.replace(each, version=version) for each in order]
        return sum(store(database, *newer[i : i + 40])[0] for i in range(0, 120, 40))

    with ThreadPoolExecutor(6) as pool:
        writers = [
            pool.submit(write, order, version)
            for version in (1, 2, 3)
            for order in (papers, papers[::-1])
        ]
    assert sum(writer.result() for writer in writers) == 120
    assert held(database, "2401.00077").version == 3
