"""Tools over what the context has in short: condense this thread, bring back what a summary
condenses, open a result that was cut."""

from __future__ import annotations

from uuid import UUID

from pydantic import Field

from arxivscout.agent.keeping_tools import memory_uuid
from arxivscout.agent.memory_lists import listed
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.context.budget import count_tokens
from arxivscout.context.condense import condense
from arxivscout.context.large_results import pages
from arxivscout.context.memories import cited_line
from arxivscout.errors import ToolInputError
from arxivscout.memory import condensing, conversation, tool_log
from arxivscout.memory.hybrid import grouping
from arxivscout.memory.remembering import consent
from arxivscout.papers import clean_text, parse_papers

SUMMARY_TOKENS = 600
MOST_EXPANDED = 10_000  # messages of a thread among which those of a summary are looked for


class SummariseThread(Arguments):
    summary: str | None = Field(
        None,
        description="Your summary of the thread: decisions, findings, numbers, paper ids. "
        "Left out, the sentences that carry them are taken from the thread.",
    )


class ExpandSummary(Arguments):
    summary_id: str = Field(description="The id shown with the summary.")


class OpenResult(Arguments):
    essential = ("page",)

    result_id: str = Field(description="The id given where a result was cut.")
    page: int = Field(1, ge=1, description="Which page, from 1.")


def _summarise_thread(scope: TurnScope, summary: str | None = None) -> ToolResult:
    with scope.transaction() as conn:
        messages = condensing.waiting(conn, scope.thread_id, but=UUID(scope.turn_id))
    if not messages:
        return ToolResult(
            "There is nothing in this thread to condense yet.", "0 messages", (), True
        )
    size = sum(count_tokens(message.content) for message in messages)
    text = clean_text(summary or "").strip() or condense(
        [(message.role, message.content) for message in messages], max(SUMMARY_TOKENS, size // 4)
    )
    vector = scope.services.embedder.embed_query(text)
    with scope.transaction() as conn:
        summary_id = condensing.condense(
            conn, scope.thread_id, messages, text, vector, extractive=summary is None
        )
    if summary_id is None:
        return ToolResult("The thread was condensed in the meantime.", "0 messages", (), True)
    lines = "\n".join(cited_line(line) for line in text.splitlines())
    return ToolResult(
        f"Summary (id {summary_id}) of {len(messages)} messages:\n{lines}",
        f"{len(messages)} messages condensed",
    )


def expand_summary(scope: TurnScope, summary_id: str) -> ToolResult:
    """What a summary stands for: summaries, memories or messages."""
    wanted = memory_uuid(summary_id)
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    with scope.transaction() as conn:
        details = grouping.details(conn, wanted)
        parts = condensing.parts(conn, wanted)
        messages = conversation.condensed_in(conn, wanted)
        if allowed.choice == "nothing":
            here = {each.id for each in conversation.recent(conn, scope.thread_id, MOST_EXPANDED)}
            messages = [each for each in messages if each.id in here]
            parts = []
            details = [each for each in details if each.thread_id == scope.thread_id]
    details = [each for each in details if each.thread_id not in allowed.hidden]
    if details:
        return listed(
            [f"- {d.at:%Y-%m-%d} (id {d.id}, {d.kind}): {cited_line(d.text)}" for d in details],
            "memories",
        )
    if parts:
        return listed(
            [f"- {part.at:%Y-%m-%d} (id {part.id}): {cited_line(part.content)}" for part in parts],
            "summaries, each of which can be expanded",
        )
    return listed(
        [f"- {m.at:%Y-%m-%d %H:%M} {m.role}: {cited_line(m.content)}" for m in messages],
        "messages",
    )


def _open_result(scope: TurnScope, result_id: str, page: int = 1) -> ToolResult:
    with scope.transaction() as conn:
        name, whole = tool_log.output(conn, scope.thread_id, memory_uuid(result_id))
    found = pages(whole)
    if page > len(found):
        raise ToolInputError(f"That result has {len(found)} pages.")
    text = found[page - 1]
    return ToolResult(text, f"page {page} of {len(found)} of {name}", parse_papers(text))


SUMMARY_TOOLS = (
    ScoutTool(
        name="summarise_thread",
        description="Condense this conversation into a summary that is kept in memory.",
        args_schema=SummariseThread,
        function=_summarise_thread,
    ),
    ScoutTool(
        name="expand_summary",
        description="Bring back the original messages that a summary condenses, by its id.",
        args_schema=ExpandSummary,
        function=expand_summary,
    ),
    ScoutTool(
        name="open_result",
        description="Read a tool's result that was cut, page by page, by the id given there.",
        args_schema=OpenResult,
        function=_open_result,
    ),
)
