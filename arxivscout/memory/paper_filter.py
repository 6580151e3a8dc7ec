"""Which papers a search may find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from arxivscout.memory.knowledge import search_words
from arxivscout.papers import PaperId, PaperQuery, one_line
from arxivscout.papers.dates import day_named

# A word that means nothing to the index (`title:the`) narrows nothing.
FILTER = """arxiv_id IS NOT NULL
      AND (%(categories)s::text[] IS NULL OR category_keys @> %(categories)s::text[])
      AND (%(since)s::text IS NULL OR submission_date >= %(since)s
           OR submission_date = left(%(since)s, 7))
      AND (%(until)s::text IS NULL OR submission_date <= %(until)s)
      AND (%(author)s::text IS NULL OR authors_tsv @@ plainto_tsquery('simple', %(author)s))
      AND (%(titles)s::text IS NULL OR numnode(websearch_to_tsquery('english', %(titles)s)) = 0
           OR content_tsv @@ websearch_to_tsquery('english', %(titles)s)
              AND ts_filter(content_tsv, '{a}') @@ websearch_to_tsquery('english', %(titles)s))
      AND (%(without)s::text IS NULL
           OR NOT content_tsv @@ websearch_to_tsquery('english', %(without)s))
      AND (%(only)s::text[] IS NULL OR arxiv_id = ANY(%(only)s::text[]))
      AND (%(withdrawn)s OR NOT withdrawn)
      AND arxiv_id <> ALL(%(exclude)s::text[])"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFilter:
    """Which papers may be found. All that is given must hold.

    `category`: an archive or a category (`cs`, `cs.*`, `cs.CL`), or several with blanks between.
    `since`, `until`: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both inclusive. `author`: words that all
    stand among the authors' names, with or without accents. `titles`: words or phrases of the
    title. `without`: none of these words or phrases. `only_ids`: of these papers alone.
    """

    category: str | None = None
    since: str | None = None
    until: str | None = None
    author: str | None = None
    titles: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    only_ids: tuple[str, ...] = ()
    exclude_withdrawn: bool = False
    exclude_ids: tuple[str, ...] = ()

    def narrowed(self, query: PaperQuery) -> PaperFilter:
        """These bounds and those that the query names: both hold."""
        return replace(
            self,
            category=_joined(self.category, *query.categories),
            author=_joined(self.author, *query.authors),
            since=max(filter(None, (self.since, query.since)), key=_first_day, default=None),
            until=min(filter(None, (self.until, query.until)), key=_last_day, default=None),
            titles=(*self.titles, *query.titles),
            without=(*self.without, *query.without),
            only_ids=(*self.only_ids, *(PaperId.parse(each).value for each in query.ids)),
        )


NO_FILTER = PaperFilter()


def bounds(filters: PaperFilter) -> dict[str, Any]:
    """The parameters of `FILTER`."""
    categories = [each.removesuffix(".*") for each in (filters.category or "").split()]
    return {
        "categories": categories or None,
        "since": one_line(filters.since or "") or None,
        # All of the year or month named last is within; so is, above, a month with no day known.
        "until": f"{until}-99" if (until := one_line(filters.until or "")) else None,
        "author": search_words(one_line(filters.author or "")) or None,
        "titles": web_words(filters.titles),
        "without": web_words(filters.without, between=" or "),
        "only": list(filters.only_ids) or None,
        "withdrawn": not filters.exclude_withdrawn,
        "exclude": list(filters.exclude_ids),
    }


def web_words(phrases: tuple[str, ...], between: str = " ") -> str | None:
    """Words or phrases in the form of `websearch_to_tsquery`; None if there is none."""
    quoted = [f'"{one_line(search_words(each)).replace(chr(34), " ")}"' for each in phrases]
    return between.join(quoted) or None


def _joined(*words: str | None) -> str | None:
    return " ".join(filter(None, words)) or None


def _first_day(day: str) -> str:
    return str(day_named(day))


def _last_day(day: str) -> str:
    return str(day_named(day, end=True))
