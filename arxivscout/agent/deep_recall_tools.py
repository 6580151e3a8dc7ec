"""Tools over memories beyond what a turn recalls by itself: look wider, take a summary apart,
condense what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from arxivscout.agent.consolidating import consolidate
from arxivscout.agent.memory_lists import SHOWN_TOKENS
from arxivscout.agent.summary_tools import ExpandSummary, expand_summary
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.context.budget import shorten
from arxivscout.context.earlier import earlier_items
from arxivscout.context.memories import memory_items
from arxivscout.errors import ConfigurationError, NotReranked, ToolInputError
from arxivscout.memory.categories import categories
from arxivscout.memory.hybrid.deep import deep_recall
from arxivscout.memory.remembering import consent
from arxivscout.papers import clean_text

MOST_JUDGED = 40  # memories that a cross-encoder reads


class DeepRecall(Arguments):
    query: str = Field(description="What is to be recalled, in words of its own.")
    k: int = Field(15, ge=1, le=50, description="How many memories, and how many messages.")


class Consolidate(Arguments):
    category: str | None = Field(None, description="Only there; left out, everywhere.")


def _deep_recall(scope: TurnScope, query: str, k: int = 15) -> ToolResult:
    question = clean_text(query).strip()
    if not question:
        raise ToolInputError("There is nothing to look for.")
    services = scope.services
    found = deep_recall(
        services.database,
        user=scope.user,
        thread_id=scope.thread_id,
        turn_id=UUID(scope.turn_id),
        question=question,
        vector=services.vector(question),
        now=datetime.now(UTC),
        consent=consent(services.database, scope.user, scope.thread_id),
    )
    memories = _judged(scope, question, found.memories)[:k]
    items = memory_items({"findings": memories, "related": found.related})
    parts = {
        "memories": [item.text for item in items["findings"]],
        "related": [item.text for item in items["related"][:k]],
        "said before": [item.text for item in earlier_items(found.said[:k])],
    }
    lines = [
        line
        for heading, each in parts.items()
        for line in (
            [f"## {heading}", *(shorten(text, SHOWN_TOKENS) for text in each)] * bool(each)
        )
    ]
    counts = ", ".join(f"{len(each)} {heading}" for heading, each in parts.items())
    return ToolResult("\n".join(lines) or "Nothing was found.", counts, (), empty=not lines)


def _judged(
    scope: TurnScope, question: str, memories: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """In the order of the cross-encoder, where the settings name one; else as they were found."""
    how, _, name = scope.services.settings.rerank.partition(":")
    if how != "cross-encoder" or len(memories) < 2:
        return list(memories)
    judged, rest = list(memories[:MOST_JUDGED]), list(memories[MOST_JUDGED:])
    try:
        scores = scope.services.cross_encoder(name).scores(question, [m["text"] for m in judged])
    except (NotReranked, ConfigurationError):
        return [*judged, *rest]
    order = sorted(range(len(judged)), key=lambda place: -scores[place])
    return [*(judged[place] for place in order), *rest]


def _consolidate(scope: TurnScope, category: str | None = None) -> ToolResult:
    if category is not None:
        category = clean_text(category).strip().lower()
        with scope.transaction() as conn:
            known = [each.name for each in categories(conn)]
        if category not in known:
            raise ToolInputError(f"There is no category {category[:60]!r}.", f"One of: {known}.")
    made = consolidate(scope.services, scope.user, category, new=0)
    count = f"{len(made)} {'summary' if len(made) == 1 else 'summaries'}"
    return ToolResult(
        f"Related memories were condensed: {count}. `drill_down` gives the memories back."
        if made
        else "Nothing that stands alone belongs together closely enough.",
        count,
        (),
        empty=not made,
    )


DEEP_RECALL_TOOLS = (
    ScoutTool(
        name="deep_recall",
        description="Recall wider and deeper than a turn does by itself: all categories, archived "
        "memories, what summaries hold, what the graph joins to them, and what was said.",
        args_schema=DeepRecall,
        function=_deep_recall,
    ),
    ScoutTool(
        name="drill_down",
        description="Bring back the memories, summaries or messages that a summary stands for.",
        args_schema=ExpandSummary,
        function=expand_summary,
    ),
    ScoutTool(
        name="consolidate",
        description="Condense groups of related memories into summaries now; none is lost.",
        args_schema=Consolidate,
        function=_consolidate,
    ),
)
