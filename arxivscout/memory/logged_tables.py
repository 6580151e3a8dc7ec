"""The tables of which every change is logged, as the catalogue has them, and how rows come back.

Whoever adds a column or gives a new table the trigger `record_change` need not know of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Composable, Identifier

# In this order: what others point to comes first. Generated columns follow from the others.
_TABLES = """
SELECT held.relname, array_agg(col.attname ORDER BY col.attnum)
           FILTER (WHERE col.attgenerated = '' AND col.attidentity = ''),
       COALESCE((SELECT json_agg(json_build_array(own.attname, other.relname, theirs.attname))
                 FROM pg_constraint AS link
                 JOIN pg_class AS other ON other.oid = link.confrelid
                 JOIN pg_attribute AS own
                   ON own.attrelid = link.conrelid AND own.attnum = link.conkey[1]
                 JOIN pg_attribute AS theirs
                   ON theirs.attrelid = link.confrelid AND theirs.attnum = link.confkey[1]
                 WHERE link.conrelid = held.oid AND link.contype = 'f'), '[]') AS links
FROM pg_trigger
JOIN pg_class AS held ON held.oid = tgrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace AND nspname = 'arxivscout'
JOIN pg_attribute AS col ON col.attrelid = held.oid AND col.attnum > 0 AND NOT col.attisdropped
WHERE tgname = 'record_change'
GROUP BY held.oid, held.relname
ORDER BY json_array_length(COALESCE((
    SELECT json_agg(conname) FROM pg_constraint
    WHERE conrelid = held.oid AND contype = 'f'), '[]')), held.relname
"""

_DELETE = "DELETE FROM {table} WHERE {key} = ANY(%(rows)s) RETURNING {key}"

# Vectors are not taken from the log: another embedder may be bound by now. A row of which there is
# another by now that says the same stays as it is.
_PUT_BACK = """
INSERT INTO {table} AS kept ({columns})
SELECT {values}
FROM change_log AS log
CROSS JOIN jsonb_populate_record(NULL::{table}, log.before - 'embedding') AS old
WHERE log.id = ANY(%(entries)s) AND {may}
ON CONFLICT ({key}) DO UPDATE SET {assignments}
RETURNING kept.{key}
"""

_PARENT = (
    "(old.{column} IS NULL OR EXISTS (SELECT FROM {parent} WHERE {parent_key} = old.{column}))"
)
_NO_OTHER = {
    "entity_memory": """(old.valid_to IS NOT NULL OR NOT EXISTS (
        SELECT FROM entity_memory AS other
        WHERE other.user_id = scout_user() AND other.valid_to IS NULL
          AND other.langchain_id <> old.langchain_id
          AND other.category IS NOT DISTINCT FROM old.category
          AND (other.name = old.name OR other.content_hash = md5(old.content)::uuid)))""",
    "lesson_memory": """(old.valid_to IS NOT NULL OR NOT EXISTS (
        SELECT FROM lesson_memory AS other
        WHERE other.user_id = scout_user() AND other.valid_to IS NULL
          AND other.langchain_id <> old.langchain_id
          AND (other.kind, other.concept) = (old.kind, old.concept)))""",
}
_KEEP_VECTOR = "embedding = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding END"
# A thread may have got another name since.
_AS_THEY_ARE = {"conversational_memory": ("thread_id",)}

_WITHOUT_VECTOR = (
    "SELECT {key}, content FROM {table} WHERE {key} = ANY(%(rows)s) AND embedding IS NULL"
)
_GIVE_VECTOR = "UPDATE {table} SET embedding = %(vector)s::vector WHERE {key} = %(row)s"
_READ = (
    "SELECT {key}, to_jsonb(held) - 'embedding' FROM {table} AS held WHERE {key} = ANY(%(rows)s)"
)


@dataclass(frozen=True, slots=True)
class LoggedTable:
    """A table whose changes are logged, with the statements that take them back.

    `delete` and `put_back` return the ids of their rows; `put_back` takes entries of the log, and
    the vector statements are None where the table has none.
    """

    name: str
    delete: bytes
    put_back: bytes
    read: bytes
    without_vector: bytes | None
    give_vector: bytes | None


def logged_tables(conn: Connection[Any]) -> list[LoggedTable]:
    """All logged tables, those that others point to first."""
    return [_described(*row) for row in conn.execute(_TABLES).fetchall()]


def _described(name: str, columns: Sequence[str], links: Sequence[Sequence[str]]) -> LoggedTable:
    key = "langchain_id" if "langchain_id" in columns else "id"
    has_vector = "embedding" in columns
    written = [column for column in columns if column != "embedding"]
    kept = (key, "user_id", *_AS_THEY_ARE.get(name, ()))
    changed = [column for column in written if column not in kept]
    assigned: list[Composable] = [
        SQL("{0} = EXCLUDED.{0}").format(Identifier(column)) for column in changed
    ]
    if has_vector and "content" in columns:
        assigned.append(SQL(_KEEP_VECTOR))
    conditions: list[Composable] = [SQL(_NO_OTHER.get(name, "true"))]
    conditions += [
        SQL(_PARENT).format(
            column=Identifier(column), parent=Identifier(parent), parent_key=Identifier(theirs)
        )
        for column, parent, theirs in links
    ]
    names = {"table": Identifier(name), "key": Identifier(key)}
    put_back = SQL(_PUT_BACK).format(
        **names,
        columns=SQL(", ").join(map(Identifier, written)),
        values=SQL(", ").join(
            SQL("log.metadata") if column == "langchain_metadata"
            else SQL("old.{}").format(Identifier(column))
            for column in written
        ),
        may=SQL(" AND ").join(conditions),
        assignments=SQL(", ").join(assigned),
    )  # fmt: skip
    return LoggedTable(
        name,
        SQL(_DELETE).format(**names).as_bytes(None),
        put_back.as_bytes(None),
        SQL(_READ).format(**names).as_bytes(None),
        SQL(_WITHOUT_VECTOR).format(**names).as_bytes(None) if has_vector else None,
        SQL(_GIVE_VECTOR).format(**names).as_bytes(None) if has_vector else None,
    )
