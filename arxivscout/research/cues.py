"""Patterns of what authors say, in words: `<name>` in one stands for any of a list of words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cues:
    """How something is said, and what says another thing in nearly the same words."""

    said: tuple[re.Pattern[str], ...]
    turned: re.Pattern[str]

    def tell(self, sentence: str) -> bool:
        """Whether the sentence says it."""
        return any(pattern.search(sentence) for pattern in self.said) and not self.turned.search(
            sentence
        )


def cues(words: Mapping[str, str], said: str, turned: str) -> Cues:
    """The cues of two lists of patterns, a line each.

    Args:
        words: what each `<name>` stands for: alternatives with a blank between, `_` for a blank.
        said: any of these says it.
        turned: unless one of these stands in the sentence.
    """
    groups = {name: f"(?:{'|'.join(text.split())})" for name, text in words.items()}

    def compiled(pattern: str) -> str:
        for name in re.findall(r"(?<!\(\?)<([a-z_]+)>", pattern):
            pattern = pattern.replace(f"<{name}>", groups[name].replace("_", " "))
        return pattern.strip()

    return Cues(
        tuple(re.compile(compiled(line), re.IGNORECASE) for line in _lines(said)),
        re.compile("|".join(f"(?:{compiled(line)})" for line in _lines(turned)), re.IGNORECASE),
    )


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]
