"""What is left to do when a turn is stored, one after the other, beside the next turn.

The person's next turn waits for what this one teaches, and who leaves for all of it, neither of
them long: what a killed process leaves undone the person's next turn does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arxivscout.agent import condensing, consolidating, recording, reflecting
from arxivscout.agent.services import Services


def afterwards(
    services: Services, state: Mapping[str, Any], *, persist_ms: float, failed: bool
) -> None:
    """Begin it for the turn that `state` is of, however that ended.

    Args:
        persist_ms: what storing it took.
        failed: it has no answer, and its model may be why.
    """
    user = state["user"]
    services.later.run(lambda: _learn(services, user), teaches=user)
    services.embed_said(user)
    recording.record_later(services, user, state["turn_id"], persist_ms)
    condensing.after_turn(services, state)
    reflecting.after_turn(services, user, failed=failed)
    consolidating.after_turn(services, state)


def _learn(services: Services, user: str) -> None:
    """Learn from the turn, and infer from what was learned."""
    from arxivscout.agent.learning import learn_waiting  # what it takes is loaded for nobody's wait
    from arxivscout.memory.graph.inference import infer

    learn_waiting(services, user)
    infer(services.database, user)
