"""Vectors for what was said: filled in after a message is stored, whichever way it came in.

A kill in between leaves messages without one; they are found by their words until the next turn of
their person fills in what is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.memory.postgres import Database, Statement
from arxivscout.memory.vector_memory import vector_text

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder

BATCH = 32

_BARE = """
SELECT langchain_id, content FROM message_index
WHERE user_id = scout_user() AND embedding IS NULL ORDER BY said_at DESC LIMIT %(limit)s
"""

# The text may have changed since it was read.
_FILL = """
UPDATE message_index SET embedding = %(vector)s::vector
WHERE langchain_id = %(id)s AND embedding IS NULL AND content_hash = md5(%(content)s::text)::uuid
"""


def embed_messages(
    database: Database, embedder: Embedder, user: str, most: int | None = None
) -> int:
    """Give this person's messages that have none a vector, the newest first; how many it was.

    Args:
        most: how many; None: all.

    Raises:
        DatabaseError: what was embedded before is stored.
    """
    done = 0
    while most is None or done < most:
        limit = BATCH if most is None else min(BATCH, most - done)
        (rows,) = database.batch(user, [(_BARE, {"limit": limit})])
        if not rows:
            break
        vectors = embedder.embed_array([content for _, content in rows])
        statements: list[Statement] = [
            (_FILL, {"id": row_id, "content": content, "vector": vector_text(vector.tolist())})
            for (row_id, content), vector in zip(rows, vectors, strict=True)
        ]
        database.batch(user, statements)
        done += len(rows)
    return done
