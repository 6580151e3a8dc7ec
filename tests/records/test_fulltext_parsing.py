"""Real full texts: as records all of them, and set in two columns a few, come back whole."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pdf_typesetter import Part, Setting, typeset

from arxivscout.papers.ids import PaperId
from arxivscout.papers.text import one_line
from arxivscout.sources.fulltext import full_text_of_records
from arxivscout.sources.fulltext.pdf_text import read_pdf_text
from arxivscout.sources.fulltext.references import reference_of

pytestmark = pytest.mark.records

_SET = 6  # papers that are set and read back


@pytest.fixture(scope="module")
def records(data_dir: Path) -> list[dict[str, Any]]:
    path = data_dir / "fulltext" / "unarxive_49.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _id(entry: dict[str, Any]) -> str | None:
    return PaperId.parse(entry["arxiv_id"]).value if entry["arxiv_id"] else None


def test_every_record_is_a_full_text_with_all_its_words(records: list[dict[str, Any]]) -> None:
    assert len(records) == 49
    for record in records:
        text = full_text_of_records(record)
        said = [block.text for section in text.sections for block in section.blocks]
        given = [one_line(record["abstract"])]
        given += [one_line(paragraph["text"]) for paragraph in record["paragraphs"]]
        assert " ".join(said).split() == " ".join(given).split()
        assert text.notes == ()
        assert (text.arxiv_id, text.licence) == (record["arxiv_id"], record["license"])
        known = [entry for entry in record["bibliography"] if one_line(entry["raw"])]
        assert len(text.references) == len(known)
        told = [_id(entry) for entry in known if entry["arxiv_id"]]
        assert not Counter(told) - Counter(reference.arxiv_id for reference in text.references)


def test_ids_are_found_in_entries_and_none_is_made_up(records: list[dict[str, Any]]) -> None:
    wrong, missed, right = [], [], 0
    for record in records:
        for entry in record["bibliography"]:
            told, found = _id(entry), reference_of(entry["raw"]).arxiv_id
            if found and told and found != told:
                wrong.append((entry["raw"], told, found))
            elif told and not found and re.search(rf"(?<!\d){re.escape(told)}", entry["raw"]):
                missed.append(entry["raw"])
            right += bool(found and found == told)
    print(f"{right} right, {len(wrong)} wrong, {len(missed)} missed")
    assert right
    assert (wrong, missed) == ([], [])


def _plain(text: str) -> str:
    return one_line(text.encode("cp1252", "replace").decode("cp1252"))


def test_real_texts_set_in_two_columns_come_back(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    shares = Counter[str]()
    for record in records[:_SET]:
        paragraphs = [_plain(paragraph["text"]) for paragraph in record["paragraphs"]]
        parts = [Part("title", _plain(record["title"]), wide=True)]
        headings = []
        for paragraph, text in zip(record["paragraphs"], paragraphs, strict=True):
            heading = _plain(paragraph["section"])
            if heading and (not headings or headings[-1] != heading):
                headings.append(heading)
                number = paragraph["sec_number"].removeprefix("-1")
                parts.append(Part("heading", f"{number} {heading}".strip()))
            parts.append(Part("paragraph", text))
        setting = Setting(
            columns=2, hyphenate=True, ligatures=True, header="A running head", page_numbers=True
        )
        path = tmp_path / "paper.pdf"
        path.write_bytes(typeset(parts, setting))
        paper = read_pdf_text(path, most_pages=2000)
        blocks = [block.text for section in paper.sections for block in section.blocks]
        want, got = " ".join(paragraphs).split(), " ".join(blocks).split()
        shares["words"] += len(want)
        shares["words right"] += sum((Counter(want) & Counter(got)).values())
        shares["paragraphs"] += len(paragraphs)
        shares["paragraphs right"] += len(set(paragraphs) & set(blocks))
        found = {section.path[-1] for section in paper.sections if section.path}
        shares["headings"] += len(set(headings))
        shares["headings right"] += len(set(headings) & found)
    print(dict(shares))
    assert shares["words right"] > 0.99 * shares["words"]
    assert shares["paragraphs right"] > 0.85 * shares["paragraphs"]
    assert shares["headings right"] > 0.95 * shares["headings"]
