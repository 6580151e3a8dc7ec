"""What bears on a question, from all stores, in one round trip with one vector.

All statements go out together, on four sessions that each take the server about as long: of papers,
of what was said, of what was learned from the person, of all else. When one of them fails all are
read one by one, so that a broken store empties its own segment only; a database that is gone
empties all.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any

import psycopg

from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory.fading import DEFAULT, HalfLives
from arxivscout.memory.fit import fits
from arxivscout.memory.forgotten import Forgotten
from arxivscout.memory.hybrid.statement import open_ways
from arxivscout.memory.message_recall import worth_recalling
from arxivscout.memory.paper_filter import NO_FILTER, PaperFilter
from arxivscout.memory.postgres import Database, Rows
from arxivscout.memory.read_clock import clocked, read_times
from arxivscout.memory.recall_stores import (
    KNOWLEDGE_K,
    PLANNED_ONCE,
    SETTINGS,
    Asked,
    Store,
    other_stores,
    own_memories,
    paper_stores,
    plain,
    said_stores,
)
from arxivscout.memory.remembering import (
    NO_CONSENT,
    Consent,
    consent_from_row,
    recalled,
    recalled_messages,
)
from arxivscout.memory.retrieval import SETTINGS as PAPER_SETTINGS
from arxivscout.memory.retrieval import hits_from_rows
from arxivscout.papers.rendering import KEPT_HERE_ONLY, KEPT_IF_ASKED

# What is recalled unasked must bear on the question: a weak model cites whatever it is shown. On
# 9,000 papers, greetings and prices score .1 to .3, what is on the topic .4 to .8.
LEAST_SCORE = 0.25
LEAST_SHARE_OF_BEST = 0.6
_BEYOND_THE_THREAD = (
    *("preferences", "lessons", "findings", "related", "looked_at", "workflows", "summaries"),
    "notes",
)
_TOLD_AGAIN = ("earlier", "summaries", "lessons", "looked_at", "related", "workflows", "tool_logs")
# Notes on papers that are not recalled themselves count when their paper is on the topic.
NOTES_K = 8
LEAST_NOTE_SCORE = 0.4


@dataclass(slots=True)
class Recall:
    """What came back: JSON rows for each segment, names of fitting tools, what failed and why.

    `read_ms`: what each store took the server; they are read at the same time.
    """

    memory: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tools: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    read_ms: dict[str, float] = field(default_factory=dict)
    consent: Consent = NO_CONSENT  # as long as what the person wants is not read
    forgotten: Forgotten = field(default_factory=lambda: Forgotten(()))


def recall(
    database: Database,
    *,
    user: str,
    thread_id: str,
    turn_id: object,
    question: str,
    vector: str,
    bounds: PaperFilter = NO_FILTER,
    said_vector: str | None = None,
    speakers: Sequence[str] = (),
    now: datetime | None = None,
    half_lives: HalfLives = DEFAULT,
    newest: int = 0,
) -> Recall:
    """Read every store for one question.

    Args:
        question: as it is understood (standing alone).
        vector: its embedding in the database's text form.
        bounds: which papers may be recalled.
        said_vector: of the question without the names of `speakers`, where it has any.
        speakers: who speaks in the person's conversations, beside them and the assistant.
        now: the turn's time where the person is; None: now, in UTC.
        half_lives: in which a memory's value fades.
        newest: how many of the thread's newest messages are read anyway.
    """
    asked = Asked(
        thread_id,
        turn_id,
        question,
        vector,
        said_vector or vector,
        speakers,
        bounds,
        now or datetime.now(UTC),
        half_lives,
        newest,
    )
    planned = PLANNED_ONCE if bounds == NO_FILTER else SETTINGS
    groups = (
        ([PLANNED_ONCE], said_stores(asked)),
        ([planned, PAPER_SETTINGS], paper_stores(asked)),
        ([PLANNED_ONCE], own_memories(asked)),
        ([PLANNED_ONCE], other_stores(asked)),
    )
    stores = [*chain(*(group for _, group in groups))]
    found = Recall()
    try:
        results = database.side_by_side(
            user,
            *(
                [*((each, {}) for each in settings), *clocked([each.statement for each in group])]
                for settings, group in groups
            ),
        )
    except DatabaseUnavailable as error:
        found.failed = {store.name: str(error) for store in stores}
    except psycopg.Error:
        _one_by_one(database, user, stores, found)
    else:
        read = chain(
            *(
                read_times(rows[len(settings) :])
                for rows, (settings, _) in zip(results, groups, strict=True)
            )
        )
        for store, (rows, ms) in zip(stores, read, strict=True):
            _take(found, store, rows)
            found.read_ms[store.name] = ms
    _obey(found, thread_id)
    return found


def _obey(found: Recall, thread_id: str) -> None:
    """Leave out what the person does not want remembered; all of it if that can't be read.

    What they wanted forgotten is left out of what was said and of what was made of it; so is all of
    that where it can't be told what was forgotten.
    """
    consent = found.consent
    if "remembering" not in found.failed and not consent.may_learn("fact"):
        asked_for = consent.choice == "asked" and not consent.private
        found.memory["unkept"] = [{"text": KEPT_IF_ASKED if asked_for else KEPT_HERE_ONLY}]
    for name in _BEYOND_THE_THREAD:
        if name in found.memory:
            found.memory[name] = recalled(found.memory[name], thread_id, consent)
    if "related" in found.memory:
        found.memory["related"] = open_ways(found.memory["related"], consent)
    if "earlier" in found.memory:
        found.memory["earlier"] = recalled_messages(found.memory["earlier"], thread_id, consent)
    without = found.forgotten.row_without
    for name in found.memory.keys() & set(_TOLD_AGAIN):
        read = [] if "forgotten" in found.failed else found.memory[name]
        found.memory[name] = [without(row) for row in read]


def _one_by_one(database: Database, user: str, stores: Sequence[Store], found: Recall) -> None:
    for store in stores:
        try:
            rows = database.batch(user, [(SETTINGS, {}), store.statement])[-1]
        except (psycopg.Error, DatabaseUnavailable) as error:
            found.failed[store.name] = str(error).partition("\n")[0]
            if store.instead is None:
                continue
            with suppress(psycopg.Error, DatabaseUnavailable):
                rows = database.batch(user, [(SETTINGS, {}), store.instead])[-1]
                found.failed[store.name] += "; read by meaning alone"
                _take(found, store, rows)
        else:
            _take(found, store, rows)


def _take(found: Recall, store: Store, rows: Rows) -> None:
    if store.name == "tools":
        found.tools = [row[0] for row in rows]
    elif store.name == "forgotten":
        found.forgotten = Forgotten(rows)
    elif store.name == "remembering":
        found.consent = consent_from_row(rows[0])
    elif store.name == "knowledge":
        hits = hits_from_rows(rows)[:KNOWLEDGE_K]
        if not fits(hits):
            hits = []
        least = max(LEAST_SCORE, LEAST_SHARE_OF_BEST * max((h.score for h in hits), default=0.0))
        found.memory["knowledge"] = [
            {"arxiv_id": hit.paper.arxiv_id, "score": hit.score, **hit.paper.to_metadata()}
            for hit in hits
            if hit.score >= least
        ]
    else:
        columns = store.columns.split()
        taken = [
            {name: plain(value) for name, value in zip(columns, row, strict=True)} for row in rows
        ]
        if store.name == "notes":
            taken = _on_topic(found, taken)
        elif store.name == "earlier":
            taken = worth_recalling(taken)
        if store.name == "own":
            for segment in ("preferences", "findings", "related"):
                _put_first(found, segment, [row for row in taken if row["segment"] == segment])
        elif store.name == "corrections":
            _put_first(found, "findings", taken)
        elif store.name == "preferences":  # behind those that bear on the question
            found.memory["preferences"] = _each_once([*found.memory.get("preferences", ()), *taken])
        else:
            found.memory[store.name] = taken


def _put_first(found: Recall, segment: str, rows: list[dict[str, Any]]) -> None:
    found.memory[segment] = _each_once([*rows, *found.memory.get(segment, ())])


def _each_once(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({row["id"]: row for row in reversed(rows)}.values())[::-1]


def _on_topic(found: Recall, notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The notes on papers that are recalled or named, then those on others near to the question."""
    recalled = {row["arxiv_id"] for row in found.memory.get("knowledge", ())}
    sure = [row for row in notes if row["named"] or row["arxiv_id"] in recalled]
    near = [row for row in notes if row not in sure and (row["score"] or 0.0) >= LEAST_NOTE_SCORE]
    return [*sure, *near][:NOTES_K]
