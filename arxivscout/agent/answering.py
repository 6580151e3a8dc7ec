"""One reply of the model: asked, streamed, its citations checked, made up for where it fails."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import psycopg
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from arxivscout.agent.citations import CitationGuard
from arxivscout.agent.measuring import estimated_tokens, learn
from arxivscout.agent.messages import mentioned_ids, turn_messages
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutState
from arxivscout.agent.stopping import heed_stop
from arxivscout.agent.tools import cleaned
from arxivscout.context.large_results import fit_results
from arxivscout.errors import DatabaseError
from arxivscout.llm.extractive import QUOTED
from arxivscout.llm.extractive_answer import instead_of_a_model
from arxivscout.llm.failures import EmptyAnswer, model_error
from arxivscout.llm.reply import Retry, RetryPolicy, stream_reply
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.papers import PaperId, clean_text

_log = logging.getLogger(__name__)
MORE_TIME_S = 1.0  # an answer may at least be tried, however late it is
LONGEST_ANSWER = 50_000  # characters, some twenty pages; a model that goes on is caught in a loop


class _TooLong(Exception):
    """The answer has no end."""


class Answering:
    """Asks the model of one turn and gives back the state's changes."""

    def __init__(
        self,
        services: Services,
        state: ScoutState,
        write: Callable[[dict[str, Any]], None],
        turn_timeout_s: float,
    ) -> None:
        self._services = services
        self._state = state
        self._write = write
        self._turn_timeout_s = turn_timeout_s
        self._titles: dict[str, str | None] = dict(state["evidence"])
        self._guard = CitationGuard(self._is_known, mentioned_ids(state))
        self._degraded = list(state["degraded"])
        self._length = 0  # of the model's text so far, in characters
        self._quoted: list[str] | None = None  # by the extractive model, which tells

    def reply(self, *, last_round: bool) -> dict[str, Any]:
        """Ask once more: the model calls tools, or the turn has its answer.

        Args:
            last_round: tools are still declared, since some providers refuse their history
                otherwise, but may not be called.

        Raises:
            ModelError: there is no answer to be had from this model.
        """
        state, settings = self._state, self._services.settings
        messages = self._messages()
        bound = [self._services.tools[name] for name in state["bound_tools"]]
        short = state["short_tools"]
        named = settings.model_named(state["model"])
        try:
            message = stream_reply(
                self._services.chat_model(state["model"]),
                messages,
                tools=[tool.told(short=short) for tool in bound],
                tool_choice="none" if last_round else None,
                deadline=time.monotonic() + self._seconds_left(),
                on_text=self._show,
                on_retry=self._retried,
                policy=RetryPolicy(max_retries=named.max_retries),
            )
        except EmptyAnswer:
            message = AIMessage("")
        except _TooLong:
            message = AIMessage(self._guard.text)
            self._degraded.append(f"the answer was cut off at {LONGEST_ANSWER:,} characters")
        message = _cleaned(message)
        usage = usage_of(message)
        if "input_tokens" in usage:
            told = sum(tool.tokens_told(short=short) for tool in bound)
            sent = estimated_tokens(messages, told)
            learn(settings, state["model"], sent, usage)
        calls = bool(message.tool_calls or message.invalid_tool_calls)
        if calls and not last_round:
            self._finish_text()
            return {"messages": [message], "usage": usage}
        text = self._finish_text()
        self._quoted = message.response_metadata.get(QUOTED)
        if calls or not text.strip():
            self._degraded.append(
                "the model called tools instead of answering: composed from what was found"
                if calls
                else "the model gave no answer: composed from what was found"
            )
            self._guard.restart()
            self._length = 0
            text = self._composed(messages)
        if self._guard.removed:
            removed = ", ".join(self._guard.removed[:5])
            self._degraded.append(
                f"citations of papers that are not stored were taken out: {removed}"
            )
        answer = AIMessage(text, id=message.id, usage_metadata=message.usage_metadata)
        return {
            "messages": [answer],
            "answer": text,
            "citations": [self._citation(cited) for cited in self._guard.cited],
            "cited_versions": dict(self._guard.versions),
            "quoted": self._quoted,
            "degraded": self._degraded,
            "usage": usage,
        }

    def _messages(self) -> list[AnyMessage]:
        """The assembled context and this turn's messages, tool results cut to their budget."""
        work = turn_messages(self._state["messages"])
        found = [each for each in work if isinstance(each, ToolMessage)]
        handles = [each.id or "" for each in found]
        results = [str(each.content) for each in found]
        fitted = iter(fit_results(results, self._state["results_budget"], handles))
        shown = [
            each.model_copy(update={"content": next(fitted)})
            if isinstance(each, ToolMessage)
            else each
            for each in work
        ]
        return [*self._state["context"], *shown]

    def _seconds_left(self) -> float:
        started = datetime.fromisoformat(self._state["timed_from"])
        spent = (datetime.now(UTC) - started).total_seconds()
        return max(self._turn_timeout_s - spent, MORE_TIME_S)

    def _show(self, text: str) -> None:
        heed_stop()
        text, room = clean_text(text), LONGEST_ANSWER - self._length
        self._length += len(text)
        if shown := self._guard.feed(text[:room]):
            self._write({"type": "token", "text": shown})
        if len(text) > room:
            raise _TooLong

    def _finish_text(self) -> str:
        if rest := self._guard.finish():
            self._write({"type": "token", "text": rest})
        return self._guard.text

    def _retried(self, retry: Retry) -> None:
        heed_stop()  # nobody waits for the answer any more
        self._guard.restart()
        self._length = 0
        again = "the answer starts again" if retry.shown else "trying again"
        told = {"kind": retry.failure.kind, "attempt": retry.attempt, "wait_s": round(retry.wait_s)}
        _log.info("the model failed", extra=told)
        wait = f"in {retry.wait_s:.0f} s" if retry.wait_s >= 1 else "now"
        failed = model_error(replace(retry.failure, detail=""), self._state["model"]).cause
        text = f"{failed.rstrip('.')}; {again} {wait}."
        self._write({"type": "notice", "text": text})

    def _composed(self, messages: Sequence[AnyMessage]) -> str:
        """An answer from the evidence alone, by the extractive model."""
        work = [each for each in messages if not getattr(each, "invalid_tool_calls", None)]
        reply = self._services.chat_model("extractive").invoke(work)
        self._quoted = reply.response_metadata.get(QUOTED)
        self._show(instead_of_a_model(reply.text))
        return self._finish_text()

    def _is_known(self, arxiv_id: str) -> bool:
        if arxiv_id not in self._titles:
            self._titles[arxiv_id] = self._stored_title(arxiv_id)
        return self._titles[arxiv_id] is not None

    def _stored_title(self, arxiv_id: str) -> str | None:
        try:
            with self._services.database.shared() as conn:
                paper = paper_by_id(conn, arxiv_id)
        except (DatabaseError, psycopg.Error):
            return None  # what can't be looked up is not cited
        return paper.title if paper else None

    def _citation(self, arxiv_id: str) -> dict[str, Any]:
        return {
            "arxiv_id": arxiv_id,
            "title": self._titles.get(arxiv_id) or "",
            "url": PaperId(arxiv_id).url,
        }


def _cleaned(message: AIMessage) -> AIMessage:
    """The message without what a database, JSON or another provider can't bear."""
    changes: dict[str, Any] = {
        "tool_calls": [cleaned(call) for call in message.tool_calls],
        "invalid_tool_calls": [cleaned(call) for call in message.invalid_tool_calls],
        "additional_kwargs": cleaned(message.additional_kwargs),
        "response_metadata": cleaned(message.response_metadata),
        "content": cleaned(message.content),
    }
    return message.model_copy(update=changes)


def usage_of(message: AIMessage) -> dict[str, Any]:
    """Tokens of one call; several calls of a turn add up in the state."""
    usage = message.usage_metadata
    if usage is None:
        return {"model_calls": 1, "unreported_calls": 1}
    cached = (usage.get("input_token_details") or {}).get("cache_read")
    return {
        "model_calls": 1,
        "input_tokens": usage["input_tokens"],
        "output_tokens": usage["output_tokens"],
        "total_tokens": usage["total_tokens"],
        **({"cached_tokens": cached} if cached is not None else {}),
    }
