"""Papers in themes and on a map: the same each time, whatever the vectors and the texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arxivscout.embedding import Embedder
from arxivscout.papers import Paper
from arxivscout.research.map import positions
from arxivscout.research.themes import UNNAMED, Themes, themes

ATTENTION = [
    "Sparse attention makes long context cheap. The sparse attention of BERT skips tokens.",
    "Long context needs sparse attention, which BERT lacks in $\\mathcal{O}(n^2)$ time.",
    "With sparse attention, a long context costs less memory than \\emph{dense} layers.",
    "Sparse attention over a long context is learned by BERT.",
]
GALAXIES = [
    "The Hubble constant is measured with quiet Cepheid variables in spiral galaxies.",
    "Cepheid variables calibrate supernovae, from which the Hubble constant follows.",
    "We correct Cepheid variables for dust and find a lower Hubble constant.",
    "A lower Hubble constant follows when Cepheid variables are blended.",
]


def papers(*abstracts: str) -> list[Paper]:
    return [
        Paper(arxiv_id=f"2301.{number:05}", title=f"Paper {number}", abstract=text)
        for number, text in enumerate(abstracts)
    ]


def test_two_subjects_are_two_themes_named_by_their_terms(embedder: Embedder) -> None:
    mixed = papers(*(text for pair in zip(ATTENTION, GALAXIES, strict=True) for text in pair))
    vectors = embedder.embed_array([paper.content for paper in mixed])
    found = themes(mixed, vectors)
    assert found.labels == (0, 1) * 4
    assert set(found.names[0].split(", ")) <= {"sparse attention", "long context", "BERT"}
    assert set(found.names[1].split(", ")) == {"Hubble constant", "Cepheid variables"}
    assert "BERT" in found.themes[0].terms
    assert found == themes(mixed, vectors)


def test_no_debris_of_latex_in_names(embedder: Embedder) -> None:
    some = papers(*ATTENTION)
    terms = " ".join(
        term for theme in themes(some, np.eye(4)).themes for term in (*theme.terms, theme.name)
    )
    assert not set("\\${}^_") & set(terms)
    assert "mathcal" not in terms and "emph" not in terms


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_few_papers_are_one_theme(count: int) -> None:
    found = themes(papers(*ATTENTION[:count]), np.eye(count))
    assert found.labels == (0,) * count
    assert len(found.themes) == 1


def test_no_paper_no_theme_and_no_text_no_name() -> None:
    assert themes([], np.zeros((0, 3))) == Themes()
    assert themes([Paper(arxiv_id="x", title="", abstract="")], np.zeros((1, 3))).names == (
        UNNAMED,
    )


odd = st.sampled_from([0.0, 1.0, -1.0, 1e-30, 1e30, float("nan"), float("inf")])
vectors = st.integers(0, 24).flatmap(
    lambda n: arrays(np.float32, (n, 3), elements=st.one_of(odd, st.floats(-1, 1, width=32)))
)
texts = st.sampled_from(["", "?", "a b c", *ATTENTION, "Über $x$ ΛCDM.", "ABC DEF ABC."])


@given(vectors, st.data(), st.integers(1, 8))
def test_any_vectors_and_texts_are_grouped(rows, data, most) -> None:  # type: ignore[no-untyped-def]
    some = papers(*(data.draw(texts) for _ in rows))
    found = themes(some, rows, most=most)
    assert len(found.labels) == len(rows)
    assert set(found.labels) == set(range(len(found.themes)))
    assert len(found.themes) <= most
    assert len(set(found.names)) == len(found.names) and all(found.names)
    assert found == themes(some, rows, most=most)


@given(vectors)
def test_any_vectors_have_places_of_their_own(rows) -> None:  # type: ignore[no-untyped-def]
    points = positions(rows)
    assert points.shape == (len(rows), 2)
    assert np.isfinite(points).all() and (np.abs(points) <= 1).all()
    assert len({(x, y) for x, y in points.tolist()}) == len(rows)
    assert (points == positions(rows)).all()


def test_what_lies_together_lies_together_on_the_map() -> None:
    rows = np.array([[1, 0, 0], [1, 0.1, 0], [0, 1, 0], [0, 1, 0.1]], dtype=np.float32)
    points = positions(rows)
    near, far = np.linalg.norm(points[0] - points[1]), np.linalg.norm(points[0] - points[2])
    assert near < far / 3


@pytest.mark.timeout(60)
def test_a_thousand_papers_are_grouped_and_laid_out() -> None:
    random = np.random.default_rng(7)
    rows = random.normal(size=(1000, 384)).astype(np.float32)
    many = papers(*(ATTENTION + GALAXIES) * 125)
    themes(many[:200], rows[:200])
    positions(rows[:200])
    assert len(themes(many, rows).labels) == 1000
    assert len({tuple(p) for p in positions(np.ones((1000, 8))).tolist()}) == 1000
