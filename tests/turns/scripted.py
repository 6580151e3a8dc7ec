"""A chat model whose words are the test's input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field

Script = AIMessage | BaseException | Callable[[list[BaseMessage]], Any]


def says(text: str) -> AIMessage:
    return AIMessage(text)


def calls(*named: tuple[str, dict[str, Any]]) -> AIMessage:
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": arguments, "id": f"call_{uuid4().hex}", "type": "tool_call"}
            for name, arguments in named
        ],
    )


class ScriptedModel(BaseChatModel):
    """Says one entry of the script a call; the last one again when it is used up."""

    script: list[Any]
    read: list[list[BaseMessage]] = Field(default_factory=list)
    bound: list[dict[str, Any]] = Field(default_factory=list)
    told: list[list[Any]] = Field(default_factory=list)  # definitions of tools, as they were bound

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        self.told.append(list(tools))
        self.bound.append({"tools": [tool["function"]["name"] for tool in tools], **kwargs})
        return self.bind()

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        self.read.append(messages)
        entry = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if callable(entry) and not isinstance(entry, BaseException | AIMessage):
            entry = entry(messages)
        if isinstance(entry, BaseException):
            raise entry
        return entry

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        message = self._next(messages)
        if message.tool_calls or message.invalid_tool_calls:
            yield ChatGenerationChunk(
                message=AIMessageChunk(
                    content=message.content,
                    tool_calls=message.tool_calls,
                    invalid_tool_calls=message.invalid_tool_calls,
                )
            )
            return
        for word in str(message.content).split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word + " "))
        if message.usage_metadata:
            yield ChatGenerationChunk(
                message=AIMessageChunk(content="", usage_metadata=message.usage_metadata)
            )
