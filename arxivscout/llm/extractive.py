"""A chat model for people without a key: it plans by rule and answers in quoted, cited sentences.

    messages ──read──► question, memory, results ──request──► plan ──► tool calls
                                                        └─ nothing left to call ──► answer

Deterministic: the same messages on the same day give the same answer. It never writes a claim of
its own, and says that it is extractive.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.base import LangSmithParams
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field

from arxivscout.llm.extractive_arguments import Tools, fill_arguments, named_tool
from arxivscout.llm.extractive_plan import Planned
from arxivscout.llm.extractive_reading import read_messages
from arxivscout.llm.extractive_turn import Turn

NAME = "extractive"
QUOTED = "arxivscout_quoted"  # in an answer's metadata: its lines that quote papers, no frame
_PIECES = re.compile(r"\w+|[^\w\s]")
_WORDS = re.compile(r"\S+\s*|\s+")


def _today() -> date:
    return datetime.now(UTC).date()


class ExtractiveChatModel(BaseChatModel):
    """Calls tools by rule and answers with the most relevant sentences of what was found.

    Works offline. `embedder` judges relevance. Token counts in `usage_metadata` are words and
    punctuation marks, not any provider's tokens.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, protected_namespaces=())

    embedder: Embeddings = Field(exclude=True)
    stop: list[str] | None = None
    today: Callable[[], date] = Field(default=_today, exclude=True)

    @property
    def _llm_type(self) -> str:
        return "arxivscout-extractive"

    @property
    def model_name(self) -> str:
        """What it is called in settings and records."""
        return NAME

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": NAME}

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = LangSmithParams(
            ls_provider="arxivscout",
            ls_model_name=str(kwargs.get("model", NAME)),
            ls_model_type="chat",
            ls_temperature=0.0,
        )
        if stop or self.stop:
            params["ls_stop"] = stop or self.stop
        return params

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | dict[str, Any] | bool | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Let it call `tools`; `tool_choice` is "auto", "none", "any" (or "required") or a name."""
        formatted = [convert_to_openai_tool(tool) for tool in tools]
        if tool_choice is not None:
            kwargs["tool_choice"] = tool_choice
        return self.bind(tools=formatted, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text, quoted, calls = self._reply(messages, stop, kwargs)
        message = AIMessage(
            text,
            tool_calls=calls,
            usage_metadata=_usage(messages, text, calls),
            response_metadata=_metadata(calls, quoted),
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        text, quoted, calls = self._reply(messages, stop, kwargs)
        for piece in _WORDS.findall(text):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
            if run_manager:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk
        last = AIMessageChunk(
            content="",
            tool_call_chunks=[
                tool_call_chunk(
                    name=call["name"],
                    args=json.dumps(call["args"], ensure_ascii=False),
                    id=call["id"],
                    index=i,
                )
                for i, call in enumerate(calls)
            ],
            usage_metadata=_usage(messages, text, calls),
            response_metadata=_metadata(calls, quoted),
            chunk_position="last",
        )
        chunk = ChatGenerationChunk(message=last)
        if run_manager:
            run_manager.on_llm_new_token("", chunk=chunk)
        yield chunk

    def _reply(
        self, messages: list[BaseMessage], stop: list[str] | None, options: Mapping[str, Any]
    ) -> tuple[str, tuple[str, ...], list[ToolCall]]:
        tools: Tools = {
            tool["function"]["name"]: tool["function"].get("parameters") or {}
            for tool in options.get("tools") or ()
        }
        turn = Turn(read_messages(messages), tools, self.embedder, self.today())
        calls = _chosen(turn, tools, options.get("tool_choice"))
        if calls:
            digest = hashlib.sha256(repr([(m.type, m.text) for m in messages]).encode()).hexdigest()
            return (
                "",
                (),
                [
                    ToolCall(
                        name=call.name,
                        args=call.arguments,
                        id=f"call_{digest[:20]}_{i}",
                        type="tool_call",
                    )
                    for i, call in enumerate(calls)
                ],
            )
        written = turn.answer()
        text = written.text
        for mark in [*(stop or ()), *(self.stop or ())]:
            text = text.partition(mark)[0] if mark else text
        return text, written.quoted, []


def _chosen(turn: Turn, tools: Tools, choice: Any) -> list[Planned]:
    """The calls of this round, as far as `tool_choice` lets them."""
    if isinstance(choice, dict):
        choice = (choice.get("function") or choice).get("name") or choice.get("type")
    if not tools or choice in ("none", False):
        return []
    planned = turn.plan()
    if choice in (None, "auto"):
        return planned
    question = turn.situation.reading.question
    if choice in tools:
        return [call for call in planned if call.name == choice][:1] or [
            Planned(choice, fill_arguments(choice, tools[choice], question))
        ]
    if planned:
        return planned
    name = named_tool(question, tools, exact=False) or next(iter(tools))
    return [Planned(name, fill_arguments(name, tools[name], question))]


def _usage(messages: Sequence[BaseMessage], text: str, calls: Sequence[ToolCall]) -> UsageMetadata:
    read = sum(len(_PIECES.findall(str(message.text))) for message in messages)
    written = len(_PIECES.findall(text)) + sum(
        len(_PIECES.findall(f"{call['name']} {json.dumps(call['args'])}")) for call in calls
    )
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _metadata(calls: Sequence[ToolCall], quoted: Sequence[str]) -> dict[str, Any]:
    if calls:
        return {"model_name": NAME, "finish_reason": "tool_calls"}
    return {"model_name": NAME, "finish_reason": "stop", QUOTED: list(quoted)}
