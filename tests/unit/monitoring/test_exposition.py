"""What Prometheus is told, read back by its own client's parser."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from arxivscout.monitoring.exposition import Family, Sample, exposition
from arxivscout.monitoring.metrics import counted

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
numbers = st.floats(allow_nan=False) | st.integers(-(2**60), 2**60)


def read(text: str) -> dict[str, Any]:
    return {family.name: family for family in text_string_to_metric_families(text)}


@given(texts, st.lists(st.tuples(texts, numbers), min_size=1, max_size=5, unique_by=lambda p: p[0]))
def test_labels_help_and_values_come_back_as_they_were(told: str, rows: list[tuple[str, float]]):
    samples = [Sample({"tool": label}, value) for label, value in rows]
    family = read(exposition([Family("arxivscout_x", "gauge", told, samples)]))["arxivscout_x"]
    assert family.type == "gauge"
    found = [(sample.labels["tool"], sample.value) for sample in family.samples]
    assert found == [(label, float(value)) for label, value in rows]


def test_values_that_are_no_numbers_are_written_as_the_format_has_them():
    samples = [Sample({"n": str(n)}, v) for n, v in enumerate((math.inf, -math.inf, math.nan, 3))]
    text = exposition([Family("arxivscout_x", "gauge", "It.", samples)])
    assert [line.split()[-1] for line in text.splitlines()[2:]] == ["+Inf", "-Inf", "NaN", "3"]


def test_help_and_type_stand_once_before_the_samples_and_nothing_stands_for_nothing():
    text = exposition([Family("a_total", "counter", "A.", [Sample({}, 1)]),
                       Family("b", "gauge", "B.", [])])  # fmt: skip
    assert text == "# HELP a_total A.\n# TYPE a_total counter\na_total 1\n"


def test_sums_of_the_database_become_counters_summaries_and_a_histogram():
    totals = [
        ("node_seconds_count", {"node": "reason"}, 4.0),
        ("node_seconds_sum", {"node": "reason"}, 2.5),
        ("tool_calls", {"tool": "search_papers", "status": "error"}, 1.0),
        ("turn_seconds_bucket", {"le": "10"}, 4.0),
        ("turn_seconds_bucket", {"le": "0.5"}, 1.0),
        ("turn_seconds_bucket", {"le": "2.5"}, 3.0),
        ("turn_seconds_count", {}, 4.0),
        ("turn_seconds_sum", {}, 9.0),
    ]
    text = exposition(counted(lambda batches: [[totals, [("good", 2)], [("done", 1)]]]))
    found = read(text)
    turn = found["arxivscout_turn_duration_seconds"]
    assert turn.type == "histogram"
    buckets = [(s.labels["le"], s.value) for s in turn.samples if s.name.endswith("_bucket")]
    assert buckets == [("0.5", 1), ("2.5", 3), ("10", 4), ("+Inf", 4)]
    assert found["arxivscout_node_duration_seconds"].type == "summary"
    (calls,) = found["arxivscout_tool_calls"].samples
    assert (calls.name, calls.value) == ("arxivscout_tool_calls_total", 1)
    assert found["arxivscout_feedback"].samples[0].labels == {"judgement": "good"}
    assert found["arxivscout_batch_jobs"].samples[0].value == 1
