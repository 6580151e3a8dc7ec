"""A turn in the database as it ends: all that it leaves, in one transaction, once.

Everything is keyed by the turn's id: finishing again changes nothing, finishing with other words
replaces the turn, and the trigger on the tables keeps what stood before in `change_log`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Json

from arxivscout.memory import episode
from arxivscout.memory.candidate import Candidate, Link
from arxivscout.memory.episode import Done
from arxivscout.memory.gate import remember
from arxivscout.memory.kept_text import kept_text, kept_value
from arxivscout.memory.lease import RELEASE
from arxivscout.memory.looked_at import TAKE_BACK_LOOKED_AT, looked_at
from arxivscout.memory.postgres import Database, Statement
from arxivscout.memory.turn_record import STAY_ERASED, TurnRecord
from arxivscout.memory.vector_memory import LOCK_KIND

_FINISH = """
INSERT INTO turn AS kept (turn_id, thread_id, question, status, model, report, citations,
                          problems, degraded, usage, timings_ms, started_at, ended_at)
VALUES (%(turn)s, %(thread)s::text, %(question)s::text, %(status)s::text, %(model)s::text,
        %(report)s, %(citations)s, %(problems)s, %(degraded)s, %(usage)s, %(timings_ms)s,
        %(started_at)s, clock_timestamp())
ON CONFLICT (turn_id) DO UPDATE
SET question = EXCLUDED.question, status = EXCLUDED.status, model = EXCLUDED.model,
    report = EXCLUDED.report, citations = EXCLUDED.citations, problems = EXCLUDED.problems,
    degraded = EXCLUDED.degraded, usage = EXCLUDED.usage, timings_ms = EXCLUDED.timings_ms,
    ended_at = EXCLUDED.ended_at
"""

_WRITE_MESSAGE = """
INSERT INTO conversational_memory AS kept (thread_id, role, content, metadata, turn_id, timestamp)
VALUES (%(thread)s::text, %(role)s::text, %(content)s::text, %(metadata)s, %(turn)s,
        COALESCE(%(at)s::timestamptz, now()))
ON CONFLICT (turn_id, role) WHERE turn_id IS NOT NULL DO UPDATE
SET content = EXCLUDED.content, metadata = EXCLUDED.metadata
WHERE (kept.content, kept.metadata) IS DISTINCT FROM (EXCLUDED.content, EXCLUDED.metadata)
"""

_TAKE_BACK_ANSWER = """
DELETE FROM conversational_memory WHERE turn_id = %(turn)s AND role = 'assistant'
"""

_WRITE_TOOL_LOG = """
INSERT INTO tool_log_memory (id, thread_id, tool_name, tool_input, tool_output, status,
                             error_message, duration_ms, metadata, turn_id)
VALUES (%(id)s, %(thread)s::text, %(tool_name)s, %(tool_input)s, %(tool_output)s, %(status)s::text,
        %(error_message)s, %(duration_ms)s, %(metadata)s, %(turn)s)
ON CONFLICT (id) DO UPDATE
SET tool_output = EXCLUDED.tool_output, status = EXCLUDED.status,
    error_message = EXCLUDED.error_message, duration_ms = EXCLUDED.duration_ms
"""

_WRITE_WORKFLOW = """
INSERT INTO workflow_memory AS kept (content, embedding, langchain_metadata, workflow_type,
                                     outcome, thread_id, turn_id)
VALUES (%(content)s::text, %(vector)s::vector, %(metadata)s, %(workflow_type)s::text,
        %(outcome)s::text, %(thread)s::text, %(turn)s)
ON CONFLICT (turn_id) WHERE turn_id IS NOT NULL DO UPDATE
SET content = EXCLUDED.content, embedding = EXCLUDED.embedding, outcome = EXCLUDED.outcome,
    langchain_metadata = EXCLUDED.langchain_metadata, updated_at = now()
WHERE kept.content IS DISTINCT FROM EXCLUDED.content
"""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of a turn's own texts, in the database's text form; None leaves them for later."""

    workflow: str | None = None
    person: str | None = None
    episode: str | None = None
    preferences: Sequence[str | None] = ()


def finish_turn(database: Database, record: TurnRecord, vectors: Vectors) -> None:
    """Commit all that is left of a turn in one transaction, and give its lease back.

    Raises:
        DatabaseUnavailable: nothing of it was committed.
        Erased: nothing of it ever is.
    """
    turn, statements = UUID(record.turn_id), _finishing(record, vectors)
    if not record.preferences:
        database.batch(record.user, statements, turn)
        return
    with database.transaction(record.user, turn) as conn:
        with conn.pipeline():
            for statement, parameters in statements:
                conn.execute(statement, parameters)
        remember(conn, *_preferences(record, vectors))


def _finishing(record: TurnRecord, vectors: Vectors) -> list[Statement]:
    turn = UUID(record.turn_id)
    cited = [citation["arxiv_id"] for citation in record.citations]
    base: dict[str, Any] = {
        "turn": turn,
        "thread": record.thread_id,
        "user": record.user,
        "question": kept_text(record.question),
        "cited": cited,
    }
    statements: list[Statement] = [
        (STAY_ERASED, {"begun": record.started_at}),
        (LOCK_KIND, {"kind": "entity"}),
        (
            _FINISH,
            {
                **base,
                "status": record.status,
                "model": record.model,
                "report": Json(kept_value(record.report)),
                "citations": Json(kept_value(record.citations)),
                "problems": Json(kept_value(record.problems)),
                "degraded": Json(kept_value(record.degraded)),
                "usage": Json(record.usage),
                "timings_ms": Json(record.timings_ms),
                "started_at": record.started_at,
            },
        ),
        (
            _WRITE_MESSAGE,
            {
                **base,
                "role": "user",
                "content": base["question"],
                "metadata": Json({}),
                "at": record.started_at,
            },
        ),
    ]
    if record.answer:
        metadata = {"status": record.status, "model": record.model, "cited": cited}
        statements.append(
            (
                _WRITE_MESSAGE,
                {
                    **base,
                    "role": "assistant",
                    "content": kept_text(record.answer),
                    "metadata": Json(metadata),
                    "at": None,
                },
            )
        )
    else:
        statements.append((_TAKE_BACK_ANSWER, base))
    statements += [
        (_WRITE_TOOL_LOG, {**base, **tool_log_parameters(log)}) for log in record.tool_logs
    ]
    if record.workflow:
        statements.append(
            (
                _WRITE_WORKFLOW,
                {
                    **base,
                    "content": kept_text(record.workflow),
                    "vector": vectors.workflow,
                    "workflow_type": record.workflow_type,
                    "outcome": record.outcome,
                    "metadata": Json(
                        {
                            "workflow_type": record.workflow_type,
                            "outcome": record.outcome,
                            "thread_id": record.thread_id,
                            "cited": cited,
                        }
                    ),
                },
            )
        )
    statements.append((TAKE_BACK_LOOKED_AT, base))
    if cited and record.looked_at:
        statements += looked_at(base, vectors.person)
    if record.episode is not None:
        done = Done(**record.episode, outcome=record.outcome, at=record.started_at)
        statements += episode.finishing(turn, record.thread_id, done, vectors.episode, record.said)
    statements.append((RELEASE, base))
    return statements


def _preferences(
    record: TurnRecord, vectors: Vectors
) -> tuple[list[Candidate], list[Link], list[list[float] | None]]:
    """What the person wishes from now on, for the gate: what is said again is merged there."""
    candidates = [
        Candidate(
            "preference",
            preference["quote"],
            reason=preference.get("reason"),
            quote=preference["quote"],
            thread_id=record.thread_id,
            turn_id=UUID(record.turn_id),
            metadata={"category": "preference", **preference},
        )
        for preference in record.preferences
    ]
    given = [json.loads(vector) if vector else None for vector in vectors.preferences]
    return candidates, [], [*given, *[None] * len(candidates)][: len(candidates)]


def tool_log_parameters(log: dict[str, Any]) -> dict[str, Any]:
    """What `_WRITE_TOOL_LOG` is bound to, from a log as it waits in a record."""
    return {
        "id": UUID(log["id"]),
        "tool_name": log["tool_name"][:100],
        "tool_input": Json(kept_value(log["tool_input"])),
        "tool_output": kept_text(log["tool_output"]),
        "status": log["status"],
        "error_message": log["error_message"] and kept_text(log["error_message"]),
        "duration_ms": log["duration_ms"],
        "metadata": Json({}),
    }


def write_tool_log(
    database: Database, user: str, thread_id: str, turn_id: str, begun: str, log: dict[str, Any]
) -> None:
    """Commit one tool call as it ends; the same call of the same turn is one row.

    Args:
        begun: when the turn began, as ISO 8601.
    """
    parameters = {"thread": thread_id, "turn": UUID(turn_id), **tool_log_parameters(log)}
    database.batch(user, [(STAY_ERASED, {"begun": begun}), (_WRITE_TOOL_LOG, parameters)])
