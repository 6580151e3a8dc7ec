"""What shall be done with memories that nobody touches any more: a policy for each category.

They stand here, below the settings that bring them; `memory/policies.py` finds what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Action = Literal["archive", "delete"]

_FORM = re.compile(r"(archive|delete) after (\d{1,5}) days?", re.I)
_HOW = "must be NAME=archive after N days, NAME=delete after N days, …, or a table of them"
_MOST_NAME = 60  # characters of a category's name


@dataclass(frozen=True, slots=True)
class Policy:
    """Memories of a category that were untouched for so many days are archived, or deleted."""

    action: Action
    days: int

    def __str__(self) -> str:
        return f"{self.action} after {self.days} day{'s' if self.days != 1 else ''}"


def parse_policies(given: Any) -> dict[str, Policy]:
    """Policies by category, from a table or from `small talk=delete after 14 days, …`.

    Raises:
        ValueError: anything else, with what is wrong.
    """
    if isinstance(given, str):
        pairs = [each.partition("=") for each in given.split(",") if each.strip()]
        if any(not equals for _, equals, _ in pairs):
            raise ValueError(_HOW)
        given = {name.strip(): policy.strip() for name, _, policy in pairs}
    if not isinstance(given, Mapping):
        raise ValueError(_HOW)
    return {_category(name): _policy(name, policy) for name, policy in given.items()}


def _category(name: Any) -> str:
    text = " ".join(str(name).split()).lower()
    if not text or len(text) > _MOST_NAME or not text.isprintable():
        raise ValueError(f"{str(name)[:40]!a} can't name a category of memories")
    return text


def _policy(name: Any, given: Any) -> Policy:
    if isinstance(given, Policy):
        return given
    found = _FORM.fullmatch(" ".join(given.split())) if isinstance(given, str) else None
    if found is None:
        raise ValueError(
            f"{str(given)[:40]!a} is no policy for {str(name)[:40]!a}; it looks like "
            "“archive after 90 days” or “delete after 14 days”"
        )
    action: Action = "archive" if found[1].lower() == "archive" else "delete"
    if int(found[2]) < 1:
        raise ValueError(f"the policy for {str(name)[:40]!a} leaves no day; the least is 1 day")
    return Policy(action, int(found[2]))
