"""The metrics that Prometheus is told: sums from the database, and how large the stores are.

Labels are names of ours (nodes, stores, tools, segments) and of models: no word of a person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from arxivscout.memory.postgres import Rows
from arxivscout.monitoring.exposition import Family, Kind, Sample
from arxivscout.monitoring.figures import Span, StoreSize
from arxivscout.monitoring.statistics import Read, store_sizes

_TOTALS = "SELECT name, labels, sum(value) FROM measure_total GROUP BY name, labels ORDER BY 1, 2"
_FEEDBACK = "SELECT feedback, count(*) FROM turn WHERE feedback IS NOT NULL GROUP BY 1 ORDER BY 1"
_JOBS = "SELECT status, count(*) FROM batch_job GROUP BY 1 ORDER BY 1"

# Of `measure_total`: the metric's name behind arxivscout_, and its help.
_COUNTERS = {
    "turns": ("turns_total", "Questions that were asked, by how their turn ended."),
    "turn_outcomes": ("turn_outcomes_total", "Turns by what came of their way of working."),
    "tool_calls": ("tool_calls_total", "Calls of tools, by how they ended."),
    "context_tokens": ("context_tokens_total", "Tokens of each part of the models' context."),
    "model_tokens": ("model_tokens_total", "Tokens that models read, wrote, took from a cache."),
    "model_calls": ("model_calls_total", "Requests to chat models."),
    "cost_dollars": ("model_cost_dollars_total", "Cost of models whose price is known."),
    "recalled_papers": ("recalled_papers_total", "Papers recalled into contexts."),
    "recalled_papers_cited": ("recalled_papers_cited_total", "Of these, papers then cited."),
    "recalled_memories": ("recalled_memories_total", "Other memories recalled into contexts."),
    "empty_recalls": ("empty_recalls_total", "Turns to which nothing was recalled."),
    "abstentions": ("abstentions_total", "Answers that cite nothing after a search."),
    "searches": ("searches_total", "Calls of tools that search for papers."),
    "searches_reused": ("searches_reused_total", "Searches answered by an earlier one."),
    "degradations": ("degradations_total", "Things that were not at hand in a turn."),
    "check_problems": ("check_problems_total", "Problems that the check of answers found."),
}
_TIMES: Mapping[str, tuple[str, Kind, str]] = {
    "turn_seconds": ("turn_duration_seconds", "histogram", "A turn's work, without waiting."),
    "node_seconds": ("node_duration_seconds", "summary", "Work of each node of the turn."),
    "store_seconds": ("store_read_duration_seconds", "summary", "Reads of each store."),
    "tool_seconds": ("tool_duration_seconds", "summary", "Calls of each tool."),
}
_PARTS = ("_bucket", "_sum", "_count")


def counted(read: Read) -> list[Family]:
    """What is read anew at each scrape: some hundred rows."""
    ((totals, feedback, jobs),) = read([[(_TOTALS, {}), (_FEEDBACK, {}), (_JOBS, {})]])
    return [
        *_counters(totals),
        *_times(totals),
        _gauge("feedback", "Answers that were judged.", "judgement", feedback),
        _gauge("batch_jobs", "Research jobs of batches, by state.", "status", jobs),
    ]


def sized(read: Read) -> list[Family]:
    """The sizes of the stores: rows are counted, which takes a while with many."""
    now = datetime.now(UTC)
    sizes: list[StoreSize] = store_sizes(read, Span(now, now))
    return [
        _gauge("store_rows", "Rows of each store.", "store", [(s.name, s.rows) for s in sizes]),
        _gauge(
            "store_bytes",
            "Bytes of each store's table with its indexes, of all users.",
            "store",
            [(s.name, s.bytes) for s in sizes],
        ),
    ]


def _counters(totals: Rows) -> list[Family]:
    samples: dict[str, list[Sample]] = defaultdict(list)
    for name, labels, value in totals:
        samples[name].append(Sample(labels, value))
    return [
        Family(f"arxivscout_{name}", "counter", told, samples[key])
        for key, (name, told) in _COUNTERS.items()
    ]


def _times(totals: Rows) -> list[Family]:
    samples: dict[str, list[Sample]] = defaultdict(list)
    for name, labels, value in sorted(totals, key=_upwards):
        base, part = next(((name.removesuffix(p), p) for p in _PARTS if name.endswith(p)), ("", ""))
        if name == "turn_seconds_count":  # the last bucket holds all
            samples[base].append(Sample({"le": "+Inf"}, value, "_bucket"))
        if base in _TIMES:
            samples[base].append(Sample(labels, value, part))
    return [
        Family(f"arxivscout_{name}", kind, told, samples[key])
        for key, (name, kind, told) in _TIMES.items()
    ]


def _upwards(row: Sequence[object]) -> tuple[str, float]:
    """Buckets from the smallest bound to the largest."""
    name, labels = str(row[0]), row[1]
    bound = labels.get("le", "0") if isinstance(labels, Mapping) else "0"
    return name, float(bound)


def _gauge(name: str, told: str, label: str, rows: Sequence[tuple[str, float]]) -> Family:
    samples = [Sample({label: key}, value) for key, value in rows]
    return Family(f"arxivscout_{name}", "gauge", told, samples)
