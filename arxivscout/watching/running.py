"""One run over a person's watches: each is read whole and committed, or left as it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

import numpy as np

from arxivscout.errors import SourceError
from arxivscout.llm.extractive_filters import Filters, for_this_question
from arxivscout.memory import watches as stored
from arxivscout.memory.evidence import stored_vectors
from arxivscout.memory.remembering import remembering
from arxivscout.memory.vector_memory import vector_text
from arxivscout.memory.watches import Watch
from arxivscout.preferences import Wishes, wishes_from_texts
from arxivscout.reports.report import Report, Search
from arxivscout.watching import Outcome
from arxivscout.watching.digest import digest
from arxivscout.watching.ranking import LEAST_COSINE, Picked, pick
from arxivscout.watching.window import Reader, Window, begins_on, query_of

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database
    from arxivscout.sources.arxiv_api import ArxivClient

SKIPPED_NAMED = 5


class Run:
    """One run, under the lease on the person's watches.

    Args:
        lease: what names the lease to the database: without it nothing is committed any more.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        arxiv: ArxivClient,
        user: str,
        *,
        lease: Mapping[str, object],
        now: Callable[[], datetime],
        notice: Callable[[str], None],
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._arxiv = arxiv
        self._user = user
        self._lease = lease
        self._now = now
        self._notice = notice
        self._remembered = remembering(database, user) != "nothing"

    def outcomes(self, watches: Sequence[Watch], since: date | None) -> list[Outcome]:
        """What comes of each watch; those that could not be read say why.

        Raises:
            KeyboardInterrupt: it was stopped.
        """
        started_at = self._now()
        first_days = [begins_on(watch, since) for watch in watches]
        reader = Reader(
            self._arxiv,
            self._database,
            self._embedder,
            [(query_of(watch), day) for watch, day in zip(watches, first_days, strict=True)],
            self._notice,
        )
        found = []
        for watch, day in zip(watches, first_days, strict=True):
            waiting = tuple(Report.model_validate(each) for each in watch.undelivered)
            try:
                new = self._digest(watch, reader.window(query_of(watch)), day, since, started_at)
            except SourceError as error:
                found.append(Outcome(watch, _told(watch, since), waiting, error))
            else:
                digests = (*waiting, *([new] if new else []))
                found.append(Outcome(watch, _told(watch, since), digests))
        return found

    def _digest(
        self, watch: Watch, window: Window, day: date, since: date | None, started_at: datetime
    ) -> Report | None:
        """The digest of what a window has for a watch, committed; None where that is nothing.

        Raises:
            SourceError: the watch changed under the run: nothing was committed.
        """
        begun = time.monotonic()
        first_day = min(watch.first_day, since or watch.first_day)
        wishes, aside = self._wishes(watch)
        picked = self._picked(watch, window, wishes, first_day)
        report = None
        if picked.picks:
            vectors = stored_vectors(self._database, [each.paper.arxiv_id for each in picked.picks])
            notes = [f"set aside, as the topic asks for it: {each}" for each in aside]
            report = digest(
                watch,
                picked.picks,
                left_out=picked.left_out,
                trail=_trail(watch, window, day),
                notes=[*notes, *_skipped(window)],
                embedder=self._embedder,
                vectors=np.array([vectors[each.paper.arxiv_id] for each in picked.picks]),
                started_at=started_at,
                seconds=window.seconds + time.monotonic() - begun,
            )
        with self._database.transaction(self._user) as conn:
            committed = stored.commit(
                conn,
                watch,
                read_until=started_at,
                first_day=first_day,
                digest=report.model_dump(mode="json") if report else None,
                papers=[(each.paper.arxiv_id, each.paper.version or 1) for each in picked.picks],
                lease=self._lease,
            )
        if not committed:
            raise SourceError(f"The watch {watch.name} was changed by another process meanwhile.")
        return report

    def _picked(self, watch: Watch, window: Window, wishes: Wishes, first_day: date) -> Picked:
        vector = vector_text(self._embedder.embed_query(watch.topic))
        assert vector is not None
        with self._database.transaction(self._user) as conn:
            candidates = stored.candidates(conn, window.ids, vector, least=LEAST_COSINE)
            ids = [each.paper.arxiv_id for each in candidates]
            known = stored.known(conn, ids, remembered=self._remembered)
            interests = stored.interests(conn, ids) if self._remembered else {}
        return pick(
            watch.topic,
            candidates,
            known=known,
            interests=interests,
            wishes=wishes,
            first_day=first_day,
        )

    def _wishes(self, watch: Watch) -> tuple[Wishes, list[str]]:
        """What the person prefers, as far as the watch itself does not ask for something else."""
        if not self._remembered:
            return Wishes(), []
        with self._database.transaction(self._user) as conn:
            texts = stored.preferences(conn)
        wishes = wishes_from_texts(texts, today=self._now().date())
        category = watch.categories[0] if len(watch.categories) == 1 else None
        return for_this_question(wishes, watch.topic, Filters(category=category))


def _told(watch: Watch, since: date | None) -> date:
    """Since when a person takes this run to tell them what is new."""
    return since or (watch.read_until.date() if watch.read_until else watch.first_day)


def _trail(watch: Watch, window: Window, day: date) -> Search:
    where = f"in {' or '.join(watch.categories)}" if watch.categories else "with any of its words"
    return Search(
        question=watch.topic,
        query=", ".join(watch.categories) or watch.topic,
        where="arXiv",
        found=len(window.ids),
        seconds=round(window.seconds, 1),
        note=f"new or changed since {min(day, window.since)}, {where}",
    )


def _skipped(window: Window) -> list[str]:
    lines = [f"not read: {each.where}: {each.reason}" for each in window.skipped[:SKIPPED_NAMED]]
    more = len(window.skipped) - SKIPPED_NAMED
    return [*lines, f"not read: {more} more entries"] if more > 0 else lines
