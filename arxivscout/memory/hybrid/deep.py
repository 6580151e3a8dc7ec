"""Recalls that are asked for: as a turn's own but each memory by itself; wider, with what rests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arxivscout.memory.forgotten import Forgotten
from arxivscout.memory.hybrid.statement import (
    COLUMNS,
    DEEP,
    Depth,
    open_ways,
    own_parameters,
    own_statement,
)
from arxivscout.memory.message_recall import worth_recalling
from arxivscout.memory.paper_filter import NO_FILTER
from arxivscout.memory.postgres import Database
from arxivscout.memory.recall_stores import SETTINGS, Asked, plain, said_stores
from arxivscout.memory.remembering import Consent, recalled, recalled_messages

MESSAGES = 40

ASKED = Depth(details=True, more=5)

_STATEMENT = own_statement(DEEP)
_ASKED = own_statement(ASKED)


@dataclass(frozen=True, slots=True)
class Deep:
    """What was found, the best first: memories, what the graph joins to them, what was said."""

    memories: list[dict[str, Any]]
    related: list[dict[str, Any]]
    said: list[dict[str, Any]]


def asked_recall(
    database: Database, user: str, thread_id: str, question: str, vector: str, consent: Consent
) -> list[dict[str, Any]]:
    """The memories that bear on a question, and what the graph joins to it, the best first.

    Args:
        vector: of the question, in the database's text form.
        consent: what of other threads may be read in this one.
    """
    bound = own_parameters(question, vector, ASKED, thread=thread_id)
    _, own = database.batch(user, [(SETTINGS, {}), (_ASKED, bound)])
    rows = open_ways(recalled(_named(COLUMNS, own), thread_id, consent), consent)
    return sorted(rows, key=lambda row: -row["score"])


def deep_recall(
    database: Database,
    *,
    user: str,
    thread_id: str,
    turn_id: object,
    question: str,
    vector: str,
    now: datetime,
    consent: Consent,
) -> Deep:
    """All that bears on a question, in every category, archived or not, details and summaries.

    Args:
        vector: of the question, in the database's text form.
        consent: what of other threads may be read in this one.
    """
    asked = Asked(thread_id, turn_id, question, vector, vector, (), NO_FILTER, now)
    said, gone = said_stores(asked)
    statement, bound = said.statement
    _, own, messages, forgotten = database.batch(
        user,
        [
            (SETTINGS, {}),
            (_STATEMENT, own_parameters(question, vector, DEEP, thread=thread_id)),
            (statement, {**dict(bound), "messages": MESSAGES}),
            gone.statement,
        ],
    )
    rows = open_ways(recalled(_named(COLUMNS, own), thread_id, consent), consent)
    without = Forgotten(forgotten).row_without
    earlier = [without(row) for row in worth_recalling(_named(said.columns, messages))]
    memories = [row for row in rows if row["segment"] != "related"]
    return Deep(
        sorted(memories, key=lambda row: -row["score"]),
        [row for row in rows if row["segment"] == "related"],
        recalled_messages(earlier, thread_id, consent),
    )


def _named(columns: str, rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    names = columns.split()
    return [{name: plain(value) for name, value in zip(names, row, strict=True)} for row in rows]
