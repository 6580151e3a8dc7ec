"""A paper's record: what is stored of it, what is refused, and when two are the same."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers import Paper

PAPER = Paper(
    arxiv_id="0712.2288",
    title="CP Measurement",
    abstract="Quantum teleportation.",
    authors=("Yu Shi",),
    categories=("quant-ph", "cs.CL", "cs.AI"),
    primary_category="quant-ph",
    published="2007-12-14",
    version=2,
    doi="10.1/x",
)

texts = st.text(st.characters(exclude_categories=[]), max_size=40)
papers = st.builds(
    Paper,
    arxiv_id=st.sampled_from(["0712.2288v3", "arXiv:hep-th/9901001", "2301.00001", "nonsense"]),
    title=texts,
    abstract=texts,
    authors=st.lists(texts, max_size=4).map(tuple),
    categories=st.lists(texts, max_size=4).map(tuple),
    primary_category=st.none() | texts,
    published=st.none() | texts | st.dates().map(str),
    updated=st.none() | texts,
    version=st.none() | st.integers(1, 9),
    comments=st.none() | texts,
    source=st.none() | texts,
    withdrawn=st.booleans(),
)


@given(papers)
def test_a_cleaned_record_is_stable_and_survives_json(paper: Paper) -> None:
    try:
        cleaned = paper.cleaned()
    except ValueError as error:
        assert str(error).isprintable()
        return
    assert cleaned.cleaned() == cleaned
    metadata = json.loads(json.dumps(cleaned.to_metadata()))
    assert "\\u0000" not in json.dumps(metadata)
    assert Paper.from_metadata(cleaned.arxiv_id, metadata) == cleaned


def test_metadata_keep_the_printing_order_and_leave_out_what_is_unknown() -> None:
    assert list(PAPER.to_metadata()) == [
        "title",
        "abstract",
        "authors",
        "categories",
        "primary_category",
        "published",
        "version",
        "doi",
    ]


def test_contract_names() -> None:
    assert PAPER.content == "CP Measurement\nquant-ph, cs.CL, cs.AI\nQuantum teleportation."
    assert PAPER.subjects == "quant-ph, cs.CL, cs.AI"
    assert PAPER.submission_date == "2007-12-14"
    assert PAPER.category_keys == ("quant-ph", "cs.CL", "cs", "cs.AI")
    assert PAPER.url == "https://arxiv.org/abs/0712.2288"


def test_the_hash_tells_records_apart_but_not_where_they_were_read() -> None:
    same = dataclasses.replace(PAPER, source="another.csv")
    assert same.record_hash == PAPER.record_hash
    for change in ({"withdrawn": True}, {"title": "x"}, {"authors": ()}, {"version": 3}):
        assert dataclasses.replace(PAPER, **change).record_hash != PAPER.record_hash


def test_the_id_gives_version_and_month() -> None:
    paper = Paper(arxiv_id="https://arxiv.org/abs/0712.2288v3", title="T", abstract="A").cleaned()
    assert (paper.arxiv_id, paper.version, paper.published) == ("0712.2288", 3, "2007-12")


def test_text_that_no_database_takes_is_cleaned() -> None:
    paper = Paper(arxiv_id="0712.2288", title="a\0b\nc", abstract="x\ud800y", authors=("\0", " n "))
    assert paper.cleaned() == Paper(
        arxiv_id="0712.2288", title="ab c", abstract="xy", authors=("n",), published="2007-12"
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"arxiv_id": "abc"}, "'abc' is no arXiv id"),
        ({"title": " \0 "}, "title is empty"),
        ({"abstract": "\u200b"}, "abstract is empty"),
        ({"abstract": "x" * 2_000_000}, r"abstract of 2,000,000 characters \(limit 50,000\)"),
        ({"title": "x" * 3_000}, "title of 3,000 characters"),
        ({"comments": "x" * 30_000}, "comments of 30,000 characters"),
        ({"authors": ("A",) * 30_000}, "30,000 authors"),
        ({"authors": ("A" * 2_000,)}, "an author's name of 2,000 characters"),
        ({"categories": tuple(f"c{n}" for n in range(60))}, "60 categories"),
    ],
)
def test_what_can_not_be_kept_whole_is_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        dataclasses.replace(PAPER, **change).cleaned()


def test_a_thousand_authors_are_kept() -> None:
    crowd = dataclasses.replace(PAPER, authors=tuple(f"A. {n}" for n in range(5_000)))
    assert len(crowd.cleaned().authors) == 5_000


def test_a_day_in_the_future_is_no_date() -> None:
    paper = Paper(arxiv_id="2301.00001", title="A", abstract="B", published="9999-12-31")
    assert paper.cleaned().published == "2023-01"
