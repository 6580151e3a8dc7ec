"""Papers near to a paper, by the vectors that are stored: nothing is embedded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.knowledge import paper_from_row
from arxivscout.memory.retrieval import SETTINGS
from arxivscout.papers import Paper, PaperHit

# The second arm looks among the very nearest for what the first left out, to be told of. A vector
# as a subquery's value keeps the HNSW index in use, which one from a join does not.
SIMILAR = """
WITH given AS MATERIALIZED (
    SELECT langchain_id, embedding FROM semantic_memory WHERE arxiv_id = %(arxiv_id)s
), nearest AS MATERIALIZED (
    SELECT langchain_id, embedding <=> (SELECT embedding FROM given) AS distance
    FROM semantic_memory
    WHERE arxiv_id IS NOT NULL AND arxiv_id <> %(arxiv_id)s AND NOT withdrawn
    ORDER BY embedding <=> (SELECT embedding FROM given) LIMIT %(k)s
), around AS MATERIALIZED (
    SELECT langchain_id, embedding <=> (SELECT embedding FROM given) AS distance, withdrawn
    FROM semantic_memory
    WHERE arxiv_id IS NOT NULL AND arxiv_id <> %(arxiv_id)s
    ORDER BY embedding <=> (SELECT embedding FROM given) LIMIT %(k)s
), found AS (
    SELECT langchain_id, -1 AS distance FROM given
    UNION ALL
    SELECT langchain_id, distance FROM nearest
    UNION ALL
    SELECT langchain_id, distance FROM around WHERE withdrawn
)
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END,
       distance, withdrawn, embedding IS NOT NULL
FROM found JOIN semantic_memory USING (langchain_id)
ORDER BY distance, langchain_id
"""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A paper, those nearest to it (best first), and the withdrawn ones left out among them."""

    paper: Paper
    has_vector: bool
    hits: list[PaperHit]
    withdrawn: list[Paper]


def neighbours(conn: Connection[Any], arxiv_id: str, k: int) -> Neighbours | None:
    """The `k` papers nearest to this one by cosine; None if it is not held."""
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        conn.execute(SETTINGS)
        cursor.execute(SIMILAR, {"arxiv_id": arxiv_id, "k": k})
        rows = cursor.fetchall()
    if not rows or rows[0][0] != arxiv_id:  # it comes first, if it is held
        return None
    own, *others = rows
    paper = paper_from_row(*own[:3])
    if not own[-1]:
        return Neighbours(paper, False, [], [])
    hits, withdrawn = [], []
    for identity, metadata, content, distance, is_withdrawn, _ in others:
        other = paper_from_row(identity, metadata, content)
        if is_withdrawn:
            withdrawn.append(other)
        elif distance is not None:
            cosine = 1 - float(distance)
            hits.append(PaperHit(paper=other, score=max(cosine, 0.0), legs={"vector": cosine}))
    return Neighbours(paper, True, hits, withdrawn)
