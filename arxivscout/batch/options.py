"""How a batch is run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.errors import UsageError

_BUDGET = re.compile(
    r"(?:(?P<money>\$\s*(?P<dollars>\d+(?:\.\d+)?))|(?P<tokens>\d+(?:\.\d+)?)\s*(?P<unit>[kKmM]?))"
)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that all jobs of a batch together may take: tokens, or money."""

    tokens: int | None = None
    money: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """`200000`, `200k`, `1.5M` tokens, or `$2.50`.

        Raises:
            UsageError: neither.
        """
        found = _BUDGET.fullmatch(text.strip())
        if found and found["money"]:
            return cls(money=float(found["dollars"]))
        if found and (tokens := round(float(found["tokens"]) * _UNITS[found["unit"].lower()])):
            return cls(tokens=tokens)
        raise UsageError(
            f"{text[:40]!a} is no budget.", "Give tokens (200000, 200k, 1.5M) or money ($2.50)."
        )

    def spent(self, tokens: int, cost: float | None) -> bool:
        """Whether no further job may begin. A cost that is not known counts as nothing."""
        if self.tokens is not None:
            return tokens >= self.tokens
        return self.money is not None and (cost or 0.0) >= self.money


@dataclass(frozen=True, slots=True)
class Options:
    """`timeout_s`: for one job; `max_failures`: failed jobs after which no further one begins."""

    concurrency: int = 1
    budget: Budget | None = None
    max_failures: int | None = None
    timeout_s: float = 1_800.0
