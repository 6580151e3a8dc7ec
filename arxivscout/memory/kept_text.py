"""What is kept of a person: clean, and without secrets, addresses and phone numbers.

All that is asked, answered, learned, noted, named, logged or condensed passes here before it is
stored. A question does so before anybody reads it (`agent/understanding.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arxivscout.errors import UsageError
from arxivscout.memory.metadata import clean_metadata
from arxivscout.papers import clean_text
from arxivscout.redaction import holds_secret, redacted

# What these hold is looked up as it is: names of threads and things, and ids.
_NAMING = frozenset(
    {"thread_id", "turn_id", "message_ids", "summary_ids", "arxiv_id", "arxiv_ids"}
    | {"name", "category", "type"}
)


def kept_text(text: str) -> str:
    """`text` as it is remembered."""
    return redacted(clean_text(text))


def kept_name(name: str, what: str) -> str:
    """`name`, which is looked up as it is, so that nothing can be taken out of it.

    Args:
        what: is named, with its article.

    Raises:
        UsageError: it holds a secret or an address.
    """
    if holds_secret(name):
        raise UsageError(f"The name of {what} holds no secret, no address.", "Name it otherwise.")
    return name


def kept_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """`metadata` as plain JSON values that hold no secret; names and ids stay.

    Raises:
        ValueError: a value that JSON can't hold.
    """
    return {
        key: value if key in _NAMING else kept_value(value, key)
        for key, value in clean_metadata(metadata).items()
    }


def kept_value(value: Any, called: str = "") -> Any:
    """A JSON value without secrets; `called` is its key, which may say that it is one."""
    if isinstance(value, str):
        named = redacted(f"{called}: {value}") if called else ""
        return named[len(called) + 2 :] if named.startswith(f"{called}: ") else redacted(value)
    if isinstance(value, list):
        return [kept_value(each, called) for each in value]
    if isinstance(value, dict):
        return {key: kept_value(each, key) for key, each in value.items()}
    return value
