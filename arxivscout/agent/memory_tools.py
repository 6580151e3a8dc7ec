"""Tools over memory: look things up, keep what the person wants kept, correct it, forget it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Literal

from pydantic import Field

from arxivscout.agent.correcting import Correct, correct
from arxivscout.agent.entity_recall import entity_line, entity_rows
from arxivscout.agent.keeping_tools import MOST_REASON, Remember, memory_uuid, remember
from arxivscout.agent.liked_papers import liked
from arxivscout.agent.memory_lists import kept, library, listed, relations, shown
from arxivscout.agent.own_statements import held_then, of_oneself, said
from arxivscout.agent.shown_papers import shown_papers
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import NotFound, ToolInputError
from arxivscout.memory import (
    conversation,
    entity,
    summary,
    tool_log,
    vector_memory,
    vector_search,
    workflow,
)
from arxivscout.memory.forgotten import forgotten
from arxivscout.memory.remembering import consent
from arxivscout.memory.vector_search import Memory
from arxivscout.papers import clean_text, neutralise
from arxivscout.statements.aspects import sign_of

_SEARCHES = {"workflows": workflow.search, "summaries": summary.search}
_KEPT = {"findings": "finding", "decisions": "decision", "questions": "question"}
_FIRST = re.compile(
    r"\b(?:first|beginning|begin|began|prima|inizio|erste\w*|zuerst|anfang)\b", re.I
)
# What is forgotten is among none of them, or was left out message by message.
_WITHOUT_FORGOTTEN = ("said", "me", "then", "relations", "conversation", "shown")
_STORES = {"workflows": workflow.WORKFLOW, "summaries": summary.RECALLED}


class RecallMemory(Arguments):
    essential = ("query",)

    kind: Literal[
        "conversation", "entities", "findings", "decisions", "questions", "relations", "papers",
        "shown", "said", "me", "then", "workflows", "summaries",
    ] = Field(
        description="conversation: this thread, or its beginning if the first is asked for. "
        "entities: preferences, findings, facts. findings, decisions, questions (left open): the "
        "newest. relations: what the person uses, works on, avoids. said: what they said of what "
        "the query names, then and now, with reasons. me: all they told of themselves. papers: "
        "how many are held; those marked or liked. shown: cited by answers, of a time if named. "
        "then: what held at a time that is named. workflows: ways of working. summaries: condensed "
        "conversations."
    )  # fmt: skip
    query: str = Field("", description="What to look for; may be empty for the conversation.")
    k: int = Field(8, ge=1, le=50, description="How many at most.")


class ReadToolLogs(Arguments):
    only_errors: bool = Field(False, description="Only calls that failed or timed out.")
    limit: int = Field(10, ge=1, le=50, description="How many at most.")
    contains: str | None = Field(None, description="Only calls with this word in their arguments.")


class ForgetMemory(Arguments):
    memory_id: str = Field(description="The id shown with the memory.")
    reason: str | None = Field(None, max_length=MOST_REASON, description="Why, if it was said.")


def _recall_memory(scope: TurnScope, kind: str, query: str = "", k: int = 8) -> ToolResult:
    found = _recalled(scope, kind, query, k)
    if kind in _WITHOUT_FORGOTTEN:
        return found
    with scope.transaction() as conn:
        return replace(found, text=forgotten(conn).without(found.text))


def _recalled(scope: TurnScope, kind: str, query: str, k: int) -> ToolResult:
    query = clean_text(query).strip()
    if kind == "conversation":
        first = bool(_FIRST.search(query))
        with scope.transaction() as conn:
            read = conversation.first if first else conversation.recent
            messages = [
                message
                for message in read(conn, scope.thread_id, k + 1)
                if str(message.turn_id) != scope.turn_id
            ]
            messages = messages[:k] if first else messages[-k:]
            gone = forgotten(conn)
        return listed(
            [
                f"- {m.at:%Y-%m-%d %H:%M} {m.role}: {shown(gone.said_by(m.role, m.content))}"
                for m in messages
            ],
            "messages",
        )
    if kind in _KEPT:
        return kept(scope, _KEPT[kind], k)
    if kind == "relations":
        return relations(scope, k)
    if kind == "papers":
        return liked(scope, k) if sign_of(query) > 0 else library(scope, k)
    if kind == "then":
        return held_then(scope, query, k)
    if kind == "me":
        return of_oneself(scope, k)
    if kind == "shown":
        return shown_papers(scope, query, k)
    if kind == "said":
        return said(scope, query, k)
    if not query:
        raise ToolInputError("The query is empty.", f"Say what to look for among the {kind}.")
    if kind == "entities":
        return listed([entity_line(row) for row in entity_rows(scope, query, k)], kind)
    vector = scope.services.embedder.embed_query(query)
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    with scope.transaction() as conn:
        if allowed.choice == "nothing":
            store, here = _STORES[kind], {"thread_id": scope.thread_id}
            found = vector_search.search(conn, store, vector, k + 1, here)
        else:
            found = _SEARCHES[kind](conn, vector, k + 1)
    found = [each for each in found if each.metadata.get("thread_id") not in allowed.hidden]
    return listed([_memory_line(memory) for memory in found[:k]], kind)


def _read_tool_logs(
    scope: TurnScope, only_errors: bool = False, limit: int = 10, contains: str | None = None
) -> ToolResult:
    with scope.transaction() as conn:
        gone = forgotten(conn)
        logs = tool_log.recent(conn, scope.thread_id, 200 if contains else limit, only_errors)
    word = (contains or "").lower()
    lines = [
        f"- {log.at:%Y-%m-%d %H:%M:%S} {log.tool_name}({neutralise(arguments)}) {log.status}"
        + (f" in {log.duration_ms} ms" if log.duration_ms is not None else "")
        + (f": {neutralise(log.error_message)}" if log.error_message else "")
        for log in logs
        if word in (arguments := json.dumps(log.tool_input, ensure_ascii=False)).lower()
    ]
    return listed([gone.without(line) for line in lines[-limit:]], "tool calls")


def _forget_memory(scope: TurnScope, memory_id: str, reason: str | None = None) -> ToolResult:
    identity = memory_uuid(memory_id)
    with scope.transaction() as conn:
        try:
            entity.forget(conn, identity, reason)
        except NotFound:
            if not (
                summary.delete(conn, identity, reason)
                or vector_memory.delete(conn, workflow.WORKFLOW, identity, reason)
            ):
                raise NotFound(f"There is no memory {identity}.") from None
    return ToolResult(f"Forgotten: {identity}.", "1 memory forgotten")


def _memory_line(memory: Memory) -> str:
    facts = memory.metadata
    about = [str(facts[key]) for key in ("outcome", "thread_id") if facts.get(key)]
    reason = f" | because: {neutralise(str(facts['reason']))}" if facts.get("reason") else ""
    label = ", ".join([f"id {memory.id}", *map(neutralise, about)])
    return f"- ({label}): {shown(memory.content)}{reason}"


MEMORY_TOOLS = (
    ScoutTool(
        name="recall_memory",
        description=(
            "Look deeper into memory: what was said in this thread, preferences, findings and "
            "papers looked at before, ways of working, summaries."
        ),
        args_schema=RecallMemory,
        function=_recall_memory,
    ),
    ScoutTool(
        name="save_memory",
        description=(
            "Remember a preference, a finding or a fact beyond this thread, with its reason. "
            "Use it when the researcher states one, not for what memory already shows."
        ),
        args_schema=Remember,
        function=remember,
    ),
    ScoutTool(
        name="forget_memory",
        description="Forget one memory by its id, when the researcher asks for it.",
        args_schema=ForgetMemory,
        function=_forget_memory,
    ),
    ScoutTool(
        name="update_memory",
        description=(
            "Correct a memory by its id when the researcher says that it is wrong or has changed."
        ),
        args_schema=Correct,
        function=correct,
    ),
    ScoutTool(
        name="read_tool_logs",
        description=(
            "Read which tools were called earlier in this thread, with what arguments, "
            "and which calls failed and why."
        ),
        args_schema=ReadToolLogs,
        function=_read_tool_logs,
    ),
)
