"""Words of one meaning, in five languages, and those of the opposite one (`words.txt`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from arxivscout.papers import fold_accents

_FILE = Path(__file__).with_name("words.txt")
LONGEST = 4  # words of a form
_ENDINGS = (
    ("isation", "iz"), ("ization", "iz"), ("ising", "iz"), ("izing", "iz"), ("ised", "iz"),
    ("ized", "iz"), ("ise", "iz"), ("ize", "iz"), ("ations", "at"), ("ation", "at"),
    ("ating", "at"), ("ated", "at"), ("ate", "at"), ("ies", "y"), ("ied", "y"), ("iness", "y"),
    ("ness", ""), ("ings", ""), ("ing", ""), ("edly", ""), ("ed", ""), ("ely", ""), ("ly", ""),
    ("es", ""), ("s", ""), ("e", ""),
)  # fmt: skip
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a form means: its key ("" says nothing of its own), whether it turns the sentence round,
    the attribute of which it is a value, and whether it is English.
    """

    key: str
    turns: bool = False
    attribute: str | None = None
    english: bool = True


def folded(word: str) -> str:
    """A word in small letters without accents."""
    return fold_accents(word).casefold().replace("’", "'")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A folded word without its commonest English endings."""
    word = word.removesuffix("'s").removesuffix("'")
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return _DOUBLED.sub(r"\1", word[: -len(ending)]) + instead
    return word


@lru_cache(maxsize=1)
def _forms() -> tuple[dict[tuple[str, ...], Meaning], dict[str, Meaning]]:
    """What whole forms mean, and what words that begin so do."""
    whole: dict[tuple[str, ...], Meaning] = {}
    begun: dict[str, Meaning] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, rest = line.partition(": ")
        attribute, _, key = head.rpartition(" ")
        for turns, half in enumerate(f" {rest}".split(" ! ")):
            for foreign, part in enumerate(half.split("|")):
                meaning = Meaning(
                    "" if key == "~" else key,
                    bool(turns),
                    attribute.removeprefix("@") or None,
                    not foreign,
                )
                for form in part.split():
                    if form.endswith("*"):
                        begun.setdefault(form[:-1], meaning)
                    else:
                        words = re.split("[_-]", form)
                        whole.setdefault(tuple(words), meaning)
                        if not foreign:
                            whole.setdefault(tuple(map(stem, words)), meaning)
    return whole, begun


def meaning_of(words: tuple[str, ...]) -> Meaning | None:
    """What folded words mean together; None if they are no form that is known."""
    whole, begun = _forms()
    found = whole.get(words) or whole.get(tuple(map(stem, words)))
    if found is None and len(words) == 1:
        word = words[0]
        for length in range(len(word), 2, -1):
            if found := begun.get(word[:length]):
                break
    return found
