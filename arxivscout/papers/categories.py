"""arXiv's categories as people write them: `cs.CL`, `quant-ph`."""

from __future__ import annotations

import re
from collections.abc import Iterable

GROUPED = r"(?:cs|math|physics|astro-ph|cond-mat|nlin|q-bio|q-fin|stat|eess|econ)"
ARCHIVES = (
    r"(?:astro-ph|cond-mat|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|nucl-ex|nucl-th|quant-ph"
    r"|q-bio|q-fin)"
)
_CATEGORY = re.compile(
    rf"(?<![\w./-])(?P<group>{GROUPED})\.(?P<part>[a-z]{{2}}(?:-[a-z]{{2,4}})?)(?![\w/-])"
    rf"|(?<![\w./-]){ARCHIVES}(?![\w./-]*\w)",
    re.IGNORECASE,
)


def find_categories(text: str) -> tuple[tuple[str, ...], str]:
    """The categories named in `text`, as arXiv writes them, and the text without them."""
    found = [
        f"{each['group'].lower()}.{_part(each['part'])}" if each["group"] else each[0].lower()
        for each in _CATEGORY.finditer(text)
    ]
    return tuple(dict.fromkeys(found)), _CATEGORY.sub(" ", text)


def within(categories: Iterable[str], wanted: str) -> bool:
    """Whether one of a paper's `categories` is `wanted` or belongs to that archive."""
    return any(each == wanted or each.startswith(f"{wanted}.") for each in categories)


def _part(part: str) -> str:
    return part.upper() if len(part) == 2 else part.lower()
