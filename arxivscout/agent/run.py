"""One turn as the doors see it: the graph run, its events, and what holds when it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import UUID

from langchain_core.messages import HumanMessage
from langgraph.types import Command

from arxivscout import errors
from arxivscout.agent.choices import from_value
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.events import (
    Answer,
    Answered,
    Choice,
    Citation,
    Event,
    Notice,
    Token,
    ToolEnded,
    ToolStarted,
)
from arxivscout.agent.held_threads import HeldThread
from arxivscout.agent.identity import checkpoint_thread
from arxivscout.agent.persist import persist_turn
from arxivscout.agent.recovery import error_of
from arxivscout.agent.services import Services
from arxivscout.agent.state import KEPT_MESSAGES
from arxivscout.agent.work import Work
from arxivscout.memory.threads import written_thread
from arxivscout.papers import clean_text

STEPS_A_ROUND = 2  # besides the choices, each of which begins a run of its own
OTHER_STEPS = 40
STREAMED: Mapping[str, Any] = {"stream_mode": ["custom", "values"], "durability": "sync"}


def run_turn(
    services: Services,
    graph: Any,
    *,
    user: str,
    thread_id: str,
    turn_id: UUID,
    question: str,
    model: str | None,
    held: HeldThread,
    resume: bool,
    decide: Callable[[Choice], str] | None = None,
    bounds: Mapping[str, str | None] | None = None,
) -> Iterator[Event]:
    """Run one turn and give its events; the last one is `Answered`.

    Closing the iterator or Ctrl-C inside stops the turn; what was said so far is stored with the
    status `interrupted` by the same function that the graph's last node calls.

    Args:
        held: what this process holds of the thread; replaced by what that is after the turn.
        resume: go on from a checkpoint that the turn left behind, if there is one.
        decide: asks the person to choose, and gives the option taken; None if nobody is there.
        bounds: fields of the context that say which papers may be recalled and found.

    Raises:
        Fatal: there is no answer; the question is kept.
        UsageError: the turn was taken away while it waited for a choice.
    """
    written_thread(thread_id)
    checkpoint = checkpoint_thread(user, thread_id, turn_id)
    rounds = services.settings.max_tool_rounds
    config = {
        # The second is for a server's batch machine, which knows by then who asks.
        "configurable": {"thread_id": checkpoint, "langgraph_auth_user_id": user},
        "recursion_limit": STEPS_A_ROUND * rounds + OTHER_STEPS,
        "metadata": {"turn_id": str(turn_id)},  # by which a trace of the turn is found
    }
    context = ScoutContext(
        user=user, thread=thread_id, model=model, ask=decide is not None, **(bounds or {})
    )
    start: Any = {
        "messages": [*held.messages, HumanMessage(clean_text(question), id=str(turn_id))],
        "picked_tools": list(held.tools),
    }
    state: dict[str, Any] = {}
    if resume and (left := _left_behind(services, graph, config, turn_id)):
        start, state = None, left
    said: list[str] = []
    said_again = False  # the next words begin the answer anew
    work = Work(graph, start, config, context, **STREAMED)
    try:
        while True:
            waiting: Choice | None = None
            for mode, chunk in work.results():
                if mode == "values":
                    state, waiting = _state_and_choice(chunk)
                elif event := _event(chunk):
                    if isinstance(event, Token):
                        if said_again:
                            said.clear()
                        said_again = False
                        said.append(event.text)
                    elif isinstance(event, ToolStarted):
                        said.clear()  # what was said before a tool call is not the answer
                    elif isinstance(event, Notice):
                        said_again = True  # the model failed; till it speaks, what it said is kept
                    yield event
            if waiting is None or decide is None:
                break
            services.leases.wait(turn_id)
            taken: Command[Any] = Command(resume=decide(waiting))
            _still_there(services, user, thread_id, turn_id)
            work = Work(graph, taken, config, context, **STREAMED)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        state = work.stop(state)
        if state.get("turn_id") == str(turn_id) and state.get("status") == "open":
            partial = {**state, "answer": state.get("answer") or "".join(said).strip()}
            persist_turn(services, partial, status="interrupted")
            services.leases.let_go(turn_id)
        raise
    finally:
        services.leases.release(turn_id)
        graph.checkpointer.clear(checkpoint)
    if state.get("error"):
        raise error_of(state["error"])
    held.messages = state["messages"][-KEPT_MESSAGES:]
    held.tools = list(state["picked_tools"])
    yield Answered(_answer(state))


def _left_behind(
    services: Services, graph: Any, config: dict[str, Any], turn_id: UUID
) -> dict[str, Any] | None:
    """The state of this very turn when a kill left it in the middle, with its lease taken anew."""
    from arxivscout.memory.turn import open_turn

    snapshot = graph.get_state(config)
    values = dict(snapshot.values)
    if not snapshot.next or values.get("turn_id") != str(turn_id):
        return None
    if values.get("status") != "open" or "understand" in snapshot.next:
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


def _still_there(services: Services, user: str, thread_id: str, turn_id: UUID) -> None:
    """See that the turn was not taken away while it waited for a choice.

    Its lease is lost all the same when this machine sleeps or the database is away.

    Raises:
        UsageError: it was taken back, or its thread was deleted or renamed.
    """
    from arxivscout.memory.turn import thread_of

    try:
        thread = thread_of(services.database, user, turn_id)
    except errors.DatabaseUnavailable:
        return  # the turn goes on, and is kept on disk
    if thread is None:
        raise errors.UsageError(
            "While it waited for your choice, this turn was taken back elsewhere, or its thread "
            "deleted: nothing was done.",
            "Ask again.",
        )
    if thread != thread_id:
        raise errors.UsageError(
            f"While it waited for your choice, the thread {thread_id!r} was renamed to "
            f"{thread!r} elsewhere: nothing was done.",
            "Ask again there.",
        )


def _state_and_choice(chunk: dict[str, Any]) -> tuple[dict[str, Any], Choice | None]:
    """The state, and the choice that it waits for."""
    state = {name: value for name, value in chunk.items() if name != "__interrupt__"}
    waiting = chunk.get("__interrupt__")
    return state, from_value(waiting[0].value) if waiting else None


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
