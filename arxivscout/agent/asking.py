"""The two nodes in which a turn waits for a person. What has effects comes after the waiting.

`interrupt()` ends the run; an answer runs the node again from its top. A person may take long: the
thread's lease runs out meanwhile, so it is taken anew, and the turn's time starts again.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from arxivscout.agent.choices import (
    CHANGE,
    KEEP,
    MAX_ASKED,
    archive_choice,
    as_value,
    change_choice,
    chosen,
    forget_choice,
    reading_choice,
)
from arxivscout.agent.context import ScoutContext, budgets
from arxivscout.agent.events import Choice
from arxivscout.agent.forgetting import Change, memory_text, undecided
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutState
from arxivscout.agent.wishes import asks_to_archive, asks_to_change, asks_to_forget
from arxivscout.errors import DatabaseError, DatabaseUnavailable
from arxivscout.memory.remembering import remembering
from arxivscout.memory.turn import open_turn


class Asking:
    """The nodes that ask, over one process's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def choose_reading(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Ask which paper a question means that could mean more than one."""
        readings = state["readings"]
        if runtime.context and not runtime.context.ask:
            return {
                "readings": [],
                "degraded": [
                    *state["degraded"],
                    f"the question could mean any of {len(readings) - 1} papers; taken for all of "
                    "them (name one to ask about it alone)",
                ],
            }
        choice = reading_choice(state["question"], readings)
        place = None
        for _ in range(MAX_ASKED):
            place = chosen(choice, interrupt(as_value(choice)))
            if place is not None:
                break
        return {
            "understood": readings[place or 0]["understood"],
            "readings": [],
            **self._go_on(state, runtime),
        }

    def confirm_forget(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Ask whether a memory shall be forgotten, archived or changed, as the model wants."""
        change = undecided(state)[0]
        do, memory_id, question = change.do, change.memory_id, state["question"]
        try:
            text = memory_text(self._services.database, state["user"], memory_id)
            allowed = remembering(self._services.database, state["user"])
        except (DatabaseError, psycopg.Error):
            return {"decisions": {**state["decisions"], change.key: "unread"}}
        if text is None or (do == CHANGE and allowed == "nothing"):  # the tool says so
            return {"decisions": {**state["decisions"], change.key: do}}
        if runtime.context and not runtime.context.ask:
            asked = _plainly_asked(change, question, text)
            return {"decisions": {**state["decisions"], change.key: do if asked else "refused"}}
        choice = _choice(change, text)
        place = chosen(choice, interrupt(as_value(choice)))
        decision = KEEP if place is None else choice.options[place]
        return {
            "decisions": {**state["decisions"], change.key: decision},
            **self._go_on(state, runtime),
        }

    def _go_on(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Take the thread's lease anew.

        Raises:
            ThreadBusy: another turn of the thread has begun while this one waited.
        """
        services, model = self._services, state["model"]
        with suppress(DatabaseUnavailable):  # then the turn is kept on disk
            open_turn(
                services.database,
                services.leases,
                user=state["user"],
                thread_id=state["thread_id"],
                turn_id=UUID(state["turn_id"]),
                question=state["question"],
                model=model,
                turn_timeout_s=budgets(services.settings, runtime.context, model).turn_timeout_s,
            )
        return {"timed_from": datetime.now(UTC).isoformat()}


def _plainly_asked(change: Change, question: str, memory: str) -> bool:
    """Whether the question itself asks for it."""
    match change.do:
        case "forget":
            return asks_to_forget(question, change.memory_id, memory)
        case "archive":
            return asks_to_archive(question, change.memory_id, memory)
    return asks_to_change(question, change.memory_id, memory, change.text or "")


def _choice(change: Change, memory: str) -> Choice:
    """What the person is asked."""
    match change.do:
        case "forget":
            return forget_choice(memory)
        case "archive":
            return archive_choice(memory)
    return change_choice(memory, change.text or "")
