"""HTML and SVG put together from elements. The one place where text becomes markup.

A `str` is text: it is cleaned and escaped wherever it goes. Only what `tag` and `joined` made is
`Markup` and stays as it is; an f-string of it is a `str` again, so that a slip shows, but is safe.
"""

from __future__ import annotations

from html import escape

from arxivscout.papers import clean_text

_VOID = frozenset({"meta", "br", "wbr"})
_BLOCKS = frozenset(
    """
    html head body header main footer nav section figure figcaption div p h1 h2 h3 ul ol li dl dt dd
    table caption thead tbody tfoot tr th td svg g meta title style
    """.split()
)


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: str | float | None) -> Markup:
    """An element. `class_` and `for_` stand for class and for, `aria_label` for aria-label; an
    attribute of None is left out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    end = "\n" if name in _BLOCKS else ""
    if name in _VOID:
        return Markup(f"<{name}{given}>{end}")
    return Markup(f"<{name}{given}>{joined(*children)}</{name}>{end}")


def joined(*children: str) -> Markup:
    """The children one behind the other."""
    return Markup("".join(c if isinstance(c, Markup) else _text(c) for c in children))


def _text(text: str) -> str:
    return escape(clean_text(text))
