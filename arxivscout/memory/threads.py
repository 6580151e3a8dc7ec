"""Threads as a person sees them: listed with their titles, renamed, forked, deleted.

A thread is there as long as something was said in it. The table `thread` has only what the person
set; a title that nobody set is made from the first question when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import UsageError
from arxivscout.memory.kept_text import kept_name, kept_text
from arxivscout.memory.titles import title_of

_OF_A_JOB = re.compile(r"job [0-9a-f]{8}(?:\.\d)?")
MOST_NAME = 100  # characters, as the tables have it

# The names are found by skipping through an index from each thread's end to the next one's, and
# what a thread is about is read at its ends: only its questions are counted.
_THREADS = """
WITH RECURSIVE named AS (
    (SELECT thread_id, timestamp AS last_at, seq FROM conversational_memory
     WHERE user_id = scout_user() ORDER BY thread_id, timestamp DESC, seq DESC LIMIT 1)
    UNION ALL
    SELECT following.* FROM named CROSS JOIN LATERAL (
        SELECT thread_id, timestamp, seq FROM conversational_memory AS said
        WHERE said.user_id = scout_user() AND said.thread_id > named.thread_id
        ORDER BY said.thread_id, said.timestamp DESC, said.seq DESC LIMIT 1) AS following
), counted AS (
    SELECT thread_id, count(*) AS turns FROM conversational_memory
    WHERE user_id = scout_user() AND role = 'user' GROUP BY thread_id
)
SELECT named.thread_id, thread.title,
       (SELECT left(content, 500) FROM conversational_memory
        WHERE user_id = scout_user() AND thread_id = named.thread_id AND role = 'user'
        ORDER BY timestamp, seq LIMIT 1),
       COALESCE(counted.turns, 0),
       (SELECT timestamp FROM conversational_memory
        WHERE user_id = scout_user() AND thread_id = named.thread_id
        ORDER BY timestamp, seq LIMIT 1),
       named.last_at,
       (SELECT left(content, 500) FROM conversational_memory
        WHERE user_id = scout_user() AND thread_id = named.thread_id AND role = 'user'
        ORDER BY timestamp DESC, seq DESC LIMIT 1)
FROM named
LEFT JOIN counted ON counted.thread_id = named.thread_id
LEFT JOIN thread ON thread.user_id = scout_user() AND thread.thread_id = named.thread_id
ORDER BY named.last_at DESC, named.seq DESC
"""

_IS_THERE = """
SELECT EXISTS (SELECT FROM conversational_memory WHERE thread_id = %(thread)s::text)
    OR EXISTS (SELECT FROM tool_log_memory WHERE thread_id = %(thread)s::text)
    OR EXISTS (SELECT FROM turn WHERE thread_id = %(thread)s::text)
    OR EXISTS (SELECT FROM thread WHERE thread_id = %(thread)s::text)
"""

_EXISTING = """
SELECT name FROM unnest(%(threads)s::text[]) AS name
WHERE EXISTS (SELECT FROM conversational_memory
              WHERE user_id = scout_user() AND thread_id = name)
"""
_TITLE = """
SELECT (SELECT title FROM thread WHERE thread_id = %(thread)s::text),
       (SELECT left(content, 500) FROM conversational_memory
        WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND role = 'user'
        ORDER BY timestamp, seq LIMIT 1)
"""

_SET_TITLE = """
INSERT INTO thread (thread_id, title) VALUES (%(thread)s::text, %(title)s::text)
ON CONFLICT (user_id, thread_id) DO UPDATE SET title = EXCLUDED.title
"""

# The name stands in metadata too, where it is shown with the memory; the order of keys is kept.
# What a turn changed comes back under the new name when the turn is taken back.
_RENAME = (
    "UPDATE conversational_memory SET thread_id = %(new)s::text WHERE thread_id = %(thread)s::text",
    "UPDATE tool_log_memory SET thread_id = %(new)s::text WHERE thread_id = %(thread)s::text",
    "UPDATE turn SET thread_id = %(new)s::text WHERE thread_id = %(thread)s::text",
    "UPDATE thread SET thread_id = %(new)s::text WHERE thread_id = %(thread)s::text",
    "UPDATE thread SET forked_from = %(new)s::text WHERE forked_from = %(thread)s::text",
    """
    UPDATE workflow_memory SET thread_id = %(new)s::text, langchain_metadata = (
        SELECT json_object_agg(key, CASE key WHEN 'thread_id' THEN to_json(%(new)s::text)
                                    ELSE value END)
        FROM json_each(langchain_metadata))
    WHERE thread_id = %(thread)s::text
    """,
    """
    UPDATE episode_memory SET thread_id = %(new)s::text, langchain_metadata = (
        SELECT json_object_agg(key, CASE key WHEN 'thread_id' THEN to_json(%(new)s::text)
                                    ELSE value END)
        FROM json_each(langchain_metadata))
    WHERE thread_id = %(thread)s::text
    """,
    """
    UPDATE entity_memory SET thread_id = %(new)s::text, langchain_metadata = (
        SELECT json_object_agg(key, CASE key WHEN 'thread_id' THEN to_json(%(new)s::text)
                                    ELSE value END)
        FROM json_each(langchain_metadata))
    WHERE thread_id = %(thread)s::text
    """,
    """
    UPDATE summary_memory SET thread_id = %(new)s::text, langchain_metadata = (
        SELECT json_object_agg(key, CASE key WHEN 'thread_id' THEN to_json(%(new)s::text)
                                    ELSE value END)
        FROM json_each(langchain_metadata))
    WHERE thread_id = %(thread)s::text
    """,
    """
    UPDATE relation_memory
    SET properties = jsonb_set(properties, '{thread_id}', to_jsonb(%(new)s::text))
    WHERE properties ->> 'thread_id' = %(thread)s::text
    """,
    """
    UPDATE change_log SET
        before = jsonb_set(jsonb_set(jsonb_set(before,
            '{thread_id}', to_jsonb(%(new)s::text), false),
            '{langchain_metadata,thread_id}', to_jsonb(%(new)s::text), false),
            '{properties,thread_id}', to_jsonb(%(new)s::text), false),
        metadata = (
            SELECT json_object_agg(key, CASE key WHEN 'thread_id' THEN to_json(%(new)s::text)
                                        ELSE value END)
            FROM json_each(metadata))
    WHERE turn_id IS NOT NULL
      AND %(thread)s::text IN (before ->> 'thread_id', before #>> '{properties,thread_id}')
    """,
)

_FORK = """
WITH picked AS MATERIALIZED (
    SELECT id, turn_id FROM conversational_memory AS said
    WHERE thread_id = %(thread)s::text
      AND (%(upto)s::uuid IS NULL OR seq <= (SELECT max(seq) FROM conversational_memory
                                             WHERE turn_id = %(upto)s::uuid))
      AND NOT EXISTS (SELECT FROM turn WHERE turn.turn_id = said.turn_id AND status = 'open')
), renewed AS MATERIALIZED (
    SELECT turn_id, gen_random_uuid() AS new_id
    FROM (SELECT DISTINCT turn_id FROM picked WHERE turn_id IS NOT NULL) AS each
), turns AS (
    INSERT INTO turn (turn_id, thread_id, question, status, model, report, citations, problems,
                      degraded, timings_ms, started_at, ended_at)
    SELECT new_id, %(new)s::text, question, status, model, report, citations, problems,
           degraded, timings_ms, started_at, ended_at
    FROM turn JOIN renewed USING (turn_id)
), marked AS (
    INSERT INTO thread (thread_id, title, forked_from, project_id, private)
    SELECT %(new)s::text, original.title, %(thread)s::text, original.project_id,
           COALESCE(original.private, false)
    FROM (SELECT) AS one LEFT JOIN thread AS original ON original.thread_id = %(thread)s::text
), copied AS (
    INSERT INTO conversational_memory (thread_id, role, content, timestamp, metadata, turn_id)
    SELECT %(new)s::text, role, content, timestamp, metadata, new_id
    FROM picked JOIN conversational_memory USING (id)
    LEFT JOIN renewed ON renewed.turn_id = picked.turn_id
    ORDER BY seq RETURNING id
)
SELECT count(*) FROM copied
"""

_IS_TURN_OF = """
SELECT EXISTS (SELECT FROM conversational_memory
               WHERE thread_id = %(thread)s::text AND turn_id = %(turn)s)
"""

_DELETE = """
WITH logs AS (DELETE FROM tool_log_memory WHERE thread_id = %(thread)s),
     turns AS (DELETE FROM turn WHERE thread_id = %(thread)s),
     lease AS (DELETE FROM thread_lease WHERE thread_id = %(thread)s),
     summaries AS (DELETE FROM summary_memory WHERE thread_id = %(thread)s),
     named AS (DELETE FROM thread WHERE thread_id = %(thread)s),
     messages AS (DELETE FROM conversational_memory WHERE thread_id = %(thread)s RETURNING id)
SELECT count(*) FROM messages
"""


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """A thread in one line; `turns` counts what the person said, long questions are cut."""

    thread_id: str
    title: str
    turns: int
    first_at: datetime
    last_at: datetime
    last_question: str | None


def check_thread(name: str) -> str:
    """`name`, if it can name a thread.

    Raises:
        UsageError: no text, empty, over 100 characters, or with control characters.
    """
    text = name if isinstance(name, str) else ""  # a caller may be a person at a Python prompt
    if not text.strip() or len(text) > MOST_NAME or not text.isprintable():
        raise UsageError(
            f"{str(name)[:40]!a} can't name a thread.",
            f"Use 1 to {MOST_NAME} printable characters.",
        )
    return text


def written_thread(name: str) -> str:
    """`name`, if something may be stored under it; what holds a secret can only be read, renamed
    and deleted.

    Raises:
        UsageError: it can't name a thread, or holds a secret or an address.
    """
    return kept_name(check_thread(name), "a thread")


def threads(conn: Connection[Any], *, of_jobs: bool = False) -> list[ThreadSummary]:
    """The person's threads, the one last spoken in first.

    Args:
        of_jobs: also those of batch jobs that name no thread of their own, of which there may be
            hundreds.
    """
    rows = conn.execute(_THREADS).fetchall()
    return [
        ThreadSummary(name, title or title_of(first or "") or name, turns, begun, latest, last)
        for name, title, first, turns, begun, latest, last in rows
        if of_jobs or not _OF_A_JOB.fullmatch(name)
    ]


def job_thread(job_id: str) -> str:
    """What the thread of a batch job is called that names none; its parts have a number behind."""
    return f"job {job_id[:8]}"


def is_there(conn: Connection[Any], thread_id: str) -> bool:
    """Whether anything was said, done or set in the thread."""
    row = conn.execute(_IS_THERE, {"thread": thread_id}).fetchone()
    return bool(row and row[0])


def free_name(conn: Connection[Any], wanted: str) -> str:
    """`wanted`, or that with a number behind where a thread is called so already."""
    name, number = wanted[:MOST_NAME], 1
    while is_there(conn, name):
        number += 1
        name = f"{wanted[: MOST_NAME - 1 - len(str(number))]}-{number}"
    return name


def title(conn: Connection[Any], thread_id: str) -> str:
    """The thread's title: the person's, else made from the first question, else its name."""
    row = conn.execute(_TITLE, {"thread": thread_id}).fetchone()
    assert row is not None
    return row[0] or title_of(row[1] or "") or thread_id


def set_title(conn: Connection[Any], thread_id: str, title: str | None) -> None:
    """Give a thread a title; None lets it name itself again."""
    kept = None if title is None else kept_text(title)
    conn.execute(_SET_TITLE, {"thread": thread_id, "title": kept})


def rename(conn: Connection[Any], thread_id: str, new: str) -> None:
    """Give a thread another name, everywhere it stands."""
    for statement in _RENAME:
        conn.execute(statement, {"thread": thread_id, "new": new})


def existing(conn: Connection[Any], threads: Collection[str]) -> set[str]:
    """Those of the threads that are not deleted."""
    rows = conn.execute(_EXISTING, {"threads": sorted(threads)}).fetchall()
    return {name for (name,) in rows}


def fork(conn: Connection[Any], thread_id: str, new: str, upto: UUID | None = None) -> int:
    """Copy what was said, up to and with the turn `upto`, into the thread `new`; its turns get ids
    of their own. Say how many messages there are.

    A turn that is being answered is left out. What was learned is not copied: it is the person's.
    """
    row = conn.execute(_FORK, {"thread": thread_id, "new": new, "upto": upto}).fetchone()
    assert row is not None
    return int(row[0])


def is_turn_of(conn: Connection[Any], thread_id: str, turn_id: UUID) -> bool:
    """Whether the turn belongs to the thread."""
    row = conn.execute(_IS_TURN_OF, {"thread": thread_id, "turn": turn_id}).fetchone()
    return bool(row and row[0])


def delete(conn: Connection[Any], thread_id: str) -> int:
    """Delete a thread: messages, tool logs, turns, summaries; say how many messages there were.

    What was learned in it (preferences, findings, workflows) belongs to the person, not to the
    thread, and stays.
    """
    row = conn.execute(_DELETE, {"thread": thread_id}).fetchone()
    assert row is not None
    return int(row[0])
