"""Every text a model reads comes from `prompts/NAME.md`, filled in strictly.

The first line of a prompt is a comment that says who renders it and with which names; a name too
many or too few is an error at the first rendering, not a hole in what the model reads.
"""

from __future__ import annotations

import re
from functools import cache

from arxivscout.resources import folder

_HOLE = re.compile(r"\{\{(\w+)\}\}")


def render(name: str, **values: str) -> str:
    """The prompt `name` with each `{{hole}}` filled once; values are never searched for holes.

    Raises:
        KeyError: `values` and the holes of the prompt differ.
    """
    text = _template(name)
    holes = set(_HOLE.findall(text))
    if holes != set(values):
        raise KeyError(f"prompt {name} has {sorted(holes)}, given {sorted(values)}")
    return _HOLE.sub(lambda hole: values[hole[1]], text)


@cache
def _template(name: str) -> str:
    first, _, text = (folder("prompts") / f"{name}.md").read_text(encoding="utf-8").partition("\n")
    if not first.startswith("<!--"):
        raise ValueError(f"prompts/{name}.md must start with a comment that says who renders it")
    return text.strip("\n")
