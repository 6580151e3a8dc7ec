"""Real full texts cut into passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arxivscout.papers.passages import LEAST, MOST, Passage, cut_passages
from arxivscout.papers.units import count_pieces, formulas, units_of
from arxivscout.sources.documents import Document, read_full_texts

pytestmark = pytest.mark.records


@pytest.fixture(scope="module")
def documents(data_dir: Path) -> list[Document]:
    found = list(read_full_texts(data_dir / "fulltext" / "unarxive_49.jsonl.gz"))
    assert all(isinstance(each, Document) for each in found)
    return [each for each in found if isinstance(each, Document)]


def passages(document: Document) -> Iterator[Passage]:
    for part in cut_passages(document.text.sections):
        yield from part.passages


def test_every_record_is_a_document_with_its_licence(documents: list[Document]) -> None:
    assert len(documents) == 49
    assert all(each.text.licence and each.paper for each in documents)
    assert sum(len(each.text.references) for each in documents) > 1_700


def test_nothing_is_lost_and_sizes_hold(documents: list[Document]) -> None:
    sizes = []
    for document in documents:
        cut = list(passages(document))
        texts = ["".join(each.text.split()) for each in cut]
        for section in document.text.sections:
            for unit in units_of(section):
                bare = "".join(unit.text.split())
                assert any(bare in text for text in texts)
        sizes += [count_pieces(each.text) for each in cut]
    within = sum(LEAST <= size <= MOST for size in sizes)
    assert within >= 0.98 * len(sizes), "the others are beside one that is too large, or alone"
    assert 256 <= sorted(sizes)[len(sizes) // 2] <= 360


def test_no_formula_is_cut(documents: list[Document]) -> None:
    for document in documents:
        texts = [each.text for each in passages(document)]
        for section in document.text.sections:
            for block in section.blocks:
                for begin, end in formulas(block.text):
                    assert any(block.text[begin:end] in text for text in texts)
