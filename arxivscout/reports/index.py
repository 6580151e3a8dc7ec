"""The index page of a batch: every job, how it went, where its files are, and what all took."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import quote

from arxivscout.papers import clean_text, one_line
from arxivscout.reports.facts import NO_ANSWER, counted, duration, money
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.mathematics import with_mathematics
from arxivscout.reports.shell import document
from arxivscout.reports.tables import row, table

State = Literal["done", "failed", "running", "waiting", "cancelled"]
_HEADS = ("Job", "Question", "State", "Papers", "Time", "Tokens", "Cost", "Files")
_BILL = ("Tokens", "Cost")  # columns that say nothing where no model is paid for
_MOST_AMISS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One job of a batch. What is not known yet is None.

    `cost` is in US dollars; `billed` is false where no model is paid for (extractive). `files` are
    a name each (`HTML`) and the path of the file, from the folder of the index. `answer` is how the
    answer begins, `not_found` why there is none, `degraded` what did not work, a line each.
    """

    job_id: str
    question: str
    state: State
    error: str = ""
    papers: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None
    billed: bool = True
    files: tuple[tuple[str, str], ...] = ()
    answer: str = ""
    not_found: str = ""
    degraded: tuple[str, ...] = ()


def index_page(batch_name: str, entries: Sequence[Entry]) -> str:
    """The page, in the style of the reports; the jobs in the order given."""
    states = Counter(entry.state for entry in entries)
    counts = [f"{states[each]:,} {each}" for each in get_args(State) if states[each]]
    if vain := sum(bool(one_line(entry.not_found)) for entry in entries):
        counts.append(f"{vain:,} without an answer")
    head = tag(
        "header",
        tag("p", "Research batch", class_="kicker"),
        tag("h1", one_line(batch_name) or "(no name)", lang=""),
        tag("p", " · ".join([counted(len(entries), "job"), *counts]), class_="facts"),
    )
    jobs = tag("section", tag("h2", "Jobs"), _table(entries)) if entries else Markup()
    return document(batch_name, Markup(), joined(head, jobs, _totals(entries)), class_="index")


def _table(entries: Sequence[Entry]) -> Markup:
    billed = any(entry.billed and entry.tokens for entry in entries)
    heads = [head for head in _HEADS if billed or head not in _BILL]
    rows = [
        row(heads, [cell for head, cell in _cells(entry) if head in heads], first=1)
        for entry in entries
    ]
    return table("In the order of the job file", heads, rows, "jobs")


def _cells(entry: Entry) -> Iterator[tuple[str, str]]:
    error = one_line(entry.error)
    state = tag("strong", entry.state, class_=f"state {entry.state}")
    unknown = "unknown" if entry.state == "done" else "–"
    links = (joined(tag("a", one_line(n), href=relative(p)), " ") for n, p in entry.files)
    yield from zip(
        _HEADS,
        [
            one_line(entry.job_id),
            joined(_question(entry), _answer(entry)),
            joined(state, joined(" ", tag("span", error, class_="error")) if error else ""),
            _or(unknown, None if entry.papers is None else f"{entry.papers:,}"),
            _or(unknown, None if entry.seconds is None else duration(entry.seconds)),
            _or(unknown, None if entry.tokens is None else f"{entry.tokens:,}"),
            _or(unknown, _cost(entry)),
            joined(*links),
        ],
        strict=True,
    )


def _question(entry: Entry) -> str:
    report = entry.files[0][1] if entry.state == "done" and entry.files else ""
    question = one_line(entry.question) or "(nothing was asked)"
    return tag("a", question, href=relative(report), lang="") if report else question


def _answer(entry: Entry) -> Markup:
    """How the answer begins, or why there is none."""
    if why := one_line(entry.not_found):
        return tag("span", f"{NO_ANSWER}: {why}", class_="answer none")
    if one_line(entry.answer):
        return tag("span", with_mathematics(entry.answer), class_="answer", lang="")
    return Markup()


def _or(unknown: str, text: str | None) -> str:
    return unknown if text is None else text


def _cost(entry: Entry) -> str | None:
    if not entry.billed:
        return "none billed"
    return None if entry.cost is None else money(entry.cost)


def _totals(entries: Sequence[Entry]) -> Markup:
    begun = [entry for entry in entries if entry.tokens]
    dear = [e for e in begun if e.billed and (e.cost is None or not math.isfinite(e.cost))]
    paid = [e.cost for e in entries if e.billed and e.cost is not None and math.isfinite(e.cost)]
    cost = money(math.fsum(paid)) if paid else "unknown" if dear else "none billed"
    if paid and dear:
        cost += f", and unknown for {counted(len(dear), 'job')}"
    seconds = math.fsum(e.seconds for e in entries if e.seconds and math.isfinite(e.seconds))
    rows: dict[str, str] = {
        "Jobs": f"{len(entries):,}",
        "Papers": f"{sum(entry.papers or 0 for entry in entries):,}, each job's counted by itself",
        "Time": f"{duration(seconds)}, each job's added up",
        "Tokens": f"{sum(entry.tokens or 0 for entry in entries):,}",
        "Cost": cost,
    }
    terms = (joined(tag("dt", name), tag("dd", value)) for name, value in rows.items())
    return tag("section", tag("h2", "All together"), tag("dl", *terms), _amiss(entries))


def _amiss(entries: Sequence[Entry]) -> Markup:
    """What did not work as it should, that of most jobs first."""
    told = Counter(
        line for entry in entries for line in dict.fromkeys(map(one_line, entry.degraded)) if line
    )
    lines = [
        tag("li", f"{line} ({counted(count, 'job')})")
        for line, count in told.most_common(_MOST_AMISS)
    ]
    if len(told) > _MOST_AMISS:
        lines.append(tag("li", f"and {len(told) - _MOST_AMISS} more, told in the reports"))
    return joined(
        tag("h3", "What did not work as it should") if lines else "",
        tag("ul", *lines, class_="remarks") if lines else "",
    )


def relative(path: str) -> str:
    """The address of a file from the folder of the page: never one of another place."""
    parts = [part for part in clean_text(path).split("/") if part not in ("", ".", "..")]
    return "./" + quote("/".join(parts), safe="/")
