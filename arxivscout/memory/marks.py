"""A person's library: which papers they marked, how far they have read them, tags and a note.

Papers are shared, marks are private. A marked paper need not be held: one that a file named and
that could not be fetched is wanted, and becomes an ordinary one when it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.kept_text import kept_text
from arxivscout.papers.tags import shown_tag

Status = Literal["unread", "reading", "read"]
STATUSES: tuple[Status, ...] = get_args(Status)

# What is None stays as it was. Only what is held, or marked already, can be marked by its id alone;
# a file may bring in more. A second file adds its tags, and its note behind another.
_MARK = """
INSERT INTO paper_mark AS kept (arxiv_id, status, tags, note, noted_at, title)
SELECT given.arxiv_id, COALESCE(%(status)s, 'unread'), %(tags)s::text[], NULLIF(%(note)s, ''),
       CASE WHEN %(note)s <> '' THEN now() END, %(title)s
FROM (SELECT %(arxiv_id)s::text AS arxiv_id) AS given
WHERE %(any)s
   OR EXISTS (SELECT FROM semantic_memory AS paper WHERE paper.arxiv_id = given.arxiv_id)
   OR EXISTS (SELECT FROM paper_mark AS mark
              WHERE mark.arxiv_id = given.arxiv_id AND mark.user_id = scout_user())
ON CONFLICT (user_id, arxiv_id) DO UPDATE SET
    status = COALESCE(%(status)s, kept.status),
    tags = ARRAY(SELECT DISTINCT tag FROM unnest(kept.tags || %(tags)s::text[]) AS tag
                 WHERE tag <> ALL (%(dropped)s::text[]) ORDER BY tag),
    note = CASE WHEN %(note)s::text IS NULL THEN kept.note
                WHEN NOT %(behind)s OR kept.note IS NULL THEN NULLIF(%(note)s, '')
                WHEN position(%(note)s IN kept.note) > 0 THEN kept.note
                ELSE kept.note || E'\\n' || %(note)s END,
    noted_at = CASE WHEN %(note)s::text IS NULL
                      OR %(behind)s AND position(%(note)s IN kept.note) > 0 THEN kept.noted_at
                    WHEN %(note)s <> '' THEN now() END,
    title = COALESCE(%(title)s, kept.title),
    updated_at = now()
RETURNING xmax = 0
"""

_UNMARK = "DELETE FROM paper_mark WHERE user_id = scout_user() AND arxiv_id = %(arxiv_id)s"

_MARKS = """
SELECT mark.arxiv_id,
       COALESCE(paper.langchain_metadata ->> 'title', split_part(paper.content, E'\\n', 1),
                mark.title, ''),
       mark.status, mark.tags, mark.note, mark.noted_at, mark.updated_at,
       paper.arxiv_id IS NOT NULL, COALESCE(paper.withdrawn, false)
FROM paper_mark AS mark LEFT JOIN semantic_memory AS paper USING (arxiv_id)
WHERE mark.user_id = scout_user()
  AND (%(ids)s::text[] IS NULL OR mark.arxiv_id = ANY (%(ids)s))
  AND (%(tag)s::text IS NULL OR %(tag)s = ANY (mark.tags))
  AND (%(status)s::text IS NULL OR mark.status = %(status)s)
ORDER BY mark.updated_at DESC, mark.arxiv_id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A paper in a person's library; `held` is false for one that is wanted and not stored."""

    arxiv_id: str
    title: str
    status: Status
    tags: tuple[str, ...]
    note: str | None
    noted_at: datetime | None
    updated_at: datetime
    held: bool
    withdrawn: bool

    def to_json(self) -> dict[str, Any]:
        """What stands beside a paper in JSON: the marks alone."""
        noted_at = self.noted_at.isoformat() if self.noted_at else None
        return {
            "status": self.status,
            "tags": list(self.tags),
            "note": self.note,
            "noted_at": noted_at,
        }

    def __str__(self) -> str:
        """Status and tags in one text, `reading #mesons #"dark matter"`."""
        return " ".join([self.status, *map(shown_tag, self.tags)])


def mark(
    conn: Connection[Any],
    arxiv_id: str,
    *,
    status: Status | None = None,
    tags: Sequence[str] = (),
    dropped: Sequence[str] = (),
    note: str | None = None,
) -> bool:
    """Change a paper's marks: what is not given stays, an empty note takes the note away.

    Returns:
        False if the paper is neither held nor marked: then nothing has changed.
    """
    return bool(_marked(conn, arxiv_id, status=status, tags=tags, dropped=dropped, note=note))


def mark_from_file(
    conn: Connection[Any],
    arxiv_id: str,
    *,
    title: str | None,
    tags: Sequence[str],
    note: str,
    status: str | None = None,
) -> bool:
    """Take in what a file says of a paper; what the person had marked stays beside it.

    Returns:
        Whether the paper was not marked before.
    """
    said = {"title": title, "tags": tags, "note": note or None, "status": status}
    return bool(_marked(conn, arxiv_id, **said, any=True, behind=True)[0][0])


def unmark(conn: Connection[Any], arxiv_id: str) -> bool:
    """Take a paper out of the library; whether it was in it."""
    return conn.execute(_UNMARK, {"arxiv_id": arxiv_id}).rowcount > 0


def marks(
    conn: Connection[Any],
    *,
    ids: Iterable[str] | None = None,
    tag: str | None = None,
    status: str | None = None,
) -> list[Marked]:
    """The person's marked papers, the one last marked first; all conditions must hold."""
    bound = {"ids": None if ids is None else list(ids), "tag": tag, "status": status}
    with conn.cursor(row_factory=tuple_row) as cursor:
        return [
            Marked(
                arxiv_id=row[0],
                title=row[1],
                status=row[2],
                tags=tuple(row[3]),
                note=row[4],
                noted_at=row[5],
                updated_at=row[6],
                held=row[7],
                withdrawn=row[8],
            )
            for row in cursor.execute(_MARKS, bound)
        ]


def _marked(conn: Connection[Any], arxiv_id: str, **given: Any) -> list[tuple[Any, ...]]:
    bound = {
        "arxiv_id": arxiv_id,
        "status": None,
        "tags": [],
        "dropped": [],
        "note": None,
        "title": None,
        "any": False,
        "behind": False,
        **given,
    }
    for name in ("note", "title"):
        bound[name] = None if bound[name] is None else kept_text(bound[name])
    bound["tags"] = sorted(set(map(kept_text, bound["tags"])) - set(bound["dropped"]))
    bound["dropped"] = list(bound["dropped"])
    with conn.cursor(row_factory=tuple_row) as cursor:
        return cursor.execute(_MARK, bound).fetchall()
