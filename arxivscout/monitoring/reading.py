"""The figures of a person, or of everybody for who may read all rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from arxivscout.errors import UsageError
from arxivscout.memory.backup import SEES_ALL
from arxivscout.memory.postgres import Database, Rows, Statement
from arxivscout.monitoring.figures import Span, Statistics
from arxivscout.monitoring.statistics import Read, statistics
from arxivscout.monitoring.traces import traces

# With less, a hundred thousand turns are sorted on the disk.
_ROOM: Statement = ("SELECT set_config('work_mem', '64MB', true)", {})


def reader(database: Database, user: str | None) -> Read:
    """Reads the rows of this person, on several sessions side by side; for None, all rows.

    Raises:
        UsageError: when it reads, that row security binds the login that is to read all.
    """
    if user is not None:

        def own(batches: Sequence[Sequence[Statement]]) -> list[list[Rows]]:
            read = database.side_by_side(user, *([_ROOM, *batch] for batch in batches))
            return [rows[1:] for rows in read]

        return own

    def everybody(batches: Sequence[Sequence[Statement]]) -> list[list[Rows]]:
        with database.admin() as conn:
            (sees_all,) = conn.execute(SEES_ALL).fetchone() or (False,)
            if not sees_all:
                raise UsageError(
                    "Row security hides others' rows from this login.",
                    "Set ARXIVSCOUT_ADMIN_DATABASE_URL to the schema's owner.",
                )
            conn.execute(*_ROOM)
            return [[conn.execute(*each).fetchall() for each in batch] for batch in batches]

    return everybody


def read_statistics(database: Database, user: str | None, span: Span) -> Statistics:
    """All figures of a time, with links to the traces of the slowest turns where there are any.

    Args:
        user: whose; None: everybody's, without what any of them asked.

    Raises:
        UsageError: everybody's are asked for with a login that row security binds.
    """
    found = statistics(reader(database, user), span)
    links = traces([str(each.turn_id) for each in found.slowest])
    slowest = [dataclasses.replace(s, trace=links.get(str(s.turn_id))) for s in found.slowest]
    if user is None:
        slowest = [dataclasses.replace(each, thread_id="") for each in slowest]
        return dataclasses.replace(found, slowest=slowest, degraded=[])
    return dataclasses.replace(found, slowest=slowest)
