"""What a thread carries between nodes: ids and text, nothing alive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict  # pydantic reads it before Python 3.12

KEPT_MESSAGES = 20


class ScoutContext(BaseModel):
    """What one run is told besides the question. In Studio this is the form of a run."""

    model_config = ConfigDict(extra="forbid")

    user: str | None = Field(
        default=None,
        description="Whose memory this is. A server takes it from its own authentication instead.",
    )
    thread: str | None = Field(
        default=None, description="Name of the thread in memory; the run's own thread id if empty."
    )
    model: str | None = Field(
        default=None,
        description="Chat model of this run: provider:model, a configured name, or extractive.",
    )
    max_tool_rounds: int | None = Field(
        default=None, ge=1, le=20, description="How often the model may call tools in this turn."
    )


def keep_recent(left: list[AnyMessage], right: Any) -> list[AnyMessage]:
    """Add messages, keep the last ones, beginning with a question and with no call unanswered.

    What this turn has said so far stays whole, however long it is. Older turns keep no tool call
    whose answer is missing: an interrupted turn leaves such calls, and providers refuse them.
    """
    messages = list(add_messages(left, right))  # type: ignore[arg-type]
    questions = [at for at, each in enumerate(messages) if isinstance(each, HumanMessage)]
    if not questions:
        return messages[-KEPT_MESSAGES:]  # type: ignore[return-value]
    current = questions[-1]
    first = next(
        (at for at in questions if len(messages) - at <= KEPT_MESSAGES or at == current), current
    )
    answered = {each.tool_call_id for each in messages if isinstance(each, ToolMessage)}
    older = [
        each
        for each in messages[first:current]
        if not (
            isinstance(each, AIMessage)
            and any(
                call["id"] not in answered for call in (*each.tool_calls, *each.invalid_tool_calls)
            )
        )
    ]
    return [*older, *messages[current:]]  # type: ignore[list-item]


def merged(left: Mapping[str, Any] | None, right: Mapping[str, Any]) -> dict[str, Any]:
    """Both mappings; numbers under the same name add up. An empty right side starts anew."""
    if not right:
        return {}
    total = dict(left or {})
    for name, value in right.items():
        before = total.get(name)
        numbers = isinstance(value, int | float) and isinstance(before, int | float)
        total[name] = before + value if numbers else value
    return total


class ScoutInput(TypedDict):
    """What a run is started with."""

    messages: Annotated[list[AnyMessage], keep_recent]
    picked_tools: NotRequired[list[str]]  # those of the thread's earlier turns, if any


class ScoutState(TypedDict, total=False):
    """A thread's state; all but `messages` and `picked_tools` begins anew with each turn."""

    messages: Annotated[list[AnyMessage], keep_recent]
    picked_tools: list[str]  # tools bound in this thread besides the core, in the order found
    # the turn: who asks what, where
    turn_id: str
    user: str
    thread_id: str
    question: str
    understood: str  # the question standing alone
    model: str
    started_at: str
    # memory and context
    recent: list[list[str]]  # [role, text, time]
    memory: dict[str, list[dict[str, Any]]]
    context: list[AnyMessage]  # what the model reads before this turn's tool results
    bound_tools: list[str]
    context_report: list[dict[str, Any]]
    results_budget: int
    # work
    rounds: int
    evidence: dict[str, str]  # arXiv id → title, of every paper shown to the model in this turn
    unlogged: list[dict[str, Any]]  # tool calls whose log could not be committed
    # outcome
    answer: str
    citations: list[dict[str, Any]]  # `events.Citation` as JSON
    cited_versions: dict[str, int]  # arXiv id → version, where the answer named one
    problems: list[str]  # what the check found, one line each
    status: str
    error: dict[str, Any] | None
    degraded: list[str]
    usage: Annotated[dict[str, Any], merged]
    timings_ms: Annotated[dict[str, Any], merged]
