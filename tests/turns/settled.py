"""What turns leave in memory, read when all that is done behind them is done."""

from __future__ import annotations

from typing import Any

from arxivscout.agent.services import Services
from arxivscout.app import Scout

LONG_S = 60.0  # for a machine that does much beside


def settle(of: Scout | Services) -> None:
    """Wait for what is done behind the turns of this process."""
    services = of._services if isinstance(of, Scout) else of
    assert services.later.wait(LONG_S), "what is done behind a turn does not end"


def rows(scout: Scout, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """The rows that the scout's person sees, when that is done."""
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        return conn.execute(sql, parameters or None).fetchall()
