"""Papers that others are to be like: their words and their vector beside a question's own.

Each counts as much as the question does. CSFCube asks so, for papers like one in what some of its
sentences say: nDCG@10 is .533 by the sentences alone, .514 by the paper alone, .560 by both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.errors import NotFound
from arxivscout.memory.vector_memory import Vector
from arxivscout.papers import PaperId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_READ = """
SELECT arxiv_id, content, l2_normalize(embedding)::text FROM semantic_memory
WHERE arxiv_id = ANY(%(ids)s)
"""


@dataclass(frozen=True, slots=True)
class Liked:
    """Papers held: ids, texts, and those of their vectors that are there, each unit length."""

    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    vectors: tuple[NDArray[np.float32], ...] = ()

    def with_question(self, vector: Vector | None) -> Vector | None:
        """The mean of the question's vector, if there is one, and the papers'."""
        if not self.vectors:
            return vector
        import numpy as np

        from arxivscout.embedding.whole import mean_vector

        own = [] if vector is None else [mean_vector(np.asarray([vector], np.float32))]
        both: list[float] = mean_vector(np.stack([*own, *self.vectors])).tolist()
        return both


def read_liked(conn: Connection[Any], ids: Sequence[str]) -> Liked:
    """The papers of these arXiv ids, which may have a version.

    Raises:
        NotFound: one is not held.
    """
    wanted = tuple(dict.fromkeys(PaperId.parse(each).value for each in ids))
    if not wanted:
        return Liked()
    import numpy as np

    with conn.cursor(row_factory=tuple_row) as cursor:
        rows = {row[0]: row[1:] for row in cursor.execute(_READ, {"ids": list(wanted)})}
    for arxiv_id in wanted:
        if arxiv_id not in rows:
            raise NotFound(
                f"arXiv:{arxiv_id} is not held, so nothing is found that is like it.",
                f"`arxivscout ingest arxiv --ids {arxiv_id}` fetches it.",
            )
    found = [rows[arxiv_id] for arxiv_id in wanted]
    return Liked(
        wanted,
        tuple(content for content, _ in found),
        tuple(np.fromstring(text[1:-1], np.float32, sep=",") for _, text in found if text),
    )
