"""A person's watches: topics of which they are told what is new on arXiv, once, and all of it.

    changes since the watermark ──► stored ──► news? fits? wanted? ──► digest, watermark ──► written
     all pages, or none counts                                          one transaction

Heavy parts are imported where a watch is run: listing and adding stay quick.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING
from uuid import uuid4

from arxivscout.errors import NotFound, SourceError, ThreadBusy, ToolInputError, UsageError
from arxivscout.memory import watches as stored
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.lease import ACQUIRE, lease_parameters
from arxivscout.memory.titles import name_of
from arxivscout.memory.watches import Watch
from arxivscout.papers import one_line
from arxivscout.papers.taxonomy import known_category
from arxivscout.sources.arxiv_query import build_watch_query

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.lease import LeaseKeeper
    from arxivscout.memory.postgres import Database
    from arxivscout.reports.report import Report
    from arxivscout.sources.arxiv_api import ArxivClient

FIRST_DAYS = timedelta(days=7)
MOST_TOPIC = 2_000
_NAME = re.compile(r"(?!\d+$)\w[\w.-]{0,59}")
# No thread can be called so: threads have printable names.
_LEASE = "\nwatches"
LONGEST_RUN_S = 6 * 3600.0


def quiet(text: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one watch since a day: digests to be written, or why arXiv was not read whole.

    More than one digest where an earlier run was killed before it had written its own.
    """

    watch: Watch
    since: date
    digests: tuple[Report, ...] = ()
    failure: SourceError | None = None


Deliver = Callable[[Sequence[Outcome]], None]


class Watches:
    """One person's watches, each named by its name or its number."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        arxiv: ArxivClient,
        leases: LeaseKeeper,
        user: str,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._arxiv = arxiv
        self._leases = leases
        self._user = user
        self._now = now

    def add(
        self,
        topic: str,
        *,
        categories: Sequence[str] = (),
        name: str | None = None,
        since: date | None = None,
    ) -> Watch:
        """Watch a topic: among all papers of the categories, or those that have a word of it.

        Args:
            name: made from the topic if it is not given.
            since: the first day of which papers are new; a week ago if it is not given.

        Raises:
            UsageError: no topic, no such category, or a name that is taken or can be none.
        """
        topic = one_line(kept_text(topic))
        if not topic:
            raise UsageError("The topic is empty.", 'Name one: arxivscout watch add "…"')
        if len(topic) > MOST_TOPIC:
            raise UsageError(
                f"The topic has {len(topic):,} characters.", f"At most {MOST_TOPIC:,}."
            )
        known = list(dict.fromkeys(_category(each) for each in categories))
        try:
            build_watch_query(topic, known)
        except ToolInputError as error:
            raise UsageError(
                "The topic has no words to ask arXiv for.", "Name a --category."
            ) from error
        first_day = since or (self._now() - FIRST_DAYS).date()
        given = _checked(name) if name is not None else None
        with self._database.transaction(self._user) as conn:
            for called in [given] if given else _names(topic):
                watch = stored.add(
                    conn, name=called, topic=topic, categories=known, first_day=first_day
                )
                if watch:
                    return watch
        raise UsageError(
            f"There is a watch named {given!r} already.",
            "Take another --name, or `arxivscout watch remove` that one first.",
        )

    def listed(self) -> list[tuple[Watch, int]]:
        """The person's watches by number, each with how many papers it has reported."""
        with self._database.transaction(self._user) as conn:
            reported = stored.reported(conn)
            return [(each, reported.get(each.watch_id, 0)) for each in stored.watches(conn)]

    def remove(self, name: str) -> Watch:
        """Delete a watch, and what it remembers to have reported; the papers stay.

        Raises:
            NotFound: there is no such watch.
        """
        with self._database.transaction(self._user) as conn:
            watch = _named(stored.watches(conn), name)
            stored.remove(conn, watch.watch_id)
        return watch

    def run(
        self,
        names: Sequence[str] = (),
        *,
        deliver: Deliver,
        since: date | None = None,
        notice: Callable[[str], None] = quiet,
    ) -> list[Outcome]:
        """Read what is new for these watches, or all; what a watch could not read fails it alone.

        Args:
            deliver: writes the digests of all of them. What it raises leaves them for the next run.
            since: the first day to look at, in place of where the last run ended.
            notice: is told in one line what makes it wait.

        Raises:
            NotFound: there is no such watch.
            UsageError: there is none at all.
            ThreadBusy: another process is running this person's watches.
            KeyboardInterrupt: it was stopped; what was not read counts as unread.
        """
        from arxivscout.watching.running import Run

        with self._alone() as lease:
            with self._database.transaction(self._user) as conn:
                every = stored.watches(conn)
            if not every:
                raise UsageError("There is no watch.", 'Begin with: arxivscout watch add "…"')
            chosen = {_named(every, name).watch_id for name in names}
            picked = [each for each in every if each.watch_id in chosen or not names]
            run = Run(
                self._database,
                self._embedder,
                self._arxiv.try_afresh(),
                self._user,
                lease=lease,
                now=self._now,
                notice=notice,
            )
            outcomes = run.outcomes(picked, since)
            deliver(outcomes)
            with self._database.transaction(self._user) as conn:
                for outcome in outcomes:
                    if outcome.digests:
                        stored.delivered(conn, outcome.watch.watch_id)
        return outcomes

    @contextmanager
    def _alone(self) -> Iterator[dict[str, object]]:
        """Hold the lease on this person's watches; yields what names it to the database.

        Raises:
            ThreadBusy: another process holds it.
        """
        holder = uuid4()
        lease = lease_parameters(_LEASE, holder)
        while True:
            with self._database.transaction(self._user) as conn:
                taken = conn.execute(ACQUIRE, lease).fetchone()
            if taken:
                break
            if not self._leases.take_from_dead(self._user, _LEASE):
                raise ThreadBusy(
                    "Another run of your watches is at work.", "It reports what is new; try later."
                )
        self._leases.hold(self._user, _LEASE, holder, LONGEST_RUN_S)
        try:
            yield lease
        finally:
            self._leases.release(holder)


def _named(watches: Sequence[Watch], name: str) -> Watch:
    for each in watches:
        if name.strip() in (each.name, str(each.number)):
            return each
    raise NotFound(
        f"There is no watch {one_line(name)[:60]!r}.", "`arxivscout watch list` names them."
    )


def _category(text: str) -> str:
    if known := known_category(text):
        return known
    raise UsageError(
        f"arXiv has no category {one_line(text)[:60]!r}.",
        "They look like cs.CL or quant-ph: https://arxiv.org/category_taxonomy lists them.",
    )


def _checked(name: str) -> str:
    if _NAME.fullmatch(name.strip()):
        return name.strip()
    raise UsageError(
        f"{one_line(name)[:60]!r} can't name a watch.",
        "Use up to 60 letters, digits, dots and hyphens, and not digits alone.",
    )


def _names(topic: str) -> Iterator[str]:
    """Names for a watch that was given none, until one is free."""
    name = name_of(topic)
    base = name if _NAME.fullmatch(name) else "watch"
    yield base
    yield from (f"{base}-{place}" for place in count(2))
