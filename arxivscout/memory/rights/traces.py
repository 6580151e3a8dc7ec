"""What is left of a person in the database: every table is looked through, in every column of text.

Their name is looked for as a whole value, a sample of their texts anywhere. What somebody else
stored is that one's, also where it is in the same words or names the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Composable, Identifier

from arxivscout.memory.rights.tables import Table, tables

SAMPLE = 20  # texts
LEAST_LETTERS = 24  # of a text that tells whose it is

# In the texts and words of papers anybody's name may stand as a word.
_OF_PAPERS = frozenset(
    ("semantic_memory", "full_text", "section_memory", "passage_memory", "paper_word",
     "paper_word_total", "known_spelling", "word_form")
)  # fmt: skip

_TEXT = ("text", "character varying", "character", "name")
_LISTS = ("text[]", "character varying[]")
_JSON = ("json", "jsonb")

_SAID = """
(SELECT left(content, 300) FROM conversational_memory
 WHERE user_id = %(user)s AND role = 'user' AND length(content) >= %(least)s
 ORDER BY seq DESC LIMIT %(most)s)
UNION
(SELECT left(content, 300) FROM entity_memory
 WHERE user_id = %(user)s AND source IS NULL AND length(content) >= %(least)s
   AND category IN ('preference', 'fact', 'finding', 'decision', 'question', 'correction')
 ORDER BY created_at DESC LIMIT %(most)s)
UNION
(SELECT left(note, 300) FROM paper_mark
 WHERE user_id = %(user)s AND length(note) >= %(least)s
 ORDER BY updated_at DESC LIMIT %(most)s)
"""


@dataclass(frozen=True, slots=True)
class Traces:
    """What a look through all tables found: rows by table; what was looked through, what for."""

    rows: dict[str, int] = field(default_factory=dict)
    tables: int = 0
    columns: int = 0
    texts: int = 0


def sample(conn: Connection[Any], user: str) -> list[str]:
    """Some of the person's own texts, but for those that stand in a paper too."""
    bound = {"user": user, "least": LEAST_LETTERS, "most": SAMPLE // 3}
    texts = [text for (text,) in conn.execute(_SAID, bound).fetchall()]
    for table in tables(conn):
        if table.name in _OF_PAPERS:
            texts = [text for text in texts if not _count(conn, table, _looking(table, [text]))]
    return texts


def traces(conn: Connection[Any], user: str, texts: Sequence[str]) -> Traces:
    """Look through every table for the person's rows, name and texts.

    Args:
        conn: of the owner at maintenance: row security must hide nothing.
    """
    found: dict[str, int] = {}
    looked = tables(conn)
    columns = 0
    for table in looked:
        columns += len(_columns(table))
        where = _looking(table, texts)
        if table.name not in _OF_PAPERS:
            where += _naming(table, user)
        rows = _count(conn, table, where, user)
        if rows:
            found[table.name] = rows
    return Traces(found, len(looked), columns, len(texts))


def _columns(table: Table) -> list[str]:
    return table.of_type(*_TEXT, *_LISTS, *_JSON)


def _looking(table: Table, texts: Sequence[str]) -> list[tuple[Composable, Any]]:
    """For each column: whether one of the texts stands in it, as it is or as JSON has it."""
    import json

    found: list[tuple[Composable, Any]] = []
    for name in _columns(table) if texts else ():
        given = list(texts)
        if table.columns[name] in _JSON:
            given += [json.dumps(text)[1:-1] for text in texts]
            given += [json.dumps(text, ensure_ascii=False)[1:-1] for text in texts]
        condition = SQL(
            "EXISTS (SELECT FROM unnest(%s::text[]) AS t (t) WHERE position(t IN {}::text) > 0)"
        )
        found.append((condition.format(Identifier(name)), list(dict.fromkeys(given))))
    return found


def _naming(table: Table, user: str) -> list[tuple[Composable, Any]]:
    """For each column: whether the person's name is a value in it."""
    found: list[tuple[Composable, Any]] = []
    for name in table.of_type(*_TEXT):
        found.append((SQL("{} = %s").format(Identifier(name)), user))
    for name in table.of_type(*_LISTS):
        found.append((SQL("%s = ANY ({})").format(Identifier(name)), user))
    for name in table.of_type(*_JSON):
        # Not as a key, and whatever the letters look like in JSON.
        condition = SQL(
            "jsonb_path_exists({}::jsonb, '$.** ? (@ == $name)', jsonb_build_object('name', "
            "%s::text))"
        )
        found.append((condition.format(Identifier(name)), user))
    return found


def _count(
    conn: Connection[Any],
    table: Table,
    conditions: Sequence[tuple[Composable, Any]],
    user: str | None = None,
) -> int:
    """Rows for which one of the conditions holds, but for those of others."""
    if not conditions:
        return 0
    where: Composable = SQL(" OR ").join(condition for condition, _ in conditions)
    values = [value for _, value in conditions]
    if table.is_own:
        where = SQL("(user_id IS NULL OR user_id = %s) AND ({})").format(where)
        values = [user, *values]
    query = SQL("SELECT count(*) FROM arxivscout.{} WHERE {}").format(Identifier(table.name), where)
    row = conn.execute(query, values).fetchone()
    assert row is not None
    return int(row[0])
