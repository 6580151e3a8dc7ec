"""A search as a person types it: read, embedded, searched, and mended where it is misspelled.

A search that spells all its words as papers do is one round trip. Only if a word of it was counted
in no paper, or if nothing by an author or of a title was found, the misspelled words are looked up,
and it is searched again by what is meant. Papers that others are to be like are read before.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from psycopg import Connection

from arxivscout.memory.liked_papers import Liked, read_liked
from arxivscout.memory.paper_filter import NO_FILTER, PaperFilter
from arxivscout.memory.retrieval import Found, search
from arxivscout.memory.spelling import meant, mended
from arxivscout.papers import PaperHit, PaperQuery, parse_query
from arxivscout.papers.language import language_of

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database


def find_papers(
    database: Database,
    embedder: Embedder,
    query: PaperQuery | str,
    *,
    filters: PaperFilter = NO_FILTER,
    k: int = 10,
    diverse: float | bool = False,
) -> list[PaperHit]:
    """The `k` papers held that fit best, best first; their `mended` says what was misspelled.

    Args:
        query: words and operators (`papers/query.py`).
        filters: hold beside the query's operators.
        diverse: as `search_papers` has it.

    Raises:
        NotFound: a paper that others are to be like is not held.
    """
    asked = parse_query(query) if isinstance(query, str) else query
    filters = filters.narrowed(asked)
    liked = Liked()
    if asked.like:
        with database.shared() as conn:
            liked = read_liked(conn, asked.like)
        filters = replace(filters, exclude_ids=(*filters.exclude_ids, *liked.ids))
    vector = embedder.embed_query(asked.text) if asked.text else None
    with database.shared() as conn:
        look = partial(search, conn, like=liked.texts, k=k, diverse=diverse)
        found = look(
            text=asked.text,
            vector=liked.with_question(vector),
            filters=filters,
            phrases=asked.phrases,
        )
        words = _meant(conn, asked.text, found)
        filters, of_filters = _mended_filters(conn, filters, found)
        if not words and not of_filters:
            return found.hits
        text = mended(asked.text, words)
        again = look(
            text=text,
            vector=liked.with_question(embedder.embed_query(text) if text else None),
            filters=filters,
            phrases=tuple(mended(phrase, words) for phrase in asked.phrases),
        )
    instead = tuple((words | of_filters).items())
    return [replace(hit, mended=instead) for hit in again.hits]


def _meant(conn: Connection[Any], text: str, found: Found) -> dict[str, str]:
    """What the text's misspelled words are meant to be; words of other languages are no slips."""
    if not found.unknown_words or language_of(text):
        return {}
    return meant(conn, text)


def _mended_filters(
    conn: Connection[Any], filters: PaperFilter, found: Found
) -> tuple[PaperFilter, dict[str, str]]:
    """The bounds with what their author and title are meant to be, if nothing passed them."""
    if found.hits or not (filters.author or filters.titles):
        return filters, {}
    authors = meant(conn, filters.author, "author") if filters.author else {}
    titles = meant(conn, " ".join(filters.titles), "title") if filters.titles else {}
    better = replace(
        filters,
        author=mended(filters.author, authors) if filters.author else None,
        titles=tuple(mended(title, titles) for title in filters.titles),
    )
    return better, authors | titles
