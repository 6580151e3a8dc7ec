"""The first node of a turn: who asks what in which thread, committed before anything is done."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from langchain_core.messages import HumanMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime

from arxivscout.agent.context import ScoutContext, budgets
from arxivscout.agent.identity import person_of, thread_of
from arxivscout.agent.messages import asked_in, running_conversation, turn_id_of
from arxivscout.agent.reading import readings
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutState
from arxivscout.agent.timing import timed
from arxivscout.context.followup import last_cited, last_shown, standalone, stands_alone
from arxivscout.errors import DatabaseUnavailable, UsageError
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.turn import open_turn
from arxivscout.papers import clean_text
from arxivscout.reflection.noticing import asked_again, asked_beside

LOST = "the database is lost: answered from the running conversation"
TAKEN_OUT = "what looks like a secret or an address in the question was neither read nor kept"


class Understanding:
    """The node that opens a turn, over one process's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @timed("understand")
    def understand(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Commit the question, and understand it from the thread.

        Secrets are taken out before anybody reads it: models, tools, arXiv, the database.
        """
        services, context, config = self._services, runtime.context or ScoutContext(), get_config()
        user, thread_id = person_of(services, context, config), thread_of(context, config)
        asked = asked_in(state.get("messages") or ())
        question = kept_text(asked.text).strip()
        if not question:
            raise UsageError("The question is empty.", "Ask something.")
        run_thread = config.get("configurable", {}).get("thread_id")
        turn_id = turn_id_of(asked, user, thread_id, run_thread)
        model = context.model or services.settings.model
        limits = budgets(services.settings, context, model)
        self._let_go_of_waiting(state, turn_id)
        changed = question != clean_text(asked.text).strip()
        degraded = [TAKEN_OUT] if changed else []
        asks = asked_beside(question) or question
        if stands_alone(asks):  # it is embedded while the database commits it
            services.embed_ahead(asks)
        try:
            opened = open_turn(
                services.database,
                services.leases,
                user=user,
                thread_id=thread_id,
                turn_id=turn_id,
                question=question,
                model=model,
                turn_timeout_s=limits.turn_timeout_s,
            )
            recent, speakers = opened.recent, opened.speakers
        except DatabaseUnavailable:
            degraded.append(LOST)
            recent, speakers = running_conversation(state["messages"]), []
        said = [(role, text) for role, text, *_ in recent]
        shown = last_shown(said)
        earlier = [text for role, text in said if role == "user"]
        again, before = asked_again(question, earlier)
        if again:  # "shorter, please"
            asks, earlier = again, list(before)
        understood = standalone(asks, earlier, shown, last_cited(said))
        now = datetime.now(UTC).isoformat()
        return {
            **({"messages": [HumanMessage(question, id=asked.id)]} if changed else {}),
            "turn_id": str(turn_id),
            "user": user,
            "thread_id": thread_id,
            "question": question,
            "readings": readings(services.database, question, understood, shown),
            "understood": understood,
            "model": model,
            "started_at": now,
            "timed_from": now,
            "recent": [list(message) for message in recent],
            "speakers": speakers,
            "memory": {},
            "context": [],
            "context_report": [],
            "rounds": 0,
            "evidence": {},
            "decisions": {},
            "tool_log": [],
            "unlogged": [],
            "answer": "",
            "citations": [],
            "cited_versions": {},
            "quoted": None,
            "problems": [],
            "status": "open",
            "error": None,
            "degraded": degraded,
            "usage": {},
            "timings_ms": {},
        }

    def _let_go_of_waiting(self, state: ScoutState, turn_id: UUID) -> None:
        """A question asked instead of answering a choice: the turn that waits gives up its lease.

        A server runs one run of a thread at a time, so the one before is not at work.
        """
        before = state.get("turn_id")
        if before and before != str(turn_id) and state.get("status") == "open":
            self._services.leases.release(UUID(before))
