"""When reflection begins: behind a turn or a judgement when it is time, or when it is asked for."""

from __future__ import annotations

import contextvars
import logging
import time
from collections.abc import Mapping
from typing import Any, cast

import psycopg

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.recovery import error_of
from arxivscout.agent.reflection import build_reflection_graph
from arxivscout.agent.services import Services
from arxivscout.errors import DatabaseError, ThreadBusy
from arxivscout.memory import reflections

PATIENCE_S = 10.0  # one by rules takes less than a second
AGAIN_S = 0.1

_log = logging.getLogger(__name__)


def after_turn(services: Services, user: str, *, failed: bool = False) -> None:
    """Reflect in the background, behind what else is left to do, if it is time.

    Args:
        failed: the turn has failed, and its model may be why: it is not asked now.
    """
    if services.settings.reflect_after:
        services.later.run(lambda: _if_due(services, user, by_rules=failed))


def reflect(
    services: Services,
    user: str,
    *,
    if_due: bool = False,
    dry_run: bool = False,
    by_rules: bool = False,
    model: str | None = None,
    why: str = "",
    patience_s: float = PATIENCE_S,
) -> dict[str, Any]:
    """One reflection, as `ReflectionOutput` has it.

    Args:
        patience_s: so long it waits for one that is at work, in this process or another.

    Raises:
        ThreadBusy: another process is reflecting for this person, and does not end soon.
        Fatal: it could not be done; nothing of it is stored.
    """
    patient_until = time.monotonic() + patience_s
    graph = build_reflection_graph(services)
    start: dict[str, Any] = {"if_due": if_due, "dry_run": dry_run, "by_rules": by_rules}
    if why:
        start["why"] = why
    config: Any = {"configurable": {"langgraph_auth_user_id": user}}
    context = ScoutContext(user=user, model=model, ask=False)
    while True:
        # In no other run's context: a turn that asks for it is no part of it.
        result = contextvars.Context().run(
            lambda: graph.invoke(cast(Any, start), config, context=context)
        )
        if not result.get("error"):
            return dict(result)
        error = error_of(cast(Mapping[str, Any], result["error"]))
        if not isinstance(error, ThreadBusy) or time.monotonic() > patient_until:
            raise error
        time.sleep(AGAIN_S)


def _if_due(services: Services, user: str, *, by_rules: bool) -> None:
    """Reflect if it is time. The look costs one small statement; who is busy is left alone."""
    try:
        with services.database.transaction(user) as conn:
            why = reflections.due(conn, services.settings.reflect_after)
        if why is not None:
            reflect(services, user, by_rules=by_rules, why=why, patience_s=0)
    except (ThreadBusy, DatabaseError, psycopg.Error):
        _log.info("no reflection after a turn", exc_info=True)  # the next turn tries again
