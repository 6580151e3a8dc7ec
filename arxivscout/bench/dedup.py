"""How often the write gate takes two memories for one, and one for two, on labelled pairs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from arxivscout.embedding import Embedder
from arxivscout.errors import UsageError
from arxivscout.memory.candidate import THINGS
from arxivscout.memory.gate.judging import judge
from arxivscout.memory.gate.rows import Held

LABELS = ("same", "different", "contradicts")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories of one kind, the older one first, and what they are to one another."""

    id: str
    half: str  # "dev", on which the gate was tuned, or "test"
    group: str
    kind: str
    label: str
    older: str
    newer: str


@dataclass(slots=True)
class Tally:
    """How pairs were judged: counts by (label, judged as), and what went wrong."""

    judged: dict[tuple[str, str], int] = field(default_factory=dict)
    wrong: list[tuple[Pair, str]] = field(default_factory=list)

    def add(self, pair: Pair, judged: str) -> None:
        """Count one pair."""
        key = (pair.label, judged)
        self.judged[key] = self.judged.get(key, 0) + 1
        if judged != pair.label:
            self.wrong.append((pair, judged))

    def to_json(self) -> dict[str, Any]:
        """Counts and rates; None where there is no pair to judge by.

        false_merge: of pairs that are not the same, those that were merged. missed_duplicate: of
        those that are, those that were not. false_end: of pairs that do not contradict, those of
        which the newer ended the older. missed_end: of those that do, those that stayed side by
        side.
        """

        def rate(labels: Sequence[str], wrong: Iterable[str]) -> float | None:
            of = sum(n for (label, _), n in self.judged.items() if label in labels)
            hits = sum(self.judged.get((label, how), 0) for label in labels for how in wrong)
            return round(hits / of, 4) if of else None

        return {
            "pairs": sum(self.judged.values()),
            "false_merge": rate(("different", "contradicts"), ("same",)),
            "missed_duplicate": rate(("same",), ("different", "contradicts")),
            "false_end": rate(("same", "different"), ("contradicts",)),
            "missed_end": rate(("contradicts",), ("different",)),
        }


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a JSONL file.

    Raises:
        UsageError: it is not there, or a line of it is no pair.
    """
    pairs = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} can't be read: {error}", "Give a file of pairs by --data."
        ) from None
    for number, line in enumerate(filter(str.strip, lines), 1):
        try:
            row = json.loads(line)
            pair = Pair(row["id"], row["half"], row["class"], row["kind"], row["label"],
                        row["older"], row["newer"])  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{path}, line {number}, is no pair: {error!r}") from None
        if pair.label not in LABELS:
            raise UsageError(
                f"{path}, line {number}: the label {pair.label!r} is none of {LABELS}."
            )
        pairs.append(pair)
    if not pairs:
        raise UsageError(f"{path} has no pairs.")
    return pairs


def run(pairs: Sequence[Pair], embedder: Embedder) -> dict[str, dict[str, Tally]]:
    """Judge all pairs as the gate does; tallies by half ("dev", "test", "all") and class."""
    vectors = embedder.text_array([text for pair in pairs for text in (pair.older, pair.newer)])
    tallies: dict[str, dict[str, Tally]] = {}
    for at, pair in enumerate(pairs):
        older, newer = np.asarray(vectors[2 * at]), np.asarray(vectors[2 * at + 1])
        size = float(np.linalg.norm(older) * np.linalg.norm(newer))
        judged = judged_as(pair, float(older @ newer) / size if size else 0.0)
        for half in (pair.half, "all"):
            for group in (pair.group, "all"):
                tallies.setdefault(half, {}).setdefault(group, Tally()).add(pair, judged)
    return tallies


def judged_as(pair: Pair, likeness: float) -> str:
    """What the gate makes of a pair: one of `LABELS`."""
    older, newer = (_held(pair, text) for text in (pair.older, pair.newer))
    judgement = judge(newer, [(older, likeness)])
    if judgement.into is not None:
        return "same"
    return "contradicts" if judgement.ends or judgement.contradicts else "different"


def _held(pair: Pair, text: str) -> Held:
    return Held(uuid.uuid4(), pair.kind, text, text if pair.kind in THINGS else None)
