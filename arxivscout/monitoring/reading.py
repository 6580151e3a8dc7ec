"""The figures of a person, or of everybody for who may read all rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

from arxivscout.errors import UsageError
from arxivscout.memory.backup import SEES_ALL
from arxivscout.memory.postgres import Connection, Database
from arxivscout.monitoring.figures import Span, Statistics
from arxivscout.monitoring.statistics import of_everybody, of_person, statistics
from arxivscout.monitoring.traces import traces


def read_statistics(database: Database, user: str | None, span: Span) -> Statistics:
    """All figures of a time, with links to the traces of the slowest turns where there are any.

    Args:
        user: whose; None: everybody's.

    Raises:
        UsageError: everybody's are asked for with a login that row security binds.
    """
    if user is not None:
        found = statistics(of_person(database, user), span)
    else:
        with all_rows(database) as conn:
            found = statistics(of_everybody(conn), span)
    links = traces([str(each.turn_id) for each in found.slowest])
    slowest = [dataclasses.replace(s, trace=links.get(str(s.turn_id))) for s in found.slowest]
    return dataclasses.replace(found, slowest=slowest)


@contextmanager
def all_rows(database: Database) -> Iterator[Connection]:
    """A connection that sees everybody's rows.

    Raises:
        UsageError: the login is not the schema owner's.
    """
    with database.admin() as conn:
        (sees_all,) = conn.execute(SEES_ALL).fetchone() or (False,)
        if not sees_all:
            raise UsageError(
                "Row security hides others' rows from this login.",
                "Set ARXIVSCOUT_ADMIN_DATABASE_URL to the schema's owner.",
            )
        yield conn
