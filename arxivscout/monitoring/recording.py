"""Turns are measured when their answers have been shown: beside the next one, all that wait.

What goes wrong here is logged by who runs it, and done again after the next turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from arxivscout.memory import monitoring_records as records
from arxivscout.memory.postgres import Database
from arxivscout.monitoring.measuring import measured, totals

Cost = Callable[[str, Mapping[str, Any]], float | None]
"""US dollars of a model's usage; None when its price is not known."""


def record_turns(
    database: Database, user: str, *, days: int, cost: Cost, known_tools: Collection[str]
) -> int:
    """Measure this person's turns that nobody has measured, and drop what is older than `days`.

    Args:
        days: how long numbers are kept; 0 keeps none and makes none.

    Returns:
        how many turns were measured.
    """
    done = 0
    while days:
        waiting = records.unmeasured(database, user, days)
        measures = {turn.turn_id: measured(turn, cost(turn.model, turn.usage)) for turn in waiting}
        added = {
            turn.turn_id: list(totals(turn, measures[turn.turn_id], known_tools))
            for turn in waiting
        }
        if not waiting:
            break
        with database.transaction(user) as conn:
            rows = [each.to_json() for each in measures.values()]
            done += records.store(conn, rows, added)
        if len(waiting) < records.MOST_AT_ONCE:
            break
    records.drop_old(database, user, days)
    return done
