"""Whether what was found fits what was asked, by the sum of both legs of the best hit."""

from __future__ import annotations

from arxivscout.memory.fit import LEAST_FIT, best_fit, fit, fits
from arxivscout.papers import Paper, PaperHit


def hit(vector: float, lexical: float, exact: str | None = None) -> PaperHit:
    paper = Paper(arxiv_id="0712.2288", title="A title", abstract="An abstract.")
    legs = {"vector": vector, "lexical": lexical}
    return PaperHit(paper=paper, score=vector, legs=legs, exact=exact)


def test_both_legs_count() -> None:
    assert fit(hit(0.25, 0.5)) == 0.75
    assert fit(hit(-0.25, 0.5)) == 0.5  # an opposite direction is no worse than none


def test_the_best_hit_decides() -> None:
    assert best_fit([]) == 0.0 and not fits([])
    far, near = hit(0.1, 0.1), hit(LEAST_FIT, 0.0)
    assert not fits([far, far]) and fits([far, near])


def test_what_is_named_fits() -> None:
    assert fits([hit(0.0, 0.0, "id")])
