"""The lexical leg is BM25 over title and abstract, by words counted in the database."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from arxivscout.memory.knowledge import merge_papers, settle
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.memory.search_statement import K1, TITLE, B
from arxivscout.memory.word_count import count_words, drifted
from arxivscout.papers import Paper

# no stop words, and nothing that is stemmed
WORDS = "quark gluon lepton boson photon graviton axion muon pion kaon".split()


def papers(count: int, seed: int = 1) -> list[Paper]:
    chance = random.Random(seed)
    return [
        Paper(
            arxiv_id=f"2401.{n:05d}",
            title=" ".join(chance.choices(WORDS, k=chance.randint(1, 4))),
            abstract=" ".join(chance.choices(WORDS, k=chance.randint(1, 40))),
        )
        for n in range(1, count + 1)
    ]


@pytest.fixture
def database(make_database: Callable[..., Database]) -> Database:
    from arxivscout.embedding import EmbeddingIdentity

    return make_database(EmbeddingIdentity(name="three", dimension=3, fingerprint="3"))


def store(database: Database, of: list[Paper]) -> None:
    with database.shared() as conn:
        merge_papers(conn, [(paper, [1.0, 0.0, 0.0]) for paper in of])
    settle(database, len(of))


def counted(database: Database) -> dict[str, int]:
    with database.shared() as conn:
        return dict(conn.execute("SELECT lexeme, papers FROM paper_word").fetchall())


def having(of: list[Paper]) -> dict[str, int]:
    return dict(Counter(w for each in of for w in {*each.title.split(), *each.abstract.split()}))


def bm25(question: str, paper: Paper, held: list[Paper]) -> float:
    """By the book: Robertson and Zaragoza's, the title's words counted several times."""
    in_papers = having(held)
    lengths = [len({*each.title.split(), *each.abstract.split()}) for each in held]
    own = len({*paper.title.split(), *paper.abstract.split()})
    score = most = 0.0
    for word in set(question.split()):
        n = in_papers.get(word, 0)
        weight = math.log(1 + (len(held) - n + 0.5) / (n + 0.5))
        times = TITLE * paper.title.split().count(word) + paper.abstract.split().count(word)
        half_at = K1 * (1 - B + B * own / (sum(lengths) / len(lengths)))
        score += weight * times / (times + half_at)
        most += weight
    return score / most


@pytest.mark.parametrize("question", ["quark", "gluon photon unheard", " ".join(WORDS)])
def test_the_score_is_that_of_the_formula(database: Database, question: str) -> None:
    held = papers(60)
    store(database, held)
    with database.shared() as conn:
        hits = search_papers(conn, text=question, vector=None, k=60)
    assert len(hits) >= 30
    of_id = {paper.arxiv_id: paper for paper in held}
    for hit in hits:
        expected = bm25(question, of_id[hit.paper.arxiv_id], held)
        assert hit.legs["lexical"] == pytest.approx(expected, rel=1e-4), hit.paper
    scores = [hit.score for hit in hits]  # those that have every word come first
    assert scores == sorted(scores, reverse=True)


def test_every_word_of_a_long_question_counts(database: Database) -> None:
    held = papers(60)
    store(database, held)
    rare = [f"unheard{n}" for n in range(40)]  # which say nothing
    with database.shared() as conn:
        hits = search_papers(conn, text=" ".join([*rare, *WORDS]), vector=None, k=60)
    assert {hit.paper.arxiv_id for hit in hits} == {paper.arxiv_id for paper in held}
    of_id = {paper.arxiv_id: paper for paper in held}
    for hit in hits:
        expected = bm25(" ".join([*rare, *WORDS]), of_id[hit.paper.arxiv_id], held)
        assert hit.legs["lexical"] == pytest.approx(expected, rel=1e-4), hit.paper


def test_each_of_several_texts_counts_as_much(database: Database) -> None:
    held = papers(60)
    store(database, held)
    short, long = "quark", "gluon quark " + " ".join(f"unheard{n}" for n in range(9))
    with database.shared() as conn:
        hits = search_papers(conn, text=short, like=[long], vector=None, k=60)
    of_id = {paper.arxiv_id: paper for paper in held}
    for hit in hits:
        paper = of_id[hit.paper.arxiv_id]
        expected = (bm25(short, paper, held) + bm25(long, paper, held)) / 2
        assert hit.legs["lexical"] == pytest.approx(expected, rel=1e-4), paper


def test_words_are_counted_as_papers_come_and_go(database: Database) -> None:
    held = papers(30)
    store(database, held[:20])
    assert counted(database) == having(held[:20])
    store(database, held)
    assert counted(database) == having(held)
    with database.shared() as conn:
        conn.execute("DELETE FROM semantic_memory WHERE arxiv_id > '2401.00010'")
        assert drifted(conn, 0)
    settle(database, 0)
    assert counted(database) == having(held[:10])


def test_few_new_papers_need_no_new_count(database: Database) -> None:
    held = papers(100)
    store(database, held[:99])
    before = counted(database)
    store(database, held[99:])
    assert counted(database) == before
    store(database, papers(105)[100:])  # six in all since the last count
    assert counted(database) == having(papers(105)) != before


def test_counts_at_once_end_with_the_right_one(database: Database) -> None:
    held = papers(200)
    with database.shared() as conn:
        merge_papers(conn, [(paper, [1.0, 0.0, 0.0]) for paper in held])

    def count(_: int) -> None:
        with database.admin() as conn:
            count_words(conn)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(8)))
    assert counted(database) == having(held)
