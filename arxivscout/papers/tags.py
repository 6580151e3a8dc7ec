"""Tags: what may be one, and how it is written."""

from __future__ import annotations

from arxivscout.papers.text import one_line

LONGEST_TAG = 100
MOST_TAGS = 100  # of one paper


def clean_tag(text: str) -> str | None:
    """The tag that `text` is, small and without its `#`; None if it can't be one."""
    tag = one_line(text).lstrip("#").strip().lower()
    return tag if tag and len(tag) <= LONGEST_TAG and "," not in tag else None


def shown_tag(tag: str) -> str:
    """A tag as it stands in text: `#mesons`, and where it has a blank `#"dark matter"`."""
    return f'#"{tag}"' if " " in tag else f"#{tag}"
