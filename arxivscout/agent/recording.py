"""A stored turn's numbers are kept beside the next turn: what that costs nobody waits for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from arxivscout.agent.services import Services
from arxivscout.errors import ConfigurationError


def record_later(services: Services, user: str, turn_id: str, persist_ms: float) -> None:
    """Measure the turn in the background, with the milliseconds that storing it took."""
    if services.settings.monitoring_days:
        services.later.run(lambda: record(services, user, turn_id, persist_ms))


def record(services: Services, user: str, turn_id: str, persist_ms: float) -> None:
    """Measure the turn and all others of this person that wait for it."""
    from arxivscout.memory.monitoring_records import add_persist
    from arxivscout.monitoring.recording import record_turns

    def cost(model: str, usage: Mapping[str, Any]) -> float | None:
        try:
            return services.settings.model_named(model).cost(usage)
        except ConfigurationError:  # a model of before, whose settings have gone
            return None

    add_persist(services.database, user, UUID(turn_id), persist_ms)
    record_turns(
        services.database,
        user,
        days=services.settings.monitoring_days,
        cost=cost,
        known_tools=services.tools,
    )
