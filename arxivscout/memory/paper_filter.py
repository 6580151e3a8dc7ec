"""Which papers a search may find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from arxivscout.memory.author_names import by_all, by_any
from arxivscout.memory.knowledge import search_words
from arxivscout.papers import PaperId, PaperQuery, one_line
from arxivscout.papers.dates import day_named

# A word that means nothing to the index (`title:the`) narrows nothing.
FILTER = """arxiv_id IS NOT NULL
      AND (%(categories)s::text[] IS NULL OR category_keys @> %(categories)s::text[])
      AND (%(since)s::text IS NULL OR submission_date >= %(since)s
           OR submission_date = left(%(since)s, 7))
      AND (%(until)s::text IS NULL OR submission_date <= %(until)s)
      AND (%(author)s::text IS NULL
           OR authors_tsv @@ %(author)s::tsquery
              AND (%(author_names)s::text[] IS NULL
                   OR (SELECT cardinality(keys) >= 100
                              OR array_to_string(keys, E'\\n') ~ ALL (%(author_names)s::text[])
                       FROM paper_author AS written (written_id, keys)
                       WHERE written_id = arxiv_id)))
      AND (%(no_author)s::text IS NULL
           OR (authors_tsv @@ %(no_author)s::tsquery
               AND (SELECT cardinality(keys) >= 100
                           OR array_to_string(keys, E'\\n') ~ ANY (%(no_author_names)s::text[])
                    FROM paper_author AS written (written_id, keys)
                    WHERE written_id = arxiv_id)) IS NOT TRUE)
      AND (%(titles)s::text IS NULL OR numnode(websearch_to_tsquery('english', %(titles)s)) = 0
           OR content_tsv @@ websearch_to_tsquery('english', %(titles)s)
              AND ts_filter(content_tsv, '{a}') @@ websearch_to_tsquery('english', %(titles)s))
      AND (%(no_titles)s::text IS NULL
           OR NOT ts_filter(content_tsv, '{a}') @@ websearch_to_tsquery('english', %(no_titles)s))
      AND (%(no_categories)s::text[] IS NULL
           OR (category_keys && %(no_categories)s::text[]) IS NOT TRUE)
      AND (%(without)s::text IS NULL
           OR NOT content_tsv @@ websearch_to_tsquery('english', %(without)s))
      AND (%(only)s::text[] IS NULL OR arxiv_id = ANY(%(only)s::text[]))
      AND (%(withdrawn)s OR NOT withdrawn)
      AND arxiv_id <> ALL(%(exclude)s::text[])"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFilter:
    """Which papers may be found. All that is given must hold.

    `category`: an archive or a category (`cs`, `cs.*`, `cs.CL`), or several with blanks between.
    `since`, `until`: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both inclusive. `author`: a name, or
    several with `;` between (`author_names.py`). `titles`: words or phrases of the title.
    `without`: none of these words or phrases; `without_…`: none by one of these authors, with one
    of these in the title, of one of these categories. `only_ids`: of these papers alone.
    """

    category: str | None = None
    since: str | None = None
    until: str | None = None
    author: str | None = None
    titles: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    without_authors: tuple[str, ...] = ()
    without_titles: tuple[str, ...] = ()
    without_categories: tuple[str, ...] = ()
    only_ids: tuple[str, ...] = ()
    exclude_withdrawn: bool = False
    exclude_ids: tuple[str, ...] = ()

    def narrowed(self, query: PaperQuery) -> PaperFilter:
        """These bounds and those that the query names: both hold."""
        return replace(
            self,
            category=_joined(self.category, *query.categories),
            author="; ".join(filter(None, (self.author, *query.authors))) or None,
            since=max(filter(None, (self.since, query.since)), key=_first_day, default=None),
            until=min(filter(None, (self.until, query.until)), key=_last_day, default=None),
            titles=(*self.titles, *query.titles),
            without=(*self.without, *query.without),
            without_authors=(*self.without_authors, *query.without_authors),
            without_titles=(*self.without_titles, *query.without_titles),
            without_categories=(*self.without_categories, *query.without_categories),
            only_ids=(*self.only_ids, *_values(query.ids)),
            exclude_ids=(*self.exclude_ids, *_values(query.without_ids)),
        )


NO_FILTER = PaperFilter()


def bounds(filters: PaperFilter) -> dict[str, Any]:
    """The parameters of `FILTER`."""
    categories = [each.removesuffix(".*") for each in (filters.category or "").split()]
    author = by_all(one_line(filters.author or ""))
    no_author = by_any(filters.without_authors)
    return {
        "categories": categories or None,
        "since": one_line(filters.since or "") or None,
        # All of the year or month named last is within; so is, above, a month with no day known.
        "until": f"{until}-99" if (until := one_line(filters.until or "")) else None,
        "author": author.words if one_line(filters.author or "") else None,
        "author_names": author.names or None,
        "no_author": no_author.words or None,
        "no_author_names": no_author.names,
        "titles": web_words(filters.titles),
        "no_titles": web_words(filters.without_titles, between=" or "),
        "no_categories": list(filters.without_categories) or None,
        "without": web_words(filters.without, between=" or "),
        "only": list(filters.only_ids) or None,
        "withdrawn": not filters.exclude_withdrawn,
        "exclude": list(filters.exclude_ids),
    }


def web_words(phrases: tuple[str, ...], between: str = " ") -> str | None:
    """Words or phrases in the form of `websearch_to_tsquery`; None if there is none."""
    quoted = [f'"{one_line(search_words(each)).replace(chr(34), " ")}"' for each in phrases]
    return between.join(quoted) or None


def _values(ids: Iterable[str]) -> Iterator[str]:
    return (PaperId.parse(each).value for each in ids)


def _joined(*words: str | None) -> str | None:
    return " ".join(filter(None, words)) or None


def _first_day(day: str) -> str:
    return str(day_named(day))


def _last_day(day: str) -> str:
    return str(day_named(day, end=True))
