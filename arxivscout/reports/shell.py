"""The page around a report and around a batch: head, style, what a browser may do. No script."""

from __future__ import annotations

import functools
import hashlib
from base64 import b64encode
from pathlib import Path

from arxivscout.papers import one_line
from arxivscout.reports.markup import Markup, joined, tag


def document(title: str, contents: Markup, main: Markup, class_: str | None = None) -> str:
    """A whole page; `contents` is its table of contents, or empty."""
    style = _style()
    # Nothing may be loaded or run, and only this one style applies.
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", one_line(title)),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the content", class_="skip", href="#content"),
        contents,
        tag("main", main, id="content", tabindex="-1"),
        class_=class_,
    )
    return "<!doctype html>\n" + tag("html", head, body, lang="en")


def contents(entries: list[tuple[str, str]]) -> Markup:
    """The table of contents; `entries` are ids and headings."""
    items = joined(*(tag("li", tag("a", text, href=f"#{place}")) for place, text in entries))
    return tag("nav", tag("ol", items), aria_label="Contents", class_="contents")


def part(place: str, heading: str, *children: str, class_: str | None = None) -> Markup:
    """A section with the id `place` and its heading."""
    return tag("section", tag("h2", heading), *children, id=place, class_=class_)


def arxiv_link(text: str, url: str, class_: str | None = None) -> Markup:
    """A link to arXiv."""
    return tag("a", text, href=url, rel="noopener noreferrer", class_=class_)


@functools.cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")
