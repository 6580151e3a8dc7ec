"""What a tool is, which ones a turn gets, and how a call is run.

A tool is a LangChain tool whose function also gets the turn's scope. Its result ends in one line
of status, so that the model and the log see at a glance how it went.
"""

from __future__ import annotations

import contextvars
import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar
from uuid import UUID, uuid4

from langchain_core.tools import BaseTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.errors import GraphBubbleUp
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arxivscout.agent.definitions import in_short, plain
from arxivscout.agent.services import Services
from arxivscout.agent.stopping import heed_stop
from arxivscout.context.budget import count_tokens
from arxivscout.errors import ScoutError, SourceError
from arxivscout.memory.paper_filter import NO_FILTER, PaperFilter
from arxivscout.memory.postgres import Connection
from arxivscout.papers import Paper, clean_text

MOST_ARGUMENT = 20_000  # characters of one
LOOK_UP_S = 0.2  # how often a wait for tools looks whether the person stopped the turn


class Arguments(BaseModel):
    """Base of every tool's schema: what a tool does not know is an error, not ignored.

    A text that is longer than any use of it is one, too: what a model makes up may be a megabyte.
    `essential`: of the optional arguments those of which a model is told in short definitions too.
    """

    model_config = ConfigDict(extra="forbid", str_max_length=MOST_ARGUMENT)
    essential: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class TurnScope:
    """Whose turn a tool works for, and what that person asked."""

    services: Services
    user: str
    thread_id: str
    turn_id: str
    question: str = ""
    bounds: PaperFilter = NO_FILTER  # of the run; no call reaches beyond them
    model: str | None = None  # the turn's chat model; None: the settings'

    def transaction(self) -> AbstractContextManager[Connection]:
        """A transaction of this turn: what it changes in memory is taken back with the turn."""
        return self.services.database.transaction(self.user, UUID(self.turn_id))


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found: text for the model, a summary in a few words, the papers it shows.

    `usage` adds to the turn's: what a model was asked for it, and searches that were not made anew.
    `degraded` says what was not at hand.
    """

    text: str
    summary: str
    papers: Sequence[Paper] = ()
    empty: bool = False
    usage: Mapping[str, Any] = field(default_factory=dict)
    degraded: str = ""


class ScoutTool(BaseTool):
    """A tool of ours: `function(scope, **arguments)` gives a `ToolResult`."""

    function: Callable[..., ToolResult] = Field(exclude=True)
    scope: Any = Field(default=None, exclude=True)  # a TurnScope, which pydantic need not know
    response_format: str = "content_and_artifact"  # type: ignore[assignment]

    @cached_property
    def definition(self) -> dict[str, Any]:
        """What the model is told of the tool, in OpenAI's form, without what says nothing."""
        return plain(convert_to_openai_tool(self))  # type: ignore[no-any-return]

    @cached_property
    def short_definition(self) -> dict[str, Any]:
        """The same in fewer words, for small windows: one sentence, and what can't be left out."""
        return in_short(self.definition, getattr(self.args_schema, "essential", ()))

    def told(self, *, short: bool) -> dict[str, Any]:
        """What the model is told of the tool."""
        return self.short_definition if short else self.definition

    def tokens_told(self, *, short: bool) -> int:
        """How many tokens that takes."""
        return self._counts[short]

    @cached_property
    def _counts(self) -> tuple[int, int]:
        whole, short = (count_tokens(json.dumps(self.told(short=each))) for each in (False, True))
        return whole, short

    def within(self, scope: TurnScope) -> ScoutTool:
        """The same tool, working for one turn."""
        return self.model_copy(update={"scope": scope})

    def _run(self, **arguments: Any) -> tuple[str, ToolResult]:
        if self.scope is None:
            raise ToolException(f"{self.name} works within a turn only")
        given = {name: value for name, value in arguments.items() if value is not None}
        result = self.function(self.scope, **given)
        status = "empty" if result.empty else "ok"
        return f"{result.text}\nstatus: {status} · {result.summary}", result


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model made it; `problem` says what is wrong with it before it is run."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""
    log_id: str = field(default_factory=lambda: str(uuid4()))


@dataclass(slots=True)
class Outcome:
    """How a call ended: status is success, error or timeout."""

    call: Call
    status: str
    content: str
    summary: str
    seconds: float
    error: str | None = None
    result: ToolResult | None = None
    degraded: str = ""  # what was not at hand, where that is why it failed

    def to_log(self) -> dict[str, Any]:
        """The row of the tool log."""
        return {
            "id": self.call.log_id,
            "tool_name": clean_text(self.call.name) or "?",
            "tool_input": cleaned(dict(self.call.arguments)),
            "tool_output": clean_text(self.content),
            "status": self.status,
            "error_message": clean_text(self.error) if self.error else None,
            "duration_ms": round(self.seconds * 1000),
        }


def run_calls(
    calls: Sequence[Call], tools: Mapping[str, ScoutTool], scope: TurnScope, timeout_s: float
) -> Iterator[Outcome]:
    """Run the calls side by side and give each outcome as it ends; never raises for a tool's fault.

    A call that takes longer than `timeout_s` is left behind in its thread, which keeps nobody from
    leaving. LangGraph's own signals go through.
    """
    ended: queue.SimpleQueue[tuple[Call, Outcome | BaseException]] = queue.SimpleQueue()
    running: dict[str, Call] = {}
    started = time.monotonic()
    for call in calls:
        if call.problem or call.name not in tools:
            problem = call.problem or (
                f"There is no tool {call.name!r}. There are: {', '.join(tools)}."
            )
            yield _failed(call, "error", problem, 0.0)
            continue
        running[call.id] = call

        def work(call: Call = call) -> None:
            try:
                ended.put((call, _run(call, tools[call.name].within(scope))))
            except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
                ended.put((call, error))

        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(work,), daemon=True, name=call.name).start()
    while running:
        left = started + timeout_s - time.monotonic()
        try:
            call, outcome = ended.get(timeout=min(max(left, 0.001), LOOK_UP_S))
        except queue.Empty:
            heed_stop()
            if left > LOOK_UP_S:
                continue
            for call in running.values():
                problem = f"No result within {timeout_s:g} s."
                late = _failed(call, "timeout", problem, time.monotonic() - started)
                yield replace(late, degraded=f"{call.name} gave no result within {timeout_s:g} s")
            return
        running.pop(call.id)
        if isinstance(outcome, BaseException):
            raise outcome
        yield outcome


def _run(call: Call, tool: ScoutTool) -> Outcome:
    started = time.monotonic()
    try:
        message = tool.invoke(
            {"type": "tool_call", "id": call.id, "name": call.name, "args": dict(call.arguments)}
        )
    except GraphBubbleUp:
        raise
    except ValidationError as error:
        return _failed(call, "error", _validation(error), time.monotonic() - started)
    except SourceError as error:
        failed = _failed(call, "error", str(error), time.monotonic() - started)
        return replace(failed, degraded=error.cause.partition("\n")[0].strip(" ."))
    except (ScoutError, ToolException) as error:
        return _failed(call, "error", str(error), time.monotonic() - started)
    except Exception as error:  # noqa: BLE001 - the boundary of tools: an observation for the model
        problem = f"{type(error).__name__}: {error}".partition("\n")[0]
        return _failed(call, "error", problem, time.monotonic() - started)
    seconds = time.monotonic() - started
    content = f"{message.content} · {seconds * 1000:.0f} ms"
    summary = content.rpartition("status: ")[2].partition(" · ")[2].rpartition(" · ")[0]
    return Outcome(call, "success", content, summary, seconds, result=message.artifact)


def _failed(call: Call, status: str, problem: str, seconds: float) -> Outcome:
    problem = problem[:1000]
    word = "timeout" if status == "timeout" else "error"
    content = f"{problem}\nstatus: {word} · {seconds * 1000:.0f} ms"
    return Outcome(
        call, status, content, problem.partition("\n")[0].strip(" ."), seconds, error=problem
    )


def _validation(error: ValidationError) -> str:
    return "Arguments that can't be used: " + "; ".join(
        f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    )


def cleaned(value: Any) -> Any:
    """`value` with every text in it cleaned, so that JSON and Postgres take it."""
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {clean_text(str(key)): cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [cleaned(each) for each in value]
        case bool() | int() | None:
            return value
        case float():
            return value if value == value and abs(value) != float("inf") else None
        case _:
            return clean_text(str(value))
