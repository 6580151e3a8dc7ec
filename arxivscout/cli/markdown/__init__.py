"""Markdown on a terminal while it is being written: append-only, nothing is drawn twice.

    pieces ──clean──► characters ──blocks──► lines ──inline──► styled words ──lines──► console

However a text is cut into pieces, the same comes out: every decision rests on the characters
before it, and waits when those that follow could change it.
"""

from __future__ import annotations

from arxivscout.cli.markdown.blocks import MarkdownStream
from arxivscout.cli.markdown.plain import PlainStream

__all__ = ["MarkdownStream", "PlainStream"]
