"""What bears on a question, from all stores, in one round trip with one vector.

All statements go out together, on three sessions that each take the server about as long: of
papers, of what was said, of all else. When one of them fails all are read one by one, so that a
broken store empties its own segment only; a database that is gone empties all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from typing import Any
from uuid import UUID

import psycopg

from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory import lesson
from arxivscout.memory.fit import fits
from arxivscout.memory.message_recall import (
    BY_MEANING,
    MESSAGE_COLUMNS,
    message_parameters,
    message_statement,
    worth_recalling,
)
from arxivscout.memory.nearest import nearest
from arxivscout.memory.paper_filter import NO_FILTER, PaperFilter
from arxivscout.memory.postgres import Database, Rows, Statement
from arxivscout.memory.remembering import (
    NO_CONSENT,
    Consent,
    consent_from_row,
    consent_statement,
    recalled,
)
from arxivscout.memory.retrieval import hits_from_rows, search_statement
from arxivscout.memory.time_words import time_asked

KNOWLEDGE_K = 8
# What is recalled unasked must bear on the question: a weak model cites whatever it is shown. On
# 9,000 papers, greetings and prices score .1 to .3, what is on the topic .4 to .8.
LEAST_SCORE = 0.25
LEAST_SHARE_OF_BEST = 0.6
TOOLS_K = 5
_BEYOND_THE_THREAD = (
    *("preferences", "lessons", "findings", "looked_at", "workflows", "summaries", "notes"),
)
# Notes on papers that are not recalled themselves count when their paper is on the topic.
NOTES_K = 8
LEAST_NOTE_SCORE = 0.4

# The planner holds any scan with a sort for cheaper than HNSW on a few thousand rows, where it
# takes five times as long.
_SETTINGS = """
SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
       set_config('hnsw.ef_search', '60', true),
       set_config('enable_seqscan', 'off', true),
       set_config('enable_sort', 'off', true)
"""

# Preferences are few and always count, however many other memories are nearer to the question.
_PREFERENCES = """
SELECT langchain_id, content, updated_at, thread_id, reason
FROM entity_memory
WHERE category = 'preference' AND valid_to IS NULL
ORDER BY updated_at DESC LIMIT 50
"""

# What the person said was wrong in this thread always counts: the next question may be in other
# words altogether.
_FOUND = """valid_to IS NULL AND (category IN ('finding', 'fact')
    OR category = 'correction' AND thread_id IS DISTINCT FROM %(thread)s::text)"""
_FINDINGS = f"""
{nearest("entity_memory", _FOUND, 6)}
(SELECT langchain_id, content, updated_at, thread_id, reason, 1.0 FROM entity_memory
 WHERE category = 'correction' AND valid_to IS NULL AND thread_id = %(thread)s::text
 ORDER BY updated_at DESC LIMIT 3)
UNION ALL
(SELECT langchain_id, content, updated_at, thread_id, reason, 1 - distance
 FROM nearest JOIN entity_memory USING (langchain_id)
 WHERE distance < 0.75 ORDER BY distance)
"""  # noqa: S608

_LOOKED_AT = f"""
{nearest("entity_memory", "category = 'paper' AND valid_to IS NULL", 5)}
SELECT paper.langchain_id, paper.name, paper.langchain_metadata ->> 'title',
       latest.recorded_at, latest.properties ->> 'thread_id', latest.properties ->> 'question',
       1 - distance
FROM nearest JOIN entity_memory AS paper USING (langchain_id)
CROSS JOIN LATERAL (
    SELECT recorded_at, properties FROM relation_memory
    WHERE object_id = paper.langchain_id AND predicate = 'looked_at' AND valid_to IS NULL
      AND turn_id IS DISTINCT FROM %(turn)s
    ORDER BY recorded_at DESC LIMIT 1
) AS latest
WHERE distance < 0.75 ORDER BY distance
"""  # noqa: S608

# A person's notes are on papers whose vectors are stored: those on papers near to the question, or
# named in it. The newest thousand are compared one by one.
_NOTES = """
SELECT mark.id, mark.arxiv_id,
       COALESCE(paper.langchain_metadata ->> 'title', split_part(paper.content, E'\\n', 1)),
       mark.noted_at, mark.status, array_to_string(mark.tags, ' '), mark.note,
       1 - (paper.embedding <=> %(vector)s::vector), mark.arxiv_id = ANY (%(ids)s::text[])
FROM (SELECT * FROM paper_mark WHERE user_id = scout_user() AND note IS NOT NULL
      ORDER BY noted_at DESC LIMIT 1000) AS mark
JOIN semantic_memory AS paper USING (arxiv_id)
ORDER BY 9 DESC, 8 DESC NULLS LAST LIMIT 20
"""

# Prefer what succeeded: an equal way that failed comes behind.
_WORKFLOWS = f"""
{nearest("workflow_memory", "turn_id IS DISTINCT FROM %(turn)s", 9, counted="true")}
SELECT langchain_id, content, updated_at, outcome, 1 - distance
FROM nearest JOIN workflow_memory USING (langchain_id)
WHERE distance < 0.7
ORDER BY distance + CASE outcome WHEN 'success' THEN 0 WHEN 'unknown' THEN .05 ELSE .15 END LIMIT 3
"""  # noqa: S608

# Those of this thread always count, then others that bear on the question.
_SUMMARIES = f"""
{nearest("summary_memory", "thread_id IS DISTINCT FROM %(thread)s::text", 3, counted="true")}
(SELECT langchain_id, content, updated_at, thread_id, 1.0 FROM summary_memory
 WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND summary_id IS NULL
 ORDER BY created_at DESC LIMIT 6)
UNION ALL
(SELECT langchain_id, content, updated_at, thread_id, 1 - distance
 FROM nearest JOIN summary_memory USING (langchain_id)
 WHERE distance < 0.7 ORDER BY distance)
"""  # noqa: S608

_EARLIER = message_statement(
    nearest(
        "message_index", "embedding IS NOT NULL", BY_MEANING, counted="true", vector="said_vector"
    )
)

_TOOL_LOGS = """
SELECT id, tool_name, tool_input, status, error_message, timestamp FROM tool_log_memory
WHERE thread_id = %(thread)s::text AND status <> 'success' AND turn_id IS DISTINCT FROM %(turn)s
ORDER BY seq DESC LIMIT 3
"""

_TOOLS = """
SELECT tool_name FROM toolbox_memory WHERE tool_name IS NOT NULL AND embedding IS NOT NULL
ORDER BY embedding <=> %(vector)s::vector LIMIT %(tools)s
"""


@dataclass(frozen=True, slots=True)
class Store:
    """One store's statement, and what its columns are called in the state."""

    name: str
    statement: Statement
    columns: str


@dataclass(slots=True)
class Recall:
    """What came back: JSON rows for each segment, names of fitting tools, what failed and why."""

    memory: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tools: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    consent: Consent = NO_CONSENT  # as long as what the person wants is not read


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
) -> Recall:
    """Read every store for one question.

    Args:
        question: as it is understood (standing alone).
        vector: its embedding in the database's text form.
        bounds: which papers may be recalled.
        said_vector: of the question without the names of `speakers`, where it has any.
        speakers: who speaks in the person's conversations, beside them and the assistant.
        now: the turn's time where the person is; None: now, in UTC.
    """
    now = now or datetime.now(UTC)
    parameters = {
        "vector": vector,
        "thread": thread_id,
        "turn": turn_id,
        "tools": TOOLS_K,
    }
    knowledge = search_statement(text=question, vector=vector, filters=bounds, k=KNOWLEDGE_K)
    own = [
        Store("preferences", (_PREFERENCES, parameters), "id text at thread_id reason"),
        Store("findings", (_FINDINGS, parameters), "id text at thread_id reason score"),
        Store(
            "looked_at",
            (_LOOKED_AT, parameters),
            "id arxiv_id title at thread_id question score",
        ),
        Store("lessons", (lesson.RECALL, parameters), lesson.COLUMNS),
        Store("workflows", (_WORKFLOWS, parameters), "id text at outcome score"),
        Store("summaries", (_SUMMARIES, parameters), "id text at thread_id score"),
        Store("tool_logs", (_TOOL_LOGS, parameters), "id tool_name input status error at"),
        Store("remembering", consent_statement(thread_id), ""),
    ]
    of_papers = [
        Store("tools", (_TOOLS, parameters), "name"),
        Store("knowledge", knowledge, ""),
        Store(  # behind the papers: notes on those count first
            "notes",
            (_NOTES, {**parameters, "ids": knowledge[1]["ids"]}),
            "id arxiv_id title at status tags text score named",
        ),
    ]
    said = [
        Store(
            "earlier",
            (
                _EARLIER,
                parameters
                | message_parameters(
                    question,
                    said_vector or vector,
                    time_asked(question, now.date()),
                    now.tzinfo or UTC,
                    speakers,
                ),
            ),
            MESSAGE_COLUMNS,
        ),
    ]
    groups = (said, of_papers, own)
    stores = [*said, *of_papers, *own]
    found = Recall()
    try:
        results = database.side_by_side(
            user,
            *([(_SETTINGS, {}), *(each.statement for each in group)] for group in groups),
        )
    except DatabaseUnavailable as error:
        found.failed = {store.name: str(error) for store in stores}
    except psycopg.Error:
        _one_by_one(database, user, stores, found)
    else:
        for store, rows in zip(stores, chain(*(r[1:] for r in results)), strict=True):
            _take(found, store, rows)
    _obey(found, thread_id)
    return found


def _obey(found: Recall, thread_id: str) -> None:
    """Leave out what the person does not want remembered; all of it if that can't be read."""
    consent = found.consent
    for name in _BEYOND_THE_THREAD:
        if name in found.memory:
            found.memory[name] = recalled(found.memory[name], thread_id, consent)
    if "earlier" in found.memory:
        # Who wants less than everything asked for no conversation to be remembered elsewhere.
        if consent.choice in ("asked", "facts"):
            consent = replace(consent, choice="nothing")
        found.memory["earlier"] = recalled(found.memory["earlier"], thread_id, consent)


def _one_by_one(database: Database, user: str, stores: Sequence[Store], found: Recall) -> None:
    for store in stores:
        try:
            rows = database.batch(user, [(_SETTINGS, {}), store.statement])[-1]
        except (psycopg.Error, DatabaseUnavailable) as error:
            found.failed[store.name] = str(error).partition("\n")[0]
        else:
            _take(found, store, rows)


def _take(found: Recall, store: Store, rows: Rows) -> None:
    if store.name == "tools":
        found.tools = [row[0] for row in rows]
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
            {name: _plain(value) for name, value in zip(columns, row, strict=True)} for row in rows
        ]
        if store.name == "notes":
            taken = _on_topic(found, taken)
        elif store.name == "earlier":
            taken = worth_recalling(taken)
        found.memory[store.name] = taken


def _on_topic(found: Recall, notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The notes on papers that are recalled or named, then those on others near to the question."""
    recalled = {row["arxiv_id"] for row in found.memory.get("knowledge", ())}
    sure = [row for row in notes if row["named"] or row["arxiv_id"] in recalled]
    near = [row for row in notes if row not in sure and (row["score"] or 0.0) >= LEAST_NOTE_SCORE]
    return [*sure, *near][:NOTES_K]


def _plain(value: Any) -> Any:
    """A column's value as JSON has it."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case dict() | list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return value
