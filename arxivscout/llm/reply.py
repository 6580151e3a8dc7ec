"""One answer of a chat model, streamed: the only owner of retries at the model's boundary."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arxivscout.llm.beside import plain_usage, storable
from arxivscout.llm.failures import Failure, classify, model_error
from arxivscout.llm.line import Line
from arxivscout.llm.thoughts import Spoken, spoken
from arxivscout.llm.tool_calls import as_sent, read_calls

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage


_TIME_IS_UP = Failure(kind="timeout", detail="the turn's time is up")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how patiently a failed call is made again; the clock is given, for tests.

    Waits are `base_s · 2ⁿ` seconds, at most `cap_s`, times a factor between ½ and 1, so that many
    clients that failed together do not come back together. A server's Retry-After is obeyed
    instead, however long, if that leaves time for an answer.
    """

    max_retries: int = 3
    base_s: float = 0.5
    cap_s: float = 20.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = field(default=random.random)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Told before a call is made again. `shown` is whether text had been given to `on_text`."""

    attempt: int
    wait_s: float
    failure: Failure
    shown: bool


def stream_reply(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[Any] = (),
    tool_choice: str | None = None,
    deadline: float,
    on_text: Callable[[str], None] = lambda text: None,
    on_retry: Callable[[Retry], None] = lambda retry: None,
    policy: RetryPolicy | None = None,
) -> AIMessage:
    """Ask `model` and give back its one message, streaming the text to `on_text` as it comes.

    Args:
        model: a chat model with its own retries off (`load_chat_model` sees to that).
        messages: what it reads.
        tools: what it may call, as anything `bind_tools` takes.
        tool_choice: None, "auto", "any", "none" or a tool's name.
        deadline: on `policy.clock`'s scale, seconds; no wait reaches past it, and a stream that
            does is cut off.
        on_text: called with each piece of text; what it raises ends the call and goes through.
        on_retry: called before each further attempt, so that shown text can be taken back.
        policy: retries and waits.

    Returns:
        The whole message. Tool calls whose arguments are no JSON object stand in
        `invalid_tool_calls`; every call, valid or not, has an id. `usage_metadata` may be None.

    Raises:
        ContextTooLong: what was sent is longer than the model reads.
        ModelError: the model can't answer; one line that says why and what to do.
    """
    policy = policy or RetryPolicy()
    name = model_name(model)
    secrets = _secrets(model)
    attempt, emptied = 1, False
    bound = _bind(model, tools, tool_choice)
    messages = as_sent(messages)
    while True:
        shown = False

        def show(text: str) -> None:
            nonlocal shown
            shown = True
            on_text(text)

        outcome = _attempt(bound, model, messages, deadline, policy, show, secrets)
        if not isinstance(outcome, Failure):
            return outcome
        if outcome.kind == "tools" and tools:
            # A server that refuses tools still answers from what memory recalled.
            tools, bound, wait = (), model, 0.0
        elif outcome.kind == "empty" and not emptied and policy.max_retries > 0:
            emptied, wait = True, 0.0
        elif outcome.passing and attempt <= policy.max_retries:
            wait = _wait(outcome, attempt, policy)
        else:
            raise model_error(outcome, name, attempt) from None
        if policy.clock() + wait >= deadline:
            raise model_error(outcome, name, attempt) from None
        on_retry(Retry(attempt=attempt, wait_s=wait, failure=outcome, shown=shown))
        if wait:
            policy.sleep(wait)
        attempt += 1


def model_name(model: BaseChatModel) -> str:
    """What to call `model` in a message for a person."""
    for attribute in ("model_name", "model", "model_id"):
        if isinstance(value := getattr(model, attribute, None), str) and value:
            return value
    return type(model).__name__


def _attempt(
    bound: Any,
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    deadline: float,
    policy: RetryPolicy,
    on_text: Callable[[str], None],
    secrets: list[str],
) -> AIMessage | Failure:
    """One call: the message, or why there is none."""
    chunks: list[AIMessageChunk] = []
    voice = Spoken()
    remaining = deadline - policy.clock()
    line: Line[AIMessageChunk] = Line(
        lambda: bound.stream(list(messages), **_limits(model, remaining))
    )
    try:
        while True:
            remaining = deadline - policy.clock()
            if remaining <= 0:
                return _TIME_IS_UP
            try:
                # A piece without text counts as one: of a model's thoughts nothing else is heard.
                chunk = line.next(min(remaining, _patience(model)))
            except Exception as error:  # noqa: BLE001 - the boundary to every provider's library
                failure = classify(error, secrets=secrets)
                late = failure.kind == "timeout" and policy.clock() >= deadline
                return _TIME_IS_UP if late else failure
            if chunk is None:
                break
            chunks.append(chunk)
            if said := voice.feed(str(chunk.text)):
                on_text(said)
    finally:
        line.hang_up()
    if not chunks:
        return Failure(kind="empty", detail="")
    try:
        message = _whole(chunks)
    except Exception as error:  # noqa: BLE001 - pieces that no library puts together
        return classify(error, secrets=secrets)
    metadata = message.response_metadata
    if metadata.get("model_provider") == "openai" and not metadata.get("finish_reason"):
        # The protocol ends every answer with a reason; without one the server went away.
        return Failure(kind="broken", detail="the stream ended before the answer did")
    if not (message.text.strip() or message.tool_calls or message.invalid_tool_calls):
        return Failure(kind="empty", detail="")
    if rest := voice.finish():
        on_text(rest)
    return message


def _whole(chunks: list[AIMessageChunk]) -> AIMessage:
    """The chunks as one message without thoughts, tool calls read strictly."""
    from langchain_core.messages import AIMessage
    from langchain_core.messages.ai import add_ai_message_chunks

    total = add_ai_message_chunks(chunks[0], *chunks[1:]) if len(chunks) > 1 else chunks[0]
    calls, invalid = read_calls(total)
    return AIMessage(
        content=spoken(total.content),
        additional_kwargs=storable(
            {key: value for key, value in total.additional_kwargs.items() if key != "tool_calls"}
        ),
        response_metadata=storable(total.response_metadata),
        id=total.id,
        tool_calls=calls,
        invalid_tool_calls=invalid,
        usage_metadata=plain_usage(total.usage_metadata),
    )


def _bind(model: BaseChatModel, tools: Sequence[Any], tool_choice: str | None) -> Any:
    if not tools:
        return model
    choice: Any = tool_choice
    if tool_choice == "none" and type(model).__module__.startswith("langchain_anthropic"):
        choice = {"type": "none"}  # there, a plain string names a tool
    try:
        return model.bind_tools(list(tools), **({} if choice is None else {"tool_choice": choice}))
    except NotImplementedError:
        return model  # a model without tools still answers from what memory recalled


def _limits(model: BaseChatModel, remaining_s: float) -> dict[str, Any]:
    """Let the request itself end with the turn, where the provider's call takes a time-out."""
    if not hasattr(model, "openai_api_base"):
        return {}
    return {"timeout": min(_patience(model), remaining_s)}


def _patience(model: BaseChatModel) -> float:
    """How long to wait for the next thing that `model` says, in seconds; each library's own word.

    Only a limit of the whole answer stands for it where the model has none.
    """
    for attribute in ("request_timeout", "default_request_timeout", "timeout"):
        own = getattr(model, attribute, None)
        if isinstance(own, int | float) and own > 0:
            return float(own)
    return math.inf


def _wait(failure: Failure, attempt: int, policy: RetryPolicy) -> float:
    if failure.retry_after_s is not None:
        return failure.retry_after_s
    backoff = min(policy.base_s * 2.0 ** (attempt - 1), policy.cap_s)
    return backoff * (0.5 + 0.5 * policy.jitter())


def _secrets(model: BaseChatModel) -> list[str]:
    """Every secret value the model carries, so that no message repeats one."""
    from pydantic import SecretStr

    return [
        value.get_secret_value() for value in vars(model).values() if isinstance(value, SecretStr)
    ]
