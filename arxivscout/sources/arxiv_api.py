"""arXiv: papers by words and conditions, or by their ids, and their documents."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from arxivscout.errors import SourceError
from arxivscout.papers import Paper, PaperId, Skipped
from arxivscout.sources.arxiv_feed import Refused
from arxivscout.sources.arxiv_query import ArxivQuery, build_query, build_watch_query
from arxivscout.sources.arxiv_transport import ArxivTransport

if TYPE_CHECKING:
    import httpx

    from arxivscout.settings import Settings

PAGE_SIZE = 200
IDS_AT_ONCE = 100
DEEPEST = 30_000  # arXiv serves no search any deeper
# Where a paper's document may be: structured text where arXiv has made one, else what is printed.
DOCUMENTS = ("html", "pdf")


class ArxivClient:
    """Papers from arXiv's API, as fast as its terms allow; for any number of processes and threads.

    Args:
        patience_s: seconds that one page may take, waits and retries included.
        transport, clock, sleep, chance: see `ArxivTransport`.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        patience_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._url = settings.arxiv_url
        self._site = _site(settings.arxiv_url)
        self._offline = settings.offline
        self._patience = patience_s
        self._pages = ArxivTransport(
            settings.home,
            interval=settings.arxiv_interval_s,
            timeout=settings.arxiv_timeout_s,
            transport=transport,
            clock=clock,
            sleep=sleep,
            chance=chance,
        )

    def search(
        self,
        query: str,
        *,
        category: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        max_results: int = 25,
    ) -> Iterator[Paper]:
        """At most `max_results` papers: the most relevant to the words first, without words newest.

        Where no paper has all of the words, those that have some. `since` and `until` are dates of
        first submission (`YYYY[-MM[-DD]]`), both included.

        Raises:
            ToolInputError: nothing to search for, or a condition that can't be one.
            SourceError: offline, or arXiv can't be reached, refused, failed or timed out.
        """
        found = self.harvest(
            query,
            category=category,
            since=since,
            until=until,
            author=author,
            max_results=max_results,
        )
        return (paper for paper in found if isinstance(paper, Paper))

    def harvest(
        self,
        query: str,
        *,
        category: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        max_results: int = 25,
    ) -> Iterator[Paper | Skipped]:
        """`search`, with a `Skipped` for each entry that is no paper."""
        built = build_query(query, category=category, since=since, until=until, author=author)
        self._require_online()
        return self._search(built, min(max_results, DEEPEST))

    def changes(
        self, words: str, *, categories: Sequence[str], since: date
    ) -> Iterator[Paper | Skipped]:
        """Every paper that came, or came in a new version, since a day; the last changed first.

        With categories all papers of any of them, without those that have any of the words. Pages
        that were kept are not used: those of different hours don't fit together, and what lay
        between them would be missed.

        Raises:
            ToolInputError: neither words nor categories.
            SourceError: offline, or arXiv failed: then what was given before is not all.
        """
        built = build_watch_query(words, categories)
        self._require_online()
        # No category of arXiv's is empty; a list of rare words may be.
        return self._changes(built.text(any_term=True), since.isoformat(), more=bool(categories))

    def by_ids(self, ids: Iterable[str]) -> Iterator[Paper | Skipped]:
        """The papers with these ids, in their order; a `Skipped` for each that arXiv hasn't.

        Raises:
            SourceError: offline, or arXiv failed or timed out.
        """
        self._require_online()
        return self._by_ids(ids)

    def document(self, paper_id: PaperId) -> tuple[str, bytes]:
        """A paper's full text as arXiv has it, HTML before PDF: its address and what is there.

        Raises:
            SourceError: offline, or arXiv failed, timed out, or has neither.
        """
        self._require_online()
        for form in DOCUMENTS:
            address = f"{self._site}/{form}/{paper_id}"
            body = self._pages.document(address, patience=self._patience)
            if body is not None:
                return address, body
        raise SourceError(f"arXiv has no document of {paper_id}.")

    def try_afresh(self) -> ArxivClient:
        """This client, which asks arXiv also if it could not be reached a moment ago."""
        self._pages.try_afresh()
        return self

    def close(self) -> None:
        """Close the connections."""
        self._pages.close()

    def __enter__(self) -> ArxivClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _require_online(self) -> None:
        if self._offline:
            raise SourceError(
                "ArxivScout is offline: arXiv is not asked.",
                "Unset ARXIVSCOUT_OFFLINE to allow it.",
            )

    def _search(self, query: ArxivQuery, max_results: int) -> Iterator[Paper | Skipped]:
        seen = set[str]()
        for any_term in (False, True):
            for entry in self._entries(query, any_term, max_results):
                key = entry.arxiv_id if isinstance(entry, Paper) else entry.where
                if key not in seen:  # results move between pages while papers come in
                    seen.add(key)
                    yield entry
            if seen or len(query.terms) < 2:
                return

    def _entries(
        self, query: ArxivQuery, any_term: bool, max_results: int
    ) -> Iterator[Paper | Skipped]:
        start, total = 0, max_results
        while start < min(total, max_results):
            size = min(PAGE_SIZE, max_results - start)
            arguments: dict[str, str | int] = {
                "search_query": query.text(any_term=any_term),
                "start": start,
                "max_results": size,
                "sortBy": "relevance" if query.terms else "submittedDate",
                "sortOrder": "descending",
            }
            page = self._pages.page(
                self._address(arguments), patience=self._patience, more=start > 0
            )
            if not page.entries:
                return
            yield from page.entries
            start, total = start + len(page.entries), page.total

    def _changes(self, query: str, since: str, more: bool) -> Iterator[Paper | Skipped]:
        seen = set[str]()
        start, total = 0, 1
        while start < total:
            if start >= DEEPEST:
                raise SourceError(
                    f"There is more than arXiv serves of one search ({DEEPEST:,} papers): ask for "
                    "fewer categories, or begin on a later day (--since)."
                )
            arguments: dict[str, str | int] = {
                "search_query": query,
                "start": start,
                "max_results": PAGE_SIZE,
                "sortBy": "lastUpdatedDate",
                "sortOrder": "descending",
            }
            address = self._address(arguments)
            page = self._pages.page(
                address, patience=self._patience, more=more or start > 0, fresh=True
            )
            for entry in page.entries:
                key = entry.arxiv_id if isinstance(entry, Paper) else entry.where
                old = isinstance(entry, Paper) and (entry.updated or since) < since
                if key not in seen and not old:
                    seen.add(key)
                    yield entry
            papers = [entry for entry in page.entries if isinstance(entry, Paper)]
            if not page.entries or (papers and (papers[-1].updated or since) < since):
                return
            # A page may say too few; those before it knew of more.
            start, total = start + len(page.entries), max(total, page.total)

    def _by_ids(self, ids: Iterable[str]) -> Iterator[Paper | Skipped]:
        ids = iter(ids)
        while batch := list(islice(ids, IDS_AT_ONCE)):
            asked: dict[str, PaperId | Skipped] = {}
            for text in batch:
                try:
                    asked[text] = PaperId.parse(text)
                except ValueError as error:
                    asked[text] = Skipped(text[:100], str(error))
            found = self._found({id_ for id_ in asked.values() if isinstance(id_, PaperId)})
            for wanted in asked.values():
                if isinstance(wanted, PaperId):
                    yield found.get(str(wanted)) or Skipped(str(wanted), "arXiv has no such paper")
                else:
                    yield wanted

    def _found(self, wanted: set[PaperId]) -> dict[str, Paper]:
        """The papers by id, with version and without (then the newest of those asked for).

        An id that arXiv refuses spoils its request: it is left out of the next.
        """
        ids = sorted(map(str, wanted))
        while ids:
            arguments: dict[str, str | int] = {"id_list": ",".join(ids), "max_results": len(ids)}
            try:
                page = self._pages.page(self._address(arguments), patience=self._patience)
            except Refused as refusal:
                kept = [id_ for id_ in ids if not re.search(rf"\b{re.escape(id_)}\b", str(refusal))]
                if len(kept) == len(ids):
                    raise
                ids = kept
                continue
            papers = [entry for entry in page.entries if isinstance(entry, Paper)]
            papers.sort(key=lambda paper: paper.version or 0)
            return {
                name: paper
                for paper in papers
                for name in (paper.arxiv_id, f"{paper.arxiv_id}v{paper.version}")
            }
        return {}

    def _address(self, arguments: dict[str, str | int]) -> str:
        return f"{self._url}?{urlencode(arguments)}"


def _site(api: str) -> str:
    """Where documents are: arXiv's site, or that of the server which plays its API."""
    parts = urlsplit(api)
    if f".{parts.hostname}".endswith(".arxiv.org"):
        return "https://arxiv.org"
    return f"{parts.scheme}://{parts.netloc}"
