"""All that is kept of one person as lines of JSON: a header, a line a row, an end with a checksum.

A row stands as the database gives it, without what is made anew from it: vectors (unless they are
asked for), indexes, searches that were kept.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier, Literal

from arxivscout.errors import UsageError
from arxivscout.memory.migrate import shipped
from arxivscout.memory.postgres import Database
from arxivscout.memory.rights.tables import Table, tables
from arxivscout.memory.vector_columns import read_model
from arxivscout.whole_files import writing_whole

FORMAT, VERSION = "arxivscout memory", 1
AT_A_TIME = 500  # rows

# Made anew from other rows, by triggers or when they are missed; or of a process at work.
LEFT_OUT = frozenset(
    ("message_index", "message_word", "memory_word", "distilled_word", "entity_key", "entity_name",
     "search_cache", "relation_news", "thread_lease", "checkpoints", "checkpoint_blobs",
     "checkpoint_writes")
)  # fmt: skip
_BLANKS = str.maketrans("\r\n", "  ")
_OF_ITSELF = frozenset(("user_id", "embedding"))


def exported(conn: Connection[Any]) -> list[Table]:
    """The tables that an export has, each behind those it refers to.

    First the categories, by which memories are filed as they are stored; last the change log, to
    which storing anything else writes.
    """
    own = [each for each in tables(conn) if each.is_own and each.name not in LEFT_OUT]
    ends = {"memory_category": -1, "change_log": 1}
    return sorted(own, key=lambda table: ends.get(table.name, 0))


def columns(table: Table, *, vectors: bool = False) -> list[str]:
    """The columns that a row of an export has."""
    made = table.filled | (_OF_ITSELF - {"embedding"} if vectors else _OF_ITSELF)
    return [name for name in table.columns if name not in made]


def export(
    database: Database,
    user: str,
    file: Path,
    *,
    vectors: bool = False,
    progress: Callable[[int], None] = lambda rows: None,
) -> int:
    """Write all that is kept of the person to `file`, whole or not at all; how many rows that was.

    Args:
        vectors: with the vectors, which only a database with the same embedder can use.

    Raises:
        UsageError: the file can't be written.
    """
    count = 0
    try:
        with writing_whole(file, mode=0o600) as out:
            for line in lines(database, user, vectors=vectors):
                out.write(line + "\n")
                count += 1
                if count % AT_A_TIME == 0:
                    progress(count)
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}.", "Name another.") from None
    return count - 2  # the header and the end


def lines(database: Database, user: str, *, vectors: bool = False) -> Iterator[str]:
    """The lines of an export, without their ends; all rows are as they stood at one moment."""
    hashed, count = hashlib.sha256(), 0
    with database.transaction(user) as conn:
        own = exported(conn)
        model = read_model(conn)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "schema": shipped()[-1].version,
            "user": user,
            "made_at": datetime.now(UTC).isoformat(),
            "vectors": model[2] if vectors and model else None,  # the embedder's fingerprint
        }
        first = json.dumps(header, ensure_ascii=False)
        hashed.update(first.encode() + b"\n")
        yield first
        with conn.cursor(name="export") as cursor:
            cursor.itersize = AT_A_TIME
            cursor.execute(_statement(own, vectors))
            for name, row in cursor:
                # Between the tokens of a json column there may be ends of lines; in its texts none.
                row = row.translate(_BLANKS)
                line = written(name, row)
                hashed.update(line.encode() + b"\n")
                count += 1
                yield line
    yield json.dumps({"end": {"rows": count, "sha256": hashed.hexdigest()}})


def written(name: str, row: str) -> str:
    """The line of a row: which table's, a checksum that tells where a file is damaged, the row."""
    return f'{{"type": "{name}", "crc": {zlib.crc32(row.encode())}, "row": {row}}}'


def _statement(own: Sequence[Table], vectors: bool) -> Composed:
    """One statement, and so one moment, over all tables."""
    parts = [
        SQL(
            "SELECT {place} AS place, {name} AS name, row_number() OVER (ORDER BY {order}) AS nth, "
            "row_to_json((SELECT line FROM (SELECT {columns}) AS line))::text AS line "
            "FROM arxivscout.{table} AS held WHERE user_id = scout_user()"
        ).format(
            place=Literal(place),
            name=Literal(table.name),
            order=SQL(", ").join(Identifier("held", name) for name in table.order),
            columns=SQL(", ").join(
                Identifier("held", name) for name in columns(table, vectors=vectors)
            ),
            table=Identifier(table.name),
        )
        for place, table in enumerate(own)
    ]
    return SQL("SELECT name, line FROM ({}) AS lines ORDER BY place, nth").format(
        SQL(" UNION ALL ").join(parts)
    )
