"""Whether the memory of dear searches takes near misses for the same question, and how it hits."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arxivscout.agent.searching import as_kept
from arxivscout.errors import UsageError
from arxivscout.memory.paper_search import find_papers
from arxivscout.memory.search_cache import SAME, keep_search, kept_search
from arxivscout.papers import parse_query

if TYPE_CHECKING:
    from arxivscout.scout import Scout

_FORGET = "DELETE FROM search_cache WHERE user_id = scout_user()"
PAIRS = Path("tests") / "benchmarks" / "cache" / "pairs.jsonl"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions, whether they ask the same, and how they differ."""

    one: str
    other: str
    same: bool
    kind: str


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Of the pairs of a class, asked either way round: hits, and how many are near by vector."""

    kind: str
    same: bool
    asked: int
    near: int
    hits: int

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "class": self.kind,
            "same": self.same,
            "asked": self.asked,
            f"cosine ≥ {SAME:g}": self.near,
            "hits": self.hits,
        }


@dataclass(frozen=True, slots=True)
class CacheScores:
    """All classes, and what a look-up costs beside a search of the papers held."""

    classes: list[ClassScores]
    look_up_ms: float
    search_ms: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        near_misses = [each for each in self.classes if not each.same]
        paraphrases = [each for each in self.classes if each.same]
        return {
            "near misses asked": sum(each.asked for each in near_misses),
            "wrong hits": sum(each.hits for each in near_misses),
            "wrong by cosine alone": sum(each.near for each in near_misses),
            "paraphrases asked": sum(each.asked for each in paraphrases),
            "hit rate": round(_share(paraphrases, "hits"), 4),
            "hit rate by cosine alone": round(_share(paraphrases, "near"), 4),
            "look-up median ms": round(self.look_up_ms, 2),
            "search median ms": round(self.search_ms, 2),
        }


def load_pairs(path: Path) -> list[Pair]:
    """The pairs of a file of JSON lines.

    Raises:
        UsageError: it can't be read, or a line is no pair.
    """
    try:
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        return [Pair(each["a"], each["b"], bool(each["same"]), each["class"]) for each in records]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} holds no pairs of questions: {error!r}.") from None


def measure(scout: Scout, pairs: Sequence[Pair]) -> CacheScores:
    """Put each pair to the memory of searches: one question is kept, and the other asked."""
    found: dict[tuple[str, bool], list[tuple[bool, bool]]] = {}
    look_ups, searches = [], []
    for place, pair in enumerate(pairs):
        for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
            kept, asked = (
                as_kept(scout.embedder, parse_query(text), "bench", place, one)
                for text in (one, other)
            )
            keep_search(scout.database, scout.user, kept, ["0712.2288"])
            began = time.perf_counter()
            hit = kept_search(scout.database, scout.user, asked) is not None
            look_ups.append((time.perf_counter() - began) * 1000)
            near = sum(a * b for a, b in zip(kept.vector, asked.vector, strict=True)) >= SAME
            found.setdefault((pair.kind, pair.same), []).append((near, hit))
        began = time.perf_counter()
        find_papers(scout.database, scout.embedder, pair.other)
        searches.append((time.perf_counter() - began) * 1000)
    classes = [
        ClassScores(
            kind, same, len(each), sum(near for near, _ in each), sum(hit for _, hit in each)
        )
        for (kind, same), each in found.items()
    ]
    return CacheScores(classes, statistics.median(look_ups), statistics.median(searches))


def forget(scout: Scout) -> None:
    """Delete what the person made for the measurement left."""
    scout.database.batch(scout.user, [(_FORGET, {})])


def _share(classes: Sequence[ClassScores], what: str) -> float:
    asked = sum(each.asked for each in classes)
    return sum(getattr(each, what) for each in classes) / asked if asked else 0.0
