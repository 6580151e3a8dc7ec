"""Figures of a month as a person may have them, and of one who has none."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from arxivscout.monitoring.figures import (
    Counts,
    Jobs,
    Latency,
    Segment,
    SlowTurn,
    Span,
    Statistics,
    StoreSize,
    ToolFigures,
)

SINCE = datetime(2026, 11, 1, tzinfo=UTC)
HOSTILE = '<script>document.title="run"</script><img src=x onerror=alert(1)>'


def a_day(number: int) -> Counts:
    """A day's counts, more on some days than on others."""
    answered = number * 7 % 23
    return Counts(
        turns=answered + number % 2,
        answered=answered,
        abstained=answered // 5,
        failed=number % 2,
        recalled=answered,
        recalled_cited=answered * 3 // 4,
        papers=answered * 6,
        papers_cited=answered,
        memories=answered * 4,
        degraded=number % 3,
        searches=answered,
        reused=answered // 4,
        model_calls=answered * 2,
        input_tokens=answered * 4_000,
        output_tokens=answered * 300,
        cached_tokens=answered * 1_000,
        cost=answered * 0.002,
        successes=answered,
    )


def month() -> Statistics:
    """Thirty days, one of them with nothing asked, and something wrong in every part."""
    nodes = ("reason", "run_tools", "load_memory", "understand", "check", "persist", "embedding")
    stores = ("conversation", "papers", "workflows", "entities", "relations", "tool log")
    return Statistics(
        span=Span(SINCE, SINCE + timedelta(days=30)),
        days=[(date(2026, 11, n), a_day(n)) for n in range(1, 31) if n != 9],
        turn=Latency("turn", 300, 1_234.5, 4_200.0),
        measured=300,
        nodes=[Latency(name, 300, 900 / n, 2_900 / n) for n, name in enumerate(nodes, start=1)],
        stores_read=[Latency(name, 300, 4.0 / n, 9.0 / n) for n, name in enumerate(stores, 1)],
        tools=[
            ToolFigures("search_papers", 280, 4, 1, 41.0, 120.0),
            ToolFigures("search_arxiv", 40, 11, 9, 2_100.0, 30_000.0),
            ToolFigures(HOSTILE, 1, 1, 0, None, None),
        ],
        segments=[Segment("knowledge", 90_000, 0.6), Segment("recent", 60_000, 0.4)],
        stores=[
            StoreSize(name, 900 * n, 80 * n, 1_400_000 * n, (0, *range(9), 3, n))
            for n, name in enumerate(stores)
        ],
        slowest=[
            SlowTurn(
                UUID(int=n), f"thread {HOSTILE if n == 1 else n}", SINCE + timedelta(hours=n),
                9.0 - n, "reason",
            )
            for n in range(3)
        ],
        degraded=[("the model gave no answer: composed from what was found", 3), (HOSTILE, 1)],
        feedback={"good": 7, "bad": 2},
        jobs=Jobs(5, 1, 0, 7, 42.0, 180.0, 90_000, 4_000, 0.31),
        job_nodes=[Latency("research", 5, 31_000.0, 90_000.0), Latency("plan", 5, 900.0, 1_100.0)],
        kept_searches=31,
    )  # fmt: skip


def nothing() -> Statistics:
    """Nothing was asked, and nothing is held."""
    return Statistics(
        span=Span(SINCE, SINCE + timedelta(days=30), "reading"),
        days=[],
        turn=None,
        measured=0,
        nodes=[],
        stores_read=[],
        tools=[],
        segments=[],
        stores=[StoreSize("papers", 0, 0, 8_192, (0,) * 12)],
        slowest=[],
        degraded=[],
        feedback={"good": 0, "bad": 0},
        jobs=Jobs(),
        job_nodes=[],
        kept_searches=0,
    )
