"""The statements of a recall: what each store is asked for one question.

Those of the messages, the lessons, the papers and the person's own memories stand in their own
modules; here are the short ones, and how they are put together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from arxivscout.memory import lesson
from arxivscout.memory.fading import DEFAULT, HalfLives
from arxivscout.memory.forgotten import FORGOTTEN
from arxivscout.memory.graph import enrich
from arxivscout.memory.hybrid import preferences, statement
from arxivscout.memory.hybrid.distilled import bearing
from arxivscout.memory.message_recall import (
    BY_MEANING,
    MESSAGE_COLUMNS,
    message_parameters,
    message_statement,
)
from arxivscout.memory.nearest import nearest
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.postgres import Statement
from arxivscout.memory.remembering import consent_statement
from arxivscout.memory.retrieval import search_statement
from arxivscout.memory.time_words import time_asked

KNOWLEDGE_K = 8
TOOLS_K = 5

# The planner holds any scan with a sort for cheaper than HNSW on a few thousand rows, where it
# takes five times as long.
SETTINGS = """
SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
       set_config('hnsw.ef_search', '60', true),
       set_config('enable_seqscan', 'off', true),
       set_config('enable_sort', 'off', true)
"""

# What is the same statement whoever asks takes about as long to plan as to run: it is planned once
# a session. Whether the index of vectors is asked depends on how many rows a person has, and is
# decided as it runs (`nearest.py`, and `nearest_said` in the database); where it is, any plan uses
# it, since nothing else goes without a sort. Papers within bounds are planned anew: which bounds
# there are makes the plan.
PLANNED_ONCE = f"{SETTINGS.rstrip()}, set_config('plan_cache_mode', 'force_generic_plan', true)"

_OWN = statement.own_statement()

# Where the graph or the summaries can't be read: what was said, by meaning alone.
_OWN_BY_MEANING = f"""
{nearest("entity_memory", "valid_to IS NULL AND archived_at IS NULL AND is_said(category)", 6)}
SELECT 'findings', langchain_id, content, updated_at, thread_id, reason, 1 - distance, category,
       name, source, NULL, false
FROM nearest JOIN entity_memory USING (langchain_id)
WHERE distance < 0.75 ORDER BY distance
"""  # noqa: S608

# What the person said was wrong in this thread always counts: the next question may be in other
# words altogether.
_CORRECTIONS = """
SELECT langchain_id, content, updated_at, thread_id, reason, 1.0::float8 FROM entity_memory
WHERE category = 'correction' AND valid_to IS NULL AND archived_at IS NULL
  AND thread_id = %(thread)s::text
ORDER BY updated_at DESC LIMIT 3
"""

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

# That of a group comes with its memories (hybrid/statement.py).
_OTHER_SUMMARIES = """thread_id IS DISTINCT FROM %(thread)s::text AND archived_at IS NULL
    AND langchain_metadata ->> 'memory_ids' IS NULL"""


def _summaries(*, by_words: bool) -> str:
    others = bearing(
        "summary_memory",
        _OTHER_SUMMARIES,
        3,
        least_meaning=0.3,
        counted="true",
        by_words=by_words,
    )
    # Those of this thread always count, then others that bear on the question.
    return f"""
{others}
(SELECT langchain_id, content, updated_at, thread_id, 1.0 FROM summary_memory
 WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND summary_id IS NULL
 ORDER BY created_at DESC LIMIT 6)
UNION ALL
(SELECT langchain_id, content, updated_at, thread_id, score
 FROM bearing JOIN summary_memory USING (langchain_id) ORDER BY score DESC)
"""  # noqa: S608


_SUMMARIES, _SUMMARIES_BY_MEANING = _summaries(by_words=True), _summaries(by_words=False)

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
    """One store's statement, and what its columns are called in the state.

    `instead` gives the same columns where the statement fails: less, from the store's own table.
    """

    name: str
    statement: Statement
    columns: str
    instead: Statement | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put to the stores.

    Attributes:
        question: as it is understood (standing alone).
        vector: its embedding in the database's text form.
        said_vector: the same of the question without the names of `speakers`.
        speakers: who speaks in the person's conversations, beside them and the assistant.
        bounds: which papers may be recalled.
        now: the turn's time where the person is.
        newest: how many of the thread's newest messages are read anyway.
    """

    thread_id: str
    turn_id: object
    question: str
    vector: str
    said_vector: str
    speakers: Sequence[str]
    bounds: PaperFilter
    now: datetime
    half_lives: HalfLives = DEFAULT
    newest: int = 0

    @property
    def bound(self) -> dict[str, Any]:
        """What most statements are bound to."""
        return {
            "vector": self.vector,
            "question": self.question[: enrich.MOST_READ],
            "thread": self.thread_id,
            "turn": self.turn_id,
            "tools": TOOLS_K,
        }


def own_memories(asked: Asked) -> list[Store]:
    """What was learned from the person, to be read with `PLANNED_ONCE`."""
    own = statement.own_parameters(
        asked.question, asked.vector, half=asked.half_lives, thread=asked.thread_id
    )
    return [Store("own", (_OWN, own), statement.COLUMNS, (_OWN_BY_MEANING, asked.bound))]


def other_stores(asked: Asked) -> list[Store]:
    """The person's other memories, and what they want done with them."""
    bound = asked.bound
    return [
        Store("preferences", (preferences.KEPT, bound), preferences.COLUMNS),
        Store("corrections", (_CORRECTIONS, bound), "id text at thread_id reason score"),
        Store("looked_at", (_LOOKED_AT, bound), "id arxiv_id title at thread_id question score"),
        Store("lessons", (lesson.RECALL, bound), lesson.COLUMNS, (lesson.RECALL_BY_MEANING, bound)),
        Store("workflows", (_WORKFLOWS, bound), "id text at outcome score"),
        Store(
            "summaries",
            (_SUMMARIES, bound),
            "id text at thread_id score",
            (_SUMMARIES_BY_MEANING, bound),
        ),
        Store("tool_logs", (_TOOL_LOGS, bound), "id tool_name input status error at"),
        Store("remembering", consent_statement(asked.thread_id), ""),
    ]


def paper_stores(asked: Asked) -> list[Store]:
    """Papers, notes on them, and tools."""
    knowledge = search_statement(
        text=asked.question, vector=asked.vector, filters=asked.bounds, k=KNOWLEDGE_K
    )
    return [
        Store("tools", (_TOOLS, asked.bound), "name"),
        Store("knowledge", knowledge, ""),
        Store(  # behind the papers: notes on those count first
            "notes",
            (_NOTES, {**asked.bound, "ids": knowledge[1]["ids"]}),
            "id arxiv_id title at status tags text score named",
        ),
    ]


def said_stores(asked: Asked) -> list[Store]:
    """What was said in other threads, and which of it was forgotten."""
    now = asked.now
    said = message_parameters(
        asked.question,
        asked.said_vector,
        time_asked(asked.question, now.date()),
        now.tzinfo or UTC,
        asked.speakers,
        asked.newest,
    )
    return [
        Store("earlier", (_EARLIER, asked.bound | said), MESSAGE_COLUMNS),
        Store("forgotten", (FORGOTTEN, {}), ""),
    ]


def plain(value: Any) -> Any:
    """A column's value as JSON has it."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case dict():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return value
