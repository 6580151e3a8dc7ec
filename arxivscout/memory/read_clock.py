"""How long each statement of a batch takes the server, told by its own clock between them.

A clock's statement costs some 0.02 ms, and all go out in the batch's one round trip.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from arxivscout.memory.postgres import Rows, Statement

_CLOCK: Statement = ("SELECT extract(epoch FROM clock_timestamp())::float8", {})


def clocked(statements: Sequence[Statement]) -> list[Statement]:
    """The statements with a look at the clock before the first and behind each."""
    return [_CLOCK, *(each for statement in statements for each in (statement, _CLOCK))]


def read_times(results: Sequence[Rows]) -> list[tuple[Rows, float]]:
    """What `clocked` statements gave: the rows of each, and its milliseconds."""
    clocks = [rows[0][0] for rows in results[::2]]
    return [
        (rows, max(after - before, 0.0) * 1000)
        for rows, (before, after) in zip(results[1::2], pairwise(clocks), strict=True)
    ]
