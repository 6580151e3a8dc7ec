"""Which tables hold what is a person's: the database's catalogue tells, so that none is forgotten.

Whatever is from or about a person has their `user_id`; a table that comes later is found here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

# Columns in their order, with what they are made by; GENERATED ones and identities fill themselves.
_COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, NULL),
       a.attgenerated <> '' OR a.attidentity <> '', a.attidentity <> '',
       COALESCE(a.attnum = ANY (key.conkey), false)
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_constraint AS key ON key.conrelid = c.oid AND key.contype = 'p'
WHERE c.relnamespace = 'arxivscout'::regnamespace AND c.relkind IN ('r', 'p')
  AND NOT c.relispartition
ORDER BY c.relname, a.attnum
"""
_REFERENCES = """
SELECT holder.relname, held.relname
FROM pg_constraint
JOIN pg_class AS holder ON holder.oid = conrelid
JOIN pg_class AS held ON held.oid = confrelid
WHERE contype = 'f' AND conrelid <> confrelid
  AND connamespace = 'arxivscout'::regnamespace
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its columns (name: type).

    `filled`: columns that fill themselves; `order`: what its rows are put in order by.
    """

    name: str
    columns: dict[str, str]
    filled: frozenset[str]
    order: tuple[str, ...]

    @property
    def is_own(self) -> bool:
        """Whether its rows are of persons."""
        return "user_id" in self.columns

    def of_type(self, *types: str) -> list[str]:
        """The columns of these types."""
        return [name for name, each in self.columns.items() if each in types]


def tables(conn: Connection[Any]) -> list[Table]:
    """All tables, each behind those that its rows point to."""
    columns: dict[str, dict[str, str]] = {}
    filled: dict[str, set[str]] = {}
    identity: dict[str, list[str]] = {}
    key: dict[str, list[str]] = {}
    for table, name, kind, fills_itself, counts, in_key in conn.execute(_COLUMNS).fetchall():
        columns.setdefault(table, {})[name] = kind
        filled.setdefault(table, set()).update([name] if fills_itself else [])
        identity.setdefault(table, []).extend([name] if counts else [])
        key.setdefault(table, []).extend([name] if in_key else [])
    found = {
        name: Table(
            name,
            held,
            frozenset(filled[name]),
            tuple(identity[name] or key[name] or sorted(held)),
        )
        for name, held in columns.items()
    }
    return [found[name] for name in _in_order(found, conn.execute(_REFERENCES).fetchall())]


def _in_order(names: Iterable[str], references: Iterable[tuple[str, str]]) -> list[str]:
    """The names, each behind those it refers to."""
    waiting = {name: {held for holder, held in references if holder == name} for name in names}
    ordered: list[str] = []
    while waiting:
        ready = sorted(name for name, held in waiting.items() if not held & waiting.keys())
        ready = ready or sorted(waiting)  # a circle: they are deleted and copied as they come
        ordered += ready
        for name in ready:
            del waiting[name]
    return ordered
