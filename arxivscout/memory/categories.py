"""The person's categories: where memories are filed, and found again.

A memory is filed as it is stored, by a trigger (migration 0020): under the category that is meant,
else under one that the person made for what it says, else by its kind, its words, or the likest
description. Everybody begins with the same eight and edits them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg import Connection

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory.kept_text import kept_name, kept_text
from arxivscout.memory.vector_memory import vector_text
from arxivscout.papers import clean_text, one_line

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

MOST = 50  # categories of a person
LONGEST = 60  # characters of a name
REFILED = 500  # memories in one statement

_READ = """
SELECT name, content, origin, (
    SELECT count(*) FROM entity_memory
    WHERE user_id = scout_user() AND filed_under = category.name AND valid_to IS NULL)
FROM memory_category AS category WHERE user_id = scout_user() ORDER BY place, name
"""

_BEGIN = "SELECT begin_categories()"

_ADD = """
INSERT INTO memory_category (name, content, embedding, place)
VALUES (%(name)s, %(content)s, %(vector)s::vector,
        (SELECT COALESCE(max(place), 0) + 1 FROM memory_category WHERE user_id = scout_user()))
ON CONFLICT (user_id, name) DO NOTHING RETURNING name
"""

_RENAME = """
UPDATE memory_category SET name = %(new)s WHERE user_id = scout_user() AND name = %(name)s
"""
_REMOVE = "DELETE FROM memory_category WHERE user_id = scout_user() AND name = %(name)s"
_MOVE = tuple(
    f"UPDATE {table} SET filed_under = %(new)s "  # noqa: S608
    "WHERE user_id = scout_user() AND filed_under = %(name)s"
    for table in ("entity_memory", "summary_memory")
)

# What is left out stays so under another name.
_LEFT_OUT = """
SELECT value::jsonb ? lower(%(name)s) FROM person_setting
WHERE user_id = scout_user() AND name = 'left out'
"""
_LEAVE_OUT = """
UPDATE person_setting AS held SET updated_at = now(), value = (
    SELECT jsonb_agg(CASE each WHEN lower(%(name)s) THEN lower(%(new)s) ELSE each END)::text
    FROM jsonb_array_elements_text(value::jsonb) AS each)
WHERE user_id = scout_user() AND held.name = 'left out' AND value::jsonb ? lower(%(name)s)
"""

_MEANT = "SELECT set_config('arxivscout.change', 'file', true)"

# Those of a category that is gone, of none, or such as a new one was made for.
_REFILE = f"""
WITH wanted AS MATERIALIZED (
    SELECT langchain_id, category_for(NULL, category, left(content, 2000), embedding) AS name
    FROM entity_memory
    WHERE user_id = scout_user() AND valid_to IS NULL AND is_said(category)
      AND (filed_under IS NULL OR %(all)s AND summary_id IS NULL)
      AND langchain_id > %(after)s::uuid
    ORDER BY langchain_id LIMIT {REFILED}
), moved AS (
    UPDATE entity_memory AS held SET filed_under = wanted.name FROM wanted
    WHERE held.langchain_id = wanted.langchain_id
      AND held.filed_under IS DISTINCT FROM wanted.name
      AND (held.filed_under IS NULL OR wanted.name = %(only)s::text)
    RETURNING 1
)
SELECT max(langchain_id::text), (SELECT count(*) FROM moved) FROM wanted
"""  # noqa: S608

_BARE = """
SELECT langchain_id, content FROM memory_category
WHERE user_id = scout_user() AND embedding IS NULL
"""
_FILL = """
UPDATE memory_category SET embedding = %(vector)s::vector
WHERE langchain_id = %(id)s AND content_hash = md5(%(content)s::text)::uuid
"""


@dataclass(frozen=True, slots=True)
class Category:
    """One place where memories are filed; `origin` is None for one that the person made."""

    name: str
    description: str
    origin: str | None
    memories: int


def categories(conn: Connection[Any]) -> list[Category]:
    """The person's categories in their order, with how many memories are filed there now."""
    rows = conn.execute(_READ).fetchall()
    if not rows:
        conn.execute(_BEGIN)
        rows = conn.execute(_READ).fetchall()
    return [Category(*row) for row in rows]


def named(conn: Connection[Any], name: str) -> Category:
    """The category of this name, however it is written.

    Raises:
        NotFound: there is none.
    """
    return _known({each.name: each for each in categories(conn)}, name)


def add(conn: Connection[Any], name: str, description: str, embedder: Embedder) -> int:
    """Make a category, and file under it what it is made for; how many memories moved there.

    Raises:
        UsageError: there is one of that name, there are too many, or the name can't be one.
    """
    name = kept_name(_name(name), "a category")
    description = kept_text(one_line(description)) or name
    held = categories(conn)
    if len(held) >= MOST:
        raise UsageError(f"There are {len(held)} categories already.", "Remove one first.")
    vector = vector_text(embedder.embed_query(description))
    given = {"name": name, "content": description, "vector": vector}
    if name in {each.name for each in held} or not conn.execute(_ADD, given).fetchone():
        raise UsageError(f"There is a category {name!r} already.")
    return _refile(conn, only=name)


def rename(conn: Connection[Any], name: str, new: str) -> int:
    """Give a category another name; how many memories are filed under it.

    Raises:
        NotFound: there is none of that name.
        UsageError: there is one of the new name, or it can't be one.
    """
    known = {each.name: each for each in categories(conn)}
    old, new = _known(known, name), kept_name(_name(new), "a category")
    if new in known and new != old.name:
        raise UsageError(f"There is a category {new!r} already.")
    _move(conn, _RENAME, {"name": old.name, "new": new})
    conn.execute(_LEAVE_OUT, {"name": old.name, "new": new})
    return old.memories


def remove(conn: Connection[Any], name: str) -> int:
    """Take a category away; its memories are filed anew. How many they were.

    Raises:
        NotFound: there is none of that name.
        UsageError: it is the last one, or one of which nothing shall be remembered.
    """
    known = {each.name: each for each in categories(conn)}
    old = _known(known, name)
    if len(known) == 1:
        raise UsageError("Something has to be left to file memories under.")
    left_out = conn.execute(_LEFT_OUT, {"name": old.name}).fetchone()
    if left_out and left_out[0]:
        raise UsageError(
            f"Nothing is remembered of {old.name!r}; without it that would be, under another.",
            f'`arxivscout memory consent --take-in "{old.name}"` lets it be.',
        )
    _move(conn, _REMOVE, {"name": old.name, "new": None})
    _refile(conn)
    return old.memories


def file_what_is_not(database: Database, embedder: Embedder, user: str) -> int:
    """Embed what categories are for, and file what is filed nowhere; how many memories it was."""
    (bare,) = database.batch(user, [(_BARE, {})])
    if bare:
        vectors = embedder.embed_array([content for _, content in bare])
        database.batch(
            user,
            [
                (_FILL, {"id": row_id, "content": content, "vector": vector_text(vector.tolist())})
                for (row_id, content), vector in zip(bare, vectors, strict=True)
            ],
        )
    with database.transaction(user) as conn:
        return _refile(conn)


def _move(conn: Connection[Any], statement: str, given: dict[str, Any]) -> None:
    conn.execute(_MEANT)
    for each in (statement, *_MOVE):
        conn.execute(each, given)


def _refile(conn: Connection[Any], *, only: str | None = None) -> int:
    """File what is filed nowhere, or with `only` also what belongs under that one."""
    conn.execute(_MEANT)
    moved, after = 0, "00000000-0000-0000-0000-000000000000"
    while True:
        bound = {"all": only is not None, "only": only, "after": after}
        row = conn.execute(_REFILE, bound).fetchone()
        if row is None or row[0] is None:
            return moved
        after, moved = row[0], moved + row[1]


def _name(name: str) -> str:
    """A name as it is kept.

    Raises:
        UsageError: it is empty, too long, or would break a line.
    """
    kept = one_line(clean_text(name)).strip().lower()
    if not kept or len(kept) > LONGEST or not kept.isprintable():
        raise UsageError(f"A category's name has 1 to {LONGEST} characters, and no others.")
    return kept


def _known(known: dict[str, Category], name: str) -> Category:
    wanted = one_line(clean_text(name)).strip().lower()
    if wanted not in known:
        raise NotFound(
            f"There is no category {name!r}.", f"There are: {', '.join(map(repr, known))}."
        )
    return known[wanted]
