"""Every fact of the starter collection stands in arXiv's own record, and no summary is copied."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

STARTER = Path(__file__).parents[2] / "data" / "starter.jsonl"
LONGEST_COMMON_RUN = 7  # words

pytestmark = pytest.mark.records


@pytest.fixture(scope="module")
def pairs(data_dir: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(our row, arXiv's record) for each paper of the collection."""
    lines = STARTER.read_text(encoding="utf-8").splitlines()
    rows = {row["arxiv_id"]: row for row in map(json.loads, lines)}
    records: dict[str, dict[str, Any]] = {}
    source = data_dir / "arxiv_meta" / "core_25k.jsonl.gz"
    with gzip.open(source, "rt", encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            if record["arxiv_id"] in rows:
                records.setdefault(record["arxiv_id"], record)
    assert set(records) == set(rows)
    return [(row, records[arxiv_id]) for arxiv_id, row in rows.items()]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def test_bibliographic_facts_are_the_records(
    pairs: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    for row, record in pairs:
        name = row["arxiv_id"]
        assert row["title"] == " ".join(record["title"].split()), name
        named = [" ".join(author.split()) for author in record.get("authors", ())]
        assert row.get("authors", []) == named, name
        for key in ("categories", "primary_category", "version", "doi", "journal_ref"):
            assert row.get(key) == (record.get(key) or None), (name, key)
        assert row["published"] in (record.get("published"), record["month"]), name
        assert not record["withdrawn"], name


def test_no_summary_copies_its_abstract(
    pairs: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    run = LONGEST_COMMON_RUN + 1
    for row, record in pairs:
        theirs, ours = words(record["abstract"]), words(row["summary"])
        known = {tuple(theirs[at : at + run]) for at in range(len(theirs) - run + 1)}
        copied = [" ".join(ours[at : at + run]) for at in range(len(ours) - run + 1)
                  if tuple(ours[at : at + run]) in known]  # fmt: skip
        assert copied == [], row["arxiv_id"]
