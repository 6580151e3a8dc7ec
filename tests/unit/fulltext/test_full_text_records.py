"""Full texts as records, and full texts as JSON between processes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.errors import SourceError
from arxivscout.papers.fulltext import Block, FullText, Reference, Section
from arxivscout.sources.fulltext import full_text_of_records
from arxivscout.sources.fulltext.wire import from_json, to_json

RECORD: dict[str, Any] = {
    "arxiv_id": "2212.11867",
    "title": "Zeros of  polynomials",
    "abstract": "We show that\nzeros are dense.",
    "license": "http://creativecommons.org/licenses/by/4.0/",
    "paragraphs": [
        {"section": "", "sec_number": "-1", "type": "paragraph", "text": "Before all."},
        {"section": "Methods", "sec_number": "2", "type": "paragraph", "text": "We do $x$."},
        {"section": "Data", "sec_number": "2.1", "type": "list", "text": "one\ntwo"},
        {"section": "Data", "sec_number": "2.1", "type": "proof", "text": "Clear."},
        {"section": "Notes", "sec_number": "7.1", "type": "paragraph", "text": "No seven."},
    ],
    "bibliography": [
        {"raw": "T. Alazard. On roots. 2022.", "arxiv_id": "2104.06921", "doi": None},
        {"raw": "S. Byun. Zeros. doi:10.1090/tran/8674", "arxiv_id": None, "doi": None},
        {"raw": "", "arxiv_id": None, "doi": None},
    ],
}


def test_a_record_becomes_a_full_text() -> None:
    assert full_text_of_records(RECORD) == FullText(
        kind="records",
        sections=(
            Section(("Abstract",), (Block("We show that zeros are dense."),)),
            Section((), (Block("Before all."),)),
            Section(("Methods",), (Block("We do $x$."),)),
            Section(("Methods", "Data"), (Block("one\ntwo", "list"), Block("Clear."))),
            Section(("Notes",), (Block("No seven."),)),
        ),
        references=(
            Reference(text="T. Alazard. On roots. 2022.", arxiv_id="2104.06921"),
            Reference(text="S. Byun. Zeros. doi:10.1090/tran/8674", doi="10.1090/tran/8674"),
        ),
        title="Zeros of polynomials",
        licence="http://creativecommons.org/licenses/by/4.0/",
        arxiv_id="2212.11867",
    )


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        ({}, "A record without an arXiv id has no full text."),
        ({"arxiv_id": "2212.11867"}, "2212.11867 has no full text."),
        ({"arxiv_id": "2212.11867", "paragraphs": []}, "2212.11867 has no full text."),
        ({"arxiv_id": "2212.11867", "paragraphs": [1, {"text": " "}]}, "2212.11867 has no"),
        ({"arxiv_id": "x", "paragraphs": []}, "'x' is no arXiv id"),
    ],
)
def test_what_is_no_full_text_is_told_in_one_line(record: dict[str, Any], cause: str) -> None:
    with pytest.raises(SourceError) as told:
        full_text_of_records(record)
    assert told.value.cause.startswith(cause)
    assert "\n" not in str(told.value)


def test_paragraphs_without_text_are_told() -> None:
    record = {**RECORD, "paragraphs": [*RECORD["paragraphs"], {"section": "A"}, None]}
    assert full_text_of_records(record).notes == ("paragraphs without text: 2",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=4,
)
KEYS = st.sampled_from([*RECORD, "section", "sec_number", "type", "text", "raw", "doi"])


@settings(max_examples=40)
@given(st.dictionaries(KEYS, JSON | st.lists(st.dictionaries(KEYS, JSON, max_size=4), max_size=4)))
def test_any_record_is_read_or_refused(record: dict[str, Any]) -> None:
    try:
        full_text_of_records(record)
    except SourceError as error:
        assert "\n" not in str(error)


TEXT = st.text(max_size=12)
FULL_TEXTS = st.builds(
    FullText,
    kind=st.sampled_from(["pdf", "html", "records"]),
    sections=st.lists(
        st.builds(
            Section,
            st.lists(TEXT, max_size=3).map(tuple),
            st.lists(
                st.builds(
                    Block, TEXT, st.sampled_from(["paragraph", "table"]), st.none() | st.just(3)
                ),
                max_size=3,
            ).map(tuple),
        ),
        max_size=3,
    ).map(tuple),
    references=st.lists(st.builds(Reference, text=TEXT, doi=st.none() | TEXT), max_size=2).map(
        tuple
    ),
    pages=st.none() | st.integers(0, 99),
    title=st.none() | TEXT,
    notes=st.lists(TEXT, max_size=2).map(tuple),
)


@given(FULL_TEXTS)
def test_a_full_text_comes_whole_through_json(text: FullText) -> None:
    assert from_json(json.loads(to_json(text))) == text
