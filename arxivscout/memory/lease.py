"""One turn at a time per thread: a lease row with a heartbeat.

No connection and no lock is held over a model call: the row says who is at work and until when, and
one thread of this process prolongs every lease it holds. A process that died on this machine is
seen at once; one that died elsewhere when its lease runs out.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar
from uuid import UUID, uuid4

from arxivscout.errors import DatabaseError, ThreadBusy
from arxivscout.memory.postgres import Connection, Database

LEASE_SECONDS = 30
HEARTBEAT_SECONDS = 10.0

ACQUIRE = """
INSERT INTO thread_lease AS held (thread_id, holder, host, process, expires_at)
VALUES (%(thread)s::text, %(turn)s, %(host)s::text, %(process)s::text,
        clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (user_id, thread_id) DO UPDATE
SET holder = EXCLUDED.holder, host = EXCLUDED.host, process = EXCLUDED.process,
    expires_at = EXCLUDED.expires_at
WHERE held.expires_at < clock_timestamp()
   OR (held.holder, held.host, held.process)
      = (EXCLUDED.holder, EXCLUDED.host, EXCLUDED.process)
RETURNING holder
"""

HELD = (
    "EXISTS (SELECT 1 FROM thread_lease WHERE thread_id = %(thread)s::text AND holder = %(turn)s)"
)

_HOLDER = "SELECT holder, host, process FROM thread_lease WHERE thread_id = %(thread)s::text"

_TAKE_AWAY = """
DELETE FROM thread_lease
WHERE thread_id = %(thread)s::text AND holder = %(holder)s AND process = %(process)s::text
"""

_PROLONG = """
UPDATE thread_lease SET expires_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE thread_id = %(thread)s::text AND holder = %(turn)s
"""

RELEASE = "DELETE FROM thread_lease WHERE thread_id = %(thread)s::text AND holder = %(turn)s"

_RELEASE_ALL = "DELETE FROM thread_lease WHERE holder = %(turn)s"

Result = TypeVar("Result")


def lease_parameters(thread_id: str, turn_id: UUID) -> dict[str, object]:
    """What `ACQUIRE` and `HELD` are bound to."""
    host, process = this_process()
    return {
        "thread": thread_id,
        "turn": turn_id,
        "host": host,
        "process": process,
        "seconds": LEASE_SECONDS,
    }


@cache
def _identity(pid: int) -> tuple[str, str]:
    import psutil

    return socket.gethostname(), f"{pid}:{psutil.Process(pid).create_time():.2f}"


def this_process() -> tuple[str, str]:
    """(host, pid and start time): names this process and no later one with the same pid."""
    return _identity(os.getpid())


def busy(thread_id: str) -> ThreadBusy:
    return ThreadBusy(
        f"Another turn of the thread {thread_id!r} is being answered right now.",
        "Wait until it is done, or use another --thread.",
    )


def alone(
    database: Database,
    leases: LeaseKeeper,
    user: str,
    thread_ids: Sequence[str],
    work: Callable[[Connection], Result],
) -> Result:
    """Run `work` in one transaction in which no turn begins or runs in these threads.

    The leases are taken and given back within it, so that nobody else ever sees them: a second
    caller, or a turn that begins, waits for the transaction to end.

    Raises:
        ThreadBusy: a turn is at work in one of them.
    """
    while True:
        holder = uuid4()
        with database.transaction(user) as conn:
            taken = next(
                (
                    thread_id
                    for thread_id in sorted(set(thread_ids))
                    if not conn.execute(ACQUIRE, lease_parameters(thread_id, holder)).fetchone()
                ),
                None,
            )
            if taken is None:
                result = work(conn)
                conn.execute(_RELEASE_ALL, {"turn": holder})
                return result
            conn.rollback()
        if not leases.take_from_dead(user, taken):
            raise busy(taken)


def is_alive(process: str) -> bool:
    """Whether a process of this machine, named as `this_process` does, is still there."""
    import psutil

    pid, _, started = process.partition(":")
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" == started
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.AccessDenied:
        return True


class LeaseKeeper:
    """Prolongs the leases that this process holds, in one thread that lives while there are any.

    Args:
        longest: seconds after which a lease is no longer prolonged: its turn was cancelled without
            a word, since a turn has its own time limit.
    """

    def __init__(self, database: Database, longest: float) -> None:
        self._database = database
        self._longest = longest
        self._held: dict[UUID, tuple[str, str, float]] = {}  # user, thread, until when
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def hold(
        self, user: str, thread_id: str, turn_id: UUID, turn_timeout_s: float | None = None
    ) -> None:
        """Keep the lease that was just acquired until `let_go`, or until a turn is long over."""
        longest = max(self._longest, (turn_timeout_s or 0) + 60)
        with self._lock:
            self._held[turn_id] = (user, thread_id, time.monotonic() + longest)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._beat, name="arxivscout-leases", daemon=True
                )
                self._thread.start()

    def wait(self, turn_id: UUID) -> None:
        """Keep the lease however long a person at this process takes to choose; then `hold` it."""
        with self._lock:
            if held := self._held.get(turn_id):
                self._held[turn_id] = (*held[:2], math.inf)

    def let_go(self, turn_id: UUID) -> None:
        """No longer prolong the lease; its row went with the turn's last transaction."""
        with self._lock:
            self._held.pop(turn_id, None)

    def release(self, turn_id: UUID) -> None:
        """Give the lease back if it is still held: its turn ended without a last transaction."""
        with self._lock:
            held = self._held.pop(turn_id, None)
        if held:
            with contextlib.suppress(DatabaseError):
                parameters = {"thread": held[1], "turn": turn_id}
                self._database.batch(held[0], [(RELEASE, parameters)])

    def take_from_dead(self, user: str, thread_id: str) -> bool:
        """Remove a lease that nobody works under any more; say whether the thread is free now.

        That is one of a process of this machine that is gone, or of this process when it no longer
        holds it (the database was away when the turn ended).
        """
        with self._database.transaction(user) as conn:
            row = conn.execute(_HOLDER, {"thread": thread_id}).fetchone()
            if row is None:
                return True
            holder, host, process = row
            ours = (host, process) == this_process()
            with self._lock:
                at_work = holder in self._held if ours else is_alive(process)
            if host != this_process()[0] or at_work:
                return False
            conn.execute(_TAKE_AWAY, {"thread": thread_id, "holder": holder, "process": process})
            return True

    def close(self) -> None:
        """Give back all that is held, and stop."""
        self._stop.set()
        for turn_id in list(self._held):
            self.release(turn_id)

    def _beat(self) -> None:
        while not self._stop.wait(HEARTBEAT_SECONDS):
            with self._lock:
                now = time.monotonic()
                self._held = {turn: held for turn, held in self._held.items() if held[2] > now}
                if not self._held:
                    self._thread = None
                    return
                held = dict(self._held)
            for turn_id, (user, thread_id, _) in held.items():
                # A lost database ends the lease by itself; the turn says what it could not store.
                with contextlib.suppress(DatabaseError):
                    parameters = {"thread": thread_id, "turn": turn_id, "seconds": LEASE_SECONDS}
                    self._database.batch(user, [(_PROLONG, parameters)])
