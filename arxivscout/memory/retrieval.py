"""Hybrid search over papers: the hits that `search_statement.py`'s rows are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.diversity import WEIGHT, spread
from arxivscout.memory.knowledge import paper_from_row
from arxivscout.memory.paper_filter import FILTER, NO_FILTER, PaperFilter, bounds
from arxivscout.memory.search_statement import (
    EXACT,
    PLANNED_ONCE,
    SEARCH_ALL,
    SETTINGS,
    search_statement,
)
from arxivscout.memory.vector_memory import Vector
from arxivscout.papers import PaperHit
from arxivscout.papers.near_identical import collapsed
from arxivscout.papers.search_form import search_form

__all__ = [
    "SETTINGS",
    "Found",
    "hits_from_rows",
    "papers_within",
    "search",
    "search_papers",
    "search_statement",
]

Row = tuple[Any, ...]

# Near-identical papers are as near to any question: only those are compared word by word.
SAME_SCORE = 0.12
# Words that a hit names as matching.
MOST_NAMED = 8
# Rows fetched at most, when those fetched first are near-identical: a search ends somewhere.
MOST_FETCHED = 2_000
# Papers compared one by one, where the index gives fewer than are wanted: all that pass.
MOST_COMPARED = 10**9

_WITHIN = f"""
SELECT arxiv_id FROM semantic_memory WHERE arxiv_id = ANY(%(ids)s::text[]) AND {FILTER}
"""  # noqa: S608 (FILTER is a constant)


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, and whether the question has words that were counted in no paper."""

    hits: list[PaperHit]
    unknown_words: bool


def search_papers(
    conn: Connection[Any],
    *,
    text: str,
    vector: Vector | str | None,
    filters: PaperFilter = NO_FILTER,
    phrases: tuple[str, ...] = (),
    like: Sequence[str] = (),
    k: int = 10,
    diverse: float | bool = False,
) -> list[PaperHit]:
    """The `k` papers that answer best to a question, best first; fewer only if fewer pass.

    First, with score 1, come those whose id, DOI or whole title the text holds, those that hold one
    of the phrases, those of whose title the text is a part, and those by the authors that a text of
    names alone names. Withdrawn ones sink, near-identical ones are one hit.

    Args:
        conn: in a transaction.
        text: any text at all; if it is empty, the newest papers that pass are found.
        vector: the text's embedding; None searches by words only.
        like: texts whose words count as the text's do; the vector is then of all of them.
        diverse: how much likeness to a better hit counts against one, 0 to 1; True: by half.
    """
    return search(
        conn,
        text=text,
        vector=vector,
        filters=filters,
        phrases=phrases,
        like=like,
        k=k,
        diverse=diverse,
    ).hits


def search(
    conn: Connection[Any],
    *,
    text: str,
    vector: Vector | str | None,
    filters: PaperFilter = NO_FILTER,
    phrases: tuple[str, ...] = (),
    like: Sequence[str] = (),
    k: int = 10,
    diverse: float | bool = False,
) -> Found:
    """`search_papers`, and whether words of the text are in no paper."""
    wanted = k
    while True:
        query, parameters = search_statement(
            text=text,
            vector=vector,
            filters=filters,
            phrases=phrases,
            like=like,
            k=wanted,
            vectors=bool(diverse),
        )
        rows = _fetched(conn, query, parameters)
        if len(rows) < k and parameters.get("exact_up_to"):
            # Among very many papers the index is left before it has met enough of those that pass.
            rows = _fetched(conn, query, {**parameters, "exact_up_to": MOST_COMPARED})
        hits = hits_from_rows(rows, "\n".join([text, *like]))
        # So many were near-identical that others were not fetched.
        if len(hits) >= k or len(rows) < parameters["fetched"] or wanted > MOST_FETCHED:
            break
        wanted *= 3
    if diverse:
        hits = _spread(hits, rows, k, WEIGHT if diverse is True else diverse)
    # Where nothing passed, no row tells.
    return Found(hits[:k], unknown_words=bool(text) and (not rows or bool(rows[0][10])))


def _fetched(conn: Connection[Any], query: str, parameters: dict[str, Any]) -> list[Row]:
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        conn.execute(PLANNED_ONCE if query is SEARCH_ALL else SETTINGS)
        cursor.execute(query, parameters)
        return cursor.fetchall()


def papers_within(conn: Connection[Any], ids: Sequence[str], filters: PaperFilter) -> set[str]:
    """Those of the papers that are held and pass."""
    rows = conn.execute(_WITHIN, {"ids": list(ids), **bounds(filters)}).fetchall()
    return {row[0] for row in rows}


def hits_from_rows(rows: Sequence[Row], text: str = "") -> list[PaperHit]:
    """The hits that the statement's rows are, near-identical ones as one.

    Args:
        text: the question, in whose words a hit names what it has of it.
    """
    form = search_form(text).lower()
    typed = [
        word.strip("\"'()[],.;:?!") for word in [*form.split(), *form.replace("-", " ").split()]
    ]
    lexemes = {lexeme for row in rows for lexeme in (row[9] or ())[:MOST_NAMED]}
    readable = {lexeme: _readable(lexeme, typed) for lexeme in lexemes}
    found = [_hit(row, readable) for row in rows]
    near = [
        (first, second)
        for first, second in combinations(range(len(found)), 2)
        if found[first].legs["vector"] == 0
        or abs(found[first].legs["vector"] - found[second].legs["vector"]) < SAME_SCORE
    ]
    hits = []
    for first, *others in collapsed([hit.paper for hit in found], near):
        also = tuple(found[place].paper.arxiv_id for place in others)
        hits.append(replace(found[first], also=also) if also else found[first])
    return hits


def _hit(row: Row, readable: Mapping[str, str]) -> PaperHit:
    arxiv_id, metadata, content, score, cosine, lexical, exact, by_vector, by_words, words = row[
        :10
    ]
    ranks = {}
    if cosine:
        ranks["vector"] = int(by_vector)
    if lexical:
        ranks["lexical"] = int(by_words)
    return PaperHit(
        paper=paper_from_row(arxiv_id, metadata, content),
        score=float(score),
        legs={"vector": float(cosine), "lexical": float(lexical), "exact": float(exact > 0)},
        ranks=ranks,
        words=tuple(dict.fromkeys(readable[word] for word in (words or ())[:MOST_NAMED])),
        exact=EXACT.get(exact),
    )


def _readable(lexeme: str, typed: Sequence[str]) -> str:
    """The word of the question that was stemmed to `lexeme`; a stem is its beginning, nearly."""
    stem = lexeme[:-1] if lexeme.endswith("i") else lexeme
    return min((word for word in typed if word.startswith(stem)), key=len, default=lexeme)


def _spread(hits: list[PaperHit], rows: Sequence[Row], k: int, weight: float) -> list[PaperHit]:
    """`k` of the hits that differ; what the question names stays first."""
    import numpy as np

    if not hits:
        return []
    of_id = {row[0]: row[11] for row in rows}
    texts = [of_id[hit.paper.arxiv_id] for hit in hits]
    given = [np.fromstring(text[1:-1], np.float32, sep=",") for text in texts if text]
    vectors = np.zeros((len(hits), len(given[0]) if given else 1), np.float32)
    if given:
        vectors[[place for place, text in enumerate(texts) if text]] = np.stack(given)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    named = sum(hit.exact is not None for hit in hits)
    chosen = spread(
        [hit.score for hit in hits], vectors / np.maximum(lengths, 1e-9), k, weight, named
    )
    return [hits[place] for place in chosen]
