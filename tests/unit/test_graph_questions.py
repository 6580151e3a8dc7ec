"""Which questions the graph is asked, and with what."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.graph_questions import graph_call


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("How is QLoRA related to the adapters?", ("path", {"start": "QLoRA", "end": "adapters"})),
        ("how are “jets” linked to math/0001", ("path", {"start": "jets", "end": "math/0001"})),
        ("What is the connection between LoRA and Ada Lovelace?",
         ("path", {"start": "LoRA", "end": "Ada Lovelace"})),
        ("what connects LoRA and GLUE", ("path", {"start": "LoRA", "end": "GLUE"})),
        ("How does LoRA relate to fine-tuning?", ("path", {"start": "LoRA", "end": "fine-tuning"})),
        ("Come è collegato LoRA a GLUE?", ("path", {"start": "LoRA", "end": "GLUE"})),
        ("What happened with the jet project?", ("timeline", {"about": "jet project"})),
        ("show me the timeline of LoRA", ("timeline", {"about": "LoRA"})),
        ("What happened in this thread?", ("timeline", {})),
        ("cosa è successo con LoRA?", ("timeline", {"about": "LoRA"})),
        ("What is LoRA connected to?", ("neighbours", {"name": "LoRA"})),
        ("neighbours of 0704.0001", ("neighbours", {"name": "0704.0001"})),
    ],
)  # fmt: skip
def test_a_question_of_the_graph_is_one(question: str, call: tuple[str, dict[str, Any]]) -> None:
    assert graph_call(question) == call


@pytest.mark.parametrize(
    "question",
    [
        "Find papers related to dark matter",
        "What is the shortest path algorithm of Dijkstra?",
        "How is attention computed?",
        "What is a path integral?",
        "what links here",
        "How are you?",
        "Which papers link jets with quarks?",
        "what happens with quarks at high density?",
        "",
    ],
)
def test_other_questions_are_none(question: str) -> None:
    assert graph_call(question) is None


@given(st.text(max_size=400))
def test_any_text_is_answered_at_once(text: str) -> None:
    call = graph_call("how is " + text + " related to " + text)
    assert call is None or call[0] in ("path", "timeline", "neighbours")
