"""What arXiv has at an address: paced, retried, bounded in time and size, kept for a day.

Pages of its API, and documents of papers.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin

from arxivscout.errors import SourceError
from arxivscout.sources.addresses import own_address, require_safe
from arxivscout.sources.arxiv_feed import NoFeed, Page, parse_feed
from arxivscout.sources.pace import Pace
from arxivscout.sources.page_cache import PageCache
from arxivscout.sources.reach import Reach

if TYPE_CHECKING:
    import httpx

MOST_TRIES = 6
FIRST_DELAY = 1.0  # seconds, doubled each time; on top of the pace
LARGEST_BODY = 32 << 20  # bytes; 200 entries with 3,000 authors each have about half of that
LARGEST_DOCUMENT = 50 << 20  # bytes; arXiv takes sources of as many
MOST_REDIRECTS = 3
# Without a network every try fails alike: one more, unless the first already took its time (a
# resolver asks several times by itself).
RECONNECT_DELAY = 0.3  # seconds
RECONNECT_WITHIN = 1.0  # seconds
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
_ELSEWHERE = {301, 302, 303, 307, 308}
_NOT_THERE = {404, 410}

T = TypeVar("T")


class _Again(Exception):
    """This try failed in a way that another may not; `wait` is what the server asked for."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class _NoWay(Exception):
    """No connection could be made: no name, nobody there, or a proxy in between that won't."""


class ArxivTransport:
    """Fetches pages and documents; the only part of ArxivScout that talks to arXiv.

    Args:
        home: where the pace and the kept pages are, shared by all processes of an installation.
        interval: seconds between requests.
        timeout: seconds that connecting, and each wait for data, may take; a whole answer three
            times that, and a document ten times.
        transport, clock, sleep, chance: the network, the time in seconds since 1970, waiting, and
            numbers in [0, 1); given by tests.
    """

    def __init__(
        self,
        home: Path,
        *,
        interval: float,
        timeout: float,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._timeout = timeout
        self._transport = transport
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._pace = Pace(home, interval, clock=clock, sleep=sleep)
        self._reach = Reach(home, clock=clock)
        self._cache = PageCache(home / "cache" / "arxiv", clock=clock)
        self._documents = PageCache(home / "cache" / "documents", clock=clock)
        self._client: httpx.Client | None = None

    def page(
        self, address: str, *, patience: float, more: bool = False, fresh: bool = False
    ) -> Page:
        """The page at `address`.

        Args:
            patience: seconds that all tries and waits may take together.
            fresh: whether arXiv is asked in any case, whatever was kept.
            more: whether there must be entries, as earlier pages said: arXiv sometimes gives an
                empty page where there are more, also while that page says so itself.

        Raises:
            SourceError: no page could be had, with the last reason; at once where arXiv could not
                be reached in the last minute.
        """
        require_safe(address)
        if not fresh and (body := self._cache.get(address)) is not None:
            try:
                return parse_feed(body)
            except (NoFeed, SourceError):
                self._cache.drop(address)
        body, page = self._patiently(patience, lambda until: self._try(address, until, more))
        if page.entries:  # an empty one may be a mistake of the moment
            self._cache.put(address, body)
        return page

    def document(self, address: str, *, patience: float) -> bytes | None:
        """The document at `address`, which arXiv may keep at another of its own; None if nowhere.

        Raises:
            SourceError: it could not be had, with the last reason.
        """
        require_safe(address)
        if (body := self._documents.get(address)) is not None:
            return body
        found = self._patiently(patience, lambda until: self._try_document(address, until))
        if found is not None:
            self._documents.put(address, found)
        return found

    def _patiently(self, patience: float, attempt: Callable[[float], T]) -> T:
        """What `attempt` gives, which is told when to give up; tried again while that may help."""
        if self._reach.lost():
            raise _unreachable()
        give_up_at = self._clock() + patience
        for number in range(MOST_TRIES):
            try:
                return attempt(give_up_at)
            except _Again as failed:
                reason = str(failed)
                delay = FIRST_DELAY * 2**number * (0.5 + self._chance())
                if failed.wait:
                    self._pace.hold(failed.wait)
                    delay = max(delay, failed.wait)
                if number + 1 == MOST_TRIES or self._clock() + delay > give_up_at:
                    mend = f"Try again in {failed.wait:.0f} s." if failed.wait else ""
                    raise SourceError(f"arXiv can't be read: {reason}.", mend) from None
                self._sleep(delay)
        raise AssertionError("the last try returns or raises")

    def try_afresh(self) -> None:
        """Forget that arXiv could not be reached a moment ago."""
        self._reach.regain()

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _try(self, address: str, give_up_at: float, more: bool) -> tuple[bytes, Page]:
        client = self._opened()  # before the wait: the first time it takes a third of a second
        self._pace.wait(give_up_at - self._clock())
        status, headers, body = self._connected(client, address)
        if status in _WORTH_RETRYING:
            raise _Again(f"it answered {status}", _retry_after(headers, self._clock()))
        try:
            page = parse_feed(body)  # a refusal comes as a feed too, with status 400
        except NoFeed as error:
            if status >= 300:
                raise SourceError(f"arXiv answered {status}.") from None
            raise _Again(f"it sent {error}") from None
        if status >= 300:
            raise SourceError(f"arXiv answered {status}.")
        if not page.entries and (more or page.total):
            raise _Again("it sent an empty page where there are more results")
        return body, page

    def _try_document(self, address: str, give_up_at: float) -> bytes | None:
        client = self._opened()
        for _ in range(MOST_REDIRECTS + 1):
            self._pace.wait(give_up_at - self._clock())
            status, headers, body = self._connected(
                client, address, largest=LARGEST_DOCUMENT, seconds=10 * self._timeout
            )
            if status in _WORTH_RETRYING:
                raise _Again(f"it answered {status}", _retry_after(headers, self._clock()))
            if status in _NOT_THERE:
                return None
            if status not in _ELSEWHERE:
                if status >= 300:
                    raise SourceError(f"arXiv answered {status}.")
                return body
            address = own_address(urljoin(address, headers.get("location", "")), address)
        raise SourceError("arXiv sends from one address to the next without end.")

    def _opened(self) -> httpx.Client:
        import httpx

        if self._client is None:
            self._client = httpx.Client(
                transport=self._transport,
                timeout=self._timeout,
                headers={"user-agent": "arxivscout (research companion; one request in 3 s)"},
            )
        return self._client

    def _connected(
        self,
        client: httpx.Client,
        address: str,
        *,
        largest: int = LARGEST_BODY,
        seconds: float | None = None,
    ) -> tuple[int, httpx.Headers, bytes]:
        began = self._clock()
        seconds = 3 * self._timeout if seconds is None else seconds
        try:
            try:
                answer = self._get(client, address, largest, seconds)
            except _NoWay:
                if self._clock() - began > RECONNECT_WITHIN:
                    raise
                self._sleep(RECONNECT_DELAY)  # no request has reached arXiv: no pace to keep
                answer = self._get(client, address, largest, seconds)
        except _NoWay:
            self._reach.lose()
            raise _unreachable() from None
        self._reach.regain()
        return answer

    def _get(
        self, client: httpx.Client, address: str, largest: int, seconds: float
    ) -> tuple[int, httpx.Headers, bytes]:
        import httpx

        ends_at = self._clock() + seconds
        body = bytearray()
        try:
            with client.stream("GET", address) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > largest:
                        raise SourceError(f"arXiv sent more than {largest >> 20} MiB.")
                    if self._clock() > ends_at:  # a server that drips never times out
                        raise _Again(f"no whole answer within {seconds:.0f} s")
                return response.status_code, response.headers, bytes(body)
        except httpx.TimeoutException:
            raise _Again(f"no answer within {self._timeout:g} s") from None
        except (httpx.ConnectError, httpx.ProxyError) as error:
            if _by_tls(error):  # somebody is there
                raise _Again(str(error)) from None
            raise _NoWay from error
        except httpx.HTTPError as error:
            raise _Again(str(error) or type(error).__name__) from None


def _by_tls(error: BaseException | None) -> bool:
    import ssl

    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__
    return False


def _unreachable() -> SourceError:
    return SourceError(
        "arXiv can't be reached (no network?).",
        "Papers already held are searched without it; ARXIVSCOUT_OFFLINE=1 skips it.",
    )


def _retry_after(headers: httpx.Headers, now: float) -> float:
    """Seconds that the server asks to wait (RFC 9110, 10.2.3: seconds or a date); at most a day."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), 86_400.0)
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return min(max((until - datetime.fromtimestamp(now, UTC)).total_seconds(), 0.0), 86_400.0)
