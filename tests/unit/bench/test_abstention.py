"""The bench of knowing when there is nothing: shares kept and refused, by the one threshold."""

from __future__ import annotations

import pytest

from arxivscout.bench.retrieval import abstention
from arxivscout.memory.fit import LEAST_FIT


def test_shares_are_those_at_the_least_fit() -> None:
    fits, fails = LEAST_FIT + 0.1, LEAST_FIT - 0.1
    found = abstention([fits, fits, fits, fails], {"other": [fails, fails - 0.1, fits + 0.1]})
    assert found["own, kept"] == 0.75
    assert found["other, refused"] == pytest.approx(2 / 3)
    assert found["other, AUROC"] == pytest.approx(7.5 / 12)
