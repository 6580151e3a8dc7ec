"""What goes into a JSON column: cleaned, and refused with a reason when JSON can't hold it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from arxivscout.papers import clean_text

_DEEPEST = 64


def clean_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """`metadata` as plain JSON values with clean text in keys and values; None becomes {}.

    Raises:
        ValueError: a value that JSON can't hold, named with its place.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise ValueError(f"metadata must be a dict, not {type(metadata).__name__}")
    cleaned = _clean(metadata, "metadata", lossy=False, depth=0)
    assert isinstance(cleaned, dict)
    return cleaned


def clean_arguments(value: Any) -> Any:
    """`value` as plain JSON values: what JSON can't hold is written as text, nothing is refused.

    For audit rows, which must not get lost because of an odd argument.
    """
    return _clean(value, "tool_input", lossy=True, depth=0)


def merged(kept: Mapping[str, Any] | None, new: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept, with the new values over it; keys stay in their order, new ones come last."""
    return {**(kept or {}), **new}


def _clean(value: Any, place: str, *, lossy: bool, depth: int) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, UUID):  # the ids that writing gives back
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, Mapping | list | tuple) and depth < _DEEPEST:
        if not isinstance(value, Mapping):
            return [
                _clean(item, f"{place}[{i}]", lossy=lossy, depth=depth + 1)
                for i, item in enumerate(value)
            ]
        return {
            _key(key, place, lossy=lossy): _clean(
                item, f"{place}[{key!r}]", lossy=lossy, depth=depth + 1
            )
            for key, item in value.items()
        }
    if lossy:
        return clean_text(str(value))
    what = f"{value} is no JSON number" if isinstance(value, float) else type(value).__name__
    if isinstance(value, Mapping | list | tuple):
        what = f"nested deeper than {_DEEPEST} levels"
    raise ValueError(f"{place} can't be kept as JSON: {what}")


def _key(key: Any, place: str, *, lossy: bool) -> str:
    if isinstance(key, str):
        return clean_text(key)
    if lossy or (isinstance(key, int) and not isinstance(key, bool)):
        return clean_text(str(key))
    raise ValueError(f"{place} can't be kept as JSON: its key {key!r} is no text")
