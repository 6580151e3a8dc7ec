"""Names in a question are told by how they are written, in any script that tells them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.names_asked import MOST_NAMES, names_in


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Ingrid say about Bergen's survey?", ["Ingrid", "Bergen"]),
        ("which run of ResNet50 did the LHC group use with GPT-4?", ["ResNet50", "LHC", "GPT-4"]),
        ("Who read “the star diaries” in March?", ["the star diaries"]),
        ("Что сказала Зоя о Перми?", ["Зоя", "Перми"]),
        ("Τι είπε η Κατερίνα;", ["Κατερίνα"]),
        ("Cosa ha detto Lucia? Era d'accordo?", ["Lucia"]),
        ("What do I still have to do, now that I've read it?", []),
        ("Compare them. Which is better?", []),
        ("What did Ada tell Grace?", ["Grace"]),
    ],
)
def test_what_is_called_by_a_name_is_told(question: str, names: list[str]) -> None:
    assert names_in(question, ["ada"]) == names


@given(st.text(max_size=400))
def test_any_question_has_few_names_that_stand_in_it(question: str) -> None:
    names = names_in(question)
    assert len(names) == len(set(names)) <= MOST_NAMES
    assert all(names)
