"""Tools over memory: look things up, keep what the person wants kept, correct it, forget it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from arxivscout.agent.memory_lists import kept, library, listed, relations, replaced_by, shown
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.agent.wishes import asks_to_remember
from arxivscout.context.memories import cited_line
from arxivscout.errors import NotFound, ToolInputError
from arxivscout.llm.extractive_memory import REPLACES
from arxivscout.memory import (
    conversation,
    entity,
    summary,
    tool_log,
    vector_memory,
    vector_search,
    workflow,
)
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.memory.remembering import Remembering, consent
from arxivscout.memory.vector_search import Memory
from arxivscout.papers import PaperId, clean_text, find_paper_ids, neutralise

_SEARCHES = {"entities": entity.search, "workflows": workflow.search, "summaries": summary.search}
_KEPT = {"findings": "finding", "decisions": "decision", "questions": "question"}
_STORES = {"entities": entity.ENTITY, "workflows": workflow.WORKFLOW, "summaries": summary.SUMMARY}


class RecallMemory(Arguments):
    kind: Literal[
        "conversation", "entities", "findings", "decisions", "questions", "relations", "papers",
        "workflows", "summaries",
    ] = Field(
        description="conversation: this thread. entities: preferences, findings, facts, papers "
        "looked at. findings, decisions, questions (left open): the newest. relations: what the "
        "person uses, works on, avoids, where they work. papers: how many are held, which the "
        "person marked or noted on. workflows: ways of working. summaries: condensed conversations."
    )  # fmt: skip
    query: str = Field("", description="What to look for; may be empty for the conversation.")
    k: int = Field(8, ge=1, le=50, description="How many at most.")


class ReadToolLogs(Arguments):
    only_errors: bool = Field(False, description="Only calls that failed or timed out.")
    limit: int = Field(10, ge=1, le=50, description="How many at most.")
    contains: str | None = Field(None, description="Only calls with this word in their arguments.")


class SaveMemory(Arguments):
    kind: Literal["preference", "finding", "fact"] = Field(
        description="preference: how the person wants to be served. finding: what was found out, "
        "with the papers that support it. fact: anything else worth knowing later."
    )
    text: str = Field(description="What to remember; the person's own words where there are any.")
    reason: str | None = Field(None, description="Why, if it was said.")
    arxiv_ids: list[str] = Field(
        default_factory=list, max_length=50, description="Papers that support a finding."
    )


class UpdateMemory(Arguments):
    memory_id: str = Field(description="The id shown with the memory.")
    text: str = Field(description="What is true now.")
    reason: str | None = Field(None, description="Why it changed.")


class ForgetMemory(Arguments):
    memory_id: str = Field(description="The id shown with the memory.")
    reason: str | None = Field(None, description="Why, if it was said.")


def _recall_memory(scope: TurnScope, kind: str, query: str = "", k: int = 8) -> ToolResult:
    query = clean_text(query).strip()
    if kind == "conversation":
        with scope.transaction() as conn:
            messages = [
                message
                for message in conversation.recent(conn, scope.thread_id, k + 1)
                if str(message.turn_id) != scope.turn_id
            ][-k:]
        return listed(
            [f"- {m.at:%Y-%m-%d %H:%M} {m.role}: {shown(m.content)}" for m in messages], "messages"
        )
    if kind in _KEPT:
        return kept(scope, _KEPT[kind], k)
    if kind == "relations":
        return relations(scope, k)
    if kind == "papers":
        return library(scope, k)
    if not query:
        raise ToolInputError("The query is empty.")
    vector = scope.services.embedder.embed_query(query)
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    with scope.transaction() as conn:
        if allowed.choice == "nothing":
            store, here = _STORES[kind], {"thread_id": scope.thread_id}
            found = vector_search.search(conn, store, vector, k + 1, here)
        else:
            found = _SEARCHES[kind](conn, vector, k + 1)
    found = [
        memory
        for memory in found
        if memory.metadata.get("category") != "person"
        and memory.metadata.get("thread_id") not in allowed.hidden
    ]
    return listed([_memory_line(memory) for memory in found[:k]], kind)


def _read_tool_logs(
    scope: TurnScope, only_errors: bool = False, limit: int = 10, contains: str | None = None
) -> ToolResult:
    with scope.transaction() as conn:
        logs = tool_log.recent(conn, scope.thread_id, 200 if contains else limit, only_errors)
    word = (contains or "").lower()
    lines = [
        f"- {log.at:%Y-%m-%d %H:%M:%S} {log.tool_name}({neutralise(arguments)}) {log.status}"
        + (f" in {log.duration_ms} ms" if log.duration_ms is not None else "")
        + (f": {neutralise(log.error_message)}" if log.error_message else "")
        for log in logs
        if word in (arguments := json.dumps(log.tool_input, ensure_ascii=False)).lower()
    ]
    return listed(lines[-limit:], "tool calls")


def _save_memory(
    scope: TurnScope,
    kind: str,
    text: str,
    reason: str | None = None,
    arxiv_ids: Sequence[str] = (),
) -> ToolResult:
    text = clean_text(text).strip()
    if not text:
        raise ToolInputError("There is nothing to remember: the text is empty.")
    if len(text) > 4_000:
        raise ToolInputError(f"{len(text):,} characters are too long for a memory (limit 4,000).")
    if _may_keep(scope) == "asked" and not asks_to_remember(scope.question):
        raise ToolInputError(
            "Not kept: only what the researcher asks to be remembered is, and they have not asked.",
            "Go on. If they meant it, say that a question with “Remember that …” in it keeps it.",
        )
    papers = _stored(scope, [*arxiv_ids, *(str(found) for found in find_paper_ids(text))])
    metadata: dict[str, Any] = {
        "category": kind,
        "thread_id": scope.thread_id,
        "turn_id": scope.turn_id,
    }
    if reason:
        metadata["reason"] = clean_text(reason)
    if papers:
        metadata["arxiv_ids"] = papers
        missing = [paper for paper in papers if f"[arXiv:{paper}]" not in text]
        text = " ".join([text, *(f"[arXiv:{paper}]" for paper in missing)])
    vector = scope.services.embedder.embed_query(text)
    with scope.transaction() as conn:
        replaced = replaced_by(conn, scope.question, text) if kind == "preference" else []
        memory_id = entity.write(conn, text, vector, metadata)
    said = f"Remembered as {kind} (id {memory_id}): {cited_line(text)}"
    if replaced:
        said += f"\n{REPLACES}{', '.join(f'“{cited_line(old)}”' for old in replaced)}"
    return ToolResult(said, "1 memory kept")


def _update_memory(
    scope: TurnScope, memory_id: str, text: str, reason: str | None = None
) -> ToolResult:
    text = clean_text(text).strip()
    if not text:
        raise ToolInputError("The new text is empty; use forget_memory to remove a memory.")
    identity = memory_uuid(memory_id)
    _may_keep(scope)
    vector = scope.services.embedder.embed_query(text)
    with scope.transaction() as conn:
        try:
            new_id = entity.update(conn, identity, text, vector, None, reason)
        except NotFound:
            new_id = vector_memory.update(
                conn, summary.SUMMARY, identity, text, vector, None, reason
            )
    return ToolResult(
        f"Corrected. It now reads (id {new_id}): {cited_line(text)}", "1 memory corrected"
    )


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


def _may_keep(scope: TurnScope) -> Remembering | None:
    """What the person lets be kept, where that is not nothing.

    Raises:
        ToolInputError: it is, or the thread is private.
    """
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    if allowed.choice == "nothing":
        raise ToolInputError(
            "Not kept: the researcher lets nothing be remembered beyond a conversation.",
            "Say so; `arxivscout setup` changes it.",
        )
    if allowed.private:
        raise ToolInputError(
            "Not kept: this thread is private, and nothing of it is remembered elsewhere.",
            "Say so; `/private off` in the chat ends that.",
        )
    return allowed.choice


def _stored(scope: TurnScope, ids: Sequence[str]) -> list[str]:
    """The ids as they are stored, each once.

    Raises:
        ToolInputError: one that is no id, or no paper that is held: a memory cites what exists.
    """
    papers: list[str] = []
    for given in ids:
        try:
            paper = PaperId.parse(given).value
        except ValueError as error:
            raise ToolInputError(str(error)) from None
        with scope.services.database.shared() as conn:
            if paper_by_id(conn, paper) is None:
                raise ToolInputError(f"arXiv:{paper} is not held, so no memory can rest on it.")
        if paper not in papers:
            papers.append(paper)
    return papers


def memory_uuid(given: str) -> UUID:
    try:
        return UUID(given.strip())
    except ValueError:
        raise ToolInputError(f"{given[:60]!a} is no id of a memory.") from None


def _memory_line(memory: Memory) -> str:
    facts = memory.metadata
    about = [str(facts[key]) for key in ("category", "outcome", "thread_id") if facts.get(key)]
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
        args_schema=SaveMemory,
        function=_save_memory,
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
        args_schema=UpdateMemory,
        function=_update_memory,
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
