"""A turn in numbers."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.monitoring_records import FinishedTurn
from arxivscout.monitoring.measuring import SECONDS, measured, totals

AT = datetime(2026, 11, 30, tzinfo=UTC)


def turn(**given: Any) -> FinishedTurn:
    """An answered turn about which nothing else is known."""
    values = {
        "turn_id": UUID(int=1),
        "status": "answered",
        "model": "extractive",
        "started_at": AT,
        "ended_at": AT,
        "outcome": "unknown",
        **{name: [] for name in ("report", "citations", "problems", "degraded", "tools")},
        **{name: {} for name in ("usage", "timings_ms")},
    }
    return FinishedTurn(**{**values, **given})


def segment(name: str, *sources: str, tokens: int = 10) -> dict[str, Any]:
    return {"segment": name, "tokens": tokens, "items": [{"source": each} for each in sources]}


def test_papers_that_were_recalled_and_then_cited_are_hits():
    found = measured(
        turn(
            report=[segment("knowledge", "0712.2288", "0809.4859"), segment("findings", "a", "b")],
            citations=[{"arxiv_id": "0712.2288"}, {"arxiv_id": "2506.04108"}],
        ),
        None,
    )
    assert (found.papers, found.papers_cited, found.cited, found.memories) == (2, 1, 2, 2)


def test_what_was_searched_and_not_cited_is_an_abstention_unless_it_failed():
    searched = [("search_papers", "success", 12)]
    assert measured(turn(tools=searched), None).abstained
    assert not measured(turn(tools=searched, status="failed"), None).abstained
    assert not measured(turn(tools=searched, citations=[{"arxiv_id": "1"}]), None).abstained
    assert not measured(turn(tools=[("recall_memory", "success", 1)]), None).abstained


def test_a_turn_takes_as_long_as_its_nodes_and_their_parts_are_not_counted_twice():
    times = {"load_memory": 40.0, "embedding": 5.0, "recall.knowledge": 9.0, "reason": 100.0}
    found = measured(turn(timings_ms=times), None)
    assert found.turn_ms == 140.0
    assert found.parts_ms == times


def test_room_that_is_kept_free_is_nothing_that_was_read():
    report = [segment("rules"), segment("margin"), segment("answer"), segment("results")]
    assert measured(turn(report=report), None).segments == {"rules": 10}


def test_tools_that_are_not_ours_share_a_label():
    work = turn(tools=[("search_papers", "success", 5), ("tell_me_your_key", "error", 1)])
    names = {
        labels["tool"]
        for name, labels, _ in totals(work, measured(work, None), {"search_papers"})
        if name == "tool_calls"
    }
    assert names == {"search_papers", "other"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
reports = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "segment": st.sampled_from(["knowledge", "findings", "rules", "answer", "new one"]),
            "tokens": st.integers(0, 10**6) | st.floats() | st.none(),
            "items": st.none() | st.lists(st.fixed_dictionaries({"source": st.text(max_size=9)})),
        },
    ),
    max_size=6,
)


@given(
    report=reports,
    usage=st.dictionaries(st.sampled_from(["input_tokens", "model_calls", "x"]), json_values),
    timings=st.dictionaries(st.sampled_from(["reason", "embedding", "recall.a"]), json_values),
    tools=st.lists(
        st.tuples(st.text(max_size=9), st.sampled_from(["success", "error"]), st.none()), max_size=4
    ),
)
def test_whatever_is_stored_of_a_turn_it_has_numbers_that_are_json(
    report: list[Any], usage: dict[str, Any], timings: dict[str, Any], tools: list[Any]
):
    work = turn(report=report, usage=usage, timings_ms=timings, tools=tools)
    found = measured(work, None)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert found.papers_cited <= found.papers
    assert found.failed_calls <= found.calls == len(tools)
    added = list(totals(work, found, ()))
    assert all(value >= 0 for _, _, value in added)
    assert Counter(name for name, _, _ in added)["turn_seconds_bucket"] == len(SECONDS)
