"""Turns that could not be stored wait on disk, and are stored once when the database is back.

One file a turn, written whole or not at all, readable by its owner only. Storing is keyed by the
turn's id, so a crash between storing and removing the file stores nothing twice.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import psycopg

from arxivscout.errors import Erased
from arxivscout.memory.rights.files import waiting_turns
from arxivscout.memory.turn_record import TurnRecord
from arxivscout.whole_files import write_whole

_log = logging.getLogger(__name__)


class Outbox:
    """The waiting turns of one person."""

    def __init__(self, home: Path, user: str) -> None:
        self._folder = waiting_turns(home, user)

    def put(self, record: TurnRecord) -> None:
        """Keep `record` until it can be stored; replaces an earlier one of the same turn.

        Raises:
            OSError: there is no room or no right to; nothing is left behind.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{record.turn_id}.json"
        write_whole(path, json.dumps(record.to_json()), mode=0o600)

    def waiting(self) -> list[Path]:
        """The files of turns that wait, oldest first."""
        return sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)

    def store_all(self, store: Callable[[TurnRecord], None]) -> int:
        """Hand each waiting turn to `store` and remove it after; say how many were stored.

        What can't be read, or what the database will never take, is put aside with the ending
        `.broken`, never deleted; what was begun before its person was erased is deleted.

        Raises:
            DatabaseError: the database is still lost; what waits goes on waiting.
        """
        stored = 0
        for path in self.waiting():
            try:
                store(TurnRecord(**json.loads(path.read_text())))
            except FileNotFoundError:
                continue  # another process of this person was faster
            except Erased:
                path.unlink(missing_ok=True)
                continue
            except (ValueError, TypeError, KeyError, OSError, psycopg.Error) as error:
                _log.warning("%s can't be stored: %s", path.name, type(error).__name__)
                path.replace(path.with_suffix(".broken"))
                continue
            path.unlink(missing_ok=True)
            stored += 1
        return stored
