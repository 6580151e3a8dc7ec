"""One reading of arXiv: every change of a window, its papers stored, whole or an error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from arxivscout.errors import SourceError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.watches import Watch
from arxivscout.papers import Paper, Skipped

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database
    from arxivscout.sources.arxiv_api import ArxivClient

# arXiv announces no paper at weekends and on holidays, and shows it then under the day it was
# submitted on; some are looked at by moderators before. So each window reaches back behind the last
# reading, and what was reported is told by its id.
OVERLAP = timedelta(days=10)

Query = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class Window:
    """What arXiv changed since a day: ids of papers, and what of its list could not be read."""

    since: date
    ids: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    seconds: float = 0.0
    failure: SourceError | None = None


def query_of(watch: Watch) -> Query:
    """What arXiv is asked for a watch: its categories, or without any its words."""
    return ("", watch.categories) if watch.categories else (watch.topic, ())


def begins_on(watch: Watch, since: date | None = None) -> date:
    """The first day of a watch's next window; `since` if that is given."""
    if since is not None:
        return since
    if watch.read_until is None:
        return watch.first_day
    return max(watch.first_day, watch.read_until.date() - OVERLAP)


class Reader:
    """Reads windows for the watches of one run; those that ask for the same share a reading."""

    def __init__(
        self,
        arxiv: ArxivClient,
        database: Database,
        embedder: Embedder,
        wanted: Sequence[tuple[Query, date]],
        notice: Callable[[str], None],
    ) -> None:
        self._arxiv = arxiv
        self._database = database
        self._embedder = embedder
        self._notice = notice
        self._since: dict[Query, date] = {}
        for query, since in wanted:
            self._since[query] = min(since, self._since.get(query, since))
        self._read: dict[Query, Window] = {}

    def window(self, query: Query) -> Window:
        """All changes since the earliest day that is wanted of this query; stored by now.

        Raises:
            SourceError: some of it could not be read: then none of it counts.
            KeyboardInterrupt: it was stopped.
        """
        if query not in self._read:
            self._read[query] = self._reading(query, self._since[query])
        window = self._read[query]
        if window.failure is not None:
            raise window.failure
        return window

    def _reading(self, query: Query, since: date) -> Window:
        begun = time.monotonic()
        window = Window(since)
        # Papers are embedded while the next page is waited for.
        report = ingest_papers(
            self._database,
            self._embedder,
            self._changes(query, window),
            notice=self._notice,
        )
        if report.interrupted:
            raise KeyboardInterrupt
        window.skipped = list(report.skipped)
        window.seconds = time.monotonic() - begun
        return window

    def _changes(self, query: Query, window: Window) -> Iterator[Paper | Skipped]:
        words, categories = query
        try:
            for each in self._arxiv.changes(words, categories=categories, since=window.since):
                if isinstance(each, Paper):
                    window.ids.append(each.arxiv_id)
                yield each
        except SourceError as error:  # ingestion would take it for the end of the list
            window.failure = error
