"""How a model's window is shared out: for each named part its share, the least and the most;
and by which strategy the conversation's part is filled.

The names and defaults stand here, below the settings that may change them; what goes into the
parts is the business of `context`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

# What of the running conversation stays in the window (context/working_memory.py).
Strategy = Literal["window", "summaries", "importance", "hybrid"]

NO_END = 10_000_000  # tokens; as good as no upper bound


@dataclass(frozen=True, slots=True)
class Share:
    """One part of the window: its share (0 to 1), and tokens it gets at least and at most.

    The least is given before the shares are, as far as there is that much to put in.
    """

    share: float
    least: int = 0
    most: int = NO_END

    def of(self, window: int) -> int:
        """Tokens of a window of that size."""
        return min(max(int(window * self.share), self.least), self.most)


# In the order in which the model reads them. The parts together are the whole window.
DEFAULT_SHARES: dict[str, Share] = {
    "rules": Share(0.015),
    "awareness": Share(0.015),
    "tools": Share(0.06, 5_800),  # all of ours; never more than a fifth of the window
    "preferences": Share(0.03, 120, 4_000),
    "lessons": Share(0.015, 100, 2_000),
    "summaries": Share(0.05, 120, 6_000),
    "workflows": Share(0.015, 0, 1_500),
    "tool_logs": Share(0.01, 0, 1_000),
    "notes": Share(0.02, 0, 3_000),
    "knowledge": Share(0.22, 120, 24_000),
    "related": Share(0.01, 0, 1_000),
    "findings": Share(0.03, 0, 3_000),
    "looked_at": Share(0.015, 0, 1_500),
    # What a small window gains most by (`arxivscout bench context --threads`).
    "earlier": Share(0.05, 500, 4_000),
    "understood": Share(0.01, 60, 1_000),
    "recent": Share(0.15, 200, 24_000),
    "results": Share(0.13, 200),
    "question": Share(0.0325),
    "answer": Share(0.0625, 500, 8_000),
    "margin": Share(0.06),
}

_FORM = re.compile(
    r"(?P<share>\d*\.?\d+)\s*(?P<percent>%)?(?:\s*:\s*(?P<least>\d+)?\s*-\s*(?P<most>\d+)?)?"
)
_HOW = "Write NAME=SHARE or NAME=SHARE:LEAST-MOST, as in knowledge=0.3:500-8000"


def parse_shares(given: str | Mapping[str, Any]) -> dict[str, Share]:
    """The default shares with those given in their place.

    Args:
        given: `knowledge=0.3, recent=20%:500-8000`, or a mapping of names to such values.

    Raises:
        ValueError: an unknown part, a form or a number that can't be, or a sum over 1.
    """
    shares = dict(DEFAULT_SHARES)
    for name, value in _pairs(given).items():
        if name not in shares:
            raise ValueError(
                f"no part of the window is called {name[:40]!r}; known: {', '.join(shares)}"
            )
        found = _FORM.fullmatch(str(value).strip())
        if found is None:
            raise ValueError(f"{name}={str(value)[:40]!r} is no share. {_HOW}")
        share = float(found["share"]) / (100 if found["percent"] else 1)
        changed = replace(
            shares[name],
            share=share,
            **{end: int(found[end]) for end in ("least", "most") if found[end]},
        )
        if not 0 <= share <= 1:
            raise ValueError(f"{name}={value} is no share: it lies between 0 and 1")
        if changed.least > changed.most:
            raise ValueError(f"{name} would get {changed.least} tokens at least, and at most less")
        shares[name] = changed
    total = sum(each.share for each in shares.values())
    if total > 1.0001:
        largest = max(shares, key=lambda name: shares[name].share)
        raise ValueError(
            f"the shares of the window add up to {total:.2f}, and may to 1; take {total - 1:.2f} "
            f"away, from {largest} for example ({shares[largest].share:g} now)"
        )
    return shares


def _pairs(given: str | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(given, str):
        return dict(given)
    pairs: dict[str, Any] = {}
    for part in filter(None, (each.strip() for each in given.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part[:40]!r} is no share. {_HOW}")
        pairs[name.strip()] = value.strip()
    return pairs
