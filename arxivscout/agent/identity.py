"""Who asks, and in which thread."""

from __future__ import annotations

import functools
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.runtime import get_runtime

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.services import Services
from arxivscout.agent.timing import Node
from arxivscout.errors import UsageError, WrongPerson
from arxivscout.memory.threads import written_thread

_NAMESPACE = uuid5(NAMESPACE_URL, "https://arxiv.org/arxivscout/threads")


def person_of(services: Services, context: ScoutContext, config: RunnableConfig) -> str:
    """The person whose memory a run reads and writes.

    A server takes it from its own authentication and, on loopback without one, from its settings;
    a parameter never names somebody else. The terminal gives it in the context.

    Raises:
        UsageError: there is none, or a server was told another.
    """
    if services.known_user is not None:
        authenticated = _configurable(config).get("langgraph_auth_user_id")
        person = str(authenticated) if authenticated else services.known_user
        if context.user not in (None, "", person):
            raise UsageError(
                "This server knows its users by authentication, not by the context.",
                "Leave `user` empty.",
            )
        return person
    if not context.user:
        raise UsageError("A user is needed, and there is none.", "Give one by --user.")
    return context.user


def own(services: Services, node: Node) -> Node:
    """The node, over no state but the run's own person's.

    A server lets its clients write into a state, so what stands there is no proof of who asks.

    Raises:
        WrongPerson: by the node, when the state is of somebody else.
    """

    @functools.wraps(node)
    def guarded(state: Any, *args: Any, **kwargs: Any) -> Any:
        context = get_runtime(ScoutContext).context or ScoutContext()
        if state["user"] != person_of(services, context, get_config()):
            raise WrongPerson("The state of this run is not of the person who runs it.")
        return node(state, *args, **kwargs)

    return guarded


def thread_of(context: ScoutContext, config: RunnableConfig) -> str:
    """The thread's name in memory: the context's, else the run's own thread id."""
    name = context.thread or _configurable(config).get("thread_id") or "default"
    return written_thread(str(name))


def checkpoint_thread(user: str, thread_id: str, turn_id: UUID) -> str:
    """A checkpoint's thread id: each turn has its own, so that a question that is refused while
    another is being answered leaves that one's checkpoints alone."""
    return str(uuid5(_NAMESPACE, f"{len(user)}:{user}:{turn_id}:{thread_id}"))


def _configurable(config: RunnableConfig) -> dict[str, Any]:
    return dict(config.get("configurable") or {})
