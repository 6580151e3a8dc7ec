"""The figures as one web page: no script, nothing fetched, light and dark, phone and paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from arxivscout.monitoring.drawing import columns, growth, meter
from arxivscout.monitoring.figures import Latency, SlowTurn, Statistics
from arxivscout.monitoring.plots import every_day, together
from arxivscout.monitoring.statistics import MOST_DEGRADED
from arxivscout.monitoring.wording import facts, milliseconds, size
from arxivscout.papers import one_line
from arxivscout.reports.drawing import legend, timeline_key
from arxivscout.reports.facts import counted, moment
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.shell import contents, document, part

Part = tuple[str, str, Markup]  # id, heading, what stands under it
_COLUMNS = 60  # in the chart of answers; more days are put together


def statistics_page(found: Statistics, whose: str) -> str:
    """The page.

    Args:
        whose: the person, or everybody.
    """
    parts = [each for each in _parts(found) if each[2]]
    span = found.span.words
    thread = found.span.thread_id and f"the thread {one_line(found.span.thread_id)}"
    header = tag(
        "header",
        tag("p", "Statistics · ", moment(datetime.now().astimezone()), class_="kicker"),
        tag("h1", "How ArxivScout did"),
        tag("p", " · ".join(filter(None, [span, one_line(whose), thread])), class_="facts"),
    )
    body = joined(header, *(part(*each) for each in parts))
    entries = contents([(place, heading) for place, heading, _ in parts])
    return document(f"ArxivScout: {span}", entries, body)


def _parts(found: Statistics) -> Iterator[Part]:
    if not found.total.turns:
        yield "turns", "Turns", tag("p", "No question was asked in this time.", class_="soft")
    else:
        rows = (item for name, text in facts(found) for item in (tag("dt", name), tag("dd", text)))
        yield "turns", "Turns", tag("dl", *rows, class_="compared")
        yield "answers", "Answers by day", _answers(found)
        turn = [found.turn] if found.turn else []
        newest = f"of the newest {counted(found.measured, 'turn')}"
        yield "latency", "Latency", _latencies("Node", [*turn, *found.nodes], newest)
        yield "reads", "Reads of stores", _latencies("Store", found.stores_read, newest)
        yield "segments", "What the models read", _segments(found)
    yield "jobs", "Jobs", _latencies("Node", found.job_nodes, "what works side by side added up")
    yield "tools", "Tools", _tools(found)
    yield "stores", "Stores", _stores(found)
    if found.slowest:
        yield "slowest", "The slowest turns", tag("ol", *map(_slow, found.slowest))
    if found.degraded:
        lines = (tag("li", f"{one_line(w)} ({counted(n, 'turn')})") for w, n in found.degraded)
        words = f"In the newest {MOST_DEGRADED:,} of the turns to which something was not at hand."
        told = joined(tag("ul", *lines), tag("p", words, class_="soft"))
        yield "degraded", "What was not at hand", told


def _answers(found: Statistics) -> Markup:
    each, days = together(every_day(found.days), _COLUMNS)
    entries = [(f"{day:%m-%d}", c.answered - c.abstained, c.abstained) for day, c in days]
    said = "; ".join(f"{label}: {low + high}" for label, low, high in entries if low + high)
    drawn = columns("answers-chart", "Answers by day", said, entries)
    if not drawn:
        return tag("p", "No question was answered in this time.", class_="soft")
    keys = legend(
        timeline_key("cited", "answered"),
        timeline_key("other", "cites nothing after a search"),
    )
    words = f"A column is {counted(each, 'day')}; the number is of the highest."
    return tag("figure", drawn, tag("figcaption", keys, tag("p", words)))


def _latencies(of: str, rows: Sequence[Latency], whose: str) -> Markup:
    slowest = max((each.p95_ms for each in rows), default=0.0) or 1.0
    return _table(
        f"Filled the median, hollow up to p95; {whose}",
        (of, "Median", "p95", "Times", ""),
        [
            (
                each.name,
                milliseconds(each.median_ms),
                milliseconds(each.p95_ms),
                f"{each.count:,}",
                meter(each.median_ms / slowest, each.p95_ms / slowest),
            )
            for each in rows
        ],
    )


def _segments(found: Statistics) -> Markup:
    return _table(
        f"Tokens of each part of the context; of the newest {counted(found.measured, 'turn')}",
        ("Segment", "Tokens", "Share", ""),
        [(s.name, f"{s.tokens:,}", f"{s.share:.1%}", meter(s.share)) for s in found.segments],
    )


def _tools(found: Statistics) -> Markup:
    return _table(
        "The bar is the share of calls that failed",
        ("Tool", "Calls", "Failed", "Timed out", "Median", "p95", ""),
        [
            (
                each.name,
                f"{each.calls:,}",
                f"{each.failures:,} ({each.failure_rate:.1%})",
                f"{each.timeouts:,}",
                milliseconds(each.median_ms),
                milliseconds(each.p95_ms),
                meter(each.failure_rate),
            )
            for each in found.tools
        ],
    )


def _stores(found: Statistics) -> Markup:
    return _table(
        "New: in this time, and when; bytes with all indexes",
        ("Store", "Rows", "New", "Bytes", ""),
        [
            (s.name, f"{s.rows:,}", f"{s.added:,}", size(s.bytes), growth(s.growth))
            for s in found.stores
        ],
    )


def _slow(turn: SlowTurn) -> Markup:
    where = [
        f"{turn.seconds:.1f} s",
        moment(turn.at),
        turn.slowest_part and f"mostly {turn.slowest_part}",
        turn.thread_id and f"thread {one_line(turn.thread_id)}",
    ]
    trace = tag("a", "trace", href=turn.trace, rel="noopener noreferrer") if turn.trace else ""
    return tag(
        "li",
        " · ".join(filter(None, where)),
        tag("p", f"arxivscout context {turn.turn_id} ", trace, class_="remarks"),
    )


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    """A table whose last column is drawn; nothing without rows."""
    if not rows:
        return Markup()
    last = len(heads) - 1
    head = (
        tag("th", text or tag("span", "Drawn", class_="unseen"), scope="col",
            class_="number" if 0 < at < last else None)
        for at, text in enumerate(heads)
    )  # fmt: skip
    body = (
        tag(
            "tr",
            tag("th", one_line(first), scope="row"),
            *(
                tag("td", cell, class_="number" if at < last else "drawn")
                for at, cell in enumerate(cells, start=1)
            ),
        )
        for first, *cells in rows
    )
    table = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *head)),
        tag("tbody", *body),
        class_="figures",
    )
    return tag("div", table, class_="scroll")
