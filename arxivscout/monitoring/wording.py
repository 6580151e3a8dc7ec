"""Figures in words, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator

from arxivscout.monitoring.figures import Jobs, Statistics
from arxivscout.reports.facts import counted, duration, money


def facts(found: Statistics) -> Iterator[tuple[str, str]]:
    """What the turns of the time came to: a name and a sentence each."""
    total = found.total
    parts = [f"{total.answered:,} answered"]
    parts += [f"{total.failed:,} failed"] if total.failed else []
    parts += [f"{total.interrupted:,} interrupted"] if total.interrupted else []
    if found.turn:
        median, p95 = milliseconds(found.turn.median_ms), milliseconds(found.turn.p95_ms)
        parts.append(f"median {median}, p95 {p95}")
    yield "turns", f"{total.turns:,}: {', '.join(parts)}"
    if total.hit_rate is not None:
        yield (
            "hit rate",
            f"{total.hit_rate:.0%}: of {counted(total.recalled, 'turn')} to which papers were "
            f"recalled, {total.recalled_cited:,} cite one; of {counted(total.papers, 'paper')}, "
            f"{total.papers_cited:,}",
        )
    yield "empty", f"{counted(total.empty_recalls, 'turn')} to which nothing was recalled"
    if total.abstained_rate is not None:
        yield (
            "abstained",
            f"{total.abstained_rate:.0%}: {counted(total.abstained, 'answer')} that "
            f"{'cites' if total.abstained == 1 else 'cite'} nothing after a search",
        )
    yield (
        "outcome",
        f"{total.successes:,} worked, {total.failures:,} did not; the check found problems in "
        f"{counted(total.problems, 'answer')}",
    )
    good, bad = found.feedback["good"], found.feedback["bad"]
    if good or bad:
        yield "feedback", f"{good:,} good, {bad:,} bad"
    yield "degraded", counted(total.degraded, "turn")
    cached = f", {total.cached_tokens:,} of it from the provider's cache" * bool(
        total.cached_tokens
    )
    yield (
        "tokens",
        f"{total.input_tokens:,} in{cached}, {total.output_tokens:,} out, in "
        f"{counted(total.model_calls, 'call')}; cost {_cost(found)}",
    )
    if total.searches:
        yield (
            "searches",
            f"{total.searches:,}, {total.reused:,} of them answered by an earlier one; "
            f"{found.kept_searches:,} are kept",
        )
    if told := jobs(found.jobs):
        yield "jobs", told


def jobs(found: Jobs) -> str:
    """Research jobs of batches in a sentence; nothing if none ended."""
    ended = found.done + found.failed + found.cancelled
    if not ended:
        return ""
    times = (
        f"; median {duration(found.median_s)}, p95 {duration(found.p95_s)}"
        if found.median_s is not None and found.p95_s is not None
        else ""
    )
    return (
        f"{ended:,}: {found.done:,} done, {found.failed:,} failed, {found.cancelled:,} cancelled, "
        f"in {counted(found.attempts, 'attempt')}{times}; {found.input_tokens:,} tokens in, "
        f"{found.output_tokens:,} out, cost {money(found.cost)}"
    )


def milliseconds(ms: float | None) -> str:
    """`0.4 ms`, `12 ms`, `3.4 s`."""
    if ms is None:
        return ""
    if ms < 9.95:
        return f"{ms:.1f} ms"
    return f"{ms:.0f} ms" if ms < 999.5 else duration(ms / 1000)


def size(number: int) -> str:
    """Bytes in the unit that suits them."""
    value = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 999.5:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 9.95 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"


def _cost(found: Statistics) -> str:
    total = found.total
    if total.unpriced == total.turns:
        return "unknown"
    known = money(total.cost)
    return f"{known} and that of {total.unpriced:,} turns unknown" if total.unpriced else known
