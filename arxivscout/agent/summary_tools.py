"""Tools over summaries: condense this thread, bring back what a summary condenses."""

from __future__ import annotations

from pydantic import Field

from arxivscout.agent.memory_lists import listed, shown
from arxivscout.agent.memory_tools import memory_uuid
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.context.condense import condense
from arxivscout.context.memories import cited_line
from arxivscout.memory import conversation
from arxivscout.memory import summary as summaries
from arxivscout.memory.remembering import remembering
from arxivscout.papers import clean_text

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


def _summarise_thread(scope: TurnScope, summary: str | None = None) -> ToolResult:
    with scope.transaction() as conn:
        messages = [
            message
            for message in conversation.recent(conn, scope.thread_id, 200)
            if str(message.turn_id) != scope.turn_id and message.summary_id is None
        ]
    if not messages:
        return ToolResult(
            "There is nothing in this thread to condense yet.", "0 messages", (), True
        )
    text = clean_text(summary or "").strip() or condense(
        [(message.role, message.content) for message in messages], SUMMARY_TOKENS
    )
    vector = scope.services.embedder.embed_query(text)
    metadata = {
        "thread_id": scope.thread_id,
        "message_ids": [str(message.id) for message in messages],
        "extractive": summary is None,
    }
    with scope.transaction() as conn:
        summary_id = summaries.write(conn, text, vector, metadata)
    lines = "\n".join(cited_line(line) for line in text.splitlines())
    return ToolResult(
        f"Summary (id {summary_id}) of {len(messages)} messages:\n{lines}",
        f"{len(messages)} messages condensed",
    )


def _expand_summary(scope: TurnScope, summary_id: str) -> ToolResult:
    with scope.transaction() as conn:
        messages = conversation.condensed_in(conn, memory_uuid(summary_id))
        if remembering(scope.services.database, scope.user) == "nothing":
            here = {each.id for each in conversation.recent(conn, scope.thread_id, MOST_EXPANDED)}
            messages = [each for each in messages if each.id in here]
    return listed(
        [f"- {m.at:%Y-%m-%d %H:%M} {m.role}: {shown(m.content)}" for m in messages], "messages"
    )


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
        function=_expand_summary,
    ),
)
