"""What goes into long-term memory: clean, and without secrets, addresses and phone numbers.

The conversation itself stays as it was said; what is learned, noted, logged or condensed of it
passes here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arxivscout.memory.metadata import clean_metadata
from arxivscout.papers import clean_text
from arxivscout.redaction import redacted

# What these hold is looked up as it is: names of threads and things, and ids.
_NAMING = frozenset(
    {"thread_id", "turn_id", "message_ids", "summary_ids", "arxiv_id", "arxiv_ids"}
    | {"name", "category", "type"}
)


def kept_text(text: str) -> str:
    """`text` as it is remembered."""
    return redacted(clean_text(text))


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
