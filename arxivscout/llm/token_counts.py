"""What a model's own tokens are to our estimate, learned from the usage that its provider reports.

Kept in the home folder, a few numbers a model: it is the installation's, is there without the
database, and what is lost of it is learned again in a turn.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from arxivscout.whole_files import write_whole

KEPT = 15  # calls; the factor is the median of their ratios, which no outlier moves
LEAST_ESTIMATED = 100  # tokens; shorter calls say more of the frame than of the text
RANGE = (0.2, 5.0)  # ratios beyond tell of a provider that counts something else
LIMIT_HOLDS = timedelta(days=1)  # a server may be started anew with a larger window


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known of one model: (estimated, reported) tokens of its calls, the newest last."""

    calls: tuple[tuple[int, int], ...] = ()
    limit: int | None = None  # tokens that the provider said the model reads, when it refused more
    limit_at: str = ""  # ISO 8601, UTC

    @property
    def factor(self) -> float:
        """The model's tokens for one estimated; 1 before anything is known."""
        return statistics.median(reported / said for said, reported in self.calls or ((1, 1),))

    def predicted(self, estimated: int) -> int:
        """The model's tokens for so many estimated ones."""
        return round(estimated * self.factor)

    def estimated(self, tokens: int) -> int:
        """How many estimated tokens stand for so many of the model's."""
        return int(tokens / self.factor)

    def learned(self, estimated: int, reported: int) -> Calibration:
        """The same after one more call."""
        if estimated < LEAST_ESTIMATED or not RANGE[0] <= reported / estimated <= RANGE[1]:
            return self
        return replace(self, calls=(*self.calls, (estimated, reported))[-KEPT:])

    def refused(self, limit: int, now: datetime) -> Calibration:
        """The same after the provider refused what was longer than `limit`."""
        return replace(self, limit=limit, limit_at=now.isoformat())

    def window(self, window: int, now: datetime) -> int:
        """`window`, or what the provider said lately that the model reads, if that is less."""
        if self.limit is None or now - datetime.fromisoformat(self.limit_at) > LIMIT_HOLDS:
            return window
        return min(window, self.limit)


class Calibrations:
    """The calibrations of all models, in one file of the home folder."""

    def __init__(self, home: Path) -> None:
        self._path = home / "token_counts.json"

    def of(self, model: str) -> Calibration:
        """What is known of a model; nothing where the file can't be read."""
        return _read(self._kept().get(model))

    def learn(self, model: str, estimated: int, reported: int) -> None:
        """Keep the tokens of one call."""
        before = self.of(model)
        if (after := before.learned(estimated, reported)) != before:
            self._keep(model, after)

    def refuse(self, model: str, limit: int) -> None:
        """Keep what the provider said that the model reads."""
        self._keep(model, self.of(model).refused(limit, datetime.now(UTC)))

    def _kept(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _keep(self, model: str, calibration: Calibration) -> None:
        kept = self._kept()
        kept[model] = {
            "calls": [list(call) for call in calibration.calls],
            "limit": calibration.limit,
            "limit_at": calibration.limit_at,
        }
        with suppress(OSError):  # then it is learned again by the next process
            write_whole(self._path, json.dumps(kept))


def _read(kept: object) -> Calibration:
    """A calibration as it was written; an empty one for anything else."""
    if not isinstance(kept, Mapping):
        return Calibration()
    try:
        calls = tuple((int(said), int(reported)) for said, reported in kept["calls"])
        limit, at = kept.get("limit"), str(kept.get("limit_at") or "")
        if limit is not None:
            datetime.fromisoformat(at)
            limit = int(limit)
    except (KeyError, TypeError, ValueError, OverflowError):
        return Calibration()
    known = Calibration(limit=limit, limit_at=at)
    for said, reported in calls:
        known = known.learned(said, reported)
    return known
