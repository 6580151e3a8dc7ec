"""One turn as the doors see it: the graph run, its events, and what holds when it is stopped."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from langchain_core.messages import HumanMessage

from arxivscout import errors
from arxivscout.agent.events import (
    Answer,
    Answered,
    Citation,
    Event,
    Notice,
    Token,
    ToolEnded,
    ToolStarted,
)
from arxivscout.agent.identity import check_thread, checkpoint_thread
from arxivscout.agent.persist import persist_turn
from arxivscout.agent.services import Services
from arxivscout.agent.state import KEPT_MESSAGES, ScoutContext
from arxivscout.papers import clean_text

STEPS_A_ROUND = 2
OTHER_STEPS = 8
STOPPING_S = 1.0  # how long a stopped turn may take to end by itself


def run_turn(
    services: Services,
    graph: Any,
    *,
    user: str,
    thread_id: str,
    turn_id: UUID,
    question: str,
    model: str | None,
    running: list[Any],
    picked: list[str],
    resume: bool,
) -> Iterator[Event]:
    """Run one turn and give its events; the last one is `Answered`.

    Closing the iterator or Ctrl-C inside stops the turn; what was said so far is stored with the
    status `interrupted` by the same function that the graph's last node calls.

    Args:
        running: the thread's messages in this process; replaced by what they are after the turn.
        picked: the thread's tools in this process; likewise.
        resume: go on from a checkpoint that the turn left behind, if there is one.

    Raises:
        Fatal: there is no answer; the question is kept.
    """
    check_thread(thread_id)
    checkpoint = checkpoint_thread(user, thread_id, turn_id)
    rounds = services.settings.max_tool_rounds
    config = {
        "configurable": {"thread_id": checkpoint},
        "recursion_limit": STEPS_A_ROUND * rounds + OTHER_STEPS,
    }
    context = ScoutContext(user=user, thread=thread_id, model=model)
    start: dict[str, Any] | None = {
        "messages": [*running, HumanMessage(clean_text(question), id=str(turn_id))],
        "picked_tools": list(picked),
    }
    state: dict[str, Any] = {}
    if resume and (left := _left_behind(services, graph, config, turn_id)):
        start, state = None, left
    said: list[str] = []
    work = _Work(services, graph, start, config, context, str(turn_id))
    try:
        for mode, chunk in work.results():
            if mode == "values":
                state = chunk
            elif event := _event(chunk):
                if isinstance(event, Token):
                    said.append(event.text)
                elif isinstance(event, ToolStarted):
                    said.clear()  # what was said before a tool call is not the answer
                yield event
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        state = work.stop(state)
        if state.get("turn_id") == str(turn_id) and state.get("status") == "open":
            partial = {**state, "answer": state.get("answer") or "".join(said).strip()}
            persist_turn(services, partial, status="interrupted")
            services.leases.let_go(turn_id)
        raise
    finally:
        services.leases.release(turn_id)
        graph.checkpointer.delete_thread(checkpoint)
    if state.get("error"):
        raise _error_named(state["error"])
    running[:] = state["messages"][-KEPT_MESSAGES:]
    picked[:] = state["picked_tools"]
    yield Answered(_answer(state))


class _Work:
    """The graph at work in a thread of its own, so that Ctrl-C is heard at once.

    LangGraph runs nodes in threads and waits for them before it lets an interrupt through: a
    model that hangs would keep the person waiting. Here the person's thread only reads results.
    """

    def __init__(
        self,
        services: Services,
        graph: Any,
        start: dict[str, Any] | None,
        config: dict[str, Any],
        context: ScoutContext,
        turn_id: str,
    ) -> None:
        self._services = services
        self._turn_id = turn_id
        self._queue: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

        def work() -> None:
            try:
                for result in graph.stream(
                    start,
                    config,
                    context=context,
                    stream_mode=["custom", "values"],
                    durability="sync",
                ):
                    self._queue.put(result)
                self._queue.put(("end", None))
            except BaseException as error:  # noqa: BLE001 - raised again by who reads the results
                self._queue.put(("error", error))
            finally:
                services.stopped.discard(turn_id)

        run = contextvars.copy_context().run
        self._thread = threading.Thread(target=run, args=(work,), daemon=True, name="turn")
        self._thread.start()

    def results(self) -> Iterator[tuple[str, Any]]:
        """What the graph streams: (mode, chunk)."""
        while True:
            mode, chunk = self._queue.get()
            if mode == "end":
                return
            if mode == "error":
                raise chunk
            yield mode, chunk

    def stop(self, state: dict[str, Any]) -> dict[str, Any]:
        """Stop the graph and give the newest state; a node that hangs is left behind."""
        self._services.stopped.add(self._turn_id)
        self._thread.join(STOPPING_S)
        if not self._thread.is_alive():
            self._services.stopped.discard(self._turn_id)
        while not self._queue.empty():
            mode, chunk = self._queue.get()
            state = chunk if mode == "values" else state
        return state


def _left_behind(
    services: Services, graph: Any, config: dict[str, Any], turn_id: UUID
) -> dict[str, Any] | None:
    """The state of this very turn when a kill left it in the middle, with its lease taken anew."""
    from arxivscout.memory.turn import open_turn

    snapshot = graph.get_state(config)
    values = dict(snapshot.values)
    if not snapshot.next or values.get("turn_id") != str(turn_id):
        return None
    if values.get("status") != "open" or "load_memory" in snapshot.next:
        return None
    open_turn(
        services.database,
        services.leases,
        user=values["user"],
        thread_id=values["thread_id"],
        turn_id=turn_id,
        question=values["question"],
        model=values["model"],
    )
    return values


def _event(chunk: dict[str, Any]) -> Event | None:
    match chunk:
        case {"type": "token", "text": text}:
            return Token(text)
        case {"type": "tool_started", "name": name, "arguments": arguments}:
            return ToolStarted(name, arguments)
        case {"type": "tool_ended", **ended}:
            return ToolEnded(ended["name"], ended["status"], ended["summary"], ended["seconds"])
        case {"type": "notice", "text": text}:
            return Notice(text)
    return None


def _answer(state: dict[str, Any]) -> Answer:
    return Answer(
        answer=state["answer"],
        citations=[Citation.from_json(citation) for citation in state["citations"]],
        thread_id=state["thread_id"],
        turn_id=state["turn_id"],
        status=state["status"],
        problems=list(state.get("problems", ())),
        degraded=list(state["degraded"]),
        usage=dict(state["usage"]),
        timings_ms={name: round(ms, 1) for name, ms in state["timings_ms"].items()},
        model=state["model"],
    )


def _error_named(description: dict[str, Any]) -> Exception:
    """The error that the state describes, as the door raises it."""
    found = getattr(errors, description["type"], None)
    if not (isinstance(found, type) and issubclass(found, errors.Fatal)):
        found = errors.ModelError
    return found(description["cause"], description["mend"])
