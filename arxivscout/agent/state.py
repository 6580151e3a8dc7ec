"""What a thread carries between nodes: ids and text, nothing alive."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, NotRequired

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    ToolMessage,
    convert_to_messages,
)
from langgraph.graph.message import add_messages
from pydantic import Field
from typing_extensions import TypedDict  # pydantic reads it before Python 3.12

KEPT_MESSAGES = 20


def keep_recent(left: list[AnyMessage], right: Any) -> list[AnyMessage]:
    """Add messages, keep the last ones, beginning with a question and with no call unanswered.

    What this turn has said so far stays whole, however long it is. Older turns keep no tool call
    whose answer is missing: an interrupted turn leaves such calls, and providers refuse them.
    """
    given = convert_to_messages(right if isinstance(right, list) else [right])
    messages = list(add_messages(left, _named(left, given)))  # type: ignore[arg-type]
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


def _named(left: Sequence[AnyMessage], given: Sequence[Any]) -> list[Any]:
    """Questions without an id get one from what was said before them and their words.

    A chance one would make another turn of the same question when it is run again.
    """
    before = [[each.id, str(each.content)] for each in left]
    named = []
    for at, message in enumerate(given):
        if isinstance(message, HumanMessage) and not message.id:
            words = json.dumps([before, at, message.content], default=str)
            message = message.model_copy(
                update={"id": f"question-{sha256(words.encode()).hexdigest()[:32]}"}
            )
        named.append(message)
    return named


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
    """What a run is started with: the conversation in this thread, the new question last."""

    messages: Annotated[
        list[AnyMessage],
        Field(description="The question as a human message; its id names the turn."),
        keep_recent,
    ]
    picked_tools: NotRequired[
        Annotated[
            list[str],
            Field(description="Tools bound in earlier turns of this thread; usually left out."),
        ]
    ]


class ScoutOutput(TypedDict, total=False):
    """How a turn ended."""

    messages: Annotated[
        list[AnyMessage],
        Field(description="The newest messages of the thread, the answer last."),
        keep_recent,
    ]
    answer: Annotated[str, Field(description="The answer, with its citations in brackets.")]
    citations: Annotated[
        list[dict[str, Any]],
        Field(description="The papers cited, each with its verdict and the passage it rests on."),
    ]
    problems: Annotated[
        list[str],
        Field(
            description="What the check found: sentences that are not borne out or cite nothing."
        ),
    ]
    status: Annotated[
        str, Field(description="answered, failed, or refused: then nothing was begun.")
    ]
    error: Annotated[
        dict[str, Any] | None, Field(description="What went wrong, and what mends it.")
    ]
    degraded: Annotated[list[str], Field(description="What was not at hand; empty if all was.")]
    thread_id: Annotated[str, Field(description="The thread's name in memory.")]
    turn_id: Annotated[str, Field(description="The turn's id in memory.")]
    usage: Annotated[
        dict[str, Any], Field(description="Tokens, and how often the model was asked."), merged
    ]
    timings_ms: Annotated[
        dict[str, Any], Field(description="Milliseconds that each node took."), merged
    ]


class ScoutState(TypedDict, total=False):
    """A thread's state; all but `messages` and `picked_tools` begins anew with each turn."""

    messages: Annotated[list[AnyMessage], keep_recent]
    picked_tools: list[str]  # tools bound in this thread besides the core, in the order found
    # the turn: who asks what, where
    turn_id: str
    user: str
    thread_id: str
    question: str
    readings: list[dict[str, str]]  # label and understood question of each; empty if it is clear
    understood: str  # the question standing alone
    model: str
    started_at: str
    timed_from: str  # since when the turn's time counts: its start, or a person's last choice
    # memory and context
    recent: list[list[Any]]  # [role, text, time, id, whether a summary holds it]
    speakers: list[str]  # who else speaks in the person's conversations
    memory: dict[str, list[dict[str, Any]]]  # what was recalled, by segment
    context: list[AnyMessage]  # what the model reads before this turn's tool results
    bound_tools: list[str]
    short_tools: bool  # whether the model is told of them in short
    context_report: list[dict[str, Any]]
    results_budget: int
    # work
    rounds: int
    evidence: dict[str, str]  # arXiv id → title, of every paper shown to the model in this turn
    decisions: dict[str, str]  # `forgetting.Change.key` → forget, change, or why it is not done
    tool_log: list[dict[str, Any]]  # this turn's calls as they are logged, without their output
    unlogged: list[dict[str, Any]]  # tool calls whose log could not be committed
    # outcome
    answer: str
    citations: list[dict[str, Any]]  # `events.Citation` as JSON
    cited_versions: dict[str, int]  # arXiv id → version, where the answer named one
    quoted: list[str] | None  # the lines that quote papers, of an answer written by rule
    problems: list[str]  # what the check found amiss, a line each
    status: str
    error: dict[str, Any] | None
    degraded: list[str]
    usage: Annotated[dict[str, Any], merged]
    timings_ms: Annotated[dict[str, Any], merged]
