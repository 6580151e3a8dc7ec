"""Real conversations condensed: what was decided, counted, dated and named is still there."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arxivscout.agent.condensing import CONDENSE_ABOVE, LENGTH
from arxivscout.context.budget import count_tokens
from arxivscout.context.condense import condense
from arxivscout.context.importance import decides, facts
from arxivscout.papers.sentences import split_sentences

pytestmark = pytest.mark.records


def halves(data_dir: Path) -> Iterator[list[tuple[str, str]]]:
    """Pieces of LoCoMo's conversations as long as what is condensed at a time."""
    piece: list[tuple[str, str]] = []
    last, size = "", 0
    with gzip.open(data_dir / "memory/locomo/turns.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            turn = json.loads(line)
            if turn["conv"] != last or size > CONDENSE_ABOVE / 2:
                if piece:
                    yield piece
                piece, size, last = [], 0, turn["conv"]
            piece.append(("user" if len(piece) % 2 == 0 else "assistant", turn["text"]))
            size += count_tokens(turn["text"])
    yield piece


def test_summaries_of_conversations_keep_decisions_and_facts(data_dir: Path) -> None:
    wanted = held = decided = kept = before = after = 0
    for piece in halves(data_dir):
        size = sum(count_tokens(text) for _, text in piece)
        summary = condense(piece, int(size * LENGTH))
        found = set(facts(summary))
        sentences = [each for _, text in piece for each in split_sentences(text)]
        for fact in (fact for each in sentences for fact in facts(each)):
            wanted, held = wanted + 1, held + (fact in found)
        for line in (" ".join(each.split()) for each in sentences if decides(each)):
            decided, kept = decided + 1, kept + (line in summary)
        before, after = before + size, after + count_tokens(summary)
    print(f"facts {held}/{wanted}, decisions {kept}/{decided}, tokens {after / before:.3f}")
    assert wanted > 500 and held >= 0.95 * wanted
    assert decided > 500 and kept >= 0.95 * decided
    assert after < 0.35 * before
