"""A turn as spans of OpenTelemetry: the turn, its nodes, tools, and requests to models.

Attributes are those of the semantic conventions for generative AI, as far as they are numbers and
names: no question, no answer, no argument and no error's words.
https://opentelemetry.io/docs/specs/semconv/gen-ai/
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

AGENT = "arxivscout"
# How runs end that wait for a person: no error.
_WAITS = frozenset({"GraphInterrupt", "GraphBubbleUp", "ParentCommand"})


class Spans(BaseCallbackHandler):
    """Hears LangChain's runs and makes spans of those that mean something; safe in threads.

    A run without a span of its own hands its parent's down.
    """

    def __init__(self, tracer: Tracer, machines: frozenset[str]) -> None:
        """Args:
        machines: the names of graphs, a run of which is a turn or a job.
        """
        self._tracer = tracer
        self._machines = machines
        self._lock = threading.Lock()
        self._own: dict[UUID, Span] = {}
        self._above: dict[UUID, Span | None] = {}

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        name, metadata = str(rest.get("name") or ""), metadata or {}
        if name in self._machines:
            attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": AGENT}
            if turn_id := metadata.get("turn_id"):
                attributes["arxivscout.turn.id"] = str(turn_id)
            self._begin(f"invoke_agent {name}", run_id, parent_run_id, attributes)
        elif name and name == metadata.get("langgraph_node"):
            self._begin(name, run_id, parent_run_id, {"arxivscout.node": name})
        else:
            self._pass_on(run_id, parent_run_id)

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        metadata = metadata or {}
        model = str(metadata.get("ls_model_name") or metadata.get("ls_provider") or "unknown")
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": str(metadata.get("ls_provider") or "unknown"),
            "gen_ai.request.model": model,
        }
        self._begin(f"chat {model}", run_id, parent_run_id, attributes, SpanKind.CLIENT)

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **rest: Any,
    ) -> None:
        name = str(rest.get("name") or (serialized or {}).get("name") or "unknown")
        attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
        if call_id := rest.get("tool_call_id"):
            attributes["gen_ai.tool.call.id"] = str(call_id)
        self._begin(f"execute_tool {name}", run_id, parent_run_id, attributes)

    def on_llm_end(self, response: Any, *, run_id: UUID, **rest: Any) -> None:
        self._end(run_id, attributes=_usage(response))

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **rest: Any) -> None:
        self._end(run_id)

    def on_tool_end(self, output: Any, *, run_id: UUID, **rest: Any) -> None:
        self._end(run_id)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._end(run_id, error)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._end(run_id, error)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._end(run_id, error)

    def close(self) -> None:
        """End what a stopped turn left open."""
        with self._lock:
            left = list(self._own)
        for run_id in left:
            self._end(run_id)

    def _begin(
        self,
        name: str,
        run_id: UUID,
        parent_run_id: UUID | None,
        attributes: dict[str, str],
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> None:
        with self._lock:
            above = self._above.get(parent_run_id) if parent_run_id else None
        within = set_span_in_context(above) if above is not None else None
        span = self._tracer.start_span(name, within, kind, attributes)
        with self._lock:
            self._own[run_id] = self._above[run_id] = span

    def _pass_on(self, run_id: UUID, parent_run_id: UUID | None) -> None:
        with self._lock:
            self._above[run_id] = self._above.get(parent_run_id) if parent_run_id else None

    def _end(
        self,
        run_id: UUID,
        error: BaseException | None = None,
        attributes: dict[str, Any] | None = None,
    ) -> None:
        with self._lock:
            span = self._own.pop(run_id, None)
            self._above.pop(run_id, None)
        if span is None:
            return
        span.set_attributes(attributes or {})
        kind = type(error).__name__ if error is not None else ""
        if kind and kind not in _WAITS:
            span.set_attribute("error.type", kind)
            span.set_status(Status(StatusCode.ERROR))
        span.end()


def _usage(response: Any) -> dict[str, Any]:
    """Tokens and the reason of the end, as far as the provider told."""
    generations = [each for several in getattr(response, "generations", ()) for each in several]
    message = getattr(generations[0], "message", None) if generations else None
    usage = getattr(message, "usage_metadata", None) or {}
    told = getattr(message, "response_metadata", None) or {}
    found = {
        "gen_ai.usage.input_tokens": usage.get("input_tokens"),
        "gen_ai.usage.output_tokens": usage.get("output_tokens"),
        "gen_ai.usage.cache_read.input_tokens": (usage.get("input_token_details") or {}).get(
            "cache_read"
        ),
        "gen_ai.response.model": told.get("model_name"),
    }
    if reason := told.get("finish_reason"):
        found["gen_ai.response.finish_reasons"] = [str(reason)]
    return {name: value for name, value in found.items() if value is not None}
