"""When reflection begins: behind a turn or a judgement when it is time, or when it is asked for."""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Mapping
from typing import Any, cast

import psycopg

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.recovery import error_of
from arxivscout.agent.reflection import build_reflection_graph
from arxivscout.agent.services import Services
from arxivscout.errors import DatabaseError, ThreadBusy
from arxivscout.memory import reflections

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
) -> dict[str, Any]:
    """One reflection, as `ReflectionOutput` has it.

    Raises:
        ThreadBusy: another process is reflecting for this person.
        Fatal: it could not be done; nothing of it is stored.
    """
    graph = build_reflection_graph(services)
    start: dict[str, Any] = {"if_due": if_due, "dry_run": dry_run, "by_rules": by_rules}
    if why:
        start["why"] = why
    config: Any = {"configurable": {"langgraph_auth_user_id": user}}
    context = ScoutContext(user=user, model=model, ask=False)
    # In no other run's context: a turn that asks for it is no part of it.
    result = contextvars.Context().run(
        lambda: graph.invoke(cast(Any, start), config, context=context)
    )
    if result.get("error"):
        raise error_of(cast(Mapping[str, Any], result["error"]))
    return dict(result)


def _if_due(services: Services, user: str, *, by_rules: bool) -> None:
    """Reflect if it is time. The look costs one small statement; who is busy is left alone."""
    try:
        with services.database.transaction(user) as conn:
            why = reflections.due(conn, services.settings.reflect_after)
        if why is not None:
            reflect(services, user, by_rules=by_rules, why=why)
    except (ThreadBusy, DatabaseError, psycopg.Error):
        _log.info("no reflection after a turn", exc_info=True)  # the next turn tries again
