"""What of a person lies beside the database: turns that wait, what they typed, backups."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from arxivscout.whole_files import write_whole

_BACKUPS = "backups.json"


def named_after(user: str) -> str:
    """A file's name for a person, whose own name may hold what a file's can't."""
    return hashlib.sha256(user.encode()).hexdigest()[:16]


def waiting_turns(home: Path, user: str) -> Path:
    """The folder of the turns that wait for a lost database."""
    return home / "outbox" / named_after(user)


def typed_lines(home: Path, user: str) -> Path:
    """The file with the lines typed in the chat."""
    return home / "history" / named_after(user)


def remove_files(home: Path, user: str) -> list[Path]:
    """Remove the person's files; the paths of those that were there.

    Raises:
        OSError: one can't be removed.
    """
    turns, lines = waiting_turns(home, user), typed_lines(home, user)
    removed = [each for each in (turns, lines) if each.exists()]
    if turns.exists():
        shutil.rmtree(turns)
    lines.unlink(missing_ok=True)
    return removed


def note_backup(home: Path, file: Path) -> None:
    """Note that a backup was written, to be told of when somebody is erased."""
    known = dict.fromkeys([*map(str, _noted(home)), str(file.resolve())])
    home.mkdir(parents=True, exist_ok=True)
    write_whole(home / _BACKUPS, json.dumps(list(known), indent=1), mode=0o600)


def backups(home: Path) -> list[Path]:
    """The backups written from this home that are still there."""
    return [each for each in _noted(home) if each.exists()]


def _noted(home: Path) -> list[Path]:
    try:
        noted = json.loads((home / _BACKUPS).read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [Path(each) for each in noted if isinstance(each, str)] if type(noted) is list else []
